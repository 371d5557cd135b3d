// Which live site an operator means, and what every command on one site has in common: one client, one ending, no
// exception for what the platform or a person can cause. SITE is the name of a manifest, bound as plan binds it, or
// `id:` and the id of a site.
import type { DesiredCollection } from '../../model/desired.ts';
import { addressOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { Collection } from '../../model/kind/kind.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Workspace } from '../../model/workspace.ts';
import { findRenames, renameView } from '../../planner/rename.ts';
import { registry, siteActs } from '../../areas/index.ts';
import { didYouMean, quote } from '../../model/format.ts';
import type { Client } from '../../platform/http.ts';
import { apiProblem } from '../act/problem.ts';
import { connect } from '../connect.ts';
import { findSite } from '../get/get.ts';
import { viewLedger } from '../ledger.ts';
import { readAccount } from '../plan/read-account.ts';
import type { Session } from '../session.ts';
import { findWorkspace, findWorkspaceOrAccount } from '../workspace-file.ts';
import { notDetermined } from '../get/find.ts';
import { openWorkspace } from '../workspace.ts';

/** An account, or something in it, with what is needed to work on it. */
export interface Opened {
  /** For people: what is worked on. */
  readonly label: string;
  readonly workspace: Workspace;
  readonly client: Client;
  readonly session: Session;
}

/** A live site with what is needed to work on it; its label is the manifest's name or `id:...`, and the id. */
export interface OpenSite extends Opened {
  readonly id: string;
  /** Its path, without a slash at the end. */
  readonly path: string;
}

export interface Ending<Value> {
  readonly outcome: OutcomeWord;
  readonly value?: Value;
  /** One sentence for people. */
  readonly message?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface SiteResult<Value> extends Ending<Value> {
  readonly site?: { readonly id: string };
  readonly diagnostics: readonly Diagnostic[];
}

const BY_ID = 'id:';

/**
 * Finds the site and lets `use` work on it. Resolves for everything but our own bugs. `reads`: nothing is sent but reads,
 * so no workspace is needed; without one, SITE is what the platform knows the site by.
 */
export async function withSite<Value>(
  session: Session,
  wanted: string,
  use: (site: OpenSite) => Promise<Ending<Value>>,
  { reads = false }: { readonly reads?: boolean } = {},
): Promise<SiteResult<Value>> {
  const opened = await openTarget(session, wanted, reads);
  if ('diagnostics' in opened) return { outcome: 'error', diagnostics: opened.diagnostics };
  const { workspace } = opened;
  const ledger = await viewLedger(session, workspace);
  const connection = await connect(session, workspace);
  const problems = [
    ...ledger.diagnostics.filter(({ severity }) => severity === 'error'),
    ...('error' in connection ? [connection.error] : []),
  ];
  if ('error' in connection || problems.length > 0) return { outcome: 'error', diagnostics: problems };
  const { client, notices } = connection;
  try {
    const found = opened.declared ?? (await findSite({ session, workspace, client }, wanted));
    if ('diagnostics' in found) return { outcome: 'error', diagnostics: [...notices, ...found.diagnostics] };
    const declared = 'collection' in found ? found : oneById(found.id);
    const live = await readAccount({
      client,
      account: workspace.account,
      registry,
      declared: [declared],
      ledger: renameView(ledger.view, findRenames([declared], ledger.view)),
      emit: session.emit,
      concurrency: session.concurrency,
    });
    const [member] = live.bound.values();
    const byName = !wanted.startsWith(BY_ID);
    if (byName && hasErrors(live.diagnostics))
      return { outcome: 'error', diagnostics: [...notices, ...live.diagnostics] };
    if (member === undefined)
      return { outcome: 'error', diagnostics: [...notices, notThere(live.observed.get(declared.collection), wanted)] };
    const site: OpenSite = {
      id: member.id,
      label: `${wanted} (${member.id})`,
      path: `/api/sites/${encodeURIComponent(member.id)}`,
      workspace,
      client,
      session,
    };
    const ending = await use(site);
    // Ctrl-C at a question is an answer too, and not a refusal.
    return {
      site: { id: member.id },
      ...ending,
      diagnostics: [...notices, ...(ending.diagnostics ?? [])],
      ...(ending.outcome === 'refused' && session.stop.aborted && { outcome: 'interrupted' }),
    };
  } catch (error) {
    if (session.stop.aborted) return { outcome: 'interrupted', diagnostics: notices };
    return { outcome: 'error', diagnostics: [...notices, apiProblem(error, workspace)] };
  } finally {
    await client.close();
  }
}

interface Target {
  readonly workspace: Workspace;
  /** Absent: no manifest can say what is meant. */
  readonly declared?: DesiredCollection;
}

/** By id no manifest is read: whoever is called at night need not mend them first. */
async function openTarget(
  session: Session,
  wanted: string,
  reads: boolean,
): Promise<Target | { readonly diagnostics: readonly Diagnostic[] }> {
  const id = wanted.startsWith(BY_ID) ? wanted.slice(BY_ID.length) : undefined;
  if (reads) {
    const { workspace, isBare, diagnostics } = await findWorkspaceOrAccount(session);
    if (isBare)
      return workspace === undefined
        ? { diagnostics }
        : { workspace, ...(id !== undefined && { declared: oneById(id) }) };
  }
  const opened =
    id === undefined
      ? await openWorkspace(session, [])
      : { ...(await findWorkspace(session)), declared: [oneById(id)] };
  if (opened.workspace === undefined || hasErrors(opened.diagnostics)) return { diagnostics: opened.diagnostics };
  const roots = opened.declared.find(({ kind, parent }) => kind === siteActs.KIND && parent === null);
  const members = roots?.members.filter(({ identity }) => identity === (id ?? wanted)) ?? [];
  if (roots === undefined || members.length === 0)
    return { diagnostics: [noManifest(wanted, roots?.members.map(({ identity }) => identity) ?? [])] };
  return { workspace: opened.workspace, declared: { ...roots, members } };
}

function oneById(id: string): DesiredCollection {
  const member = {
    address: addressOf(null, siteActs.KIND, id),
    kind: siteActs.KIND,
    parent: null,
    identity: id,
    spec: {},
    lifecycle: { state: 'present', protect: false } as const,
    boundId: id,
    keys: [],
    sourceOf: () => undefined,
  };
  return {
    collection: siteActs.KIND,
    kind: siteActs.KIND,
    parent: null,
    members: [member],
    unlisted: 'keep',
    protect: false,
    partial: true,
    sourceOf: () => undefined,
  };
}

function noManifest(wanted: string, names: readonly string[]): Diagnostic {
  const detail = `No ${siteActs.KIND} manifest of the workspace is called ${quote(wanted)}.${didYouMean(wanted, names)} A site without a manifest is named by its id: \`id:ID\`.`;
  return diagnose('HW4508', detail);
}

function notThere(roots: Collection | undefined, wanted: string): Diagnostic {
  const unbound = wanted.startsWith(BY_ID)
    ? `The account has no site with the id ${quote(wanted.slice(BY_ID.length))}.`
    : `The manifest ${quote(wanted)} is bound to no live site of the account. Write the site's id as metadata.id, or name the site by it: \`id:ID\`.`;
  const detail = roots === undefined || roots.state === 'read' ? unbound : `${roots.reason}. ${roots.remedy}`;
  return notDetermined(detail);
}
