// The use cases `plan` and `drift`: manifests and account in, a plan out. Sends nothing but reads and writes no file.
import { basename } from 'node:path';
import type { Address } from '../../model/address.ts';
import { compareText, parseAddress } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { Collection } from '../../model/kind/kind.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Coverage, Plan } from '../../model/plan/plan.ts';
import { makePlan } from '../../planner/plan.ts';
import { registry } from '../../areas/index.ts';
import type { Client } from '../../platform/http.ts';
import { WORKSPACE_FILE } from '../../manifest/read/load.ts';
import type { GuardOptions } from '../guards.ts';
import { refusalsOf, chooseGuards, guardCheckOf, protectChanges } from '../guards.ts';
import { formerlyDeclared } from './changed-since.ts';
import { withHoldings } from './holdings.ts';
import type { Limits } from './limits.ts';
import type { Access } from '../client.ts';
import { withClient } from '../client.ts';
import { isStop, refusedCredential, platformUnreachable, rememberReads, watched } from '../connect.ts';
import { viewLedger } from '../ledger.ts';
import type { OrphanSearch } from './orphaned.ts';
import { withNoLedger } from './no-ledger.ts';
import { withOrphaned } from './orphaned.ts';
import { withPayment } from './payment.ts';
import type { LiveAccount } from './read-account.ts';
import { readAccount } from './read-account.ts';
import { withReleased } from './released.ts';
import { withReminders } from './reminders.ts';
import type { ScopeRequest } from './scope.ts';
import { chooseScope } from './scope.ts';
import { whyStopped } from '../../platform/outage/why-stopped.ts';
import { isOver, readingTooLate } from '../../model/deadline.ts';
import { withUndeclared } from './undeclared.ts';
import { unwritableSecrets } from '../credentials/secret-sink.ts';
import type { Session } from '../session.ts';
import { chooseTargets } from './targets.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { openWorkspace } from '../workspace.ts';

export interface PlanOptions extends Omit<ScopeRequest, 'reviewed'> {
  /** What apply would be given. */
  readonly guards?: GuardOptions;
  /** What the account is asked through. Absent: nothing. */
  readonly through?: (client: Client) => Client;
}

export interface PlanResult {
  readonly plan?: Plan;
  /** Whether apply would run it. */
  readonly guardCheck?: GuardCheck;
  readonly diagnostics: readonly Diagnostic[];
  /** Says how much of the account was read, where that was not everything that is declared. */
  readonly partRead?: Diagnostic;
  /** How many requests were sent, retries included. */
  readonly requests: number;
  /** When the newest of what the ledger has applied was written down. Absent: it holds nothing. */
  readonly ledgerAtMs?: number;
}

/** A plan with all that it was made from, while the account can still be asked. */
export interface Planned extends LivePlanRequest {
  readonly opened: OpenedWorkspace;
  readonly plan: Plan;
  readonly live: LiveAccount;
}

/** What else a use case makes of a plan. */
export type Finish = (
  planned: Planned,
) => Promise<{ readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] }>;

/** A plan for the account as it is now, or the diagnostics that forbid one. */
export async function planWorkspace(session: Session, options: PlanOptions = {}, finish?: Finish): Promise<PlanResult> {
  const prepared = await prepare(session, options);
  const ended = (diagnostics: readonly Diagnostic[], requests = 0): PlanResult => ({
    diagnostics: sortDiagnostics(diagnostics),
    requests,
  });
  if ('diagnostics' in prepared) return ended(prepared.diagnostics);
  const { opened, request: asked, partRead, checkPlan, orphans } = prepared;
  const { workspace } = asked;
  return withClient(
    session,
    workspace,
    { reads: true },
    async (own, ofClient) => {
      const client = options.through?.(own) ?? own;
      const notices = [...asked.notices, ...ofClient];
      // What is not declared is read from the same answers.
      const isRemembered = workspace.observed !== undefined;
      const request = {
        ...asked,
        notices,
        client: isRemembered ? { ...client, read: rememberReads(client) } : client,
      };
      try {
        const { plan: made, live, diagnostics, unreachable: silent } = await planLive(request);
        if (silent !== undefined) return ended([...notices, silent], client.stats.reads);
        const finished =
          made === undefined || live === undefined
            ? { plan: made, diagnostics: [] }
            : await finishPlan(
                { ...request, ledger: { ...request.ledger, objects: live.ledger.objects }, opened, plan: made, live },
                orphans,
                finish,
              );
        return {
          ...(finished.plan !== undefined && { plan: finished.plan, guardCheck: checkPlan(finished.plan) }),
          ...(partRead !== undefined && { partRead }),
          ...ended([...notices, ...diagnostics, ...finished.diagnostics], client.stats.reads),
          ...ledgerTime(request.ledger),
        };
      } catch (error) {
        if (!isStop(session, error)) throw error;
        return ended(notices, client.stats.reads);
      }
    },
    (error) => ended([...opened.diagnostics, error]),
  );
}

