// How a mailbox stands on the wire, which reads a collection of them needs, and what stands in the way of a new one.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { sameJson, valueAt } from '../../../../model/json.ts';
import type { Answers, DecodedMember, Incomplete, ChildContext, Blocker } from '../../../../model/kind/kind.ts';
import { rowsAt, textAt, textsAt } from '../../../../model/kind/rows.ts';
import type { SecretReference } from '../../../../model/plan/step.ts';
import { takenBy } from '../addresses.ts';
import { absenceMatters, answersOf, cutOff, mailPath, missing, pendingDomains, textOrEmpty } from '../guards.ts';
import { canonicalAddress, domainOf } from '../../../common/spellings.ts';
import { checkOf } from '../principals.ts';
import { inWords } from '../../../common/format.ts';

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

/** Live mailboxes of which the view is needed. */
export function toView({ declared, observedFields, whole, answers }: ChildContext): Readonly<Record<string, string>> {
  const wanted = new Map([
    ...declared.members.map(({ identity, spec }) => [identity, Object.keys(spec)] as const),
    ...(observedFields ?? []),
  ]);
  const rows = rowsAt(answers.list, '/mailboxes').filter(
    (row) => whole === true || wanted.get(addressIn(row))?.some((field) => IN_VIEW.includes(field)),
  );
  return Object.fromEntries(rows.map((row) => [addressIn(row), `/${encodeURIComponent(textAt(row, '/id'))}`]));
}

/**
 * The groups, which share the limit of the list, where that matters and the mailboxes alone do not reach it (GRP-02).
 */
export function pathOfGroups(context: ChildContext): string | null {
  const shown = shownIn(context.answers);
  return cutOff(shown.length) === null && absenceMatters(context, shown) ? mailPath(context, 'groups') : null;
}

/**
 * Mailboxes that a list which may be cut off does not show, and that are known by their id: each is read by it
 * (MBX-02).
 */
export function toFind({
  declared,
  owned,
  observedFields,
  idOf,
  answers,
}: ChildContext): Readonly<Record<string, string>> {
  if (observedFields === undefined && cutOff(countOf(answers)) === null) return {};
  const shown = new Set(shownIn(answers));
  const observed = observedFields === undefined ? [] : [...observedFields.keys()];
  const wanted = new Set([...declared.members.map(({ identity }) => identity), ...owned, ...observed]);
  return Object.fromEntries(
    [...wanted].flatMap((address) => {
      const id = shown.has(address) ? undefined : idOf?.(address);
      return id === undefined ? [] : [[address, `/${encodeURIComponent(id)}`]];
    }),
  );
}

/** Declared mailboxes that neither the list shows nor their id finds: each is asked for by its address (MBX-08). */
export function toCheck(context: ChildContext): Readonly<Record<string, string>> {
  if (cutOff(countOf(context.answers)) === null) return {};
  return Object.fromEntries(missing(context, seenIn(context.answers)).map((address) => [address, checkOf(address)]));
}

export function decodeMailboxes(answers: Answers, context: ChildContext): readonly DecodedMember<MailboxSpec>[] {
  const { parent, declared } = context;
  const storageMb = typeof parent.computed.storageGb === 'number' ? parent.computed.storageGb * MB_IN_GB : null;
  const found = foundIn(answers).map(([address, view]) => decodeFound(address, view));
  const rows = rowsAt(answers.list, '/mailboxes');
  const live = [...rows.map((row) => decodeLive(row, answersOf(answers.views)[addressIn(row)])), ...found];
  // One that is about to be deleted is restored, never made anew (O-47); nothing but its address is told of it.
  const pending = rowsAt(answers.list, '/pending').map((row): DecodedMember<MailboxSpec> => ({
    id: textAt(row, '/id'),
    spec: { address: addressIn(row), deletion: 'scheduled' },
    computed: { leavesAt: row.scheduled_deletion_at ?? null },
  }));
  const wanted = new Set(declared.members.map(({ identity }) => identity));
  const back = pending
    .map(({ spec }) => spec.address as string)
    .filter((address) => wanted.has(address))
    .sort();
  const most = parent.computed.maxMailboxes;
  const fitting = new Set(typeof most === 'number' ? back.slice(0, Math.max(0, most - live.length)) : back);
  return [...live, ...pending].map((member) => {
    const { address = '', deletion } = member.spec;
    return {
      ...member,
      computed: { ...member.computed, storageMb, ...(deletion === 'scheduled' && { fits: fitting.has(address) }) },
    };
  });
}

/**
 * What only its view shows: all of it may be empty because the mail server could not be read, and no row says otherwise
 * (MBX-07).
 */
function decodeFound(address: string, view: Json): DecodedMember<MailboxSpec> {
  const status = valueAt(view, '/status');
  const id = textAt(view, '/id');
  if (status === 'pending_deletion') return { id, spec: { address, deletion: 'scheduled' } };
  const displayName = valueAt(view, '/display_name') ?? '';
  const quotaMb = valueAt(view, '/quota_mb') ?? 0;
  const lists = ['aliases', 'allowed_ips', 'groups', 'lists'].map((key) => textsAt(view, key));
  const isEmpty = displayName === '' && quotaMb === 0 && lists.every((list) => list.length === 0);
  const spec = { address, deletion: 'none' as const, ...(typeof status === 'string' && status !== '' && { status }) };
  if (isEmpty || typeof displayName !== 'string' || typeof quotaMb !== 'number') {
    const doubt = 'the view of the mailbox is empty, so the mail server may not have been read (MBX-07)';
    return { id, spec, computed: { doubtful: true, unlisted: true }, ...(spec.status === undefined && { doubt }) };
  }
  const access = { allowedIps: textsAt(view, 'allowed_ips'), lists: textsAt(view, 'lists') };
  return { id, spec: { ...spec, displayName, quotaMb, ...access }, computed: { unlisted: true } };
}

