// `hostwright/testing`: for unit tests of programs, in whatever runs them.
export type { HostwrightMatchers } from './matchers.ts';
export { matchers } from './matchers.ts';
export type { Program } from './program.ts';
export type { Applied, SandboxAccount, SandboxOptions } from './sandbox.ts';
export { applyInSandbox, openSandbox, planInSandbox } from './sandbox.ts';
export type { Declared, Part, PartOf, TemplateOptions } from './template.ts';
export { Template } from './template.ts';
export type { Outcome } from '../model/plan/outcome.ts';
export type { Plan } from '../model/plan/plan.ts';
export type { Trace, Visitor } from '../model/plan/trace.ts';
