// Mailspaces, and what is in them: mailboxes, domains, groups, aliases.
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson, valueAt } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import type { ShownValue } from '../../model/shown.ts';
import type { Attempt, AccountReader, Place, Wanted } from '../common/view.ts';
import {
  chosen,
  defineView,
  from,
  idAt,
  inside,
  listAt,
  megabytesAt,
  moneyAt,
  objectOf,
  placesIn,
  plainAt,
  timeAt,
  noteIfUnread,
} from '../common/view.ts';

const MB_IN_GB = 1024;
/** One read of principals ends there, and does not say so (LIM-04). */
const SHOWN_AT_MOST = 500;
/** A mailspace that is not set up yet has nothing in it. */
const NOT_SET_UP = [[409, 'not_provisioned']] as const;
const NOT_ASKED: Attempt = { is: 'none', code: null };

interface Mailspace {
  readonly row: JsonObject;
  /** What only the view tells (MSP-04); read where it is wanted. */
  readonly view: Attempt;
  readonly domains: Attempt;
}

const pathOf = (id: string, below = ''): string => `/api/mailspace/${encodeURIComponent(id)}${below}`;

const mailspaces = defineView<Mailspace>({
  called: [
    ['mailspaces', 'mailspace', 'ms'],
    'used space, quota, mailboxes, days until deletion; wide: domains and DNS state',
    { manifest: 'Mailspace' },
  ],
  items: async (reader, { name }) =>
    Promise.all(
      chosen(reader, await reader.list('mailspaces'), name, ['/id', '/domain']).map(async (row) => {
        const view = reader.detailed ? await reader.attempt(pathOf(idAt(row))) : NOT_ASKED;
        const missing = { of: idAt(row, '/domain'), what: 'webmail, price and verification' };
        const domains = reader.detailed ? await reader.attempt(pathOf(idAt(row), '/domains'), NOT_SET_UP) : NOT_ASKED;
        return { row, view: noteIfUnread(reader, view, missing), domains };
      }),
    ),
  id: ({ row }) => idAt(row),
  names: ({ row }) => [row.domain],
  object: ({ row, view }) => ({ ...row, ...objectOf(view, 'mailspace') }),
  columns: {
    domain: ({ row }) => plainAt(row, '/domain'),
    package: ({ row }) => plainAt(row, '/package'),
    status: ({ row }) => plainAt(row, '/status'),
    used: ({ row }) => megabytesAt(row, '/used_mb'),
    quota: ({ row }) => megabytesAt(row, '/storage_gb', MB_IN_GB),
    mailboxes: ({ row }) => plainAt(row, '/mailbox_count'),
    'at most': ({ row }) => plainAt(row, '/max_mailboxes'),
    deletion: ({ row }) => timeAt(row, '/delete_scheduled_at', 'day'),
  },
  wide: {
    webmail: ({ view }) => from(view, () => plainAt(objectOf(view, 'mailspace'), '/webmail_url')),
    price: ({ view }) => from(view, () => moneyAt(objectOf(view, 'mailspace'), '/subscription/price')),
    domains: ({ domains }) => from(domains, domainStates),
    verified: ({ row }) => plainAt(row, '/verified'),
    'TXT record': ({ view }) => from(view, () => txtRecord(objectOf(view, 'mailspace'))),
    created: ({ row }) => timeAt(row, '/created_at'),
    id: ({ row }) => plainAt(row, '/id'),
  },
});

/** Returns the domains of a mailspace with their states: `shop.example.net (served, DNS manual)` (MDM-04). */
function domainStates(answer: Json): ShownValue {
  const rows = ['/domains', '/pending_domains'].flatMap((pointer) =>
    (valueAt(answer, pointer) ?? null) === null ? [] : rowsAt(answer, pointer),
  );
  const items = rows.map((row) => {
    const { state, dns_state: dns } = row;
    const states = [...(typeof state === 'string' ? [state] : []), ...(typeof dns === 'string' ? [`DNS ${dns}`] : [])];
    return `${idAt(row, '/name')}${states.length === 0 ? '' : ` (${states.join(', ')})`}`;
  });
  return { is: 'list', items };
}

/** What has to be published to prove the domain; it is no secret. */
function txtRecord(view: JsonObject): ShownValue {
  const [host, value] = [valueAt(view, '/verification/txt_host'), valueAt(view, '/verification/txt_value')];
  return typeof host === 'string' && typeof value === 'string' ? `${host} ${value}` : null;
}

interface Mailbox {
  readonly space: Place;
  readonly row: JsonObject;
  readonly view: Attempt;
}

