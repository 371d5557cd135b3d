// Runs an act that is not desired state, such as a restart: asks the user, and then lets the interpreter of apply run it as
// a plan of one action under the ledger lock. Where a second request could do the work twice, an unfinished earlier act is
// continued instead.
import { kindOf } from '../../model/address.ts';
import type { Json } from '../../model/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { Act, Ending } from '../../model/plan/act.ts';
import { begunAction, withTerms } from '../../model/ledger/begun.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { ActionOutcome } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { isRepeatable } from '../../model/plan/step.ts';
import { runPlan } from '../../apply/interpreter.ts';
import type { Ledger, LedgerWriteError } from '../../ledger/ledger.ts';
import { resumeRun } from '../../apply/resume.ts';
import type { RunResult } from '../../apply/run-actions.ts';
import type { Asked } from '../../areas/operations.ts';
import { begunIn, failed, notConfirmed, notNow, unknownEnd } from '../../areas/operations.ts';
import { nextRead } from '../../areas/index.ts';
import { actionDigest, stepsDigest } from '../../planner/digest.ts';
import { planOf } from '../../planner/document.ts';
import { createRedactor } from '../../platform/redact.ts';
import type { Opened } from '../client.ts';
import { sentence } from '../client.ts';
import { secretSinkOf } from '../credentials/secret-sink.ts';
import { inLedger, startedBy, viewLedger } from '../ledger.ts';

/** Asks a person, or knows the answer: `--yes`. */
export type Confirm = (question: string) => Promise<boolean>;

/** Asks, carries an act out, and says how it ended. Throws ApiError where a read of the command itself fails. */
export async function runAct(opened: Opened, asked: Asked, confirm: Confirm): Promise<Ending> {
  const { act, question, unlessBegun, again } = asked;
  const { view, diagnostics } = await viewLedger(opened.session, opened.workspace);
  const isUnknown = hasErrors(diagnostics);
  const flight = begunIn(view, act);
  if (unlessBegun !== undefined && (isUnknown || flight === undefined)) return unlessBegun;
  if (isUnknown) return { outcome: 'error', diagnostics };
  const isAgain = again?.given === true;
  const former = view.openActs?.find((one) => one.act === asked.formerly);
  if (former !== undefined && !isAgain)
    return unknownBefore(`It was sent at ${new Date(former.sentAtMs).toISOString()} (${former.request})`, asked);
  const isContinued = flight !== undefined && !isAgain;
  if (!isContinued && question !== undefined && !(await confirm(question))) return notConfirmed();
  const run = await inLedger(opened, async (ledger, runId) => {
    if (former !== undefined) await ledger.append({ type: 'acted', act: former.act });
    if (flight !== undefined && !isContinued)
      await ledger.append({ type: 'confirmed', address: act.address, id: null });
    return carryOut(opened, act, { ledger, runId, isContinued });
  });
  if ('diagnostics' in run) return { outcome: 'error', diagnostics: run.diagnostics };
  const result = 'failure' in run ? { actions: [], words: ERROR, diagnostics: [notWritten(run.failure)] } : run.result;
  const ending = await endingOf(result, asked, isContinued);
  return { ...ending, diagnostics: [...run.opening, ...run.notices, ...(ending.diagnostics ?? [])] };
}

interface Ran extends RunResult {
  readonly answer?: Json | undefined;
}

