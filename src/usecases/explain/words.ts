// The words that plans, drift reports and outcomes are made of. The types of the model are the keys, so that a new word
// cannot come without a section in `docs/plan-words.md`.
import type { ExplainedWord } from '../../model/explained.ts';
import type { ReportedAs } from '../../model/plan/drift.ts';
import type { ActionWord, OutcomeWord, RemainingWord } from '../../model/plan/outcome.ts';
import type { Risk, Verb } from '../../model/plan/plan.ts';
import { words } from './generated/words.ts';

type PlanWord =
  | Risk
  | Verb
  | ActionWord
  | OutcomeWord
  | RemainingWord
  | ReportedAs
  | 'ignored'
  | 'protected'
  | 'hook'
  | 'guard'
  | 'lock'
  | 'ledger'
  | 'digest'
  | 'group'
  | 'live'
  | 'last-applied';

/**
 * How reports print a word, which is also its heading in `docs/plan-words.md`, and other forms of it that people ask for.
 */
const FORMS: Readonly<Record<PlanWord, readonly [shown: keyof typeof words, ...others: string[]]>> = {
  irreversible: ['CANNOT BE UNDONE'],
  charge: ['CHARGES', 'charged', 'cost', 'costs', 'buy'],
  delete: ['DELETES', 'deleted', 'to delete', '-'],
  restart: ['RESTARTS'],
  lapse: ['ENDS RENEWAL', 'given up'],
  exposure: ['EXPOSES', 'lowers protection'],
  primary: ['CHANGES PRIMARY HOSTNAME', 'primary hostname', 'changes primary'],
  create: ['create', 'creates', 'created', 'to create', '+'],
  update: ['update', 'updates', 'updated', 'change', 'to change', '~'],
  done: ['done'],
  'already-done': ['already done'],
  failed: ['FAILED'],
  skipped: ['skipped'],
  blocked: ['blocked'],
  waiting: ['waiting'],
  'unknown-outcome': ['OUTCOME UNKNOWN'],
  'not-started': ['not started'],
  differences: ['differences'],
  'partly-applied': ['partly applied'],
  error: ['error'],
  refused: ['refused'],
  conflict: ['conflict'],
  interrupted: ['interrupted'],
  'by-hand': ['By hand'],
  manual: ['By hand'],
  unknown: ['unknown'],
  unplanned: ['unplanned'],
  deferred: ['deferred'],
  unmanaged: ['unmanaged'],
  orphaned: ['orphaned'],
  released: ['No longer declared', 'released'],
  both: ['Changed on both sides'],
  drifted: ['drifted', 'drift'],
  differs: ['differs'],
  undeclared: ['Changed, and no manifest declares it'],
  pending: ['pending'],
  'in-flight': ['In flight'],
  ignored: ['ignored'],
  protected: ['protected', 'protect'],
  hook: ['hook', 'hooks'],
  guard: ['guard', 'guards'],
  lock: ['lock', 'locks'],
  ledger: ['ledger'],
  digest: ['digest'],
  group: ['group', 'groups', 'independent groups'],
  live: ['live'],
  'last-applied': ['last applied'],
};

const BY_FORM: ReadonlyMap<string, ExplainedWord> = new Map(
  Object.entries(FORMS).flatMap(([word, [shown, ...others]]) =>
    [word, shown, ...others].map((form) => [plain(form), words[shown]] as const),
  ),
);

/** What is known of a word of a plan, in whichever form it is printed; undefined where it is none. */
export function explainWord(asked: string): ExplainedWord | undefined {
  return BY_FORM.get(plain(asked));
}

/** Letter case, and what stands between the parts of a word, do not count; nor do the numbers of actions after it. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s*(\(\d+\)?|#\d.*)$/, '')
    .replace(/(?<=\w)[\s_-]+(?=\w)/g, '-')
    .trim();
}
