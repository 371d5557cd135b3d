// Sites and what is in them: hostnames, backups, tasks, the mail that they send.
import { compareText } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { ANY_LIST, isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { ShownValue } from '../../model/shown.ts';
import { sameName } from '../../model/hostname.ts';
import { siteViewPaths } from '../common/lists.ts';
import type { Attempt, AccountReader, Place, Wanted } from '../common/view.ts';
import {
  chosen,
  defineSiteView,
  defineView,
  from,
  idAt,
  inside,
  moneyAt,
  objectOf,
  plainAt,
  sitePath,
  sitesOf,
  timeAt,
  noteIfUnread,
} from '../common/view.ts';

interface Site {
  readonly row: JsonObject;
  readonly view: Attempt;
  /** The name that it was found by. */
  readonly asked: string | undefined;
}

const SITE_NAMES = ['/id', '/name', '/primary_domain'];
/** Every read of such a site is refused (SIT-08): that is what there is to say of it. */
const STATES: Readonly<Record<string, string>> = {
  service_suspended: 'suspended: unpaid invoice',
  pending_delete: 'will be deleted',
};

const sites = defineView<Site>({
  called: [['sites', 'site'], 'plan, price, primary domain, PHP version, SSH address', { manifest: 'Site' }],
  items: async (reader, { name }) =>
    Promise.all(
      (await findSites(reader, name)).map(async (row) => ({ row, view: await readView(reader, row), asked: name })),
    ),
  id: ({ row }) => idAt(row),
  names: ({ row, asked }) => [row.name, row.primary_domain, asked],
  object: ({ row, view }) => ({ ...row, ...objectOf(view, 'site') }),
  columns: {
    name: ({ row }) => plainAt(row, '/name'),
    'primary domain': ({ row }) => plainAt(row, '/primary_domain'),
    plan: ({ row }) => plainAt(row, '/package'),
    price: (site) => ofView(site, (view) => moneyAt(view, '/subscription/price')),
    PHP: (site) => ofView(site, (view) => plainAt(view, '/php_version')),
    // Reads active even while the site is suspended (SIT-09): only a refusal tells that.
    status: (site) =>
      site.view.is === 'unknown' && STATES[site.view.code ?? ''] !== undefined
        ? (STATES[site.view.code ?? ''] as string)
        : ofView(site, (view) => plainAt(view, '/subscription/status')),
    SSH: (site) => ofView(site, sshAddress),
  },
  wide: {
    id: ({ row }) => plainAt(row, '/id'),
    location: ({ row }) => plainAt(row, '/location'),
    region: ({ row }) => plainAt(row, '/region'),
    domains: (site) =>
      ofView(site, (view) =>
        Array.isArray(view.domains)
          ? { is: 'list', items: rowsAt(view.domains).map((domain) => idAt(domain, '/hostname')) }
          : null,
      ),
    CNAME: (site) => ofView(site, (view) => plainAt(view, '/domain_cname')),
    created: ({ row }) => timeAt(row, '/created_at'),
  },
});

function ofView({ view }: Site, value: (view: JsonObject) => ShownValue): ShownValue {
  return from(view, () => value(objectOf(view, 'site')));
}

/** Where to log in; the password is never shown. */
function sshAddress(view: JsonObject): ShownValue {
  const [address, user, port] = ['/ssh/ipaddr', '/ssh/username', '/ssh/port'].map((pointer) => valueAt(view, pointer));
  if (typeof address !== 'string') return null;
  return `${typeof user === 'string' ? `${user}@` : ''}${address}${typeof port === 'number' ? `:${port}` : ''}`;
}

/** By id, name or any of its hostnames. */
async function findSites(reader: AccountReader, name: string | undefined): Promise<readonly JsonObject[]> {
  const rows = await reader.list('sites');
  const found = chosen(reader, rows, name, SITE_NAMES);
  if (name === undefined || found.length > 0 || !name.includes('.')) return found;
  const hostnames = await reader.list('domains');
  reader.known.push(...hostnames.map((row) => idAt(row, '/hostname')));
  const owners = hostnames.filter(({ hostname }) => sameName(hostname, name));
  return rows.filter(({ id }) => owners.some(({ site_id: owner }) => owner === id));
}

async function readView(reader: AccountReader, row: JsonObject): Promise<Attempt> {
  const view = await siteView(reader, idAt(row));
  // A suspended site is not a failure to read: its row says so, and the command ends with 0.
  if (view.is === 'unknown' && STATES[view.code ?? ''] === undefined)
    reader.missed.push({
      of: idAt(row, '/name'),
      what: 'price, PHP version, status and SSH address',
      reason: view.reason,
    });
  return view;
}

async function siteView(reader: AccountReader, id: string): Promise<Attempt> {
  const [plain, documented] = siteViewPaths(id);
  const first = await reader.attempt(plain, [
    [404, null],
    [405, null],
  ]);
  return first.is === 'none' ? reader.attempt(documented) : first;
}

async function targetOf(reader: AccountReader, { id, label }: Place): Promise<ShownValue> {
  const view = await siteView(reader, id);
  if (view.is === 'unknown')
    reader.missed.push({ of: label, what: 'target of its hostnames', reason: STATES[view.code ?? ''] ?? view.reason });
  return from(view, () => plainAt(objectOf(view, 'site'), '/domain_cname'));
}

interface Hostname {
  readonly row: JsonObject;
  readonly site: Place | undefined;
  /** Of its site: the name that a CNAME record leads to. */
  readonly target: ShownValue;
}

const domains = defineView<Hostname>({
  called: [
    ['domains', 'domain', 'dom'],
    'hostnames, the site of each, the target of its CNAME, DNS zone',
    { takes: ['site'] },
  ],
  items: async (reader, { name, parent }) => {
    const [all, places] = await Promise.all([reader.list('domains'), sitesOf(reader, undefined)]);
    const rows = chosen(reader, all, name, ['/id', '/hostname']).filter(
      ({ site_id: site }) => parent === undefined || site === parent,
    );
    const owners = places.filter(({ id }) => rows.some((row) => row.site_id === id));
    const targets = new Map(
      await Promise.all(owners.map(async (place) => [place.id, await targetOf(reader, place)] as const)),
    );
    return rows.map((row) => {
      const site = places.find(({ id }) => id === row.site_id);
      return { row, site, target: targets.get(site?.id ?? '') ?? null };
    });
  },
  id: ({ row }) => idAt(row),
  names: ({ row }) => [row.hostname],
  object: ({ row }) => row,
  columns: {
    hostname: '/hostname',
    site: ({ row, site }) => site?.label ?? plainAt(row, '/site_id'),
    target: ({ target }) => target,
    'DNS zone': '/dns_zone/name',
    DNSSEC: '/dns_zone/dnssec',
  },
  wide: {
    records: ({ row }) => (Array.isArray(row.dns_zone_records) ? row.dns_zone_records.length : null),
    id: '/id',
  },
});

interface Volume {
  readonly site: Place;
  readonly label: string;
  readonly row: JsonObject;
  /** Work that goes on in its site, where somebody waits for it. */
  readonly busy: boolean;
}

/** No answer names the task of a backup (BKP-05): whoever watches is told of all work in the site. */
async function volumes(reader: AccountReader, { parent }: Wanted): Promise<readonly Volume[]> {
  const places = await sitesOf(reader, parent);
  const [found, work] = await Promise.all([
    inside(reader, places, {
      path: (site) => sitePath(site, '/backups'),
      what: 'backups',
      items: (answer, site) =>
        Object.entries(objectAt(answer)).flatMap(([label, row]) => (isJsonObject(row) ? [{ site, label, row }] : [])),
    }),
    reader.watching ? tasksIn(reader, places) : [],
  ]);
  return found.map((volume) => ({
    ...volume,
    busy: work.some(({ site, row }) => site?.id === volume.site.id && isGoingOn(row)),
  }));
}

function archivesOf({ row }: Volume): readonly JsonObject[] {
  const archives = row.archives === null || row.archives === undefined ? [] : rowsAt(row, '/archives');
  return [...archives].sort((left, right) => compareText(idAt(right, '/created'), idAt(left, '/created')));
}

const backups = defineView<Volume>({
  called: [
    ['backups', 'backup'],
    'the volumes of sites, and how many archives each has',
    { takes: ['site'], moves: true },
  ],
  items: volumes,
  id: ({ row }) => idAt(row),
  names: ({ label }) => [label],
  object: ({ site, label, row }) => ({ site: site.id, volume: label, ...row }),
  moving: ({ busy }) => busy,
  columns: {
    site: ({ site }) => site.label,
    volume: ({ label }) => label,
    archives: (volume) => archivesOf(volume).length,
    newest: (volume) => timeAt(archivesOf(volume)[0], '/created'),
    'newest archive': (volume) => plainAt(archivesOf(volume)[0], '/name'),
    'used GB': '/usage',
    'size GB': '/size',
  },
  wide: { id: '/id' },
});

interface Archive extends Volume {
  readonly archive: JsonObject;
}

const archives = defineView<Archive>({
  called: [['archives', 'archive'], 'the archives of each volume, newest first', { takes: ['site'], moves: true }],
  isOrdered: true,
  items: async (reader, wanted) =>
    (await volumes(reader, wanted)).flatMap((volume) => archivesOf(volume).map((archive) => ({ ...volume, archive }))),
  id: ({ archive }) => idAt(archive),
  names: ({ archive }) => [archive.name],
  object: ({ site, label, archive }) => ({ site: site.id, volume: label, ...archive }),
  moving: ({ busy }) => busy,
  columns: {
    site: ({ site }) => site.label,
    volume: ({ label }) => label,
    archive: '/name',
    created: ({ archive }) => timeAt(archive, '/created'),
    id: '/id',
  },
});

interface Task {
  /** Absent where the task was asked for by its id. */
  readonly site?: Place;
  readonly row: JsonObject;
}

/** Completion is told by status alone (TSK-03); one that pauses goes on (TSK-02). */
function isGoingOn({ status }: JsonObject): boolean {
  return ['PENDING', 'RUNNING', 'PAUSED'].includes(status as string);
}

/** Newest first; at most the 100 most recent of each site (LIM-02). */
function tasksIn(reader: AccountReader, places: readonly Place[]): Promise<readonly Required<Task>[]> {
  const below = reader.status === undefined ? '/tasks' : `/tasks/${encodeURIComponent(reader.status)}/filter`;
  return inside(reader, places, {
    path: (site) => sitePath(site, below),
    what: 'tasks',
    items: (answer, site) =>
      [...rowsAt(answer, ANY_LIST)]
        .sort((left, right) => Number(idAt(right)) - Number(idAt(left)))
        .map((row) => ({ site, row })),
  });
}

/** A task is read by its id, whichever site it is of (TSK-07); bare or wrapped, the documents do not say (GAP-14). */
async function oneTask(reader: AccountReader, id: string): Promise<readonly Task[]> {
  const answer = await reader.attempt(`/api/tasks/${encodeURIComponent(id)}`, [[404, null]]);
  const found = noteIfUnread(reader, answer, { what: `task ${id}` });
  return found.is === 'read' ? [{ row: objectOf(found, 'task') }] : [];
}

const tasks = defineView<Task>({
  called: [
    ['tasks', 'task'],
    'what the platform works on, at most 100 a site',
    { takes: ['site', 'status'], moves: true },
  ],
  isOrdered: true,
  items: async (reader, { name, parent }) =>
    name !== undefined && parent === undefined ? oneTask(reader, name) : tasksIn(reader, await sitesOf(reader, parent)),
  id: ({ row }) => idAt(row),
  object: ({ site, row }) => ({ ...(site !== undefined && { site: site.id }), ...row }),
  moving: ({ row }) => isGoingOn(row),
  columns: {
    site: ({ site }) => site?.label ?? null,
    id: '/id',
    name: '/name',
    status: '/status',
    created: ({ row }) => timeAt(row, '/created_at'),
    by: '/performed_by/name',
  },
  wide: {
    started: ({ row }) => timeAt(row, '/start_on'),
    updated: ({ row }) => timeAt(row, '/updated_at'),
    email: '/performed_by/email',
    data: '/data',
  },
});

interface SiteMail {
  /** null: the site has no account for mail. */
  readonly mail: Json;
}

const siteMail = defineSiteView<SiteMail>({
  called: [
    ['site-mail', 'site-mail'],
    'the mail that sites send: sender, DNS verdict, suspension',
    { takes: ['site'] },
  ],
  below: '/mail',
  what: 'mail',
  parts: (answer) => [{ mail: objectAt(answer).mail ?? null }],
  id: ({ site }) => site.id,
  names: ({ site }) => [site.label],
  columns: {
    status: ({ part: { mail } }) => (mail === null ? 'no account' : plainAt(mail, '/status')),
    'sends as': '/mail/sender_identity/from_email',
    DNS: '/mail/dns/verdict',
    SPF: '/mail/dns/spf_verified',
    DKIM: '/mail/dns/dkim_verified',
    lockdown: '/mail/dns/lockdown_verified',
    suspended: '/mail/suspension/suspended',
    reason: '/mail/suspension/reason',
  },
  wide: {
    name: '/mail/sender_identity/from_name',
    configured: '/mail/configured',
    checked: ({ part: { mail } }) => timeAt(mail, '/dns/checked_at'),
    predicted: '/mail/dns/locally_checked',
    'suspended since': ({ part: { mail } }) => timeAt(mail, '/suspension/suspended_at'),
    'may be lifted': '/mail/suspension/can_self_unsuspend',
    'unblocks left': '/mail/suspension/remaining_self_unsuspends',
  },
});

const cmsUsers = defineSiteView<JsonObject>({
  called: [['cms-users', 'cms-user'], 'the CMS users that `run sso` can log in as', { takes: ['site'] }],
  below: '/sso',
  what: 'CMS users',
  parts: (answer) => rowsAt(answer, '/users'),
  id: ({ part }) => idAt(part, '/user_login'),
  names: ({ part }) => [part.user_login],
  // The email address is left out: it is personal data that nobody needs to choose a user.
  object: ({ user_login: login = null, display_name: name = null, roles = null }) => ({
    user_login: login,
    display_name: name,
    roles,
  }),
  columns: { login: '/user_login', name: '/display_name', roles: '/roles' },
});

export const siteViews = [sites, domains, backups, archives, tasks, siteMail, cmsUsers];
