// What to do after an outcome: the one table of the commands that are printed at the end of a run. A row is an outcome
// with its reason; the first row that holds is the one that is told, so each ending names what helps and nothing else.
import type { Address } from '../../model/address.ts';
import type { Outcome, OutcomeWord, Remaining } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { OUTCOME_SENTENCES } from './document.ts';
import { escapeText } from './escape.ts';
import { keepStep } from './keeping.ts';
import { attachedHostnames, recordsSentence } from './records-to-publish.ts';
import { showRehearsal } from './rehearsal.ts';
import { quoteAddress, quoteForShell } from './shell.ts';

/** A command that can be copied, and in few words what it does or when to run it. */
export interface NextStep {
  readonly command: string;
  readonly words: string;
  /** What a person does first, as a sentence. */
  readonly first?: string;
}

/** How the command was called that has ended. */
export interface Asked {
  /** The same command once more, as a shell takes it. */
  readonly again: string;
  /** The saved plan that was to be run. */
  readonly saved?: string;
}

const RESUME = 'hostwright apply --resume';
const UNASKED: Asked = { again: 'hostwright apply' };

type Ended = Pick<Outcome, 'outcome' | 'actions' | 'remaining' | 'diagnostics' | 'inFlight'>;

interface Row {
  /** The words that a run may end with; absent: any. */
  readonly ends?: readonly OutcomeWord[];
  /** Why, in the name of the row. */
  readonly reason: string;
  readonly holds: (ended: Ended) => boolean;
  readonly steps: (ended: Ended, asked: Asked) => readonly NextStep[];
}

/** Refusals that an option of the same command lifts; their texts name it. */
const BY_OPTION = 'HW2202 HW2204 HW2205 HW2210'.split(' ');

const AFTER_APPLY: readonly Row[] = [
  {
    reason: 'nobody knows whether a request was carried out',
    holds: (ended) => unknownOf(ended).length > 0,
    steps: (ended) => unknownOf(ended).map(confirmStep),
  },
  {
    ends: ['interrupted'],
    reason: 'it was stopped: the rest is still to do',
    holds: () => true,
    steps: (_ended, { again }) => [{ command: again, words: 'continues where it stopped' }],
  },
  {
    reason: 'another run holds the lock',
    holds: hasCode('HW5004'),
    steps: (_ended, { again }) => [
      { command: withOption(again, '--lock-timeout 10m'), words: 'waits up to 10 minutes for the other run' },
    ],
  },
  {
    reason: 'the platform asks for a pause',
    holds: hasCode('HW3052'),
    steps: ({ diagnostics }, { again }) => [
      {
        command: again,
        words: `from ${escapeText(diagnostics.find(({ code }) => code === 'HW3052')?.retryAt ?? '', 30)} on`,
      },
    ],
  },
  {
    reason: 'the platform fails all requests',
    holds: hasCode('HW3051'),
    steps: (_ended, { again }) => [{ command: again, words: 'when the platform responds again' }],
  },
  {
    reason: 'the platform or the ledger cannot be reached, or the credential is refused',
    holds: hasCode('HW3001 HW3002 HW3003 HW3050 HW4005 HW5007'),
    steps: () => [{ command: 'hostwright doctor', words: 'checks the address, the token, the ledger and the network' }],
  },
  {
    ends: ['refused'],
    reason: 'nothing is bought, or made for good, without a complete ledger',
    holds: ({ diagnostics }) =>
      hasCode('HW2206 HW2207')({ diagnostics }) &&
      onlyByOption(diagnostics.filter(({ code }) => code !== 'HW2206' && code !== 'HW2207')),
    steps: () => [{ command: 'hostwright ledger init', words: 'only if there never was a ledger; else restore it' }],
  },
  {
    ends: ['refused'],
    reason: 'a guard that an option lifts',
    holds: ({ diagnostics }) => optionsIn(diagnostics).length > 0 && onlyByOption(diagnostics),
    steps: ({ diagnostics }, { again }) => [
      { command: optionsIn(diagnostics).reduce(withOption, again), words: 'allows what was refused; look at it first' },
    ],
  },
  {
    ends: ['conflict', 'refused'],
    reason: 'the reviewed plan is used up, or the account is not as it was',
    holds: ({ outcome, diagnostics }) => outcome === 'conflict' || hasCode('HW4008 HW4009')({ diagnostics }),
    steps: (_ended, { saved }) => [
      {
        command: `hostwright plan${saved === undefined ? '' : ` --out ${quoteForShell(saved)}`}`,
        words: 'shows the account as it is now; have it reviewed again',
      },
    ],
  },
  { ends: ['refused'], reason: 'a guard that only an edit lifts, or a no', holds: () => true, steps: () => [] },
  {
    ends: ['error'],
    reason: 'something has to be mended first, and its text says what',
    holds: ({ actions, remaining, diagnostics }) =>
      actions.length === 0 && remaining.length === 0 && diagnostics.length > 0,
    steps: () => [],
  },
  {
    ends: ['error', 'partly-applied'],
    reason: 'something failed or could not be read',
    holds: () => true,
    steps: ({ inFlight = [] }, { again }) => [
      {
        // With nothing in flight there is nothing to resume.
        command: inFlight.length === 0 ? again.replace(/ --resume\b/, '') : again,
        words: 'tries again what is not done, when the cause above is mended',
      },
    ],
  },
  {
    ends: ['waiting'],
    reason: 'the deadline was reached',
    holds: hasCode('HW4012'),
    steps: (_ended, { again }) => [{ command: again, words: 'goes on with what is left' }],
  },
  {
    ends: ['waiting'],
    reason: 'in flight',
    holds: ({ inFlight = [] }) => inFlight.length > 0,
    steps: () => [{ command: RESUME, words: 'when what is waited for has happened; continues only what is in flight' }],
  },
  {
    ends: ['waiting'],
    reason: 'more came up that nobody reviewed',
    holds: ({ remaining }) => remaining.some(({ is }) => is === 'unplanned'),
    steps: (_ended, { saved }) => [
      {
        command: `hostwright plan${saved === undefined ? '' : ` --out ${quoteForShell(saved)}`}`,
        words: 'shows what is left to review and apply',
      },
    ],
  },
  {
    ends: ['waiting'],
    reason: 'blocked, or up to somebody outside, and nothing in flight',
    holds: () => true,
    steps: () => [{ command: 'hostwright plan', words: 'when that is done' }],
  },
];