async function carryOut(
  { session, workspace, client }: Opened,
  act: Act,
  { ledger, runId, isContinued }: { readonly ledger: Ledger; readonly runId: string; readonly isContinued: boolean },
): Promise<Ran> {
  const { clock, emit, stop, deadline } = session;
  let answer: Json | undefined;
  const runtime = {
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
    recordOf: (action: Action) => begunAction(action, { intent: '', stepsDigest: stepsDigest(action.steps) }),
    // The steps are those of the command that a person runs again.
    regenerate: () =>
      Promise.resolve(({ action }: InFlight) => ({
        steps: withTerms(act.steps, action.terms),
        mode: 'continue' as const,
      })),
    parallelism: 1,
    runId,
    by: startedBy(session),
    ...(deadline !== undefined && { deadline }),
  };
  const plan = planOfAct(workspace.account, act, ledger.view().sequence);
  const approved = plan.actions.map(({ digest }) => digest);
  const [result] = isContinued
    ? await resumeRun({ ...runtime, only: new Set([act.address]) })
    : [await runPlan({ ...runtime, plan, approved })];
  return { ...(result as RunResult), answer };
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

const ERROR = ['error'] as const;

/** Codes that say of one action what its own ending says in other words. */
const SAID_BY_ENDING: ReadonlySet<string> = new Set(['HW4003', 'HW4004']);

async function endingOf(
  { actions, words, diagnostics, answer }: Ran,
  asked: Asked,
  isContinued: boolean,
): Promise<Ending> {
  const { act, values, waiting = sentenceOf } = asked;
  const [action] = actions;
  const outcome = decideOutcome(words);
  const others = diagnostics.filter(({ code }) => !SAID_BY_ENDING.has(code));
  if (action === undefined || others.length > 0) return { outcome, ...values, diagnostics: others.map(withoutAddress) };
  const { result, reason = '', outputs = {} } = action;
  switch (result) {
    case 'done':
    case 'already-done': {
      const told = await asked.done({ outputs, answer });
      return typeof told === 'string' ? { outcome: 'done', ...values, message: told } : told;
    }
    case 'waiting':
      return outcome === 'interrupted'
        ? { outcome, ...values, diagnostics: [unfollowed(reason, !isRepeatable(act))] }
        : { outcome, ...values, message: waiting(reason) };
    case 'blocked':
      return { ...notNow(sentenceOf(reason)), ...values };
    case 'unknown-outcome':
      return isContinued
        ? unknownBefore(sentence(reason), asked)
        : { ...unknownEnd(`${sentenceOf(reason)} ${whereToLook(asked)}`), ...values };
    default:
      return outcome === 'interrupted' ? { outcome } : { ...refused(failedIn(action, act)), outcome, ...values };
  }
}

/** What was done before the step that failed is there: the one that asks for several has to say so. */
function failedIn({ reason = '' }: ActionOutcome, { steps }: Act): string {
  const requests = steps.flatMap((step) => (step.do === 'request' ? [step] : []));
  const at = requests.findIndex(({ name }) => reason.startsWith(`${name}: `));
  const before = requests.slice(0, Math.max(0, at)).map(({ name }) => name);
  return before.length === 0
    ? sentenceOf(reason)
    : `${sentenceOf(reason)} Before that was accepted: ${before.join(', ')}.`;
}

function withoutAddress({ address: _address, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}

function sentenceOf(reason: string): string {
  return `${sentence(reason).replace(/\.$/, '')}.`;
}

function whereToLook({ look = 'Running the command again does no harm.', again }: Asked): string {
  return again?.option === undefined ? look : `${look} To send it once more, add ${again.option}.`;
}

function unknownBefore(reason: string, asked: Asked): Ending {
  return unknownEnd(`${sentenceOf(reason)} Nothing was sent now. ${whereToLook(asked)}`, 'HW4581');
}

function unfollowed(reason: string, isContinued: boolean): Diagnostic {
  const next = isContinued
    ? 'The same command goes on with it, and `hostwright apply --resume` does.'
    : 'Running the command again does no harm.';
  return diagnose('HW4506', `${sentenceOf(reason)} ${next}`);
}

function refused(detail: string): Ending {
  return failed('HW4501', detail);
}

function notWritten({ message }: LedgerWriteError): Diagnostic {
  const detail = `${message}. What is sent is written down before. Make the ledger writable, then look whether anything was sent: \`hostwright ledger list\`.`;
  return diagnose('HW4580', detail);
}
