// The terminal reporter as the command line sees it. Nothing itself.
export type { ValidationText } from './diagnostics.ts';
export { countDiagnostics, renderDiagnostics, renderValidation } from './diagnostics.ts';
export { renderContact, renderContacts } from './contact.ts';
export { renderDoctor } from './doctor.ts';
export { renderInit } from './init.ts';
export { renderLedger, renderOutcome } from './outcome.ts';
export { renderPlan } from './plan.ts';
export { renderLogEntry, renderMail, renderTasks, renderUsers } from './site.ts';
export { renderMetrics } from './metrics.ts';