/** A hostname leads nowhere before somebody has published its records (DOM-13). */
function stepsAfterDone({ actions }: Pick<Ended, 'actions'>): readonly NextStep[] {
  const hostnames = attachedHostnames(actions);
  return hostnames === undefined
    ? []
    : [{ command: 'hostwright dns', words: `lists the DNS records to publish for ${hostnames}` }];
}

/** What helps after a run, nothing where only an edit helps; then what is left to do elsewhere after what was done. */
export function stepsAfter(ended: Ended, asked: Asked = UNASKED): readonly NextStep[] {
  const helps =
    ended.outcome === 'done'
      ? isResumption(asked)
        ? AFTER_RESUMPTION
        : undefined
      : AFTER_APPLY.find(({ ends, holds }) => ends?.includes(ended.outcome) !== false && holds(ended));
  return [...(helps?.steps(ended, asked) ?? []), ...stepsAfterDone(ended)];
}

/** True for a run that continues what is in flight, and starts no new change. */
function isResumption({ again }: Asked): boolean {
  return again.split(' ').includes('--resume');
}

/** Changes of the interrupted run that had not begun are not in flight. */
const AFTER_RESUMPTION: Pick<Row, 'steps'> = {
  steps: () => [{ command: 'hostwright plan', words: 'shows which changes are left to apply' }],
};

/** How a run ended, in a sentence that is true of this one: what is blocked for good does not wait. */
export function sentenceAfter(ended: Ended, asked: Asked = UNASKED): string {
  const { outcome, actions, remaining, inFlight = [] } = ended;
  if (outcome === 'conflict' && actions.some(({ result }) => result !== 'not-started'))
    return 'Something is not as it was reviewed: what rests on it did not run.';
  if (outcome === 'done' && isResumption(asked)) return 'Nothing is in flight any more.';
  if (outcome !== 'waiting') return OUTCOME_SENTENCES[outcome];
  if (hasCode('HW3052')(ended)) return 'Stopped: the platform asks for a pause.';
  if (hasCode('HW4012')(ended)) return 'Stopped at the deadline; something is left to do.';
  if (inFlight.length > 0)
    return inFlight.length === 1
      ? 'Waiting: 1 action is begun and not over.'
      : `Waiting: ${inFlight.length} actions are begun and not over.`;
  if (actions.some(({ result }) => result === 'waiting') || remaining.some(is('waiting')))
    return 'Waiting for somebody or something outside.';
  if (remaining.some(is('unplanned'))) return 'Something is left that nobody reviewed.';
  return 'Not everything can be done as it is.';
}

const is =
  (word: Remaining['is']) =>
  (remaining: Remaining): boolean =>
    remaining.is === word;

/** The same of a plan: `saved` is where it was written, or read from. */
export interface AskedPlan extends Asked {
  /** The manifests or programs that were named. */
  readonly paths?: readonly string[];
  readonly guardCheck?: GuardCheck;
}

