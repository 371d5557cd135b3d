// Decides how a mailbox stands on the wire, which reads a collection of them needs, and what stands in the way of a new
// one. Must not decide what is sent: mailbox-steps.ts does.
import type { Json, JsonObject } from '../../../model/json.ts';
import { sameJson, valueAt } from '../../../model/json.ts';
import type { Answers, DecodedMember, Incomplete, ReadContext, Refusal } from '../../../model/kind/kind.ts';
import { rowsAt, textAt, textsAt } from '../../../model/kind/rows.ts';
import type { SecretReference } from '../../../model/plan/step.ts';
import { answersOf, cutOff, missing, pendingDomains, textOrEmpty } from '../guards.ts';
import { canonicalAddress, domainOf, localPartOf } from '../names.ts';
import { inWords } from '../../common/words.ts';

export interface MailboxSpec {
  readonly address: string;
  readonly displayName: string;
  readonly quotaMb: number;
  readonly status: string;
  readonly allowedIps: readonly string[];
  readonly lists: readonly string[];
  /** A reference to its place, and only where it is to be written. */
  readonly password: SecretReference;
  /** Whether it is about to be deleted; a wanted one is not. Manifests never write it. */
  readonly deletion: 'none' | 'scheduled';
}

const IN_VIEW: readonly string[] = ['allowedIps', 'lists'];
const MB_IN_GB = 1024;

/** The path, where there is anything to ask. */
export function askFor(what: Readonly<Record<string, string>>, path: string): string | null {
  return Object.keys(what).length === 0 ? null : path;
}

/** Live mailboxes of which the view is needed. */
export function toView({ declared, looked, whole, answers }: ReadContext): Readonly<Record<string, string>> {
  const wanted = new Map([
    ...declared.members.map(({ identity, spec }) => [identity, Object.keys(spec)] as const),
    ...(looked ?? []),
  ]);
  const rows = rowsAt(answers.list, '/mailboxes').filter(
    (row) => whole === true || wanted.get(addressIn(row))?.some((field) => IN_VIEW.includes(field)),
  );
  return Object.fromEntries(rows.map((row) => [addressIn(row), `/${encodeURIComponent(textAt(row, '/id'))}`]));
}

/** Declared mailboxes that a list which may be cut off does not show: each is asked for by itself (MBX-02, MBX-08). */
export function toCheck(context: ReadContext): Readonly<Record<string, string>> {
  if (cutOff(shownIn(context.answers).length) === null) return {};
  return Object.fromEntries(
    missing(context, shownIn(context.answers)).map((address) => [
      address,
      `?username=${encodeURIComponent(localPartOf(address))}&domain=${encodeURIComponent(domainOf(address))}`,
    ]),
  );
}

export function decodeMailboxes(answers: Answers, { parent }: ReadContext): readonly DecodedMember<MailboxSpec>[] {
  const storageMb = typeof parent?.facts.storageGb === 'number' ? parent.facts.storageGb * MB_IN_GB : null;
  const live = rowsAt(answers.list, '/mailboxes').map((row) =>
    decodeLive(row, answersOf(answers.views)[addressIn(row)], storageMb),
  );
  // One that is about to be deleted is restored, never made anew (O-47); nothing but its address is told of it.
  const pending = rowsAt(answers.list, '/pending').map((row): DecodedMember<MailboxSpec> => ({
    id: textAt(row, '/id'),
    spec: { address: addressIn(row), deletion: 'scheduled' },
    facts: { storageMb },
  }));
  return [...live, ...pending];
}

function decodeLive(row: JsonObject, answer: Json | undefined, storageMb: number | null): DecodedMember<MailboxSpec> {
  const view = valueAt(answer, '/mailbox');
  const doubtful = view !== undefined && !agree(row, view);
  return {
    id: textAt(row, '/id'),
    spec: {
      address: addressIn(row),
      displayName: textOrEmpty(row, 'display_name'),
      ...(typeof row.quota_mb === 'number' && { quotaMb: row.quota_mb }),
      status: textAt(row, '/status'),
      deletion: 'none',
      ...(view !== undefined &&
        !doubtful && { allowedIps: textsAt(view, 'allowed_ips'), lists: textsAt(view, 'lists') }),
    },
    facts: { storageMb, doubtful },
    ...(doubtful && {
      doubt: 'the view of the mailbox and the list disagree: the mail server cannot be read (MBX-07)',
    }),
  };
}

