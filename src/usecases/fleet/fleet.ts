// The use case `fleet`: the same command for many accounts, side by side. Each has its own session, client, ledger and
// guards; all behind one address share a limiter. What goes wrong in one account never stops the others.
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { basename, dirname, join, relative } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors, saidOnce } from '../../model/diagnostic.ts';
import type { Fleet, FleetAccount, FleetCommand } from '../../model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../model/plan/fleet.ts';
import type { RunHistory } from '../../model/plan/history.ts';
import { runsIn } from '../../model/plan/history.ts';
import type { RunEnd } from '../../model/plan/news.ts';
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome, EXIT_CODES } from '../../model/plan/outcome.ts';
import { planOutcome } from '../../model/plan/plan-outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { isUnfinished } from '../../model/plan/plan.ts';
import type { ApprovedBy } from '../../model/plan/started-by.ts';
import { describeStartedBy } from '../../model/plan/started-by.ts';
import { parsePrice, showPrice, sumPrices } from '../../model/price.ts';
import { brokenAt } from '../../ledger/history.ts';
import type { GitRemotes } from '../../ledger/git/remotes.ts';
import { createGitRemotes } from '../../ledger/git/remotes.ts';
import { createLimiter } from '../../platform/limiter.ts';
import type { Transport, TransportRequest } from '../../platform/transport.ts';
import { undiciTransport } from '../../platform/undici-transport.ts';
import { contentDigest } from '../../planner/digest.ts';
import { applyWorkspace } from '../apply/apply.ts';
import type { DoctorFacts } from '../doctor/doctor.ts';
import { examine } from '../doctor/doctor.ts';
import { driftWorkspace } from '../drift.ts';
import type { GuardOptions } from '../guards.ts';
import { FREE, isHeld, lockFinding } from '../doctor/ledger.ts';
import { refusesUnreviewed } from '../guards.ts';
import type { LockSelection } from '../ledger.ts';
import { ledgerCommand, unlockOf } from '../ledger.ts';
import { beginLedger } from '../ledgers/init.ts';
import { planWorkspace } from '../plan/plan.ts';
import type { RehearsedPlan } from '../rehearse/plan.ts';
import { planRehearsed } from '../rehearse/plan.ts';
import type { OpenCopy } from '../rehearse/rehearse.ts';
import type { Session, Shared } from '../session.ts';
import { sideBySide } from '../side-by-side.ts';
import type { Member } from './members.ts';
import { ledgerReport } from './report.ts';

export interface FleetOptions {
  /** Accounts side by side. */
  readonly jobs: number;
  /** Told of each account how its look or its apply ended. */
  readonly note?: (own: Session, end: RunEnd) => Promise<void>;
}

export interface FleetPlanOptions extends FleetOptions {
  readonly guards: GuardOptions;
  /** What the plans say decides the outcome, not only that they could be made. */
  readonly detailed: boolean;
  /** What a plan is carried out on where its workspace asks for that. */
  readonly openCopy: OpenCopy;
}

export interface FleetApplyOptions extends FleetOptions {
  /** For each account, as in `apply`. */
  readonly guards: GuardOptions;
  /** Actions side by side in one account. */
  readonly parallelism?: number | undefined;
  /** The reviewed plans of each account; one that is not in it, or plans something else, is not changed. */
  readonly expected?: ReadonlyMap<string, ReadonlySet<string>>;
  /** More accounts than this are not changed in one run. */
  readonly maxAccountsChanged?: number;
  /** What all accounts together may spend: `15.00 EUR`. */
  readonly maxSpend?: string;
  /** So many accounts are changed first. The others follow only when all of these end well. */
  readonly canary?: number;
  /** `work`: the accounts that would be changed; `planned`: all, also those that failed or that their guards refuse. */
  readonly confirm: (
    work: readonly FleetAccount[],
    planned: readonly FleetAccount[],
    /** Whether only a person can say so, in one of these accounts. */
    mustAsk: () => Promise<boolean>,
  ) => Promise<boolean | 'asked'>;
  /** As in `apply`: of an account and the digest of its plan. */
  readonly askForge?: (account: string, digest: string) => Promise<ApprovedBy | string>;
  readonly byHand?: string;
}

/** What every account would do. */
export async function planFleet(
  session: Session,
  members: readonly Member[],
  { jobs, guards, detailed, openCopy }: FleetPlanOptions,
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'plan' }, async (_member, own) =>
    plannedAccount(own, await planRehearsed(own, { guards }, { openCopy, always: false })),
  );
  return fleetOf('plan', accounts, {
    words: accounts.map(({ outcome }) =>
      !detailed && ['differences', 'waiting'].includes(outcome) ? 'done' : outcome,
    ),
  });
}

