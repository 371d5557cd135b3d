// What the commands that look at one thing, or do one, print as JSON: `schemas/act.schema.json`.

/** What such a document calls itself, by what the command is about. */
export type ActFormat =
  | 'hostwright.site/1'
  | 'hostwright.registration/1'
  | 'hostwright.order/1'
  | 'hostwright.contact/1'
  | 'hostwright.github/1'
  | 'hostwright.gitlab/1';

/** The names under which a result can stand in one. The schema has each of them. */
export const ACT_VALUES = [
  'backup',
  'deleted',
  'restore',
  'login',
  'users',
  'learning',
  'mail',
  'cdn',
  'resources',
  'now',
  'shield',
  'shield-overview',
  'summary',
  'read',
  'names',
  'transfer',
  'epp',
  'push',
  'refresh',
  'deletion',
  'order',
  'github',
  'gitlab',
] as const;
export type ActValue = (typeof ACT_VALUES)[number];
