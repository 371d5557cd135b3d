// Whether what an alias points at, or a group holds, is there: a declared or live mailbox, or, for an alias, a group or a
// mailing list. A slip is found before anything is sent; what could not be read is not taken for a slip.
import leven from 'leven';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import type { Answers, Blocker } from '../../../model/kind/kind.ts';
import { ABOUT_TO_BE_DELETED, A_MAILBOX, primaryAddresses } from './addresses.ts';
import { answersOf } from './guards.ts';
import { canonicalAddress, domainOf, localPartOf } from '../../common/spellings.ts';

/** The query of a check whether an address is in use (MBX-08). */
export function checkOf(address: string): string {
  return `?username=${encodeURIComponent(localPartOf(address))}&domain=${encodeURIComponent(domainOf(address))}`;
}

/** Of these targets those that no list shows and no manifest declares, each with its check: it may be a mailing list. */
export function targetsToCheck(
  targets: readonly string[],
  answers: Answers,
  rootSpec: JsonObject | undefined,
): Readonly<Record<string, string>> {
  const known = new Set([...declaredIn(rootSpec, 'mailboxes', 'groups'), ...primaryAddresses(answers).keys()]);
  return Object.fromEntries(targets.filter((target) => !known.has(target)).map((target) => [target, checkOf(target)]));
}

/** Why an alias cannot point at an address, or null: it may (ALS-03). `aliases`: the live ones. */
export function refuseTarget(
  target: string,
  answers: Answers,
  rootSpec: JsonObject | undefined,
  aliases: readonly string[],
): Blocker | null {
  const declared = declaredIn(rootSpec, 'mailboxes', 'groups');
  if (declared.includes(target)) return null;
  const live = primaryAddresses(answers);
  const refused = (reason: string): Blocker => ({
    reason,
    remedy: corrected('target', target, [...declared, ...live.keys()]),
    rule: 'ALS-03',
  });
  const holder = live.get(target);
  if (holder === ABOUT_TO_BE_DELETED) return refused(`its target ${target} is ${holder}`);
  if (holder !== undefined) return null;
  if (aliases.includes(target)) return refused(`its target ${target} is an alias, and an alias points at no other`);
  // Only a clear yes counts; null is "could not verify" (MBX-08).
  if (valueAt(answersOf(answers.checks)[target], '/available') !== true) return null;
  return refused(`its target ${target} does not exist, and no manifest declares it`);
}

/**
 * Why a group cannot have a member, or null: it may (GRP-06). To be asked only where the list of mailboxes is surely
 * whole.
 */
export function refuseMember(member: string, answers: Answers, rootSpec: JsonObject | undefined): Blocker | null {
  const declared = declaredIn(rootSpec, 'mailboxes');
  const live = primaryAddresses(answers);
  const holder = live.get(member);
  if (declared.includes(member) || holder === A_MAILBOX) return null;
  const mailboxes = [...live].filter(([, what]) => what === A_MAILBOX).map(([address]) => address);
  return {
    reason:
      holder === undefined
        ? `its member ${member} is no mailbox of this mailspace, and no manifest declares it`
        : `its member ${member} is ${holder}, and only mailboxes are members`,
    remedy: corrected('member', member, [...declared, ...mailboxes]),
    rule: 'GRP-06',
  };
}

/** Returns the addresses that the manifest of a mailspace declares in these sections. */
export function declaredIn(
  rootSpec: JsonObject | undefined,
  ...sections: readonly ('mailboxes' | 'groups' | 'aliases')[]
): string[] {
  return sections.flatMap((section) => {
    const items = rootSpec?.[section];
    const key = section === 'groups' ? 'email' : 'address';
    return Array.isArray(items) ? items.flatMap((item: Json) => addressAt(item, key)) : [];
  });
}

function addressAt(item: Json, key: string): readonly string[] {
  const address = isJsonObject(item) ? item[key] : undefined;
  return typeof address === 'string' ? [canonicalAddress(address)] : [];
}

/** Returns `Did you mean ...? ` with the nearest of the addresses, or '' where none is near. */
export function suggestion(wrong: string, addresses: readonly string[]): string {
  const meant = nearest(wrong, addresses);
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}

function corrected(what: 'target' | 'member', wrong: string, known: readonly string[]): string {
  return `${suggestion(wrong, known)}Correct the ${what}, or declare ${what === 'target' ? 'what it points at' : 'its mailbox'}.`;
}

/** Two letters that changed places, or a third of the local part wrong, are still a slip. */
function nearest(wrong: string, known: readonly string[]): string | undefined {
  const { length } = localPartOf(wrong);
  const slips = Math.max(length < 4 ? 1 : 2, Math.floor(length / 3));
  const [best] = [...new Set(known)]
    .map((address) => ({ address, distance: leven(wrong, address) }))
    .filter(({ distance }) => distance <= slips)
    .sort((left, right) => left.distance - right.distance || (left.address < right.address ? -1 : 1));
  return best?.address;
}