/** What differs in every account, and who changed it. */
export async function driftFleet(
  session: Session,
  members: readonly Member[],
  { jobs, note }: FleetOptions,
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'drift' }, async (_member, own) => {
    const result = await driftWorkspace(own);
    const account = plannedAccount(own, result);
    await note?.(own, { ...result, outcome: account.outcome });
    return account;
  });
  return fleetOf('drift', accounts);
}

/** What a look at the set-up of every account finds. */
export async function doctorFleet(
  session: Session,
  members: readonly Member[],
  { jobs, facts }: FleetOptions & { readonly facts: DoctorFacts },
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'doctor' }, async (_member, own) => {
    const { findings, requests } = await examine(own, facts);
    const problems = findings.filter(({ verdict }) => verdict === 'problem');
    const warnings = findings.filter(({ verdict }) => verdict === 'warning').map(({ says }) => says);
    const [first, ...more] = [...problems.map(({ says }) => says), ...warnings];
    return {
      outcome: problems.length === 0 ? 'done' : 'error',
      ...(first !== undefined && { note: `${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}` }),
      ...(warnings.length > 0 && { attention: warnings }),
      requests: requests.length,
      diagnostics: [],
    };
  });
  return fleetOf('doctor', accounts);
}

/** What is in the ledger of every account. */
export async function ledgerFleet(
  session: Session,
  members: readonly Member[],
  { jobs }: FleetOptions,
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'ledger' }, async ({ workspace }, own) => {
    const [{ view, diagnostics }, locks] = await Promise.all([
      ledgerCommand(own, { do: 'list' }),
      workspace === undefined ? [] : lockFinding(own, workspace),
    ]);
    const held = locks.filter(({ says }) => says !== FREE);
    const counts =
      view === undefined
        ? []
        : [`ledger ${view.standing}, ${view.objects.size} objects, ${view.inFlight.length} in flight`];
    const open = view !== undefined && (view.standing !== 'complete' || view.inFlight.length > 0);
    const { history = [], inFlight = [] } = view ?? {};
    const [last] = runsIn({ history, inFlight });
    const holder = locks.find(isHeld);
    const broken = brokenAt(history, 'a part');
    const attention = [
      ...(open ? counts : []),
      ...(broken === undefined ? [] : ['its history is not whole: `hostwright history` in its folder says where']),
      ...held.flatMap(({ verdict, says }) => (verdict === 'ok' ? [] : [says])),
    ];
    return {
      outcome: hasErrors(diagnostics) ? 'error' : 'done',
      ...(view !== undefined && {
        note: [...counts, ...held.map(({ says }) => says), ...(last === undefined ? [] : [lastRun(last)])].join('. '),
      }),
      ...(attention.length > 0 && { attention }),
      ...(view !== undefined && { ledger: ledgerReport(view, own.clock.now(), holder?.says) }),
      requests: 0,
      diagnostics,
    };
  });
  return fleetOf('ledger', accounts);
}

function lastRun({ startedAtMs, by, actions }: RunHistory): string {
  const done = actions.filter(({ result }) => result === 'done').length;
  const who = by === undefined ? '' : ` by ${describeStartedBy(by)}`;
  return `last run ${new Date(startedAtMs).toISOString()}${who}, ${done} of ${actions.length} done`;
}

/** Removes the locks that are meant, where no process of this machine holds them. */
export async function unlockFleet(
  session: Session,
  members: readonly Member[],
  { jobs, locks }: FleetOptions & { readonly locks: LockSelection },
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'ledger' }, async (_member, own) => {
    const { removed, diagnostics } = await unlockOf(own, locks);
    return {
      outcome: hasErrors(diagnostics) ? 'error' : 'done',
      ...(removed !== undefined && { note: `the lock was removed: ${removed}` }),
      requests: 0,
      diagnostics,
    };
  });
  const isNothing = accounts.every(({ note, outcome }) => outcome === 'done' && note === undefined);
  return isNothing
    ? fleetOf('ledger', accounts, {
        words: ['error'],
        diagnostics: [
          diagnose(
            'HW6660',
            'No account has a lock of that run, job or machine. `hostwright fleet ledger` shows who holds which lock. Nothing was removed.',
          ),
        ],
      })
    : fleetOf('ledger', accounts);
}

