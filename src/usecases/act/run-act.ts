// How a command does what is no desired state, such as a restart: it asks a person, and then the interpreter of
// apply runs it as a plan of one action, under the lock of the ledger. Where a second request could do the work twice,
// what an earlier run began is continued.
import { kindOf } from '../../model/address.ts';
import type { Json } from '../../model/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { Act } from '../../model/plan/act.ts';
import type { InFlight, LedgerView } from '../../model/plan/ledger-view.ts';
import type { ActionOutcome } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Outputs } from '../../model/plan/step.ts';
import { runPlan } from '../../apply/interpreter.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerWriteError } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/stored-ledger.ts';
import { resumeRun } from '../../apply/resume.ts';
import type { RunResult } from '../../apply/run-actions.ts';
import { nextRead } from '../../areas/index.ts';
import { actionDigest } from '../../planner/digest.ts';
import { planOf } from '../../planner/document.ts';
import { createRedactor } from '../../platform/redact.ts';
import { secretSinkOf } from '../credentials/secret-sink.ts';
import { ledgerOptions, startedBy, viewLedger } from '../ledger.ts';
import type { Ending, Opened } from '../site/open-site.ts';
import { sentence } from './problem.ts';

/** Asks a person, or knows the answer: `--yes`. */
export type Confirm = (question: string) => Promise<boolean>;

/** What a person is asked before an act, and told after it. */
export interface Asked<Value> {
  /** What happens, and what cannot be taken back. */
  readonly question: string;
  /** It was carried out. */
  readonly done: (end: Done) => Ending<Value> | Promise<Ending<Value>>;
  /** It was taken, and goes on; `reason` says what was waited for. Absent: the reason is told. */
  readonly waiting?: (reason: string) => string;
  /** Told with any end. */
  readonly value?: Value;
  /** Where to look for what became of it when nothing tells; whole sentences. */
  readonly look: string;
  /**
   * Whether what an earlier run began is begun anew; `option`: what a person adds to the command for that. Absent: it is
   * continued.
   */
  readonly again?: { readonly option?: string; readonly given: boolean };
  /** What versions before 0.2 called it in the ledger. */
  readonly formerly?: string;
}

export interface Done {
  /** What its steps learnt. */
  readonly outputs: Outputs;
  /** The body of the last answer to a request. Absent: an earlier run sent it. */
  readonly answer?: Json | undefined;
}

/** Asks, carries an act out, and says how it ended. Throws ApiError where a read of the command itself fails. */
export async function runAct<Value>(
  opened: Opened,
  act: Act,
  asked: Asked<Value>,
  confirm: Confirm,
): Promise<Ending<Value>> {
  const earlier = await begunBefore(opened, act);
  if ('ending' in earlier) return earlier.ending;
  const { flight, view } = earlier;
  const isAgain = asked.again?.given === true;
  const former = view.openActs?.find((one) => one.act === asked.formerly);
  if (former !== undefined && !isAgain)
    return unknownBefore(`It was sent at ${new Date(former.sentAtMs).toISOString()} (${former.request})`, asked);
  const isContinued = flight !== undefined && !isAgain;
  if (!isContinued && !(await confirm(asked.question))) return notConfirmed();
  const run = await inLedger(opened, async (ledger, runId) => {
    if (former !== undefined) await ledger.append({ type: 'acted', act: former.act });
    if (isContinued) return continueAct(opened, act, ledger, runId);
    if (flight !== undefined) await ledger.append({ type: 'confirmed', address: act.address, id: null });
    return runNew(opened, act, ledger, runId);
  });
  if ('diagnostics' in run) return { outcome: 'error', diagnostics: run.diagnostics };
  const ending = await endingOf(run.result, act, asked, isContinued);
  return { ...ending, diagnostics: [...run.notices, ...(ending.diagnostics ?? [])] };
}

/** One of several to which a person has agreed with one question. */
export function runAgreed<Value>(
  opened: Opened,
  act: Act,
  asked: Omit<Asked<Value>, 'question'>,
): Promise<Ending<Value>> {
  return runAct(opened, act, { ...asked, question: '' }, () => Promise.resolve(true));
}