/** What helps after a plan, by what it says. */
export function stepsAfterPlan(
  { actions, unknown, blocked, waiting, manual, deferred, drift = [] }: Plan,
  { again, saved, guardCheck, paths = [] }: AskedPlan,
): readonly NextStep[] {
  // A plan that apply refuses is offered with what would allow it, where options do.
  const refusals = guardCheck?.refusals ?? [];
  const canRun = refusals.every(({ option }) => option !== undefined);
  const options = refusals.map(({ option = '' }) => ` ${escapeText(option, 100)}`).join('');
  const apply =
    saved === undefined
      ? {
          command: ['hostwright apply', ...paths.map(quoteForShell)].join(' ') + options,
          words: 'plans again, asks, and runs it',
        }
      : {
          command: `hostwright apply ${quoteForShell(saved)}${options}`,
          words: 'runs exactly these actions, or nothing',
        };
  if (drift.length > 0) {
    const changed = drift.find((item) => item.class !== 'in-flight' && item.class !== 'pending')?.address;
    return [
      ...(actions.length > 0 && canRun ? [{ ...apply, words: 'writes what the manifests say' }] : []),
      ...(changed === undefined
        ? []
        : [
            {
              command: `hostwright drift --accept ${quoteAddress(changed)}`,
              words: 'takes over what is live into its manifest',
            },
          ]),
      ...(actions.length === 0 && drift.some((item) => item.class === 'in-flight') ? [resume] : []),
    ];
  }
  if (actions.length > 0) return [keepStep(actions) ?? [], canRun ? apply : []].flat();
  if (waiting.some(({ remedy }) => remedy.includes(RESUME))) return [resume];
  if (unknown.length > 0) return [{ command: again, words: 'reads again what could not be read' }];
  if (blocked.length + waiting.length + manual.length + deferred.length === 0) return [];
  return [{ command: again, words: blocked.length > 0 ? 'when you have changed it' : 'when that is done' }];
}

const resume: NextStep = { command: RESUME, words: 'continues only what is in flight' };

/** `Next: hostwright apply   (plans again, asks, and runs it)` */
export function stepLine({ command, words, first }: NextStep): string {
  return `${first === undefined ? 'Next' : `${first}, then`}: ${command}   (${words})`;
}

/** What stands below a plan in a terminal. */
export function hintsAfterPlan(
  plan: Plan,
  asked: AskedPlan & { readonly outcome: OutcomeWord; readonly verbose: boolean; readonly rehearsal?: Rehearsal },
): readonly string[] {
  const { outcome, verbose, rehearsal } = asked;
  const records = recordsSentence(plan.actions);
  // What is refused on a copy is changed first.
  const isRefused = rehearsal !== undefined && !showRehearsal(rehearsal).passed;
  return [
    ...(records === undefined || plan.drift !== undefined ? [] : [records]),
    ...(plan.actions.length > 0 && !verbose ? ['--verbose shows every request.'] : []),
    ...(isRefused ? [] : stepsAfterPlan(plan, asked).map(stepLine)),
    ...endLine(outcome),
  ];
}

/** What stands below the end of a run in a terminal. */
export function hintsAfter(ended: Ended, asked?: Asked): readonly string[] {
  return [...stepsAfter(ended, asked).map(stepLine), ...endLine(ended.outcome)];
}

function endLine(outcome: OutcomeWord): readonly string[] {
  return outcome === 'done' ? [] : [`Exit code ${EXIT_CODES[outcome]}: ${outcome}.`];
}

/** What a person does who has found out whether a request was carried out. */
export function confirmStep(address: Address): NextStep {
  return {
    first: `Look whether ${escapeText(address, 300)} was carried out`,
    command: `hostwright ledger confirm ${quoteAddress(address)} --id ID`,
    words: 'or --not-made in place of --id ID',
  };
}

function unknownOf({ actions }: Pick<Ended, 'actions'>): readonly Address[] {
  return actions.filter(({ result }) => result === 'unknown-outcome').map(({ address }) => address);
}

/** `codes`: with spaces between them. */
function hasCode(codes: string): (ended: Pick<Ended, 'diagnostics'>) => boolean {
  return ({ diagnostics }) =>
    diagnostics.some(
      ({ code, severity }) =>
        codes.split(' ').includes(code) && (severity === 'error' || code === 'HW4012' || code === 'HW3052'),
    );
}

function onlyByOption(diagnostics: Outcome['diagnostics']): boolean {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .every((error) => BY_OPTION.includes(error.code) && optionsIn([error]).length === 1);
}

/** The options that the texts of guards name, such as `--allow-deletes 2`; words that may run are put together. */
function optionsIn(diagnostics: Outcome['diagnostics']): readonly string[] {
  const options = new Map<string, string>();
  for (const { code, detail } of diagnostics) {
    if (!BY_OPTION.includes(code)) continue;
    for (const [, name = '', value = ''] of detail.matchAll(/`(--[a-z-]+) ([\w.,-]+)`/g)) {
      const before = options.get(name);
      options.set(
        name,
        name === '--approve' && before !== undefined
          ? [...new Set([...before.split(','), ...value.split(',')])].join(',')
          : value,
      );
    }
  }
  return [...options].map(([name, value]) => `${name} ${value}`);
}

/** The command with an option in place of what it had of it. */
function withOption(command: string, option: string): string {
  const [name = ''] = option.split(' ');
  return `${command.replace(new RegExp(` ${name}(=| )\\S+`), '')} ${option}`;
}
