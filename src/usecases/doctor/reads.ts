// Which reads tell what a credential may do and what an account has: one list an area, what is reached without naming
// an account, and a few reads of one site.
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { SentRead } from '../../model/doctor.ts';
import type { ProbeRead, Probe, ProbeOptions, Timing } from '../../platform/probe.ts';
import { createProbe } from '../../platform/probe.ts';
import { createRedactor } from '../../platform/redact.ts';
import type { Session } from '../session.ts';

/** An area of the API, the list that stands for it, and the scope that an OAuth token needs for that (CNV-09). */
export const AREAS = {
  sites: { path: '/api/sites', scope: 'sites:read' },
  orders: { path: '/api/orders?per_page=1', scope: 'billing:read' },
  registrations: { path: '/api/domain_registrations', scope: 'domains:read' },
  mailspaces: { path: '/api/mailspace', scope: 'mailspace:read' },
  panel: { path: '/api/panel_accounts?per_page=1', scope: 'panel:read' },
  /** Closed to OAuth whatever the scopes (CNV-11). */
  users: { path: '/api/users', scope: undefined },
} as const;

export type Area = keyof typeof AREAS;

/** Lists that, without an account named, hold all that the credential reaches (CNV-08). */
const WIDENING: readonly Area[] = ['sites', 'mailspaces'];
/** Those are refused for an account that is not ours; the other two only narrow. */
export const SCOPED: readonly Area[] = ['orders', 'registrations', 'panel', 'users'];

export interface Reached {
  readonly id: string;
  readonly name?: string;
}

export interface SiteReads {
  readonly name: string;
  /** How many sites the account has. */
  readonly of: number;
  readonly cdn: ProbeRead;
  readonly shield: ProbeRead;
  readonly mail: ProbeRead;
}

export interface AccountReads {
  /** Without an account named. */
  readonly wide: readonly ProbeRead[];
  /** Absent where no account is known. */
  readonly areas?: Readonly<Record<Area, ProbeRead>>;
  readonly site?: SiteReads;
  /** The newest order. */
  readonly order?: ProbeRead;
  /**
   * The first read again with the token alone in its header (GAP-01), where the platform refused it after the word
   * Bearer.
   */
  readonly raw?: ProbeRead;
  readonly reached: readonly Reached[];
  readonly timings: readonly Timing[];
  readonly requests: readonly SentRead[];
}

/** No person waits longer for one answer. */
const PATIENCE_MS = 10_000;

/** How the platform is looked at with a token, before anything is known of it. */
export function probeOptions(
  { clock, timeoutMs, transport, proxies, stop }: Session,
  token: string,
  baseUrl: string,
): ProbeOptions {
  return {
    baseUrl,
    token,
    clock,
    redactor: createRedactor([token]),
    timeoutMs: Math.min(timeoutMs, PATIENCE_MS),
    signal: stop,
    ...(transport !== undefined && { transport }),
    ...(proxies !== undefined && { proxies }),
  };
}

interface Opened {
  readonly wide: Probe;
  /** For the account, where one is known. */
  readonly own?: Probe;
  /** With the token alone in its header. */
  readonly raw?: Probe;
}

/** Looks at the platform, or says in a sentence why nothing may be sent with these settings. */
export async function readPlatform(options: ProbeOptions): Promise<AccountReads | { readonly refused: string }> {
  const requests: SentRead[] = [];
  const opened = open(options, requests);
  if ('refused' in opened) return opened;
  const probes = Object.values(opened) as readonly Probe[];
  try {
    const looks = await readWith(opened, options.account);
    return { ...looks, timings: probes.flatMap(({ timings }) => timings), requests };
  } finally {
    await Promise.all(probes.map((probe) => probe.close()));
  }
}

