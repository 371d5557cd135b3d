// What the commands that look at one thing, or do one, print as JSON: `schemas/act.schema.json`.
import type { Act } from './generated/output/act.ts';

/** What such a document calls itself, by what the command is about. */
export type ActFormat = Act['format'];

/** The names under which a result can stand in one. */
export type ActValue = Exclude<
  keyof Act,
  'format' | 'outcome' | 'exitCode' | 'site' | 'message' | 'entries' | 'diagnostics'
>;