/** Begins a complete ledger for every account that has none. A ledger that is there is left as it is. */
export async function beginLedgers(
  session: Session,
  members: readonly Member[],
  { jobs }: FleetOptions,
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'ledger' }, async (_member, own) => {
    const { made, standing, diagnostics } = await beginLedger(own);
    const words =
      standing === 'partial'
        ? 'there already, and partial: left as it is. `hostwright ledger init` in its folder makes it complete'
        : `there already, and ${standing}`;
    return {
      outcome: hasErrors(diagnostics) ? 'error' : 'done',
      ...(!hasErrors(diagnostics) && { note: made ? 'made, and complete from now on' : words }),
      requests: 0,
      diagnostics,
    };
  });
  return fleetOf('ledger', accounts);
}

/**
 * Plans every account, checks what they come to together, and applies the plans. Each account runs exactly what was
 * planned for it here, or nothing.
 */
export async function applyFleet(
  session: Session,
  members: readonly Member[],
  options: FleetApplyOptions,
): Promise<Fleet> {
  const { jobs, note, expected, canary = 0 } = options;
  const guarded = new Set<string>();
  const planned = (
    await eachMember(session, members, { jobs, command: 'plan' }, async ({ folder }, own) => {
      const result = await planWorkspace(own, { guards: options.guards });
      if ((result.guardCheck?.refusals ?? []).length > 0) guarded.add(folder);
      const account = plannedAccount(own, result);
      if (result.plan === undefined) await note?.(own, { ...result, outcome: account.outcome });
      return account;
    })
  ).map((account) => heldAgainst(account, expected));
  const isToRun = ({ plan, outcome }: FleetAccount): boolean =>
    plan !== undefined && ['differences', 'waiting', 'done'].includes(outcome) && hasWork(plan);
  const work = planned.filter((one) => isToRun(one) && !guarded.has(one.workspace));
  // Its own guards refuse it: it is run only to say so in its own words, and counts for nothing that others wait for.
  const refused = planned.filter((one) => isToRun(one) && guarded.has(one.workspace));
  const refusals = fleetGuards(work, options);
  if (refusals.length > 0)
    return fleetOf(
      'apply',
      planned.map((one) => (isToRun(one) ? notBegun(one, 'refused') : one)),
      { diagnostics: refusals },
    );
  const consent = work.length === 0 || (await options.confirm(work, planned, () => anyRefuses(session, members, work)));
  if (session.stop.aborted || consent === false)
    return fleetOf(
      'apply',
      planned.map((one) => (isToRun(one) ? notBegun(one, 'interrupted') : one)),
    );

  const runAll = async (accounts: readonly FleetAccount[]): Promise<readonly FleetAccount[]> => {
    const plans = new Map(accounts.map((one) => [one.workspace, one]));
    const own = members.filter(({ folder }) => plans.has(folder));
    return eachMember(session, own, { jobs, command: 'apply' }, (member, ownSession) =>
      applyMember(ownSession, plans.get(member.folder) as FleetAccount, { ...options, consent }),
    );
  };
  const first = await runAll(canary === 0 ? work : work.slice(0, canary));
  const rest = canary === 0 ? [] : work.slice(canary);
  const isWell = first.every(({ outcome }) => outcome === 'done');
  const others = rest.length > 0 && isWell ? await runAll(rest) : rest.map((one) => notBegun(one, 'refused'));
  const ran = new Map([...first, ...others, ...(await runAll(refused))].map((one) => [one.workspace, one]));
  return fleetOf(
    'apply',
    planned.map((one) => ran.get(one.workspace) ?? withoutPlan(one)),
    { diagnostics: rest.length > 0 && !isWell ? [canaryFailed(first, rest)] : [] },
  );
}

async function anyRefuses(
  session: Session,
  members: readonly Member[],
  work: readonly FleetAccount[],
): Promise<boolean> {
  const folders = new Set(work.map(({ workspace }) => workspace));
  for (const { folder, file, workspace } of members)
    if (
      folders.has(folder) &&
      workspace !== undefined &&
      (await refusesUnreviewed(session, workspace, file)) !== undefined
    )
      return true;
  return false;
}

/** Goes on with what earlier runs left in flight in each account, and begins nothing new. */
export async function resumeFleet(
  session: Session,
  members: readonly Member[],
  { jobs, note }: FleetOptions,
): Promise<Fleet> {
  const accounts = await eachMember(session, members, { jobs, command: 'apply' }, async (_member, own) => {
    const { outcome: result } = await applyWorkspace(own, { resumeOnly: true });
    await note?.(own, { ...result, result });
    return ended(result, 0);
  });
  return fleetOf('apply', accounts);
}