const mailboxes = defineView<Mailbox>({
  called: [
    ['mailboxes', 'mailbox', 'mb'],
    'used space, quota, days until deletion; wide: two-factor sign-in',
    { takes: ['mailspace'] },
  ],
  items: readMailboxes,
  id: ({ row }) => idAt(row),
  names: ({ row }) => [row.email],
  object: ({ space, row, view }) => ({ mailspace: space.id, ...row, ...objectOf(view, 'mailbox') }),
  columns: {
    mailspace: ({ space }) => space.label,
    address: ({ row }) => plainAt(row, '/email'),
    name: ({ row }) => plainAt(row, '/display_name'),
    status: ({ row }) => plainAt(row, '/status'),
    used: ({ row }) => megabytesAt(row, '/used_mb'),
    // Then only the storage of the package is a limit.
    quota: ({ row }) => (row.quota_mb === 0 ? 'no limit' : megabytesAt(row, '/quota_mb')),
    deletion: ({ row }) => timeAt(row, '/scheduled_deletion_at', 'day'),
  },
  wide: {
    'two-factor': ({ view }) => from(view, () => plainAt(objectOf(view, 'mailbox'), '/two_factor/enabled')),
    aliases: ({ row }) => listAt(row, '/aliases'),
    groups: ({ view }) => from(view, () => listAt(objectOf(view, 'mailbox'), '/groups')),
    'allowed IPs': ({ view }) => from(view, () => listAt(objectOf(view, 'mailbox'), '/allowed_ips')),
    id: ({ row }) => plainAt(row, '/id'),
  },
});

async function readMailboxes(reader: AccountReader, { name, parent }: Wanted): Promise<readonly Mailbox[]> {
  const rows = await inside(reader, await spacesOf(reader, parent), {
    path: ({ id }) => pathOf(id, '/mailboxes'),
    what: 'mailboxes',
    absences: NOT_SET_UP,
    items: (answer, space) => {
      const live = rowsAt(answer, '/mailboxes');
      if (live.length >= SHOWN_AT_MOST)
        reader.missed.push({
          of: space.label,
          what: `mailboxes beyond ${SHOWN_AT_MOST}`,
          reason: `the platform shows ${SHOWN_AT_MOST} at most`,
        });
      const pending = valueAt(answer, '/pending');
      const both = [...live, ...(pending === null || pending === undefined ? [] : rowsAt(pending))];
      return chosen(reader, both, name, ['/id', '/email']).map((row) => ({ space, row }));
    },
  });
  return Promise.all(
    rows.map(async (one) => {
      const view = reader.detailed ? await readMailbox(reader, one.space, one.row) : NOT_ASKED;
      const missing = { of: idAt(one.row, '/email'), what: 'two-factor sign-in, groups and allowed IPs' };
      return { ...one, view: noteIfUnread(reader, view, missing) };
    }),
  );
}

/** The view is empty where the mail server cannot be read, and does not say so: it has to agree with the list (MBX-07). */
async function readMailbox(reader: AccountReader, { id }: Place, row: JsonObject): Promise<Attempt> {
  const view = await reader.attempt(pathOf(id, `/mailboxes/${encodeURIComponent(idAt(row))}`));
  if (view.is !== 'read' || row.quota_mb === undefined) return view;
  const shown = objectOf(view, 'mailbox');
  const empty = (value: Json | undefined): Json =>
    value === null || value === undefined || sameJson(value, []) ? '' : value;
  const agree = ['display_name', 'quota_mb', 'aliases', 'used_mb'].every((key) =>
    key === 'used_mb' ? row[key] === 0 || shown[key] !== 0 : sameJson(empty(shown[key]), empty(row[key])),
  );
  return agree ? view : { is: 'unknown', reason: 'the mail server could not be read for the view of this mailbox' };
}

interface InSpace {
  readonly space: Place;
  readonly row: JsonObject;
}

function spacesOf(reader: AccountReader, parent: string | undefined): Promise<readonly Place[]> {
  return placesIn(reader, 'mailspaces', ['/domain', '/id'], parent);
}

const mailDomains = defineView<InSpace>({
  called: [
    ['mail-domains', 'mail-domain', 'md'],
    'domains of mailspaces: state, DNS; wide: the TXT record to publish',
    { takes: ['mailspace'] },
  ],
  items: async (reader, { parent }) =>
    inside(reader, await spacesOf(reader, parent), {
      path: ({ id }) => pathOf(id, '/domains'),
      what: 'domains',
      absences: NOT_SET_UP,
      // A domain is in exactly one of the two lists (MDM-04).
      items: (answer, space) =>
        ['/domains', '/pending_domains'].flatMap((pointer) =>
          (valueAt(answer, pointer) ?? null) === null ? [] : rowsAt(answer, pointer).map((row) => ({ space, row })),
        ),
    }),
  id: ({ row }) => idAt(row, '/name'),
  object: ({ space, row }) => ({ mailspace: space.id, ...row }),
  columns: {
    mailspace: ({ space }) => space.label,
    domain: '/name',
    state: '/state',
    // `manual`: nothing is known to be missing, which proves nothing (MDM-05).
    DNS: '/dns_state',
    verified: '/verified',
    checked: ({ row }) => timeAt(row, '/last_checked_at'),
  },
  wide: {
    'TXT record': ({ row }) => txtRecord(row),
    description: '/description',
  },
});