function ledgerTime({ objects }: LedgerView): Pick<PlanResult, 'ledgerAtMs'> {
  let ledgerAtMs: number | undefined;
  for (const { appliedAtMs = 0 } of objects.values()) if (appliedAtMs > (ledgerAtMs ?? 0)) ledgerAtMs = appliedAtMs;
  return ledgerAtMs === undefined ? {} : { ledgerAtMs };
}

async function finishPlan(
  planned: Planned,
  orphans: OrphanSearch,
  finish: Finish = ({ plan }) => Promise.resolve({ plan, diagnostics: [] }),
): ReturnType<Finish> {
  let plan;
  try {
    plan = withNoLedger(await withOrphaned(planned, orphans), planned);
    plan = await withReleased({ ...planned, plan });
    plan = await withReminders(plan, planned, planned.session.clock.now());
    plan = await withPayment({ ...planned, plan });
    // A plan of a part of the manifests cannot tell what the others declare.
    if (orphans.everything && plan.covers === undefined) plan = withUndeclared(plan, planned);
  } catch (error) {
    return { plan: planned.plan, diagnostics: [refusedCredential(error, planned.workspace)] };
  }
  return finish({ ...planned, plan });
}

/** What has to be there before the account is asked: manifests, how much of them is planned, and the ledger. */
async function prepare(
  session: Session,
  options: PlanOptions,
): Promise<
  | { readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly opened: OpenedWorkspace;
      readonly request: Omit<LivePlanRequest, 'client'>;
      readonly partRead: Diagnostic | undefined;
      /** What guards say of a plan is no part of it: the same plan under other guards is the same plan. */
      readonly checkPlan: (plan: Plan) => GuardCheck;
      readonly orphans: OrphanSearch;
    }
> {
  const { paths = [] } = options;
  const opened = await openWorkspace(session, paths, { remembered: true });
  const { workspace, declared, diagnostics: found, file = WORKSPACE_FILE } = opened;
  if (workspace === undefined || hasErrors(found)) return { diagnostics: found };
  const { guards, commit, changes, diagnostics: ofGuards } = await chooseGuards(session, workspace, file);
  if (guards === undefined) return { diagnostics: [...found, ...ofGuards] };
  const ledger = await viewLedger(session, workspace);
  if (hasErrors(ledger.diagnostics)) return { diagnostics: [...found, ...ledger.diagnostics] };
  const scope = await chooseScope(session, opened, options, ledger.view);
  if ('error' in scope) return { diagnostics: [...found, scope.error] };
  const { limits, notices, isNothing } = scope;
  const { guardsFrom } = session;
  const former =
    scope.former ?? (guardsFrom === undefined ? undefined : await formerlyDeclared(session, opened, guardsFrom));
  const changed = [
    ...changes,
    ...(guardsFrom === undefined || former === undefined ? [] : protectChanges(former, declared)),
  ];
  return {
    opened,
    partRead: limits.within === undefined ? undefined : notices[0],
    checkPlan: (plan) =>
      guardCheckOf(refusalsOf(plan, { ...workspace, guards }, options.guards ?? {}, ledger.view.standing), {
        from: session.guardsFrom ?? basename(file),
        ...(commit !== undefined && { commit }),
        ...(changed.length > 0 && { changes: changed }),
        options: options.guards ?? {},
      }),
    orphans: { everything: paths.length === 0, ...(former !== undefined && { former }) },
    request: {
      session,
      workspace,
      declared,
      // Where nothing is looked at, nothing is said of what is in flight either.
      ledger: isNothing ? { ...ledger.view, inFlight: [] } : ledger.view,
      ...limits,
      notices: [...found, ...ledger.diagnostics, ...notices],
    },
  };
}

export interface LivePlanRequest extends Access, Limits {
  readonly declared: readonly DesiredCollection[];
  readonly notices: readonly Diagnostic[];
  /** Roots of which it tells what is in flight; absent: all. */
  readonly unfinishedOf?: ReadonlySet<Address>;
  /** Objects that this run created: what the ledger has of them, this run wrote. */
  readonly created?: ReadonlySet<Address>;
  /** What is known already, by collection, such as what an earlier look found to be unavailable: it is not asked for. */
  readonly known?: ReadonlyMap<string, Collection>;
  /**
   * The caller manages only a part of the account and keeps bindings elsewhere, as a Terraform state does: an object that
   * is bound to nothing here proves nothing, and purchases are not checked for it.
   */
  readonly isPartOfAccount?: true;
}

