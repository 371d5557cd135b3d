// The ordering constraints of the platform, written down a second time from their own words and held against what was
// sent. Shares nothing with the engine: neither its rules nor its plans, only requests and what the store held before.
// One function a rule, by its number.
import type { RecordedRequest } from '../../src/sandbox/core/http/recording.ts';
import type { State } from '../../src/sandbox/core/state.ts';

/** A write, and whether the platform carried it out. */
interface Write {
  readonly n: number;
  readonly method: string;
  /** Behind /api/, decoded. */
  readonly at: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  /** Carried out, whether or not the client heard of it. */
  readonly done: boolean;
}

type Violations = readonly string[];

/** What is held against one site or one mailspace: its writes in the order in which they were sent. */
interface Case<Before> {
  readonly writes: readonly Write[];
  readonly before: Before;
  /** The last words of the paths whose answers were spoilt: what stands there is not known to the run. */
  readonly unread: ReadonlySet<string>;
}

type LiveSite = State['sites'] extends ReadonlyMap<string, infer Site> ? Site : never;
type LiveSpace = State['mail']['spaces'] extends ReadonlyMap<string, infer Space> ? Space : never;

const UNPROCESSED = new Set(['reset-before', 'status-before']);

function writesOf(requests: readonly RecordedRequest[]): readonly Write[] {
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ n, method, path, body, status, fault }) => ({
      n,
      method,
      at: path.split('?', 1)[0]?.split('/').slice(2).map(decodeURIComponent) ?? [],
      body: typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {},
      done: fault === null ? status !== null && status < 300 : !UNPROCESSED.has(fault),
    }));
}

/**
 * Everything in `requests` that breaks an ordering constraint. Of one run. `before`: the store as it was then; `after`:
 * as it is now.
 */
export function violations(requests: readonly RecordedRequest[], before: State, after: State): Violations {
  const writes = writesOf(requests);
  const of = (area: string, id: string): readonly Write[] => writes.filter(({ at }) => at[0] === area && at[1] === id);
  const unread = new Set(
    requests
      .filter(({ method, fault }) => method === 'GET' && fault !== null)
      .map(({ path }) => path.split('?', 1)[0]?.split('/').at(-1) ?? ''),
  );
  const names = new Map(
    [...before.sites.values(), ...after.sites.values()].flatMap(({ domains }) =>
      domains.map(({ id, hostname }) => [id, hostname] as const),
    ),
  );
  const sites = [...before.sites.values()].flatMap((site) =>
    Object.entries(siteRules(names)).flatMap(([rule, check]) =>
      check({ writes: of('sites', site.id), before: site, unread }).map((text) => `${rule}, ${site.id}: ${text}`),
    ),
  );
  const mailboxes = new Map(
    [...before.mail.spaces.values(), ...after.mail.spaces.values()].flatMap((space) =>
      space.mailboxes.map(({ id, email }) => [id, email] as const),
    ),
  );
  const spaces = [...before.mail.spaces.values()].flatMap((space) =>
    Object.entries(mailRules(mailboxes)).flatMap(([rule, check]) =>
      check({ writes: of('mailspace', space.id), before: space, unread }).map(
        (text) => `${rule}, ${space.id}: ${text}`,
      ),
    ),
  );
  return [...sites, ...spaces];
}

const isDone = ({ done }: Write): boolean => done;

/** None of `early` may be carried out after one of `late` was. */
function comesBefore(
  writes: readonly Write[],
  early: (write: Write) => boolean,
  late: (write: Write) => boolean,
): Violations {
  const first = writes.find((write) => write.done && late(write));
  return first === undefined
    ? []
    : writes
        .filter((write) => write.done && early(write) && write.n > first.n)
        .map((write) => `${inWords(write)} comes after ${inWords(first)}`);
}

/** Each of `later` may only be sent when what it needs was carried out. */
function needs(
  writes: readonly Write[],
  later: (write: Write) => boolean,
  needed: (write: Write) => readonly ((earlier: Write) => boolean)[],
): Violations {
  return writes.filter(later).flatMap((write) =>
    needed(write)
      .filter((fits) => !writes.some((earlier) => earlier.done && earlier.n < write.n && fits(earlier)))
      .map(() => `${inWords(write)} is sent before what it needs`),
  );
}

function inWords({ n, method, at, body }: Write): string {
  return `#${n} ${method} ${at.join('/')} ${JSON.stringify(body)}`;
}

function is(method: string, ...place: readonly (string | null)[]): (write: Write) => boolean {
  return (write) =>
    write.method === method &&
    write.at.length === place.length + 2 &&
    place.every((part, index) => part === null || write.at[index + 2] === part);
}

const either =
  (...tests: readonly ((write: Write) => boolean)[]) =>
  (write: Write): boolean =>
    tests.some((test) => test(write));

