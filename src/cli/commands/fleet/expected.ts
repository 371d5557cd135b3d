// Which plans `fleet apply --expect` names, by account: those of a report in Markdown or JSON, or of a file with an
// account and a digest a line. A line that ends with `done` is an approval that is used up.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import { readApprovedFleet } from '../../../report/blocks/mark.ts';
import { approvingPulls } from '../../plan-file/approved.ts';
import { fleetIn } from '../../fleet-parts.ts';

const DIGEST_LINE = /^(\S+)\s+([0-9a-f]{64})(\s+done)?$/;

interface Expected {
  /** The digests of each account's plan that may run. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
  /** Accounts whose approvals are all used up. */
  readonly done: ReadonlySet<string>;
  /** The pull requests whose reviews approved them, where the file says so. */
  readonly pulls: readonly number[];
}

/** What a review was given: the digest of each account's plan. */
export async function readExpected(cwd: string, file: string): Promise<Expected | { readonly diagnostic: Diagnostic }> {
  const wrong = (what: string) => ({
    diagnostic: diagnose(
      'HW6909',
      `${what} --expect takes the JSON or the Markdown of \`hostwright fleet plan\`, or a file with an account and the digest of its plan a line. Nothing was sent.`,
    ),
  });
  const none: ReadonlySet<string> = new Set();
  const content = await readFile(resolve(cwd, file), 'utf8').catch(() => undefined);
  if (content === undefined) return wrong(`\`${file}\` cannot be read.`);
  const reported = readApprovedFleet(content);
  if (reported === 'too long') return wrong(`\`${file}\` has no room for the digests of so many plans.`);
  if (reported !== undefined) return { digests: byAccount(reported), done: none, pulls: [] };
  const fleet = fleetIn(content);
  if (fleet !== undefined)
    return {
      digests: byAccount(
        fleet.accounts.flatMap(({ account, digest, plan }) =>
          digest === undefined || plan === undefined ? [] : [[account, digest] as const],
        ),
      ),
      done: none,
      pulls: [],
    };
  const lines: (readonly [string, string])[] = [];
  const done = new Set<string>();
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const line = raw.replace(/#.*/, '').trim();
    if (line === '') continue;
    const [, account, digest, isDone] = DIGEST_LINE.exec(line) ?? [];
    if (account === undefined || digest === undefined)
      return wrong(`Line ${index + 1} of \`${file}\` is not an account and a digest.`);
    if (isDone === undefined) lines.push([account, digest]);
    else done.add(account);
  }
  const digests = byAccount(lines);
  return {
    digests,
    done: new Set([...done].filter((account) => !digests.has(account))),
    pulls: approvingPulls(content),
  };
}

/** An account may have several: each was reviewed. */
function byAccount(lines: readonly (readonly [string, string])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const digests = new Map<string, Set<string>>();
  for (const [account, digest] of lines) digests.set(account, (digests.get(account) ?? new Set()).add(digest));
  return digests;
}