function open(options: ProbeOptions, requests: SentRead[]): Opened | { readonly refused: string } {
  const { account, authorization, ...rest } = options;
  const without = { ...rest, ...(authorization !== undefined && { authorization }) };
  try {
    return {
      wide: recording(createProbe(without), false, requests),
      ...(account !== undefined && { own: recording(createProbe(options), true, requests) }),
      ...(authorization !== 'raw' && {
        raw: recording(createProbe({ ...rest, authorization: 'raw' }), false, requests),
      }),
    };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

async function readWith(
  { wide: wideProbe, own, raw }: Opened,
  account: string | undefined,
): Promise<Omit<AccountReads, 'timings' | 'requests'>> {
  const first = await wideProbe.read(AREAS.sites.path);
  // Where nobody answers, or nobody is let in, more of the same tells nothing.
  if (first.status === null || isForeign(first)) return { wide: [first], reached: [] };
  if (first.error === 'unauthorised')
    return { wide: [first], reached: [], ...(raw !== undefined && { raw: await raw.read(AREAS.sites.path) }) };
  const wide = [first, ...(await Promise.all(WIDENING.slice(1).map((area) => wideProbe.read(AREAS[area].path))))];
  const reached = reachedIn(wide);
  if (own === undefined || account === undefined) return { wide, reached };
  const names = Object.keys(AREAS) as readonly Area[];
  const looked = await Promise.all(names.map(async (name) => [name, await own.read(AREAS[name].path)] as const));
  const areas = Object.fromEntries(looked) as Readonly<Record<Area, ProbeRead>>;
  const [site, order] = await Promise.all([lookAtSite(own, areas.sites, account), lookAtOrder(own, areas.orders)]);
  return { wide, areas, reached, ...(site !== undefined && { site }), ...(order !== undefined && { order }) };
}

/** Whether the list of sites was answered as no platform of this API answers it: not there, or no list (SIT-01). */
export function isForeign({ status, body }: ProbeRead): boolean {
  return status === 404 || (status === 200 && !Array.isArray(valueAt(body ?? null, '/sites')));
}

/**
 * The status with which a platform fails that answers every read with 429 or with 500 and above: such responses show
 * neither the account nor whether the token is valid. undefined: it answers some read.
 */
export function failingStatus({ wide, areas }: Pick<AccountReads, 'wide' | 'areas'>): number | undefined {
  const all = [...wide, ...Object.values(areas ?? {})];
  const isFailing = all.every(({ status }) => status !== null && (status === 429 || status >= 500));
  return isFailing ? (all[0]?.status ?? undefined) : undefined;
}

/** The accounts that rows name, in the order of their ids. */
export function reachedIn(looks: readonly ProbeRead[]): readonly Reached[] {
  const found = new Map<string, Reached>();
  for (const row of looks.flatMap(({ body }) => [...rowsOf(body, '/sites'), ...rowsOf(body, '/mailspaces')])) {
    const id = valueAt(row, '/account/id');
    const name = valueAt(row, '/account/name');
    if (typeof id === 'string' && id !== '')
      found.set(id, { id, ...(typeof name === 'string' && name !== '' && { name }) });
  }
  return [...found.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** The rows of a list; what is not as documented has none. */
export function rowsOf(body: Json | undefined, pointer: string): readonly Json[] {
  const rows = body === undefined ? undefined : valueAt(body, pointer);
  return Array.isArray(rows) ? rows.filter((row) => isJsonObject(row)) : [];
}

function recording(probe: Probe, account: boolean, requests: SentRead[]): Probe {
  return {
    ...probe,
    read: async (path) => {
      const look = await probe.read(path);
      requests.push({
        path,
        account,
        answer: look.status === null ? 'no answer' : [look.status, look.code].filter((part) => part !== null).join(' '),
      });
      return look;
    },
  };
}

/** The first site of the account, by name: what a plan of a site has is told by none of the lists. */
async function lookAtSite(probe: Probe, { body }: ProbeRead, account: string): Promise<SiteReads | undefined> {
  const sites = rowsOf(body, '/sites').filter((row) => valueAt(row, '/account/id') === account);
  const named = sites.flatMap((row) => {
    const [id, name] = [valueAt(row, '/id'), valueAt(row, '/name')];
    return typeof id === 'string' ? [{ id, name: typeof name === 'string' ? name : id }] : [];
  });
  const [first] = named.sort((left, right) => (left.name < right.name ? -1 : 1));
  if (first === undefined) return undefined;
  const path = `/api/sites/${encodeURIComponent(first.id)}`;
  const [cdn, shield, mail] = await Promise.all([
    probe.read(`${path}/cdn`),
    probe.read(`${path}/shield`),
    probe.read(`${path}/mail`),
  ]);
  return { name: first.name, of: sites.length, cdn, shield, mail };
}

async function lookAtOrder(probe: Probe, { body }: ProbeRead): Promise<ProbeRead | undefined> {
  const [newest] = rowsOf(body, '/orders');
  const id = newest === undefined ? undefined : valueAt(newest, '/id');
  return typeof id === 'string' ? probe.read(`/api/orders/${encodeURIComponent(id)}`) : undefined;
}