/** What an earlier run has begun of it and not ended; what may simply be sent again counts as not begun. */
export async function begunBefore(
  { session, workspace }: Pick<Opened, 'session' | 'workspace'>,
  { address }: Pick<Act, 'address'>,
): Promise<{ readonly flight: InFlight | undefined; readonly view: LedgerView } | { readonly ending: Ending<never> }> {
  const { view, diagnostics } = await viewLedger(session, workspace);
  if (hasErrors(diagnostics)) return { ending: { outcome: 'error', diagnostics } };
  const flight = view.inFlight.find(({ action }) => action.address === address && !isRepeatable(action));
  return { flight, view };
}

/** True where an earlier run began it: then it is continued, although a new one might be refused. */
export async function isBegun(opened: Pick<Opened, 'session' | 'workspace'>, act: Act): Promise<boolean> {
  const earlier = await begunBefore(opened, act);
  return 'flight' in earlier && earlier.flight !== undefined;
}

function isRepeatable({ steps }: Pick<Act, 'steps'>): boolean {
  return steps.every((step) => step.do !== 'request' || step.idempotent);
}

interface Ran extends RunResult {
  readonly answer?: Json | undefined;
}

async function runNew(opened: Opened, act: Act, ledger: Ledger, runId: string): Promise<Ran> {
  const plan = planOfAct(opened.workspace.account, act, ledger.view().sequence);
  const { runtime, answered } = runtimeOf(opened, ledger, runId);
  const approved = plan.actions.map(({ digest }) => digest);
  const result = await runPlan({ ...runtime, plan, parallelism: 1, approved });
  return { ...result, answer: answered() };
}

async function continueAct(opened: Opened, { address }: Act, ledger: Ledger, runId: string): Promise<Ran> {
  const { runtime, answered } = runtimeOf(opened, ledger, runId);
  const [result] = await resumeRun({ ...runtime, only: new Set([address]) });
  return { ...(result as RunResult), answer: answered() };
}

/** The plan that has this one action. */
function planOfAct(account: string, { address, verb, reason, steps }: Act, ledgerSequence: number): Plan {
  const content = {
    address,
    verb,
    changes: [],
    expect: { exists: false, tests: [] },
    steps,
    risk: [],
    protected: false,
  };
  const action: Action = {
    ...content,
    kind: kindOf(address),
    digest: actionDigest(account, content),
    reason,
    requires: { userCredential: false, scopes: [], roles: [] },
    stage: 'change',
    effects: [],
    locks: [address],
    needs: [],
    hook: 'command',
  };
  return planOf({ account, ledgerSequence, actions: [action] });
}

function runtimeOf({ session, workspace, client }: Opened, ledger: Ledger, runId: string) {
  const { clock, emit, stop, deadline } = session;
  let answer: Json | undefined;
  return {
    answered: () => answer,
    runtime: {
      client: {
        ...client,
        send: async (...request: Parameters<typeof client.send>) => {
          const given = await client.send(...request);
          answer = given.body;
          return given;
        },
      },
      // An act leaves nothing that could be compared.
      observe: () => Promise.resolve(new Map()),
      observeAfter: () => Promise.resolve(new Map()),
      ledger,
      clock,
      emit,
      stop,
      redactor: createRedactor(),
      resolveSecret: () => undefined,
      secretSink: secretSinkOf(session, workspace),
      nextRead,
      runId,
      by: startedBy(session),
      ...(deadline !== undefined && { deadline }),
    },
  };
}

/** Holds the ledger while `use` runs. */
async function inLedger(
  { session, workspace }: Opened,
  use: (ledger: Ledger, runId: string) => Promise<Ran>,
): Promise<
  { readonly result: Ran; readonly notices: readonly Diagnostic[] } | { readonly diagnostics: readonly Diagnostic[] }
> {
  const runId = session.runtime.uuid();
  const { ledger, diagnostics } = await openLedger(ledgerOptions(session, workspace, runId));
  if (ledger === undefined) return { diagnostics };
  let notices: readonly Diagnostic[] = [];
  let result: Ran;
  try {
    result = await use(ledger, runId);
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    result = { actions: [], words: ['error'], diagnostics: [notWritten(error)] };
  } finally {
    notices = await ledger.close();
  }
  return { result, notices: [...diagnostics, ...notices] };
}

/** Codes that say of one action what its own ending says in other words. */
const SAID_BY_ENDING: ReadonlySet<string> = new Set(['HW4003', 'HW4004']);

