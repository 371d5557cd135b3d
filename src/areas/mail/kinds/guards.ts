// What all kinds inside a mailspace share: paths, requirements, the cap of one read.
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { Incomplete, ChildContext, Blocker } from '../../../model/kind/kind.ts';
import { rowsAt, ShapeError, textAt } from '../../../model/kind/rows.ts';
import type { Address } from '../../../model/address.ts';
import type { LookUp } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { domainOf, localPartOf } from '../../common/spellings.ts';

export const LISTED_WITHIN_MS = 120_000;
export const LOST_GRACE_MS = 10_000;

/** One read yields no more than this, and does not say so when there is more (LIM-04). */
const MOST_PRINCIPALS = 500;

/** A path inside the mailspace that was read. */
export function mailPath({ parent }: ChildContext, behind: string): string {
  return `/api/mailspace/${encodeURIComponent(parent.id)}/${behind}`;
}

type Sharing = Pick<NonNullable<LookUp['capped']>, 'most' | 'beside'>;

/**
 * The lists of one mailspace that share one capped read (GRP-02), for a question about what such a list may not show.
 */
export function sharing(mailspace: Address, ...others: readonly ('mailboxes' | 'pending' | 'groups')[]): Sharing {
  const beside = others.map((rows) => {
    const list = rows === 'pending' ? 'mailboxes' : rows;
    return { read: path`/api/mailspace/${ref(mailspace)}/${list}`, rows: `/${rows}` };
  });
  return { most: MOST_PRINCIPALS, beside };
}

/**
 * Whether an address is in use, after a lost answer. It gives no id, so it is never taken for the object itself
 * (MBX-08).
 */
export function inUse(mailspace: Address, address: string, by: 'mailbox' | 'group'): LookUp {
  return {
    read: path`/api/mailspace/${ref(mailspace)}/mailboxes/check?username=${localPartOf(address)}&domain=${domainOf(address)}`,
    rows: '',
    where: [
      { pointer: '/available', value: true, not: true },
      { pointer: '/used_by', value: by, orAbsent: true },
    ],
    capture: { id: '/id' },
  };
}

/** True where it matters what a list of principals does not show: something is missing, or would be removed. */
export function absenceMatters(
  { declared, owned, observedFields, whole }: ChildContext,
  shown: readonly string[],
): boolean {
  if (observedFields !== undefined || whole === true) return whole === true;
  const there = new Set(shown);
  const expected = [...declared.members.map(({ identity }) => identity), ...owned];
  return declared.unlisted === 'remove' || expected.some((identity) => !there.has(identity));
}

/** Why a list may be cut off, given how many principals are known of; null: not all of them could be counted. */
export function cutOff(known: number | null): Incomplete | null {
  if (known !== null && known < MOST_PRINCIPALS) return null;
  const counted = known === null ? 'they could not all be counted' : `${known} are known of`;
  return {
    reason: `one read of the mail server yields ${MOST_PRINCIPALS} mailboxes and groups at most and does not say when there are more, and ${counted}: what is missing may be there`,
    remedy: 'Nothing of it is made or removed. Keep fewer in one mailspace, or look in the dashboard.',
    rule: 'GRP-02',
    as: 'unknown',
  };
}

/** Declared identities that a list does not show. */
export function missing({ declared }: ChildContext, shown: readonly string[]): readonly string[] {
  const there = new Set(shown);
  return declared.members.map(({ identity }) => identity).filter((identity) => !there.has(identity));
}

/** null and "" are the same (MDM-11). */
export function textOrEmpty(row: JsonObject, key: string): string {
  const value = row[key] ?? '';
  if (typeof value !== 'string') throw new ShapeError(`expected text at ${key}`);
  return value;
}

/** The answers of a read that was made once for each of several. */
export function answersOf(answer: Json | undefined): JsonObject {
  return isJsonObject(answer) ? answer : {};
}

/** Domains that take no mail yet, by name, with the reason (MDM-09). */
export function pendingDomains(answer: Json | undefined): ReadonlyMap<string, Blocker> {
  const rows = answer === undefined ? [] : rowsAt(answer, '/pending_domains');
  return new Map(
    rows.map((row) => {
      const name = textAt(row, '/name');
      return [
        name,
        {
          reason: `the domain ${name} is not verified yet and takes no mail`,
          remedy: 'Publish its TXT record, then run again.',
          rule: 'O-37',
          as: 'waiting',
        },
      ];
    }),
  );
}
