// The report on many accounts: how each is, what waits, what ends, what its last runs did. Made from what runs over them
// told and from what their ledgers keep. Nobody is asked for it, and what is in neither is not known.
import { compareText, kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Fleet, FleetAccount } from '../../model/plan/fleet.ts';
import type {
  AccountReport,
  AccountState,
  FleetReport,
  ReportedEnd,
  ReportedRun,
  ReportedWait,
} from '../../model/plan/fleet-report.ts';
import { FLEET_REPORT_FORMAT } from '../../model/plan/fleet-report.ts';
import type { RunHistory } from '../../model/plan/history.ts';
import { runsIn } from '../../model/plan/history.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome, EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Plan, PlanBlocker } from '../../model/plan/plan.ts';

/** What the ledger of an account adds to its report. */
export type LedgerReport = NonNullable<FleetAccount['ledger']>;

const RUNS = 5;
const ACTIONS = 10;

/** Another run holds the ledger. */
const HELD = 'HW5004';

/** A person ends these waits; of all others the platform says no more than that something is outstanding. */
const ENDED_BY: Readonly<Record<string, ReportedWait['for']>> = {
  'O-33': 'record',
  'MDM-07': 'record',
  'O-64': 'confirmation',
};
const PAYMENT = 'HW2393';
const ENDINGS: Readonly<Record<string, ReportedEnd['what']>> = {
  HW2310: 'registration',
  HW2391: 'registration',
  HW2392: 'quota',
  HW2394: 'reminder',
  'MSP-15': 'deletion',
};

/** `lock`: who holds the lock, in a sentence. */
export function ledgerReport(view: LedgerView, nowMs: number, lock?: string): LedgerReport {
  const { standing, objects, inFlight, history = [], doneActs = [] } = view;
  const runs = runsIn({ history, inFlight });
  const startOf = new Map([
    ...(view.runs ?? []).map(({ runId, startedAtMs }) => [runId, startedAtMs] as const),
    ...runs.map(({ run, startedAtMs }) => [run, startedAtMs] as const),
  ]);
  return {
    standing,
    objects: objects.size,
    inFlight: inFlight.map(({ action: { address }, runId, reason }) => {
      const atMs = startOf.get(runId);
      return { address, ...(atMs !== undefined && { since: timeOf(atMs) }), ...(reason !== undefined && { reason }) };
    }),
    ends: doneActs.flatMap(({ act, untilMs }) =>
      untilMs === undefined || untilMs < nowMs
        ? []
        : [{ what: 'reminder', on: timeOf(untilMs).slice(0, 10), says: `${act} was to end then` } as const],
    ),
    runs: runs.slice(0, RUNS).map(runReport),
    ...(lock !== undefined && { lock }),
  };
}

function runReport({ run, startedAtMs, endedAtMs, by, actions }: RunHistory): ReportedRun {
  const order = [...actions].sort((one, other) => Number(one.result === 'done') - Number(other.result === 'done'));
  return {
    run,
    startedAt: timeOf(startedAtMs),
    ...(endedAtMs !== undefined && { endedAt: timeOf(endedAtMs) }),
    ...(by !== undefined && { by }),
    actions: order.slice(0, ACTIONS).map(({ address, verb, result }) => ({ address, verb, result })),
    more: Math.max(0, order.length - ACTIONS),
  };
}

/** What one look at an account, or one run in it, told. */
export interface Look extends Pick<
  FleetAccount,
  'outcome' | 'at' | 'diagnostics' | 'plan' | 'result' | 'note' | 'attention'
> {
  /** Whether it tells how the account is; what is only about its set-up or its ledger does not. */
  readonly isWhole: boolean;
}

/**
 * The report on one account. `looks`: the newest last. `before`: the report before this one, which knows since when
 * something waits.
 */
export function accountReport(
  { account, workspace }: Pick<AccountReport, 'account' | 'workspace'>,
  looks: readonly Look[],
  { ledger, before }: { readonly ledger?: LedgerReport; readonly before?: Pick<AccountReport, 'waits'> } = {},
): AccountReport {
  const last = looks.filter(({ isWhole }) => isWhole).at(-1);
  const plan = last?.plan;
  const waits = waitsOf(last);
  const since = new Map([
    ...(before?.waits ?? []).map((wait) => [keyOf(wait), wait.since] as const),
    ...(ledger?.inFlight ?? []).map(({ address, since: at }) => [address, at] as const),
  ]);
  const problems = looks.filter((look) => look === last || !look.isWhole).flatMap(problemsOf);
  const differs = differencesOf(last);
  return {
    account,
    workspace,
    state: stateOf(looks, last, ledger),
    ...(last?.at !== undefined && { lookedAt: last.at }),
    ...(last !== undefined && { outcome: last.outcome }),
    problems,
    waits: waits.map((wait) => {
      const at =
        since.get(keyOf(wait)) ?? since.get(wait.address ?? '') ?? (before === undefined ? undefined : last?.at);
      return at === undefined ? wait : { ...wait, since: at };
    }),
    ...(differs !== undefined && { differs }),
    ends: [...endsOf(plan), ...(ledger?.ends ?? [])],
    ...(ledger !== undefined && { runs: ledger.runs }),
    ...(ledger?.lock !== undefined && { lock: ledger.lock }),
  };
}

function keyOf({ for: by, address = '', reason }: ReportedWait): string {
  return `${by} ${address} ${address === '' ? reason : ''}`;
}