export interface LivePlan {
  readonly plan?: Plan;
  /** The addresses that it was limited to. */
  readonly targets?: readonly Address[];
  readonly live?: LiveAccount;
  readonly diagnostics: readonly Diagnostic[];
  /** Why the account could not be read, if the reason is not specific to an object. */
  readonly unreachable?: Diagnostic;
}

/** Reads and plans with an open client; shared by plan, drift and apply, so that all three see the same. */
export async function planLive(request: LivePlanRequest): Promise<LivePlan> {
  const { session, workspace, declared, notices, within } = request;
  const { account } = workspace;
  // What a command has begun is no part of what is declared: that command goes on with it, or `apply --resume`.
  const inFlight = request.ledger.inFlight.filter(({ action }) => action.hook !== 'command');
  const ledger = { ...request.ledger, inFlight };
  const dismissed = request.isPartOfAccount === true ? undefined : new Set(workspace.dismissed);
  // Whether an object is gone and what it holds are told by the same reads.
  const { client, silence } = watched({ ...request.client, read: rememberReads(request.client) });
  try {
    // Lists first, then which live object each manifest means, then what is in those.
    const { emit, concurrency } = session;
    const live = await readAccount({
      ...request,
      ledger,
      client,
      account,
      registry,
      emit,
      concurrency,
      asksLocked: true,
      ...(dismissed !== undefined && { dismissed }),
    });
    if (hasErrors(live.diagnostics)) return { live, diagnostics: live.diagnostics };
    const { targets, diagnostics } = targetsOf(request, live);
    if (hasErrors(diagnostics)) return { live, diagnostics: [...live.diagnostics, ...diagnostics] };
    const input = {
      account,
      registry,
      ...live,
      allDeclared: declared,
      targets,
      nowMs: session.clock.now(),
      unwritableSecrets: await unwritableSecrets(session, live, workspace),
      notices,
      ...(dismissed !== undefined && { dismissed }),
      ...coverageOf(targets, within),
      ...(request.unfinishedOf !== undefined && { unfinishedOf: request.unfinishedOf }),
    };
    const made = await (session.computing?.(() => makePlan(input)) ?? makePlan(input));
    const plan = await withHoldings(made.plan, client);
    const failure = silence();
    const stopped = endedEarly(request, plan);
    return {
      plan,
      live,
      targets,
      diagnostics: [...live.diagnostics, ...made.diagnostics],
      ...(stopped !== undefined && { unreachable: stopped }),
      ...(failure !== undefined && { unreachable: platformUnreachable(workspace, failure) }),
    };
  } catch (error) {
    return { diagnostics: [refusedCredential(error, workspace)] };
  }
}

/** Returns why something could not be read, if the reason is not specific to it: a plan without it is of no use. */
function endedEarly({ client, session: { deadline, clock } }: LivePlanRequest, plan: Plan): Diagnostic | undefined {
  if (plan.unknown.length === 0) return undefined;
  if (isOver(deadline, clock.now())) return readingTooLate();
  return client.finalOutage?.() === undefined && client.refusedUntil?.() === undefined
    ? undefined
    : whyStopped(client, 'The account could not be read, so nothing was planned and nothing was changed.');
}

function targetsOf(
  { patterns, targets, ledger }: LivePlanRequest,
  live: LiveAccount,
): ReturnType<typeof chooseTargets> {
  return patterns === undefined ? { targets, diagnostics: [] } : chooseTargets(patterns, live, ledger);
}

function coverageOf(
  targets: readonly Address[],
  within: ReadonlySet<Address> | undefined,
): { readonly covers?: Coverage } {
  if (targets.length === 0 && within === undefined) return {};
  return { covers: { targets, ...(within !== undefined && { read: [...within].sort(compareText) }) } };
}

/** One error for each object that a command is given and that cannot be an address. */
export function checkTargets(targets: readonly Address[]): readonly Diagnostic[] {
  return targets
    .filter((target) => parseAddress(target) === undefined)
    .map((target) =>
      diagnose(
        'HW6101',
        `\`${target}\` is not an address. Write it as the plan does: Site/shop, or Site/shop/SiteDomain/www.example.com.`,
      ),
    );
}
