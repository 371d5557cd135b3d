// The HTML reporter as the command line sees it.
export { renderOutcomeHtml, renderProblemsHtml, renderValidationHtml } from './outcome.ts';
export { renderFleetHtml } from './fleet.ts';
export { renderPlanHtml } from './plan.ts';
