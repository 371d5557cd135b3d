// How groups stand on the wire, which of them have to be read one by one, and in which groups every mailbox is to be in
// the end.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { valueAt } from '../../../../model/json.ts';
import type { Answers, DecodedMember, Incomplete, ChildContext, Blocker } from '../../../../model/kind/kind.ts';
import { rowsAt, ShapeError, textAt, textsAt } from '../../../../model/kind/rows.ts';
import { takenBy } from '../addresses.ts';
import { answersOf, cutOff, mailPath, missing, pendingDomains, textOrEmpty } from '../guards.ts';
import { canonicalAddress, domainOf } from '../../../common/spellings.ts';
import { refuseMember } from '../principals.ts';

export interface MailGroupSpec {
  readonly email: string;
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

/** Groups whose members are declared, or looked at. */
export function toViewFirst({
  declared,
  observedFields,
  whole,
  answers,
}: ChildContext): Readonly<Record<string, string>> {
  const wanted = new Map([
    ...declared.members.map(({ identity, spec }) => [identity, Object.keys(spec)] as const),
    ...(observedFields ?? []),
  ]);
  return viewsOf(
    answers.list,
    (row) => (whole === true && row.member_count !== 0) || wanted.get(emailIn(row))?.includes('members') === true,
  );
}

/** All the others that have any members; null is not none (CNV-02). */
export function toViewThen({ answers }: ChildContext): Readonly<Record<string, string>> {
  const known = answersOf(answers.views);
  return viewsOf(answers.list, (row) => !Object.hasOwn(known, emailIn(row)) && row.member_count !== 0);
}

/**
 * Groups that the list does not show and that are known by their id. An answer says that one is there; an error says
 * nothing (GRP-08).
 */
export function toFindGroups({
  declared,
  observedFields,
  idOf,
  answers,
}: ChildContext): Readonly<Record<string, string>> {
  const shown = new Set(rowsAt(answers.list, '/groups').map(emailIn));
  const observed = observedFields === undefined ? [] : [...observedFields.keys()];
  const wanted = new Set([...declared.members.map(({ identity }) => identity), ...observed]);
  return Object.fromEntries(
    [...wanted].flatMap((email) => {
      const id = shown.has(email) ? undefined : idOf?.(email);
      return id === undefined ? [] : [[email, `/${encodeURIComponent(id)}`]];
    }),
  );
}

function viewsOf(list: Json | undefined, wanted: (row: JsonObject) => boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rowsAt(list, '/groups')
      .filter(wanted)
      .map((row) => [emailIn(row), `/${encodeURIComponent(textAt(row, '/id'))}`]),
  );
}

/** True when the members of some group are not as declared, as far as its view tells. */
export function isDisputed(context: ChildContext): boolean {
  const views = membersIn(context.answers.views);
  return context.declared.members.some(({ identity, spec }) => {
    const live = views.get(identity);
    return (
      live !== undefined && Array.isArray(spec.members) && differing(live, spec.members as readonly string[]).length > 0
    );
  });
}

/**
 * Who is about to be deleted is no member any more; that matters where members differ. And a package that holds that
 * many may fill one read.
 */
export function pathOfMailboxes(context: ChildContext): string | null {
  const { parent, observedFields, whole, answers } = context;
  const most = typeof parent.computed.maxMailboxes === 'number' ? parent.computed.maxMailboxes : 0;
  const mayBeCutOff = cutOff(most + rowsAt(answers.list, '/groups').length) !== null;
  // Before one is made it matters who has its address (ALS-11).
  const isNew = observedFields === undefined && newOnes(context).length > 0;
  const looksAtMembers = (observedFields !== undefined || whole === true) && membersIn(answers.views).size > 0;
  return mayBeCutOff || isNew || looksAtMembers || isDisputed(context) ? mailPath(context, 'mailboxes') : null;
}