interface Group extends InSpace {
  /** Only it names the members (GRP-04). */
  readonly view: Attempt;
}

const groups = defineView<Group>({
  called: [
    ['groups', 'group'],
    'groups of mailspaces, how many members each has; wide: who they are',
    { takes: ['mailspace'] },
  ],
  items: async (reader, { name, parent }) => {
    const isCut = await mayBeCutOff(reader);
    const rows = await inside(reader, await spacesOf(reader, parent), {
      path: ({ id }) => pathOf(id, '/groups'),
      what: 'groups',
      absences: NOT_SET_UP,
      items: (answer, space) => {
        const all = rowsAt(answer, '/groups');
        const wanted = chosen(reader, all, name, ['/id', '/email']);
        if (isCut(space, all.length) && (name === undefined || wanted.length === 0)) missMore(reader, space, 'groups');
        return wanted.map((row) => ({ space, row }));
      },
    });
    return Promise.all(
      rows.map(async ({ space, row }) => {
        const view = reader.detailed
          ? await reader.attempt(pathOf(space.id, `/groups/${encodeURIComponent(idAt(row))}`))
          : NOT_ASKED;
        return { space, row, view: noteIfUnread(reader, view, { of: idAt(row, '/email'), what: 'members' }) };
      }),
    );
  },
  id: ({ row }) => idAt(row),
  names: ({ row }) => [row.email],
  object: ({ space, row, view }) => ({ mailspace: space.id, ...row, ...objectOf(view, 'group') }),
  columns: {
    mailspace: ({ space }) => space.label,
    address: ({ row }) => plainAt(row, '/email'),
    name: ({ row }) => plainAt(row, '/description'),
    // Of a list that is cut off the count may be too low (GRP-02).
    members: ({ row, view }) => plainAt({ ...row, ...objectOf(view, 'group') }, '/member_count'),
  },
  wide: {
    'member list': ({ view }) => from(view, () => listAt(objectOf(view, 'group'), '/members')),
    aliases: ({ row }) => listAt(row, '/aliases'),
    id: ({ row }) => plainAt(row, '/id'),
  },
});

const aliases = defineView<InSpace>({
  called: [['aliases', 'alias'], 'aliases of mailspaces, and where each leads', { takes: ['mailspace'] }],
  items: async (reader, { name, parent }) => {
    const isCut = await mayBeCutOff(reader);
    return inside(reader, await spacesOf(reader, parent), {
      path: ({ id }) => pathOf(id, '/aliases'),
      what: 'aliases',
      absences: NOT_SET_UP,
      items: (answer, space) => {
        const wanted = chosen(reader, rowsAt(answer, '/aliases'), name, ['/address']);
        if (isCut(space, 0) && (name === undefined || wanted.length === 0)) missMore(reader, space, 'aliases');
        return wanted.map((row) => ({ space, row }));
      },
    });
  },
  id: ({ row }) => idAt(row, '/address'),
  object: ({ space, row }) => ({ mailspace: space.id, ...row }),
  columns: {
    mailspace: ({ space }) => space.label,
    address: '/address',
    target: '/target_email',
    'target type': '/target_type',
    'target name': '/target_name',
  },
  wide: { 'target id': '/target_id' },
});

/** Mailboxes and groups share one capped read, which does not say that it is cut off (LIM-04, GRP-02, ALS-02). */
async function mayBeCutOff(reader: AccountReader): Promise<(space: Place, groupsInIt: number) => boolean> {
  const spaces = await reader.list('mailspaces');
  return (space, groupsInIt) => {
    const count = spaces.find((row) => idAt(row) === space.id)?.mailbox_count;
    return typeof count === 'number' && count + groupsInIt >= SHOWN_AT_MOST;
  };
}

function missMore(reader: AccountReader, space: Place, what: string): void {
  reader.missed.push({
    of: space.label,
    what: `further ${what}`,
    reason: `one read of the mail server yields ${SHOWN_AT_MOST} mailboxes and groups at most`,
  });
}

export const mailViews = [mailspaces, mailboxes, mailDomains, groups, aliases];
