// The Markdown reporter as the command line sees it. Nothing itself.
export { COMMENT } from './fit.ts';
export { isOfNoAccount, readApprovedFleet, readDoneFleet, renderFleetMarkdown } from './fleet.ts';
export type { AccountDigest } from './fleet.ts';
export type { Limit } from './fit.ts';
export { renderOutcomeMarkdown, renderProblemsMarkdown, renderValidationMarkdown } from './outcome.ts';
export { renderPlanMarkdown } from './plan.ts';
