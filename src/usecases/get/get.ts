// The use case `get`: rows of one kind as they are on the account, whatever manifests say. Nothing is written.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { sameName } from '../../model/hostname.ts';
import type { GetKind, Narrowed, NotRead, Shown } from '../../model/shown.ts';
import { WITHIN } from '../../model/shown.ts';
import type { Cut, ViewRow, Wish } from '../../areas/views.ts';
import { VIEWS } from '../../areas/views.ts';
import type { Opened } from '../client.ts';
import { ledgerOrStop, openAccount, Stopped } from '../client.ts';
import type { Session } from '../session.ts';
import { findLive, noSuchRow } from './find.ts';
import { findGetKind } from './kinds.ts';
import { createAccountReader } from './account-reader.ts';
import { withoutSecrets } from './secrets.ts';

export interface GetRequest extends Narrowed {
  readonly kind: GetKind;
  /** As the user wrote it. */
  readonly name?: string;
  /** The names of a kind that is read by name only. */
  readonly names?: readonly string[];
  readonly detailed: boolean;
}

export interface GetResult {
  readonly outcome: OutcomeWord;
  readonly shown?: Shown;
  /** There is more than is shown. */
  readonly cuts?: readonly Cut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How often what moves is looked at. */
const WATCH_EVERY_MS = 5_000;

/** Reads the rows once. Resolves for every failure except our own bugs. */
export function getRows(session: Session, request: GetRequest): Promise<GetResult> {
  const read = async (opened: Opened): Promise<GetResult> => {
    const { rows: _rows, ...result } = await readOnce(opened, await resolve(opened, request), false);
    return result;
  };
  return openAccount(session, read, { reads: true });
}

/**
 * Shows what there is, and then each row that changed, until nothing moves any more or the session is stopped. `take`
 * is given each of them, the first with all rows.
 */
export function watchRows(
  session: Session,
  request: GetRequest,
  take: (shown: Shown) => void,
): Promise<Omit<GetResult, 'shown'>> {
  const watch = async (opened: Opened): Promise<Omit<GetResult, 'shown'>> => {
    const resolved = await resolve(opened, request);
    const seen = new Map<string, string>();
    for (let isFirst = true; ; isFirst = false) {
      const { rows, shown, ...result } = await readOnce(opened, resolved, true);
      const changed = rows.filter((row) => seen.get(keyOf(row)) !== JSON.stringify(row.values));
      if (isFirst) take(shown);
      else if (changed.length > 0) take({ ...shown, rows: changed, notRead: [] });
      for (const row of rows) seen.set(keyOf(row), JSON.stringify(row.values));
      if (!rows.some(({ moving }) => moving)) return result;
      await session.clock.sleep(WATCH_EVERY_MS, session.stop);
    }
  };
  return openAccount(session, watch, { reads: true });
}

/** Ids are those of their site, mailspace or registration. */
function keyOf({ id, object }: ViewRow): string {
  return JSON.stringify([id, object.site ?? null]);
}

interface Resolved {
  readonly request: GetRequest;
  readonly name?: string;
  /** Names of manifests that were not meant. */
  readonly manifests?: readonly string[];
  readonly parent?: string;
}

async function resolve(opened: Opened, request: GetRequest): Promise<Resolved> {
  const { kind, name } = request;
  const within = WITHIN.find((one) => request[one] !== undefined);
  return {
    request,
    ...(name !== undefined && (await findLive(opened, kind.manifest, name))),
    ...(within !== undefined && { parent: await findParent(opened, within, request[within] as string) }),
  };
}

/** The id of what is looked into: the row of its own kind that answers to the name. */
async function findParent(opened: Opened, singular: (typeof WITHIN)[number], name: string): Promise<string> {
  const kind = findGetKind(singular) as GetKind;
  const { name: wanted, manifests = [] } = await findLive(opened, kind.manifest, name);
  const reader = createAccountReader(opened);
  const list = (await reader.list(LIST_OF[singular])).map((row) => ({
    id: row.id as string,
    names: [row.id, row.name, row.primary_domain, row.domain].filter((one) => typeof one === 'string'),
  }));
  const found = list.filter(({ names }) => names.some((one) => sameName(one, wanted)));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.id;
  if (found.length > 1)
    throw new Stopped([
      diagnose(
        'HW4572',
        `${found.length} ${kind.kind} are called so. Name one by its id: ${found.map(({ id }) => `\`id:${id}\``).join(', ')}.`,
      ),
    ]);
  if (singular === 'site') {
    const owner = (await reader.list('domains')).find(({ hostname }) => sameName(hostname, wanted));
    if (typeof owner?.site_id === 'string') return owner.site_id;
  }
  throw new Stopped([noSuchRow(kind, name, [...list.flatMap(({ names }) => names), ...manifests])]);
}

/** The id of the live site that the platform knows by a name or a hostname. Rejects with `Stopped` or the client's ApiError. */
export function findSite(opened: Opened, name: string): Promise<string> {
  return findParent(opened, 'site', name);
}

const LIST_OF = { site: 'sites', mailspace: 'mailspaces', registration: 'registrations' } as const;

async function readOnce(
  opened: Opened,
  { request, name, manifests = [], parent }: Resolved,
  watching: boolean,
): Promise<GetResult & { readonly shown: Shown; readonly rows: readonly ViewRow[] }> {
  const { kind, query, status, date, limit = kind.limit, detailed } = request;
  const wish: Wish = {
    detailed: detailed || name !== undefined,
    watching,
    carts: kind.kind === 'carts' && name === undefined ? await cartsInFlight(opened) : [],
    ...(query !== undefined && { query }),
    ...(status !== undefined && { status }),
    ...(date !== undefined && { date }),
    ...(limit !== undefined && { limit }),
  };
  const reader = createAccountReader(opened, wish);
  const view = VIEWS.get(kind.kind);
  if (view === undefined) throw new Error(`bug in hostwright: no view of ${kind.kind}`);
  const all = await view.rows(reader, {
    ...(name !== undefined && { name }),
    ...(request.names !== undefined && { names: request.names }),
    ...(parent !== undefined && { parent }),
  });
  const rows = name === undefined ? all : all.filter(({ names }) => names.some((one) => sameName(one, name)));
  if (name !== undefined && rows.length === 0 && reader.missed.length === 0)
    throw new Stopped([
      noSuchRow(kind, request.name ?? name, [...reader.known, ...manifests, ...all.flatMap(({ names }) => names)]),
    ]);
  const shown: Shown = {
    kind: kind.kind,
    columns: view.columns,
    rows: rows.map(({ id, values, object }) => ({ id, values, object: withoutSecrets(object) })),
    notRead: reader.missed,
  };
  return {
    outcome: reader.missed.length === 0 ? 'done' : 'error',
    rows,
    shown,
    cuts: reader.cuts,
    diagnostics: reader.missed.map(notRead),
  };
}

function notRead({ of, what, reason }: NotRead): Diagnostic {
  return diagnose('HW4570', `${of === undefined ? '' : `${of}: `}${what}: ${reason}.`);
}

/** The platform has no list of carts (ORD-44): the ledger knows those of purchases that are on their way. */
async function cartsInFlight(opened: Opened): Promise<readonly string[]> {
  const { inFlight } = await ledgerOrStop(opened);
  return inFlight.flatMap(({ answered }) => Object.values(answered).flatMap(({ cart }) => cart ?? []));
}
