// The JSON of the parts of one run over many accounts, as `--report json=FILE` wrote it in each.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { asShared, diagnose } from '../model/diagnostic.ts';
import type { Fleet } from '../model/plan/fleet.ts';
import { FLEET_FORMAT } from '../model/plan/fleet.ts';

/** The documents of runs over many accounts, in the order of their files. */
export async function readRuns(
  cwd: string,
  files: readonly string[],
): Promise<{ readonly parts: readonly Fleet[] } | { readonly diagnostic: Diagnostic }> {
  const parts: Fleet[] = [];
  for (const file of files) {
    const content = await readFile(resolve(cwd, file), 'utf8').catch(() => undefined);
    const fleet = content === undefined ? undefined : fleetIn(content);
    if (fleet === undefined)
      return unread(`\`${file}\` is not the JSON of a fleet run. Name files that \`--report json=FILE\` wrote.`);
    parts.push(fleet);
  }
  return { parts };
}

/** The parts joined to one run; without a part a run of no account. */
export async function readParts(
  cwd: string,
  files: readonly string[],
): Promise<{ readonly fleet: Fleet } | { readonly diagnostic: Diagnostic }> {
  const read = await readRuns(cwd, files);
  if ('diagnostic' in read) return read;
  const { parts } = read;
  if (new Set(parts.map(({ command }) => command)).size > 1)
    return unread('The parts are of different commands. Name those of one run.');
  const { joinFleets } = await import('../usecases/fleet/fleet.ts');
  return { fleet: joinFleets(parts) };
}

function unread(what: string): { readonly diagnostic: Diagnostic } {
  return { diagnostic: diagnose('HW6910', what) };
}

/** The document of a run, or undefined for anything else. */
export function fleetIn(content: string): Fleet | undefined {
  try {
    const value = JSON.parse(content) as Partial<Fleet> | null;
    return value?.format === FLEET_FORMAT && Array.isArray(value.accounts) ? withFrames(value as Fleet) : undefined;
  } catch {
    return undefined;
  }
}

/** The lines that a part shows could be shared when it was written. */
function withFrames(fleet: Fleet): Fleet {
  return {
    ...fleet,
    diagnostics: fleet.diagnostics.map(asShared),
    accounts: fleet.accounts.map((account) => ({ ...account, diagnostics: account.diagnostics.map(asShared) })),
  };
}
