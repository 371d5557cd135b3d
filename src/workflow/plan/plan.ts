// The use cases `plan` and `drift`: read the account, compare, order, explain. Sends nothing but reads and writes no
// file.
import type { Address } from '../../model/address.ts';
import { compareText, parseAddress } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { Unread } from '../../model/kind/kind.ts';
import type { SecretSink } from '../../model/secret-sink.ts';
import { secretFileOf } from '../../model/secret-sink.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Coverage, Plan } from '../../model/plan/plan.ts';
import type { Workspace } from '../../model/workspace.ts';
import { makePlan } from '../../planner/plan.ts';
import { findRenames, renameView } from '../../planner/rename.ts';
import { registry } from '../../kinds/index.ts';
import { secretSinkOf } from '../../manifest/write/secret-file.ts';
import type { Client } from '../../platform/http.ts';
import { changedSince } from './changed-since.ts';
import { connect, refusedCredential } from '../connect.ts';
import { viewLedger } from '../ledger.ts';
import type { LiveAccount } from './read-account.ts';
import { readAccount } from './read-account.ts';
import type { Session } from '../session.ts';
import { chooseTargets } from './targets.ts';
import { openWorkspace } from '../workspace.ts';

export interface PlanOptions {
  /** Files, folders, globs or `-`; empty: what the workspace names. */
  readonly paths: readonly string[];
  /** Addresses or globs, as the user wrote them. Empty: everything. */
  readonly targets: readonly string[];
  /** A commit: only what the manifests say otherwise since then is looked at, and what rests on it. */
  readonly changedSince?: string;
}

export interface PlanResult {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** What is said of how much was looked at, where it was not everything that is declared. */
  readonly looked?: Diagnostic;
  /** How many requests were sent, retries included. */
  readonly requests: number;
}

/** A plan with all that it was made from, while the account can still be asked. */
export interface Planned extends LivePlanRequest {
  readonly plan: Plan;
  readonly live: LiveAccount;
}

/** What else a use case makes of a plan. */
export type Finish = (
  planned: Planned,
) => Promise<{ readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] }>;

/** A plan for the account as it is now, or the diagnostics that forbid one. */
export async function planWorkspace(session: Session, options: PlanOptions, finish?: Finish): Promise<PlanResult> {
  const opened = await openWorkspace(session, options.paths);
  const early = opened.diagnostics;
  if (opened.workspace === undefined || hasErrors(early)) return { diagnostics: sortDiagnostics(early), requests: 0 };
  const scope =
    options.changedSince === undefined ? { notices: [] } : await changedSince(session, opened, options.changedSince);
  if ('error' in scope) return { diagnostics: sortDiagnostics([...early, scope.error]), requests: 0 };
  const ledger = await viewLedger(session, opened.workspace);
  if (hasErrors(ledger.diagnostics))
    return { diagnostics: sortDiagnostics([...early, ...ledger.diagnostics]), requests: 0 };
  const connection = connect(session, opened.workspace);
  if ('error' in connection) return { diagnostics: sortDiagnostics([...early, connection.error]), requests: 0 };
  const { client } = connection;
  try {
    const notices = [...early, ...ledger.diagnostics, ...scope.notices, ...connection.notices];
    const view = renameView(ledger.view, findRenames(opened.declared, ledger.view));
    const { looked } = scope;
    const limits =
      looked === undefined
        ? { patterns: options.targets, ...withinPaths(opened.declared, options.paths) }
        : { targets: looked.targets, within: looked.within };
    const ledgerOf = looked?.within.size === 0 ? { ...view, inFlight: [] } : view;
    const request: LivePlanRequest = {
      session,
      workspace: opened.workspace,
      declared: opened.declared,
      ledger: ledgerOf,
      targets: [],
      ...limits,
      notices,
      client,
    };
    const { plan: made, live, diagnostics } = await planLive(request);
    const { plan, diagnostics: beside } =
      made === undefined || live === undefined || finish === undefined
        ? { plan: made, diagnostics: [] }
        : await finish({ ...request, plan: made, live });
    return {
      ...(plan !== undefined && { plan }),
      ...(scope.notices[0] !== undefined && { looked: scope.notices[0] }),
      diagnostics: sortDiagnostics([...notices, ...diagnostics, ...beside]),
      requests: client.stats.reads,
    };
  } finally {
    await client.close();
  }
}