function decodeLive(row: JsonObject, answer: Json | undefined): DecodedMember<MailboxSpec> {
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
    computed: { doubtful },
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

export function incompleteMailboxes(answers: Answers, { declared }: ChildContext): Incomplete | null {
  const cut = cutOff(countOf(answers));
  if (cut === null) return null;
  const wanted = new Set(declared.members.map(({ identity }) => identity));
  // Only a clear yes counts; null is "could not verify" (MBX-08). One that was ours is gone with its id, while the
  // address of a wanted one may be in use again.
  const absent = Object.entries(answersOf(answers.checks)).filter(
    ([, answer]) => valueAt(answer, '/available') === true,
  );
  const found = Object.entries(answersOf(answers.found));
  const gone = found.filter(([address, view]) => view === null && !wanted.has(address));
  return { ...cut, absent: [...absent, ...gone].map(([address]) => address) };
}

/**
 * Why mailboxes that are not there cannot be made: address in use, domain that takes no mail yet, quota too large, no
 * room.
 */
export function blockersOf(answers: Answers, context: ChildContext): Readonly<Record<string, Blocker>> {
  const { parent, declared } = context;
  const seen = seenIn(answers);
  const wanted = [...missing(context, seen)].sort();
  const pending = pendingDomains(answers.domains);
  const taken = takenBy(answers, declared.rootSpec);
  const storageMb = typeof parent.computed.storageGb === 'number' ? parent.computed.storageGb * MB_IN_GB : null;
  const quotas = new Map(declared.members.map(({ identity, spec }) => [identity, spec.quotaMb]));
  const reasonFor = (address: string): Blocker | null =>
    taken.get(address) ?? pending.get(domainOf(address)) ?? tooLarge(quotas.get(address), storageMb);
  const reasons = wanted.map((address) => [address, reasonFor(address)] as const);
  // What a list that may be cut off does not show is not known to be new.
  const surelyNew = incompleteMailboxes(answers, context)?.absent ?? wanted;
  const clear = reasons
    .filter(([address, reason]) => reason === null && surelyNew.includes(address))
    .map(([address]) => address);
  const room =
    typeof parent.computed.maxMailboxes === 'number'
      ? Math.max(0, parent.computed.maxMailboxes - seen.length)
      : clear.length;
  const full: Blocker = {
    reason: `the package has room for ${inWords(parent.computed.maxMailboxes)} mailboxes and holds ${seen.length}, with those suspended or about to be deleted, which may count (GAP-43)`,
    remedy: 'Take a larger package in the dashboard, or do without some mailboxes.',
    rule: 'O-39',
  };
  return Object.fromEntries([
    ...reasons.filter((entry): entry is readonly [string, Blocker] => entry[1] !== null),
    ...clear.slice(room).map((address) => [address, full] as const),
  ]);
}

/**
 * Only for an address that is to be made on another domain than the primary one does it matter which domains are served
 * (O-37).
 */
export function needsDomains(context: ChildContext): boolean {
  return missing(context, seenIn(context.answers)).some((address) => domainOf(address) !== context.parent.spec.domain);
}

/** A quota larger than the whole package is refused (MBX-14, MBX-26). */
export function tooLarge(quotaMb: Json | undefined, storageMb: Json | undefined): Blocker | null {
  if (typeof quotaMb !== 'number' || typeof storageMb !== 'number' || quotaMb <= storageMb) return null;
  return {
    reason: `a quota of ${quotaMb} MB is more than the whole package has (${storageMb} MB)`,
    remedy: 'Write a smaller quotaMb, or take a larger package in the dashboard.',
    rule: 'O-35',
  };
}

/**
 * Why one that is about to be deleted cannot come back: reactivation checks the limit of the package (MBX-18, MBX-24).
 */
export function noRoomToRestore({ fits }: JsonObject): Blocker | null {
  if (fits !== false) return null;
  return {
    reason:
      'it is about to be deleted, and the package has no room to restore it: suspended mailboxes may count too (GAP-43)',
    remedy: 'Take a larger package in the dashboard, or delete another mailbox first.',
    rule: 'MBX-26',
  };
}

/** Addresses of all mailboxes that the list shows, those about to be deleted too. */
function shownIn(answers: Answers): readonly string[] {
  return [...rowsAt(answers.list, '/mailboxes'), ...rowsAt(answers.list, '/pending')].map(addressIn);
}

/** Those, and those that their id has found. */
function seenIn(answers: Answers): readonly string[] {
  return [...shownIn(answers), ...foundIn(answers).map(([address]) => address)];
}

function foundIn({ found }: Answers): readonly (readonly [string, Json])[] {
  return Object.entries(answersOf(found)).flatMap(([address, answer]) => {
    const view = valueAt(answer, '/mailbox');
    return view === undefined ? [] : [[address, view] as const];
  });
}

/** How many share the limit of the list, as far as that was read; null where not all could be. */
function countOf(answers: Answers): number | null {
  if (answers.groups === null) return null;
  return shownIn(answers).length + (answers.groups === undefined ? 0 : rowsAt(answers.groups, '/groups').length);
}

function addressIn(row: JsonObject): string {
  return canonicalAddress(textAt(row, '/email'));
}