/** Joins what shards of one run ended with. */
export function joinFleets(parts: readonly Fleet[]): Fleet {
  const [first] = parts;
  return fleetOf(
    first?.command ?? 'plan',
    parts.flatMap(({ accounts }) => accounts).sort((left, right) => (left.account < right.account ? -1 : 1)),
    {
      words: parts.map(({ outcome }) => outcome),
      // Each part says what is so of all of them.
      diagnostics: saidOnce(parts.flatMap(({ diagnostics }) => diagnostics)),
      shards: parts.flatMap(({ shards = [] }) => shards),
    },
  );
}

/** What `fleet apply --expect` approves: the actions of a plan, and what it leaves for a later round. */
function digestOf({ digest, deferred }: Plan): string {
  return deferred.length === 0 ? digest : hashOf([digest, ...deferred.map(({ declared }) => declared).sort()]);
}

/** What a plan does, without the account. */
function contentOf({ actions, deferred }: Plan): string {
  return hashOf([...actions.map(contentDigest).sort(), ...deferred.map(({ declared }) => declared).sort()]);
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

type Found = Omit<FleetAccount, 'account' | 'workspace' | 'at' | 'ms'>;

/** Runs the same for each account, some at once. Nothing is thrown, and nothing is begun once the run is stopped. */
async function eachMember(
  session: Session,
  members: readonly Member[],
  { jobs, command }: FleetOptions & { readonly command: FleetCommand },
  work: (member: Member, own: Session) => Promise<Found>,
): Promise<readonly FleetAccount[]> {
  // Each account that is worked on listens for the end of the run.
  setMaxListeners(0, session.stop);
  const { shared, close } = sharedByHost(session);
  const remotes = sharedRemotes(session, members);
  const common = { ...session, gitRemote: remotes.at };
  let done = 0;
  let failed = 0;
  let changed = 0;
  const one = async (member: Member): Promise<FleetAccount> => {
    const fromMs = session.clock.now();
    const found = await runMember(common, member, shared, work);
    done += 1;
    if (!['done', 'differences', 'waiting', 'interrupted'].includes(found.outcome)) failed += 1;
    if ((found.plan ?? found.result)?.actions.length) changed += 1;
    session.emit({ type: 'accounts', command, done, total: members.length, changed, failed });
    return {
      account: member.account,
      workspace: member.folder,
      ...found,
      diagnostics: found.diagnostics.map((diagnostic) => seenFrom(diagnostic, member)),
      at: new Date(session.clock.now()).toISOString(),
      ms: session.clock.now() - fromMs,
    };
  };
  try {
    return await sideBySide(members, Math.max(1, jobs), one);
  } finally {
    await Promise.all([close(), remotes.close()]);
  }
}

/** One list, one fetch and one push at a time for all ledgers in one Git remote. */
function sharedRemotes({ clock, timeoutMs, ledger, trustedRoots }: Session, members: readonly Member[]): GitRemotes {
  const ledgers = members.flatMap(({ workspace }) =>
    workspace !== undefined && 'git' in workspace.ledger ? [{ folder: workspace.root, ...workspace.ledger.git }] : [],
  );
  const trusted = trustedRoots === undefined ? {} : { trustedRoots };
  return createGitRemotes({ env: ledger?.programEnv ?? {}, timeoutMs, clock, ...trusted }, ledgers);
}

async function runMember(
  session: Session,
  member: Member,
  shared: (baseUrl: string) => Shared,
  work: (member: Member, own: Session) => Promise<Found>,
): Promise<Found> {
  if (session.stop.aborted) return { outcome: 'interrupted', note: 'not begun', requests: 0, diagnostics: [] };
  if (member.workspace === undefined) return broken(member.diagnostics);
  try {
    return await work(member, memberSession(session, member, shared));
  } catch (error) {
    return broken([
      diagnose(
        'HW6903',
        `This is a mistake of ours: ${(error as Error).message}. The other accounts went on. Run \`hostwright plan\` in its folder for more.`,
      ),
    ]);
  }
}

/** What a use case is given for one account of several. */
export function memberSession(
  session: Session,
  { file }: Pick<Member, 'file'>,
  shared: (baseUrl: string) => Shared,
): Session {
  const { baseUrl } = session.overrides;
  return {
    ...session,
    cwd: dirname(file),
    configFile: basename(file),
    overrides: { ...(baseUrl !== undefined && { baseUrl }) },
    emit: () => undefined,
    shared,
  };
}

/** One limiter and one set of connections for each API host, whichever account asks. */
export function sharedByHost({ concurrency, clock, maxRps, deadline, proxies }: Session): {
  readonly shared: (baseUrl: string) => Shared;
  readonly close: () => Promise<void>;
} {
  const hosts = new Map<string, Shared & { readonly own: Transport }>();
  return {
    shared: (baseUrl) => {
      const { origin } = new URL(baseUrl);
      const known = hosts.get(origin);
      if (known !== undefined) return known;
      const limiter = createLimiter({
        most: concurrency,
        clock,
        ...(maxRps !== undefined && { maxRps }),
        ...(deadline !== undefined && { endMs: deadline.atMs }),
      });
      const own = undiciTransport(origin, concurrency, proxies);
      // Without its end: a client closes what it was given.
      const host = { limiter, own, transport: (request: TransportRequest) => own(request) };
      hosts.set(origin, host);
      return host;
    },
    close: async () => {
      await Promise.all([...hosts.values()].map(async ({ own }) => own.close?.()));
    },
  };
}

function plannedAccount({ stop }: Session, result: RehearsedPlan): Found {
  const { plan, guardCheck, rehearsal, diagnostics, requests } = result;
  const outcome = planOutcome(result, { detailed: true, stopped: stop.aborted });
  if (plan === undefined) return { ...broken(diagnostics), outcome, requests };
  const { refusals: [refusal] = [], changes = [] } = guardCheck ?? {};
  const notes = [
    ...(refusal === undefined ? [] : [`apply refuses: ${refusal.reason}`]),
    ...changes.map(({ setting, from, to }) => `the branch changes ${setting} from ${from} to ${to}`),
  ];
  const isToTell =
    hasWork(plan) ||
    isUnfinished(plan) ||
    (plan.drift ?? []).length > 0 ||
    (plan.released ?? []).length > 0 ||
    plan.notices.some(({ severity }) => severity !== 'info');
  return {
    outcome,
    ...(notes.length > 0 && { note: notes.join('; ') }),
    ...(notes.length > 0 && guardCheck !== undefined && { guardCheck }),
    ...(rehearsal !== undefined && { rehearsal }),
    summary: plan.summary,
    digest: digestOf(plan),
    ...(hasWork(plan) && { content: contentOf(plan) }),
    requests,
    diagnostics: diagnostics.filter(({ severity }) => severity !== 'info'),
    ...(isToTell && { plan }),
  };
}

function hasWork(plan: Plan): boolean {
  return plan.actions.length > 0 || plan.waiting.length > 0 || plan.deferred.length > 0;
}

/** An account that plans something else than what was reviewed is not changed. */
function heldAgainst(account: FleetAccount, expected: FleetApplyOptions['expected']): FleetAccount {
  const { plan, digest } = account;
  if (expected === undefined || plan === undefined || digest === undefined || !hasWork(plan)) return account;
  const reviewed = expected.get(account.account);
  // Nothing new would begin: what an approved run began goes on, also where it was killed in the middle.
  const isNew = plan.actions.length > 0 || plan.deferred.length > 0;
  if (!isNew || reviewed?.has(digest) === true) return account;
  const { plan: _plan, ...rest } = account;
  return {
    ...rest,
    outcome: 'conflict',
    note:
      reviewed === undefined
        ? 'nobody reviewed this plan; nothing was sent'
        : 'the plan is not the one that was reviewed; nothing was sent',
  };
}

/** What the accounts come to together. */
function fleetGuards(
  work: readonly FleetAccount[],
  { maxAccountsChanged, maxSpend }: FleetApplyOptions,
): readonly Diagnostic[] {
  const changed = work.filter(({ plan }) => (plan?.actions.length ?? 0) > 0);
  return [
    ...(maxAccountsChanged !== undefined && changed.length > maxAccountsChanged
      ? [
          diagnose(
            'HW6904',
            `${changed.length} accounts would change, ${maxAccountsChanged} allowed. Run it with \`--max-accounts-changed ${changed.length}\`, or for fewer folders. Nothing was sent.`,
          ),
        ]
      : []),
    ...(maxSpend === undefined ? [] : fleetSpend(changed, maxSpend)),
  ];
}

/** What nobody quoted, or quoted in another currency, is more than any ceiling, as in one account. */
function fleetSpend(changed: readonly FleetAccount[], maxSpend: string): readonly Diagnostic[] {
  const ceiling = parsePrice(maxSpend);
  const charges = changed.flatMap(({ account, plan }) =>
    (plan?.actions ?? []).filter(({ risk }) => risk.includes('charge')).map(({ cost }) => ({ account, cost })),
  );
  const unknown = charges.filter(({ cost }) => cost === undefined || cost.currency !== ceiling?.currency);
  const sum = sumPrices(charges.flatMap(({ cost }) => cost ?? [])).find(
    ({ currency }) => currency === ceiling?.currency,
  );
  if (unknown.length > 0)
    return [
      overSpent(
        `Nobody can know that it stays under ${maxSpend}: in ${[...new Set(unknown.map(({ account }) => account))].join(', ')} something has no price in that currency. Apply those accounts by themselves, or leave \`--max-spend\` out.`,
      ),
    ];
  if (ceiling === undefined || sum === undefined || sum.amountCents <= ceiling.amountCents) return [];
  return [
    overSpent(
      `All accounts together spend ${showPrice(sum)}, ${maxSpend} allowed. Run it with \`--max-spend ${showPrice(sum).replace(' ', '')}\`, or for fewer folders.`,
    ),
  ];
}

function overSpent(detail: string): Diagnostic {
  return diagnose('HW6905', `${detail} Nothing was sent.`);
}

function canaryFailed(first: readonly FleetAccount[], rest: readonly FleetAccount[]): Diagnostic {
  const failed = first
    .filter(({ outcome }) => outcome !== 'done')
    .map(({ account, outcome }) => `${account} (${outcome})`);
  return diagnose(
    'HW6906',
    `${failed.join(', ')} of the first ${first.length} did not end with done, so the other ${rest.length} were not begun. Look at those, then run it again.`,
  );
}

async function applyMember(
  own: Session,
  { account, plan, summary, digest, content, requests }: FleetAccount,
  { guards, note, parallelism, askForge, byHand, consent }: FleetApplyOptions & { readonly consent: boolean | 'asked' },
): Promise<Found> {
  const { outcome: result, plan: ran } = await applyWorkspace(own, {
    ...(plan !== undefined && { plan }),
    ...guards,
    parallelism,
    confirm: () => Promise.resolve(consent),
    ...(askForge !== undefined && { askForge: () => askForge(account, digest ?? '') }),
    ...(byHand !== undefined && { byHand }),
  });
  await note?.(own, { ...result, result, ...(ran !== undefined && { plan: ran }) });
  return {
    ...ended(result, requests),
    ...(summary !== undefined && { summary }),
    ...(digest !== undefined && { digest }),
    ...(content !== undefined && { content }),
  };
}

/** `before`: the requests of its plan. */
function ended(result: Outcome, before: number): Found {
  const { outcome, requests, diagnostics } = result;
  return {
    outcome,
    requests: before + requests.reads + requests.writes,
    diagnostics: diagnostics.filter(({ severity }) => severity !== 'info'),
    result,
  };
}

function notBegun(account: FleetAccount, outcome: OutcomeWord): FleetAccount {
  return { ...account, outcome, note: 'not begun' };
}

function withoutPlan({ plan: _plan, ...account }: FleetAccount): FleetAccount {
  return account;
}

function broken(diagnostics: readonly Diagnostic[]): Found {
  return { outcome: 'error', requests: 0, diagnostics };
}

/** Files are named as the reader of the fleet sees them. */
function seenFrom(diagnostic: Diagnostic, { folder }: Member): Diagnostic {
  const { source } = diagnostic;
  if (source === undefined || source.file.startsWith(`${folder}/`)) return diagnostic;
  return { ...diagnostic, source: { ...source, file: relative('.', join(folder, source.file)) } };
}

function fleetOf(
  command: FleetCommand,
  accounts: readonly FleetAccount[],
  {
    words = accounts.map(({ outcome }) => outcome),
    diagnostics = [],
    shards = [],
  }: {
    readonly words?: readonly OutcomeWord[];
    readonly diagnostics?: readonly Diagnostic[];
    readonly shards?: readonly string[];
  } = {},
): Fleet {
  const outcome = decideOutcome(words);
  return {
    format: FLEET_FORMAT,
    command,
    ...(shards.length > 0 && { shards }),
    outcome,
    exitCode: EXIT_CODES[outcome],
    diagnostics,
    accounts,
  };
}
