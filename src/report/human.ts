// The terminal reporter as the command line sees it. Decides nothing itself.
export type { ValidationText } from './human-diagnostics.ts';
export { countDiagnostics, renderDiagnostics, renderValidation } from './human-diagnostics.ts';
export { renderContact, renderContacts } from './human-contact.ts';
export { renderDoctor } from './human-doctor.ts';
export { renderInit } from './human-init.ts';
export { renderLedger, renderOutcome } from './human-outcome.ts';
export { renderPlan } from './human-plan.ts';
export { renderLogEntry, renderMail, renderTasks, renderUsers } from './human-site.ts';
export { renderMetrics } from './metrics.ts';