/** Manifests that were named limit a plan to what they declare. */
function withinPaths(
  declared: readonly DesiredCollection[],
  paths: readonly string[],
): Pick<LivePlanRequest, 'within'> {
  return paths.length === 0 ? {} : { within: new Set(rootsIn(declared)) };
}

/** The addresses of the roots that are declared. */
export function rootsIn(declared: readonly DesiredCollection[]): readonly Address[] {
  return declared.flatMap(({ parent, members }) => (parent === null ? members.map(({ address }) => address) : []));
}

export interface LivePlanRequest {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly declared: readonly DesiredCollection[];
  readonly ledger: LedgerView;
  /** Empty: everything. */
  readonly targets: readonly Address[];
  /** Targets as the user wrote them: each must name something. They take the place of `targets`. */
  readonly patterns?: readonly string[];
  readonly notices: readonly Diagnostic[];
  readonly client: Pick<Client, 'read' | 'ask'>;
  /** Only these roots are read and planned. Absent: all that are declared. */
  readonly within?: ReadonlySet<Address>;
  /** What an earlier look of this run found to be unavailable: it is not asked for again. */
  readonly unavailable?: ReadonlyMap<string, Unread>;
}

export interface LivePlan {
  readonly plan?: Plan;
  /** The addresses that it was limited to. */
  readonly targets?: readonly Address[];
  readonly live?: LiveAccount;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and plans with an open client; shared by plan, drift and apply, so that all three see the same. */
export async function planLive(request: LivePlanRequest): Promise<LivePlan> {
  const { session, workspace, declared, ledger, notices, client, within, unavailable } = request;
  try {
    const { account } = workspace;
    const live = await readAccount({
      client,
      account,
      registry,
      declared,
      ledger,
      emit: session.emit,
      concurrency: session.concurrency,
      ...(within !== undefined && { within }),
      ...(unavailable !== undefined && { unavailable }),
    });
    if (hasErrors(live.diagnostics)) return { live, diagnostics: live.diagnostics };
    const { targets, diagnostics } =
      request.patterns === undefined
        ? { targets: request.targets, diagnostics: [] }
        : chooseTargets(request.patterns, live, ledger);
    if (hasErrors(diagnostics)) return { live, diagnostics: [...live.diagnostics, ...diagnostics] };
    const unwritableSecrets = await findUnwritableSecrets(live.declared, live, secretSinkOf(workspace));
    const made = makePlan({
      account,
      registry,
      declared: live.declared,
      everywhere: declared,
      observed: live.observed,
      bound: live.bound,
      ledger,
      targets,
      unwritableSecrets,
      notices,
      ...coverageOf(targets, within),
    });
    return { ...made, live, targets, diagnostics: [...live.diagnostics, ...made.diagnostics] };
  } catch (error) {
    return { diagnostics: [refusedCredential(error)] };
  }
}

function coverageOf(
  targets: readonly Address[],
  within: ReadonlySet<Address> | undefined,
): { readonly covers?: Coverage } {
  if (targets.length === 0 && within === undefined) return {};
  return { covers: { targets, ...(within !== undefined && { read: [...within].sort(compareText) }) } };
}

/** What would be made and tells something only once, where the file that is to keep it cannot. */
async function findUnwritableSecrets(
  declared: readonly DesiredCollection[],
  { bound }: LiveAccount,
  secretSink: SecretSink,
): Promise<ReadonlyMap<Address, string>> {
  const wanted = declared.flatMap(({ kind, members }) =>
    members
      .filter(({ address }) => !bound.has(address))
      .flatMap(({ address, spec }) => {
        const kept = secretFileOf(registry.get(kind) ?? { fields: {} }, spec);
        return kept === undefined ? [] : [{ address, file: kept.file }];
      }),
  );
  const found = await Promise.all(
    wanted.map(async ({ address, file }) => [address, await secretSink.objection(file)] as const),
  );
  return new Map(found.flatMap(([address, reason]) => (reason === undefined ? [] : [[address, reason] as const])));
}

/** One error for each object that a command is given and that cannot be an address. */
export function checkTargets(targets: readonly Address[]): readonly Diagnostic[] {
  return targets
    .filter((target) => parseAddress(target) === undefined)
    .map((target) => ({
      code: 'HW6101',
      severity: 'error',
      summary: 'A target is not an address',
      detail: `\`${target}\` is not an address. Write it as the plan does: Site/shop, or Site/shop/SiteDomain/www.example.com.`,
    }));
}
