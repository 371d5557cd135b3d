// How a test runs the program of a user: the built process, with what it prints kept.
import { join } from 'node:path';
import type { ProgramAccess } from '../../../src/manifest/program/run-program.ts';

const child = join(import.meta.dirname, '../../../dist/constructs-child.mjs');

/** What a session needs to run programs. Build first: the process is that of `dist`. */
export function programAccess(
  extra: Partial<ProgramAccess> & { readonly variables?: Readonly<Record<string, string>> } = {},
): ProgramAccess & { readonly said: readonly string[] } {
  const said: string[] = [];
  const { variables = {}, limits = {}, ...others } = extra;
  return {
    node: process.execPath,
    version: process.versions.node,
    child,
    env: (name) => variables[name] ?? (['PATH', 'HOME'].includes(name) ? process.env[name] : undefined),
    say: (_program, line) => said.push(line),
    said,
    // As long as a test may take: a busy machine takes as long as it takes.
    limits: { timeMs: 600_000, ...limits },
    ...others,
  };
}