async function endingOf<Value>(
  { actions, words, diagnostics, answer }: Ran,
  act: Act,
  asked: Asked<Value>,
  isContinued: boolean,
): Promise<Ending<Value>> {
  const [outcome] = actions;
  const outcomeWord = decideOutcome(words);
  const others = diagnostics.filter(({ code }) => !SAID_BY_ENDING.has(code));
  const value = asked.value === undefined ? {} : { value: asked.value };
  if (outcome === undefined || others.length > 0)
    return { outcome: outcomeWord, ...value, diagnostics: others.map(withoutAddress) };
  const { result, reason = '', outputs = {} } = outcome;
  switch (result) {
    case 'done':
    case 'already-done':
      return asked.done({ outputs, answer });
    case 'waiting':
      return outcomeWord === 'interrupted'
        ? { outcome: outcomeWord, ...value, diagnostics: [unfollowed(reason, !isRepeatable(act))] }
        : { outcome: outcomeWord, ...value, message: (asked.waiting ?? sentenceOf)(reason) };
    case 'blocked':
      return { ...notNow(sentenceOf(reason)), ...value };
    case 'unknown-outcome':
      return isContinued ? unknownBefore(sentence(reason), asked) : { ...unknownEnd(reason, asked), ...value };
    default:
      return outcomeWord === 'interrupted'
        ? { outcome: outcomeWord }
        : { outcome: outcomeWord, ...value, diagnostics: [refused(failedIn(outcome, act))] };
  }
}

/** What was done before the step that failed is there: the one that asks for several has to say so. */
function failedIn({ reason = '' }: ActionOutcome, { steps }: Act): string {
  const requests = steps.flatMap((step) => (step.do === 'request' ? [step] : []));
  const before = requests.slice(
    0,
    Math.max(
      0,
      requests.findIndex(({ name }) => reason.startsWith(`${name}: `)),
    ),
  );
  return before.length === 0
    ? sentenceOf(reason)
    : `${sentenceOf(reason)} Before that was accepted: ${before.map(({ name }) => name).join(', ')}.`;
}

function withoutAddress({ address: _address, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}

function sentenceOf(reason: string): string {
  return `${sentence(reason).replace(/\.$/, '')}.`;
}

/** What is asked for does not go with what is there. */
export function cannot(detail: string): Ending<never> {
  return failed(diagnose('HW4587', detail));
}

export function notConfirmed(): Ending<never> {
  const detail = 'Nothing was sent.';
  return {
    outcome: 'refused',
    diagnostics: [diagnose('HW6103', detail)],
  };
}

/** What somebody else has to do, or time: nothing was done. */
export function notNow(detail: string): Ending<never> {
  return {
    outcome: 'waiting',
    diagnostics: [diagnose('HW4503', detail)],
  };
}

/** The request left, and nobody can say what became of it. */
export function unknownEnd(reason: string, { look, again }: Pick<Asked<unknown>, 'look' | 'again'>): Ending<never> {
  const once = again?.option === undefined ? '' : ` To send it once more, add ${again.option}.`;
  const detail = `${sentenceOf(reason)} ${look}${once}`;
  return failed(diagnose('HW4502', detail));
}

function unknownBefore(reason: string, { look, again }: Pick<Asked<unknown>, 'look' | 'again'>): Ending<never> {
  const once = again?.option === undefined ? '' : ` To send it once more, add ${again.option}.`;
  const detail = `${sentenceOf(reason)} Nothing was sent now. ${look}${once}`;
  return failed(diagnose('HW4581', detail));
}

function unfollowed(reason: string, isContinued: boolean): Diagnostic {
  const next = isContinued
    ? 'The same command goes on with it, and `hostwright apply --resume` does.'
    : 'Running the command again does no harm.';
  return diagnose('HW4506', `${sentenceOf(reason)} ${next}`);
}

function refused(detail: string): Diagnostic {
  return diagnose('HW4501', detail);
}

function notWritten({ message }: LedgerWriteError): Diagnostic {
  const detail = `${message}. What is sent is written down before. Make the ledger writable, then look whether anything was sent: \`hostwright ledger list\`.`;
  return diagnose('HW4580', detail);
}

function failed(diagnostic: Diagnostic): Ending<never> {
  return { outcome: 'error', diagnostics: [diagnostic] };
}