function stateOf(looks: readonly Look[], last: Look | undefined, ledger: LedgerReport | undefined): AccountState {
  const isHeld = looks.some(({ diagnostics }) => diagnostics.some(({ code }) => code === HELD));
  if (isHeld || ledger?.lock !== undefined) return 'locked';
  const words = [...(last === undefined ? [] : [last]), ...looks.filter(({ isWhole }) => !isWhole)];
  if (words.some(({ outcome }) => !['done', 'differences', 'waiting'].includes(outcome))) return 'failed';
  if (last === undefined) return 'never-run';
  return last.outcome === 'done' ? 'in-order' : last.outcome === 'waiting' ? 'waiting' : 'drifted';
}

function problemsOf({ diagnostics, result, plan, note, attention = [] }: Look): AccountReport['problems'] {
  const told = [
    ...diagnostics.filter(({ severity }) => severity !== 'info').map(inWords),
    ...[...(plan?.blocked ?? []), ...(plan?.unknown ?? [])].map(({ address, reason, remedy }) => ({
      says: `\`${address}\`: ${reason}. ${remedy}`.trim(),
    })),
    // What went wrong may be told with values that are about a person.
    ...(result?.actions ?? []).flatMap(({ address, verb, result: ended }) =>
      ['failed', 'blocked', 'unknown-outcome'].includes(ended)
        ? [{ says: `\`${address}\`: ${verb} ended with ${ended}; what the run itself wrote says why` }]
        : [],
    ),
    ...attention.map((says) => ({ says })),
  ];
  return told.length === 0 && note !== undefined && attention.length === 0 ? [{ says: note }] : told;
}

function inWords({ code, summary, detail }: Diagnostic): AccountReport['problems'][number] {
  return { code, says: detail === '' ? summary : detail };
}

function waitsOf(look: Look | undefined): readonly ReportedWait[] {
  const { plan, result } = look ?? {};
  const payments = (plan?.notices ?? [])
    .filter(({ code }) => code === PAYMENT)
    .map(({ detail }) => ({ for: 'payment' as const, reason: detail, remedy: '' }));
  const listed = (by: (blocker: PlanBlocker) => ReportedWait['for'], blockers: readonly PlanBlocker[]) =>
    blockers.map((one) => ({ address: one.address, for: by(one), reason: one.reason, remedy: one.remedy }));
  return [
    ...payments,
    ...listed(() => 'hand', plan?.manual ?? []),
    ...listed(({ rule = '' }) => ENDED_BY[rule] ?? 'outside', plan?.waiting ?? []),
    ...(result?.actions ?? []).flatMap(({ address, result: ended, reason = 'it is not done yet' }) =>
      ended === 'waiting' ? [{ address, for: 'outside' as const, reason, remedy: '' }] : [],
    ),
  ];
}

function differencesOf(look: Look | undefined): AccountReport['differs'] {
  if (look?.outcome === 'done') return [];
  const { plan } = look ?? {};
  if (plan?.drift !== undefined)
    return plan.drift
      .filter((item) => item.class !== 'in-flight')
      .map(({ address, class: is }) => ({ address, class: is }));
  return plan?.actions.map(({ address }) => ({ address }));
}

function endsOf(plan: Plan | undefined): readonly ReportedEnd[] {
  const told = [
    ...(plan?.notices ?? []).map(({ code, address, detail }) => ({ key: code as string, address, says: detail })),
    ...(plan?.blocked ?? []).map(({ rule = '', address, reason }) => ({ key: rule, address, says: reason })),
  ];
  return told.flatMap(({ key, address, says }): readonly ReportedEnd[] => {
    const what = ENDINGS[key];
    const [on] = /\b\d{4}-\d\d-\d\d/.exec(says) ?? [];
    return what === undefined
      ? []
      : [{ what, ...(address !== undefined && { address }), ...(on !== undefined && { on }), says }];
  });
}

/** What several runs over accounts tell together. */
export function fleetReport(parts: readonly Fleet[], nowMs: number): FleetReport {
  const found = new Map<string, { readonly first: FleetAccount; readonly looks: Look[]; ledger?: LedgerReport }>();
  for (const { command, accounts } of parts)
    for (const one of accounts) {
      const known = found.get(one.account) ?? { first: one, looks: [] };
      found.set(one.account, known);
      const { note, ledger, ...look } = one;
      if (ledger !== undefined) known.ledger = ledger;
      if (look.outcome === 'interrupted' && look.plan === undefined && look.result === undefined) continue;
      const isWhole = command !== 'doctor' && command !== 'ledger';
      known.looks.push({ ...look, ...(note !== undefined && isWhole && { note }), isWhole });
    }
  const accounts = [...found.values()].map(({ first: { account, workspace }, looks, ledger }) =>
    accountReport(
      { account, workspace },
      [...looks].sort((one, other) => compareText(one.at ?? '', other.at ?? '')),
      ledger === undefined ? {} : { ledger },
    ),
  );
  return reportOf(accounts, nowMs, decideOutcome(parts.map(({ outcome }) => outcome)));
}

/** The reports on accounts as one document. */
export function reportOf(accounts: readonly AccountReport[], nowMs: number, outcome: OutcomeWord): FleetReport {
  const kinds = new Map<string, { objects: number; readonly accounts: Set<string> }>();
  for (const { account, differs = [] } of accounts)
    for (const { address } of differs) {
      const known = kinds.get(kindOf(address)) ?? { objects: 0, accounts: new Set<string>() };
      known.objects += 1;
      known.accounts.add(account);
      kinds.set(kindOf(address), known);
    }
  return {
    format: FLEET_REPORT_FORMAT,
    at: timeOf(nowMs),
    outcome,
    exitCode: EXIT_CODES[outcome],
    kinds: [...kinds]
      .map(([kind, { objects, accounts: within }]) => ({ kind, objects, accounts: within.size }))
      .sort((one, other) => other.objects - one.objects || compareText(one.kind, other.kind)),
    accounts: [...accounts].sort((one, other) => compareText(one.account, other.account)),
  };
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