function siteRules(
  hostnames: ReadonlyMap<string, string>,
): Readonly<Record<string, (one: Case<LiveSite>) => Violations>> {
  const attach = is('POST', 'domains');
  const promote = is('PATCH', 'domains', null);
  const detach = is('DELETE', 'domain', null);
  const ruleMade = (write: Write): boolean => is('POST', 'edge_rules')(write) && edge(write).Guid === undefined;
  const ruleReplaced = (write: Write): boolean => is('POST', 'edge_rules')(write) && edge(write).Guid !== undefined;
  const ruleRemoved = is('DELETE', 'edge_rules', null);
  const blocks = (write: Write): boolean => is('PATCH', 'shield', 'waf')(write) && write.body.waf_execution_mode === 1;
  const lists = either(is('POST', 'shield', 'access_lists'), is('PATCH', 'shield', 'access_lists', null));
  return {
    // "attach new domain | promote it: the id comes from the attach"
    'O-12': ({ writes, before }) =>
      needs(
        writes,
        (write) => promote(write) && !before.domains.some(({ id }) => id === write.at[3]),
        (write) => [(earlier) => attach(earlier) && earlier.body.domain === hostnames.get(write.at[3] ?? '')],
      ),
    // "promote new primary | delete old primary: else temporary URL"
    'O-13': ({ writes, before }) =>
      needs(
        writes,
        (write) => detach(write) && write.at[3] === before.primaryDomainId,
        () => [(earlier) => promote(earlier) && earlier.at[3] !== before.primaryDomainId],
      ),
    // "domains attached | CDN checks and everything below": what rests on the CDN, and Shield as a whole; what is in an
    // active Shield rests on that (O-21).
    'O-18': ({ writes }) =>
      comesBefore(
        writes,
        attach,
        ({ at }) =>
          (['cdn', 'cache', 'edge_rules'].includes(at[2] ?? '') && at[4] !== 'purge') ||
          (at[2] === 'shield' && at.length === 3),
      ),
    // "access lists, Allow/Bypass custom rules | WAF mode Log to Block"; what is changed may be either.
    'O-24': ({ writes }) =>
      comesBefore(
        writes,
        either(
          lists,
          (write) =>
            is('POST', 'shield', 'waf_custom_rules')(write) && /"action_type":(4|5)\b/.test(JSON.stringify(write.body)),
          is('PATCH', 'shield', 'waf_custom_rules', null),
        ),
        blocks,
      ),
    // "edge rule updates, then creates | edge rule deletes"; where a rule gets another place as well, the places say
    // who is first.
    'O-26': ({ writes, before }) => [
      ...comesBefore(writes, either(ruleMade, ruleReplaced, is('PATCH', 'edge_rules', null, 'enabled')), ruleRemoved),
      ...comesBefore(
        writes,
        (write) =>
          ruleReplaced(write) &&
          before.edgeRules.some(
            ({ Guid, OrderIndex }) => Guid === edge(write).Guid && OrderIndex === edge(write).OrderIndex,
          ),
        ruleMade,
      ),
      ...['waf_custom_rules', 'access_lists'].flatMap((items) => [
        ...comesBefore(
          writes,
          either(is('POST', 'shield', items), is('PATCH', 'shield', items, null)),
          is('DELETE', 'shield', items, null),
        ),
        ...comesBefore(writes, is('PATCH', 'shield', items, null), is('POST', 'shield', items)),
      ]),
    ],
    // "edge full replace | edge `enabled` toggle of the same rule"
    'O-27': ({ writes }) =>
      writes.filter(is('PATCH', 'edge_rules', null, 'enabled')).flatMap((toggle) =>
        comesBefore(
          writes,
          (write) => ruleReplaced(write) && edge(write).Guid === toggle.at[3],
          (write) => write === toggle,
        ),
      ),
    // "caching settings, edge rules, layers, PHP | purge"
    'O-28': ({ writes }) =>
      comesBefore(
        writes,
        ({ at }) =>
          ['domains', 'domain', 'variants', 'cdn', 'cache', 'edge_rules'].includes(at[2] ?? '') && at[4] !== 'purge',
        lastOf(writes, is('POST', 'cdn', 'caching', 'purge')),
      ),
    // "primary domain promotion | mail settings"
    'O-29': ({ writes }) => comesBefore(writes, promote, is('PATCH', 'mail', 'settings')),
    // "all creates and updates | all deletes across kinds". Switching a layer off is a change.
    'O-70': ({ writes }) =>
      comesBefore(
        writes,
        (write) => write.method !== 'DELETE' && write.at[4] !== 'purge',
        (write) => write.method === 'DELETE' && write.at[2] !== 'cache',
      ),
  };
}

/** A purge that a run owed is done again: only the last has to come after everything. */
function lastOf(writes: readonly Write[], fits: (write: Write) => boolean): (write: Write) => boolean {
  const last = writes.filter((write) => write.done && fits(write)).at(-1);
  return (write) => write === last;
}

function edge({ body }: Write): Readonly<Record<string, unknown>> {
  return body.edge_rule as Readonly<Record<string, unknown>>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : []);
const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);