/**
 * The list is a strict read, the view is not: where they differ the view is what could not be read (MBX-07, GAP-45).
 */
function agree(row: JsonObject, view: Json): boolean {
  const core = (of: Json): Json => [
    valueAt(of, '/display_name') ?? '',
    valueAt(of, '/quota_mb') ?? 0,
    valueAt(of, '/status') ?? '',
    [...textsAt(of, 'aliases')].sort(),
  ];
  return sameJson(core(row), core(view));
}

export function incompleteMailboxes(answers: Answers): Incomplete | null {
  const cut = cutOff(shownIn(answers).length);
  if (cut === null) return null;
  // Only a clear yes counts; null is "could not verify" (MBX-08).
  const absent = Object.entries(answersOf(answers.checks)).filter(
    ([, answer]) => valueAt(answer, '/available') === true,
  );
  return { ...cut, absent: absent.map(([address]) => address) };
}

/**
 * What stands in the way of mailboxes that are not there: a domain that takes no mail yet, a quota that does not fit,
 * no room.
 */
export function obstaclesOf(answers: Answers, context: ReadContext): Readonly<Record<string, Refusal>> {
  const { parent, declared } = context;
  const shown = shownIn(answers);
  const wanted = [...missing(context, shown)].sort();
  const pending = pendingDomains(answers.domains);
  const storageMb = typeof parent?.facts.storageGb === 'number' ? parent.facts.storageGb * MB_IN_GB : null;
  const quotas = new Map(declared.members.map(({ identity, spec }) => [identity, spec.quotaMb]));
  const reasons = wanted.map(
    (address) => [address, pending.get(domainOf(address)) ?? tooLarge(quotas.get(address), storageMb)] as const,
  );
  // What a list that may be cut off does not show is not known to be new.
  const surelyNew = incompleteMailboxes(answers)?.absent ?? wanted;
  const clear = reasons
    .filter(([address, reason]) => reason === null && surelyNew.includes(address))
    .map(([address]) => address);
  const room =
    typeof parent?.facts.maxMailboxes === 'number'
      ? Math.max(0, parent.facts.maxMailboxes - shown.length)
      : clear.length;
  const full: Refusal = {
    because: `the package has room for ${inWords(parent?.facts.maxMailboxes)} mailboxes and holds ${shown.length}, with those suspended or about to be deleted, which may count (GAP-43)`,
    todo: 'Take a larger package in the dashboard, or do without some mailboxes.',
    rule: 'O-39',
  };
  return Object.fromEntries([
    ...reasons.filter((entry): entry is readonly [string, Refusal] => entry[1] !== null),
    ...clear.slice(room).map((address) => [address, full] as const),
  ]);
}

/**
 * Only for an address that is to be made on another domain than the primary one does it matter which domains are served
 * (O-37).
 */
export function needsDomains(context: ReadContext): boolean {
  return missing(context, shownIn(context.answers)).some(
    (address) => domainOf(address) !== context.parent?.spec.domain,
  );
}

/** A quota larger than the whole package is refused (MBX-14, MBX-26). */
export function tooLarge(quotaMb: Json | undefined, storageMb: Json | undefined): Refusal | null {
  if (typeof quotaMb !== 'number' || typeof storageMb !== 'number' || quotaMb <= storageMb) return null;
  return {
    because: `a quota of ${quotaMb} MB is more than the whole package has (${storageMb} MB)`,
    todo: 'Write a smaller quotaMb, or take a larger package in the dashboard.',
    rule: 'O-35',
  };
}

/** Addresses of all mailboxes that the list shows, those about to be deleted too. */
function shownIn(answers: Answers): readonly string[] {
  return [...rowsAt(answers.list, '/mailboxes'), ...rowsAt(answers.list, '/pending')].map(addressIn);
}

function addressIn(row: JsonObject): string {
  return canonicalAddress(textAt(row, '/email'));
}
