// Finds the live site of a name: that of a manifest, bound as `plan` binds it, or `id:` and an id.
import type { DesiredCollection } from '../../model/desired.ts';
import { addressOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import { didYouMean, quote } from '../../model/format.ts';
import type { ActResult, Ending } from '../../model/plan/act.ts';
import type { Workspace } from '../../model/workspace.ts';
import { SITE } from '../../areas/operations.ts';
import type { Opened } from '../client.ts';
import { openAccountOf } from '../client.ts';
import { BY_ID, bindRoot, rootCalled } from '../get/find.ts';
import { findSite } from '../get/get.ts';
import { viewLedger } from '../ledger.ts';
import { nothingDeclared } from '../plan/nothing-declared.ts';
import type { Session } from '../session.ts';
import { findWorkspace, findWorkspaceOrAccount } from '../workspace-file.ts';
import { openWorkspace } from '../workspace.ts';

/** A live site with what is needed to work on it. */
export interface OpenedSite extends Opened {
  readonly id: string;
  /** As the user wrote it. */
  readonly name: string;
  /** `Site/` and that name. */
  readonly address: string;
  /** For messages: the name and the id. */
  readonly label: string;
  /** Its path, without a slash at the end. */
  readonly path: string;
}

/**
 * Finds the site and lets `use` work on it. Resolves for everything but our own bugs. `reads`: nothing is sent but reads,
 * so no workspace is needed; without one, `name` is what the platform knows the site by.
 */
export async function openSite(
  session: Session,
  name: string,
  use: (site: OpenedSite) => Promise<Ending>,
  { reads }: { readonly reads: boolean },
): Promise<ActResult> {
  const target = await openTarget(session, name, reads);
  if ('diagnostics' in target) return { outcome: 'error', diagnostics: target.diagnostics };
  const { workspace } = target;
  const { view, diagnostics } = await viewLedger(session, workspace);
  const early = diagnostics.filter(({ severity }) => severity === 'error');
  return openAccountOf(
    session,
    workspace,
    async (opened): Promise<ActResult> => {
      const declared = target.declared ?? oneById(await findSite(opened, name));
      const isManifest = !name.startsWith(BY_ID);
      const { id } = await bindRoot(opened, declared, { view, unbound: unbound(name), isManifest, reads });
      const path = `/api/sites/${encodeURIComponent(id)}`;
      const ending = await use({ ...opened, id, name, address: `${SITE}/${name}`, label: `${name} (${id})`, path });
      return { site: { id }, ...ending, diagnostics: ending.diagnostics ?? [] };
    },
    { reads, early },
  );
}

interface Target {
  readonly workspace: Workspace;
  /** Absent: no manifest can say what is meant. */
  readonly declared?: DesiredCollection;
}

/** By id no manifest is read: whoever is called at night need not mend them first. */
async function openTarget(
  session: Session,
  name: string,
  reads: boolean,
): Promise<Target | { readonly diagnostics: readonly Diagnostic[] }> {
  const isById = name.startsWith(BY_ID);
  const found = reads ? await findWorkspaceOrAccount(session) : { ...(await findWorkspace(session)), isBare: false };
  const { workspace, isBare } = found;
  if (isById || isBare) {
    if (workspace === undefined) return { diagnostics: found.diagnostics };
    return { workspace, ...(isById && { declared: oneById(name.slice(BY_ID.length)) }) };
  }
  const opened = await openWorkspace(session, []);
  if (opened.workspace === undefined || hasErrors(opened.diagnostics)) return { diagnostics: opened.diagnostics };
  const { wanted, names } = rootCalled(opened.declared, SITE, name);
  return wanted === undefined
    ? { diagnostics: [noManifest(name, names)] }
    : { workspace: opened.workspace, declared: wanted };
}

function oneById(id: string): DesiredCollection {
  const member = {
    address: addressOf(null, SITE, id),
    kind: SITE,
    parent: null,
    identity: id,
    spec: {},
    lifecycle: { state: 'present', protect: false } as const,
    boundId: id,
    keys: [],
    sourceOf: () => undefined,
  };
  return { ...nothingDeclared(SITE, null), members: [member] };
}

function noManifest(name: string, names: readonly string[]): Diagnostic {
  const detail = `No ${SITE} manifest of the workspace is called ${quote(name)}.${didYouMean(name, names)} Name a site without a manifest by its id: \`Site/id:ID\`.`;
  return diagnose('HW4508', detail);
}

function unbound(name: string): string {
  return name.startsWith(BY_ID)
    ? `The account has no site with the id ${quote(name.slice(BY_ID.length))}.`
    : `The manifest ${quote(name)} is bound to no live site of the account. Write the site's id as metadata.id, or name the site by it: \`Site/id:ID\`.`;
}
