// What has to be published in the DNS after hostnames were attached: nothing here writes a record (DOM-13), and until
// somebody has, a hostname leads nowhere.
import { wordsOf } from '../../areas/words.ts';
import { kindOf } from '../../model/address.ts';
import type { ActionOutcome } from '../../model/plan/outcome.ts';
import type { Action } from '../../model/plan/plan.ts';
import { firstOf, listOf } from '../../model/format.ts';
import { shortName } from './names.ts';

const NAMED = 3;

/** What a plan says of it, as sentences in which backticks mark code; undefined where it attaches no hostname. */
export function recordsSentence(actions: readonly Action[]): string | undefined {
  const attached = actions.filter(
    ({ address, verb, expect }) => needsRecords(address) && verb === 'create' && !expect.from,
  );
  if (attached.length === 0) return undefined;
  const primary = attached.filter(
    ({ risk, changes }) => risk.includes('primary') && changes.some(({ path, value }) => path === '/primary' && value),
  );
  const leads =
    primary.length === 0
      ? ''
      : `${named(primary)} ${primary.length === 1 ? 'becomes the primary hostname and leads' : 'become primary hostnames and lead'} nowhere until ${primary.length === 1 ? 'its' : 'their'} DNS records are published. `;
  return `${leads}After apply, \`hostwright dns\` lists the records to publish for ${named(attached)}.`;
}

/** The hostnames that a run attached, as they are said; undefined for none. */
export function attachedHostnames(actions: readonly ActionOutcome[]): string | undefined {
  const attached = actions.filter(
    ({ address, verb, result }) => needsRecords(address) && verb === 'create' && result === 'done',
  );
  return attached.length === 0 ? undefined : named(attached);
}

function needsRecords(address: string): boolean {
  return wordsOf(kindOf(address)).needsRecords === true;
}

function named(hostnames: readonly { readonly address: string }[]): string {
  const names = hostnames.map(({ address }) => shortName(address));
  return names.length > NAMED ? firstOf(names, NAMED) : listOf(names, 'and');
}
