// The use case `get`: rows of one kind as they are on the account, whatever manifests say. Nothing is written.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { sameName } from '../../model/hostname.ts';
import type { GetKind, Narrowed, NotRead, Shown } from '../../model/shown.ts';
import { WITHIN } from '../../model/shown.ts';
import type { Cut, ViewRow, Wish } from '../../areas/views.ts';
import { VIEWS } from '../../areas/views.ts';
import { connectToRead } from '../connect.ts';
import { viewLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { apiProblem } from '../act/problem.ts';
import { findWorkspaceOrAccount } from '../workspace-file.ts';
import { findLive, noSuchRow } from './find.ts';
import type { Finder } from './find.ts';
import { findGetKind } from './kinds.ts';
import { createAccountReader } from './account-reader.ts';
import { withoutSecrets } from './secrets.ts';

export interface GetRequest extends Narrowed {
  readonly kind: GetKind;
  /** As a person wrote it. */
  readonly name?: string;
  readonly detailed: boolean;
}

export interface GetResult {
  readonly outcome: OutcomeWord;
  readonly shown?: Shown;
  /** There is more than is shown. */
  readonly cuts: readonly Cut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How often what moves is looked at. */
const WATCH_EVERY_MS = 5_000;

/** Reads and shows once. Resolves for everything but our own bugs. */
export function getRows(session: Session, request: GetRequest): Promise<GetResult> {
  return withFinder(session, async (finder) => {
    const { rows: _rows, ...result } = await readOnce(finder, await resolve(finder, request), false);
    return result;
  });
}

/** The name of each row that people know best: its id only where it has no other. Empty where there is no answer. */
export async function getNames(session: Session, request: GetRequest): Promise<readonly string[]> {
  let names: readonly string[] = [];
  await withFinder(session, async (finder) => {
    const { rows, ...result } = await readOnce(finder, await resolve(finder, request), false);
    names = rows.map(({ id, names: [, known] }) => known ?? id);
    return result;
  });
  return names;
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
  return withFinder(session, async (finder) => {
    const resolved = await resolve(finder, request);
    const seen = new Map<string, string>();
    for (let isFirst = true; ; isFirst = false) {
      const { rows, shown, ...result } = await readOnce(finder, resolved, true);
      const changed = rows.filter((row) => seen.get(keyOf(row)) !== JSON.stringify(row.values));
      if (isFirst) take(shown);
      else if (changed.length > 0) take({ ...shown, rows: changed, notRead: [] });
      for (const row of rows) seen.set(keyOf(row), JSON.stringify(row.values));
      if (!rows.some(({ moving }) => moving)) return result;
      await session.clock.sleep(WATCH_EVERY_MS, session.stop);
    }
  });
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

/** Runs with a client of the account. Resolves for everything but our own bugs. */
export async function withFinder<Result extends Omit<GetResult, 'shown'>>(
  session: Session,
  use: (finder: Finder) => Promise<Result>,
): Promise<Result | Omit<GetResult, 'shown'>> {
  const { workspace, diagnostics } = await findWorkspaceOrAccount(session);
  if (workspace === undefined) return { outcome: 'error', cuts: [], diagnostics };
  const connection = await connectToRead(session, workspace);
  if ('error' in connection) return { outcome: 'error', cuts: [], diagnostics: [connection.error] };
  const { client, notices } = connection;
  try {
    const result = await use({ session, workspace, client });
    return { ...result, diagnostics: [...notices, ...result.diagnostics] };
  } catch (error) {
    if (session.stop.aborted) return { outcome: 'interrupted', cuts: [], diagnostics: notices };
    const found = error instanceof NotThere ? error.diagnostics : [apiProblem(error, workspace)];
    return { outcome: 'error', cuts: [], diagnostics: [...notices, ...found] };
  } finally {
    await client.close();
  }
}

/** Ends the command: nothing answers to what was asked for. */
class NotThere extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super('not there');
    this.diagnostics = diagnostics;
  }
}

async function resolve(finder: Finder, request: GetRequest): Promise<Resolved> {
  const { kind, name } = request;
  const within = WITHIN.find((one) => request[one] !== undefined);
  return {
    request,
    ...(name !== undefined && (await findName(finder, kind.manifest, name))),
    ...(within !== undefined && { parent: await findParent(finder, within, request[within] as string) }),
  };
}

async function findName(finder: Finder, manifest: string | undefined, written: string) {
  const found = await findLive(finder, manifest, written);
  if ('diagnostics' in found) throw new NotThere(found.diagnostics);
  return found;
}

/** The id of what is looked into: the row of its own kind that answers to the name. */
async function findParent(finder: Finder, singular: (typeof WITHIN)[number], name: string): Promise<string> {
  const kind = findGetKind(singular) as GetKind;
  const { name: wanted, manifests = [] } = await findName(finder, kind.manifest, name);
  const reader = createAccountReader(finder.client, finder.workspace.account);
  const list = (await reader.list(LIST_OF[singular])).map((row) => ({
    id: row.id as string,
    names: [row.id, row.name, row.primary_domain, row.domain].filter((one) => typeof one === 'string'),
  }));
  const found = list.filter(({ names }) => names.some((one) => sameName(one, wanted)));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.id;
  if (found.length > 1)
    throw new NotThere([
      diagnose(
        'HW4572',
        `${found.length} ${kind.kind} are called so. Name one by its id: ${found.map(({ id }) => `\`id:${id}\``).join(', ')}.`,
      ),
    ]);
  if (singular === 'site') {
    const owner = (await reader.list('domains')).find(({ hostname }) => sameName(hostname, wanted));
    if (typeof owner?.site_id === 'string') return owner.site_id;
  }
  throw new NotThere([noSuchRow(kind, name, [...list.flatMap(({ names }) => names), ...manifests])]);
}

/** The id of the live site that the platform knows by a name or a hostname. Rejects with the client's ApiError. */
export async function findSite(
  finder: Finder,
  name: string,
): Promise<{ readonly id: string } | { readonly diagnostics: readonly Diagnostic[] }> {
  try {
    return { id: await findParent(finder, 'site', name) };
  } catch (error) {
    if (error instanceof NotThere) return { diagnostics: error.diagnostics };
    throw error;
  }
}

const LIST_OF = { site: 'sites', mailspace: 'mailspaces', registration: 'registrations' } as const;

async function readOnce(
  finder: Finder,
  { request, name, manifests = [], parent }: Resolved,
  watching: boolean,
): Promise<GetResult & { readonly shown: Shown; readonly rows: readonly ViewRow[] }> {
  const { kind, query, status, date, limit = kind.limit, detailed } = request;
  const wish: Wish = {
    detailed: detailed || name !== undefined,
    watching,
    carts: kind.kind === 'carts' && name === undefined ? await cartsInFlight(finder) : [],
    ...(query !== undefined && { query }),
    ...(status !== undefined && { status }),
    ...(date !== undefined && { date }),
    ...(limit !== undefined && { limit }),
  };
  const reader = createAccountReader(finder.client, finder.workspace.account, wish);
  const view = VIEWS[kind.kind];
  if (view === undefined) throw new Error(`bug in hostwright: no view of ${kind.kind}`);
  const all = await view.rows(reader, { ...(name !== undefined && { name }), ...(parent !== undefined && { parent }) });
  const rows = name === undefined ? all : all.filter(({ names }) => names.some((one) => sameName(one, name)));
  if (name !== undefined && rows.length === 0 && reader.missed.length === 0)
    throw new NotThere([
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
async function cartsInFlight({ session, workspace }: Finder): Promise<readonly string[]> {
  const { view, diagnostics } = await viewLedger(session, workspace);
  if (hasErrors(diagnostics)) throw new NotThere(diagnostics);
  return view.inFlight.flatMap(({ answered }) => Object.values(answered).flatMap(({ cart }) => cart ?? []));
}