/** The address that a write makes, if it makes one. */
function madeBy(write: Write): string | undefined {
  if (is('POST', 'mailboxes')(write)) return `${text(write.body.username)}@${text(write.body.domain)}`;
  if (is('POST', 'groups')(write)) return text(write.body.email);
  return is('POST', 'aliases')(write) ? text(write.body.address) : undefined;
}

function mailRules(
  mailboxes: ReadonlyMap<string, string>,
): Readonly<Record<string, (one: Case<LiveSpace>) => Violations>> {
  const aliasMade = is('POST', 'aliases');
  const aliasRemoved = is('DELETE', 'aliases', null);
  const boxRemoved = is('DELETE', 'mailboxes', null);
  const makes =
    (address: string) =>
    (write: Write): boolean =>
      madeBy(write) === address && !aliasMade(write);
  const isThere = ({ mailboxes: boxes, groups }: LiveSpace, address: string): boolean =>
    [...boxes, ...groups].some(({ email }) => email === address);
  const holderOf = ({ mailboxes: boxes, groups }: LiveSpace, alias: string): string | undefined =>
    [...boxes, ...groups].find(({ aliases }) => aliases.includes(alias))?.email;
  return {
    // "secondary domain served | mailboxes, groups, aliases on it"
    'O-37': ({ writes, before }) =>
      needs(
        writes,
        (write) => madeBy(write) !== undefined,
        (write) => {
          const domain = domainOf(madeBy(write) ?? '');
          return before.domains.some(({ name }) => name === domain)
            ? []
            : [(earlier) => is('POST', 'domains')(earlier) && text(earlier.body.name) === domain];
        },
      ),
    // "alias holding an address removed | mailbox, group or alias taking that address"; who cannot read the aliases
    // does not know, and is refused.
    'O-38': ({ writes, before, unread }) =>
      needs(
        unread.has('aliases') ? [] : writes,
        (write) => madeBy(write) !== undefined && holderOf(before, madeBy(write) ?? '') !== undefined,
        (write) => [(earlier) => aliasRemoved(earlier) && earlier.at[3] === madeBy(write)],
      ),
    // "mailboxes exist | groups with them as members"
    'O-40': ({ writes, before }) =>
      needs(writes, is('POST', 'groups'), (write) =>
        texts(write.body.members)
          .filter((address) => !isThere(before, address))
          .map(makes),
      ),
    // "group exists | mailbox PATCH naming it in `groups`"
    'O-41': ({ writes, before }) =>
      needs(writes, is('PATCH', 'mailboxes', null), (write) =>
        texts(write.body.groups)
          .filter((address) => !isThere(before, address))
          .map(makes),
      ),
    // "mailbox, group (or list) exists | alias that targets it"
    'O-43': ({ writes, before }) =>
      needs(writes, aliasMade, (write) =>
        [text(write.body.target_email)].filter((address) => !isThere(before, address)).map(makes),
      ),
    // "delete alias | create alias with new target, immediately after": nothing else is written between them.
    'O-44': ({ writes }) =>
      writes.flatMap((write, index) => {
        const next = writes[index + 1];
        const moves =
          aliasRemoved(write) &&
          writes.slice(index).some((later) => aliasMade(later) && text(later.body.address) === write.at[3]);
        const isNext =
          next !== undefined &&
          (aliasRemoved(next) || aliasMade(next)) &&
          (next.at[3] ?? text(next.body.address)) === write.at[3];
        return moves && writes.every(isDone) && !isNext ? [`${inWords(write)} is not followed by its new target`] : [];
      }),
    // "aliases to be kept moved to another target; members removed from groups | delete of the mailbox that carries
    // them"
    'O-45': ({ writes, before }) =>
      writes
        .filter((write) => write.done && boxRemoved(write))
        .flatMap((removal) => {
          const box = mailboxes.get(removal.at[3] ?? '');
          const carried = before.mailboxes.find(({ email }) => email === box)?.aliases ?? [];
          return comesBefore(
            writes,
            either(
              (write) => aliasMade(write) && carried.includes(text(write.body.address)),
              (write) =>
                is('PATCH', 'mailboxes', null)(write) && write.at[3] === removal.at[3] && 'groups' in write.body,
            ),
            (write) => write === removal,
          );
        }),
    // "mailboxes, groups, lists and aliases on the domain gone | mailspace domain DELETE"
    'O-48': ({ writes }) =>
      writes.filter(is('DELETE', 'domains', null)).flatMap((removal) =>
        comesBefore(
          writes,
          (write) =>
            (aliasRemoved(write) && domainOf(write.at[3] ?? '') === removal.at[3]) ||
            (boxRemoved(write) && domainOf(mailboxes.get(write.at[3] ?? '') ?? '') === removal.at[3]),
          (write) => write === removal,
        ),
      ),
    // "all creates and updates | all deletes", but for an address that is freed, or goes to another target.
    'O-70': ({ writes }) =>
      comesBefore(
        writes,
        (write) => write.method !== 'DELETE',
        (write) =>
          write.method === 'DELETE' &&
          !(aliasRemoved(write) && writes.some((later) => later.n > write.n && madeBy(later) === write.at[3])),
      ),
  };
}