export function decodeGroups(answers: Answers, context: ChildContext): readonly DecodedMember<MailGroupSpec>[] {
  const leaving = new Set(answers.mailboxes === undefined ? [] : rowsAt(answers.mailboxes, '/pending').map(emailIn));
  const staying = (members: readonly string[]): readonly string[] => members.filter((member) => !leaving.has(member));
  const reported = [...membersIn(answers.views), ...membersIn(foundViews(answers))];
  const views = new Map(reported.map(([group, members]) => [group, staying(members)]));
  const wanted = wantedMembers(context);
  const incomplete = incompleteGroups(answers) !== null;
  const found = Object.values(foundViews(answers)).map((view) => valueAt(view, '/group') as JsonObject);
  return [...rowsAt(answers.list, '/groups'), ...found].map((row) => {
    const email = emailIn(row);
    const members = views.get(email);
    const desired = wanted.get(email);
    const changed = members === undefined || desired === undefined ? [] : differing(members, desired);
    const joining = (desired ?? []).filter((member) => changed.includes(member));
    const [refused] = refusedMembers(joining, answers, context);
    return {
      id: textAt(row, '/id'),
      spec: { email, description: textOrEmpty(row, 'description'), ...(members !== undefined && { members }) },
      computed: {
        incomplete,
        ...(refused !== undefined && { refused: { ...refused } }),
        memberships: Object.fromEntries(
          changed.map((mailbox) => [
            mailbox,
            groupsOf(mailbox, wanted, new Map([...views, ...membersIn(answers.others)])),
          ]),
        ),
      },
    };
  });
}

/**
 * Every group that a mailbox is to be in: the declared ones as declared, whether they are there already or made before;
 * the others as they are.
 */
function groupsOf(
  mailbox: string,
  wanted: ReadonlyMap<string, readonly string[]>,
  live: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const groups = new Map([...live, ...wanted]);
  return [...groups]
    .filter(([, members]) => members.includes(mailbox))
    .map(([group]) => group)
    .sort();
}

function wantedMembers({ declared }: ChildContext): ReadonlyMap<string, readonly string[]> {
  return new Map(
    declared.members.flatMap(({ identity, spec }) =>
      Array.isArray(spec.members) ? [[identity, spec.members as readonly string[]] as const] : [],
    ),
  );
}

/** In one and not in the other. */
function differing(left: readonly string[], right: readonly string[]): readonly string[] {
  return [...left.filter((item) => !right.includes(item)), ...right.filter((item) => !left.includes(item))].sort();
}

function membersIn(answer: Json | undefined): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(answersOf(answer)).map(([group, view]) => {
      const whole = valueAt(view, '/group');
      if (whole === undefined) throw new ShapeError('expected a group');
      return [group, textsAt(whole, 'members').map(canonicalAddress)] as const;
    }),
  );
}

/** The answers about those that were found by their id. */
function foundViews({ found }: Answers): JsonObject {
  return Object.fromEntries(Object.entries(answersOf(found)).filter(([, view]) => view !== null));
}

export function incompleteGroups(answers: Answers): Incomplete | null {
  const mailboxes =
    answers.mailboxes === undefined
      ? []
      : [...rowsAt(answers.mailboxes, '/mailboxes'), ...rowsAt(answers.mailboxes, '/pending')];
  return cutOff(rowsAt(answers.list, '/groups').length + mailboxes.length);
}

/** Why declared members cannot be in a group; nothing is said where not all mailboxes were read. */
function refusedMembers(members: readonly string[], answers: Answers, { declared }: ChildContext): readonly Blocker[] {
  if (answers.mailboxes === undefined || incompleteGroups(answers) !== null) return [];
  return members.flatMap((member) => refuseMember(member, answers, declared.rootSpec) ?? []);
}

/**
 * A new group takes an address that nothing else has (O-38), waits for a domain that takes no mail yet (O-37), and has
 * mailboxes as members (GRP-06).
 */
export function groupBlockers(answers: Answers, context: ChildContext): Readonly<Record<string, Blocker>> {
  const pending = pendingDomains(answers.domains);
  const taken = takenBy(answers, context.declared.rootSpec);
  const wanted = wantedMembers(context);
  return Object.fromEntries(
    newOnes({ ...context, answers }).flatMap((email) => {
      const [refused] = refusedMembers(wanted.get(email) ?? [], answers, context);
      const reason = taken.get(email) ?? pending.get(domainOf(email)) ?? refused;
      return reason === undefined ? [] : [[email, reason] as const];
    }),
  );
}

/** Only for a new group on another domain than the primary one does it matter which domains are served. */
export function needsDomainsOfGroups(context: ChildContext): boolean {
  return newOnes(context).some((email) => domainOf(email) !== context.parent.spec.domain);
}

function newOnes(context: ChildContext): readonly string[] {
  const { answers } = context;
  return missing(context, [...rowsAt(answers.list, '/groups').map(emailIn), ...Object.keys(foundViews(answers))]);
}

function emailIn(row: JsonObject): string {
  return canonicalAddress(textAt(row, '/email'));
}
