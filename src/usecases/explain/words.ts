// What the words mean that plans, drift reports and outcomes are made of. The types of the model are the keys, so that
// a new word cannot come without its answer.
import type { ExplainedWord } from '../../model/explained.ts';
import type { ReportedAs } from '../../model/plan/drift.ts';
import type { ActionWord, OutcomeWord, RemainingWord } from '../../model/plan/outcome.ts';
import type { Risk, Verb } from '../../model/plan/plan.ts';

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

interface WordText {
  /** As reports print it, where that is another word. */
  readonly shown?: string;
  /** Other forms of it. */
  readonly also?: readonly string[];
  readonly says: string;
  readonly fix?: string;
}

const BY_HAND: WordText = {
  shown: 'By hand',
  says: 'The platform has no call for it, so a person does it, in the dashboard as a rule.',
  fix: 'Do what stands beside it, then run `hostwright plan`.',
};

const WORDS: Readonly<Record<PlanWord, WordText>> = {
  irreversible: {
    shown: 'CANNOT BE UNDONE',
    also: ['cannot be undone', 'irreversible'],
    says: 'No later apply can bring back what was there before: the platform has no way, or it gives another object.',
    fix: 'Read the values of the action before you approve it. A run without a review needs `--approve irreversible`.',
  },
  charge: {
    shown: 'CHARGES',
    also: ['charge', 'charged', 'cost', 'costs', 'buy'],
    says: 'The action costs money. The price stands beside it where the platform quotes one; otherwise the plan says that it is not quoted.',
    fix: 'Allow it with `--allow-charges N` or `guards.allowCharges` of the workspace file. `guards.maxSpend` is a ceiling for the sum.',
  },
  delete: {
    shown: 'DELETES',
    also: ['delete', 'deletes', 'deleted', 'to delete', '-'],
    says: 'The action removes a live object. It is there because a manifest says `lifecycle: { state: absent }`, or because a list that is managed whole does not name it any more.',
    fix: 'Allow it with `--allow-deletes N` or `guards.allowDeletes` of the workspace file. To keep the object, name it in the manifest.',
  },
  restart: {
    shown: 'RESTARTS',
    also: ['restart', 'restarts'],
    says: 'The site is restarted: for a short time it may not answer.',
    fix: 'Apply it at a quiet hour.',
  },
  lapse: {
    shown: 'ENDS RENEWAL',
    also: ['lapse', 'ends renewal', 'given up'],
    says: 'Renewal is switched off. The name stays registered until the end of its term and is then given up, unless renewal is switched on again before.',
    fix: 'Check the date in the plan. To keep the name, write `autoRenew: true`. A run without a review needs `--approve lapse`.',
  },
  exposure: {
    shown: 'EXPOSES',
    also: ['exposure', 'exposes', 'lowers protection'],
    says: 'The action lowers protection: afterwards something is reachable, transferable or unchecked that was not so before. Examples are a WAF that only logs, an edge rule that blocks no more, a registration without its lock.',
    fix: 'Check that it is meant. A run without a review needs `--approve exposure`.',
  },
  primary: {
    shown: 'CHANGES PRIMARY HOSTNAME',
    also: ['primary', 'primary hostname', 'changes primary'],
    says: 'Another hostname becomes the primary one of the site, or the primary one goes. What is built on the primary hostname follows it, such as the sender of the mail of the site.',
    fix: 'See that the DNS records of the new hostname are there: `hostwright dns`. A run without a review needs `--approve primary`.',
  },
  create: {
    also: ['creates', 'created', 'to create', '+'],
    says: 'The manifest declares an object that is not live: it is made.',
  },
  update: {
    also: ['updates', 'updated', 'change', 'to change', '~'],
    says: 'The object is live, and some of its fields differ from the manifest: only those are written.',
  },
  done: {
    says: 'Of an action: it was carried out, and the platform shows it. Of a run: everything was, or there was nothing to do. The exit code is 0.',
  },
  'already-done': {
    shown: 'already done',
    says: 'The live object was as the manifest wants it before anything was sent. Nothing was written.',
  },
  failed: {
    shown: 'FAILED',
    says: 'The action could not be carried out. The reason stands below it. What needs this action was skipped.',
    fix: 'Remove the cause, then run `hostwright plan` and `hostwright apply` again: what is done is not done twice.',
  },
  skipped: {
    says: 'The action was not begun, because one that it needs failed or waits.',
    fix: 'See to that one first, then run `hostwright apply` again.',
  },
  blocked: {
    says: 'It cannot be done now, and nothing in this plan changes that. A reason and what to do stand beside it. The rest of the plan runs without it.',
    fix: 'Do what stands beside it, then run `hostwright plan`.',
  },
  waiting: {
    says: 'It is in flight, or somebody outside has to act, such as a registry or whoever pays. The exit code of such a run is 3.',
    fix: 'Run `hostwright apply` again later: it continues where it was.',
  },
  'unknown-outcome': {
    shown: 'OUTCOME UNKNOWN',
    also: ['unknown outcome'],
    says: 'A request was sent and no answer came back, and by reading nobody can tell whether it was carried out. It is not sent again, because it could do its work twice.',
    fix: 'Look in the dashboard, then tell the ledger: `hostwright ledger confirm ADDRESS --id ID`, or `hostwright ledger confirm ADDRESS --not-made`.',
  },
  'not-started': {
    shown: 'not started',
    says: 'The run was interrupted or refused before the action began.',
    fix: 'Run `hostwright apply` again.',
  },
  differences: {
    says: 'The account is not as the manifests say. `drift`, `plan --detailed-exitcode` and `fmt --check` end with it, and with exit code 2.',
  },
  'partly-applied': {
    shown: 'partly applied',
    says: 'Some actions failed, the rest was done. The exit code is 6.',
    fix: 'Read the reasons of those that failed, then run `hostwright plan`.',
  },
  error: {
    says: 'The run ended before it could do its work: an invalid manifest or command line, a credential that was refused, or a platform that does not answer. The exit code is 1.',
    fix: 'Each message has a code such as HW1201; `hostwright explain HW1201` says what to do.',
  },
  refused: {
    says: 'A guard does not allow the plan: too many deletes or charges, a protected object, or a ledger that is missing. Nothing was sent. The exit code is 5.',
    fix: 'The message names the option or the line of the workspace file that allows it.',
  },
  conflict: {
    says: 'Something is not as it was reviewed, so nothing ran. The exit code is 4.',
    fix: 'Run `hostwright plan` and have the new plan reviewed.',
  },
  interrupted: {
    says: 'A signal stopped the run, such as Ctrl-C. What was sent is in the ledger. The exit code is 130.',
    fix: 'Run `hostwright apply` again: it continues what is in flight.',
  },
  'by-hand': BY_HAND,
  manual: BY_HAND,
  unknown: {
    says: 'It could not be read completely. Unknown is not absent: it is neither created, changed nor removed.',
    fix: 'The reason stands beside it. Run `hostwright plan` again when it can be read.',
  },
  unplanned: {
    says: 'The run left it as it is, and a new plan has an action for it.',
    fix: 'Run `hostwright plan`.',
  },
  deferred: {
    says: 'It is declared, and planned later in the same apply, because what it depends on is not there yet. Guards and reviews hold for it then as well.',
  },
  unmanaged: {
    says: 'It is live and no manifest names it. It is reported and left alone.',
    fix: 'To manage it, run `hostwright import ADDRESS --id ID` or `hostwright drift --accept ADDRESS`.',
  },
  orphaned: {
    says: 'It is live, was made or declared by this workspace before, and no manifest names it any more. It is reported and left alone.',
    fix: 'Declare it again to keep it, or write `lifecycle: { state: absent }` in its manifest to delete it.',
  },
  both: {
    shown: 'Changed on both sides',
    says: 'Neither the manifest nor the account is as it was last applied.',
    fix: '`hostwright apply` writes what the manifest says, `hostwright drift --accept ADDRESS` takes over what is live.',
  },
  drifted: {
    also: ['drift'],
    says: 'The manifest is as last applied, and the account is not: somebody changed it in the dashboard, or by another program.',
    fix: '`hostwright apply` puts it back, `hostwright drift --accept ADDRESS` takes over what is live.',
  },
  differs: {
    says: 'The two sides differ, and it is not known what was last applied, so nobody can tell which side changed.',
    fix: '`hostwright apply` writes what the manifest says, `hostwright drift --accept ADDRESS` takes over what is live.',
  },
  undeclared: {
    shown: 'Changed, and no manifest declares it',
    says: 'No manifest declares it, and live is not as it was when `hostwright export --observed` recorded it.',
    fix: '`hostwright drift --accept ADDRESS` takes it as it is. To put it back, move its lines into a manifest, then apply.',
  },
  pending: {
    says: 'The manifest changed, and nobody applied it. The account is as last applied.',
    fix: '`hostwright apply` carries it out.',
  },
  'in-flight': {
    shown: 'In flight',
    says: 'An earlier run began it, and it is not done.',
    fix: '`hostwright apply --resume` continues it.',
  },
  ignored: {
    says: 'This run was told to leave it out, by `--ignore` or by `lifecycle.ignore` of the manifest. It is counted, and decides nothing.',
  },
  protected: {
    also: ['protect'],
    says: 'The manifest says `lifecycle: { protect: true }`: the object is never deleted, and nothing is charged for it.',
    fix: 'To permit it, take `protect` out of the manifest in a change of its own.',
  },
  hook: {
    also: ['hooks'],
    says: 'What runs before or after other changes of a site: a backup, a purge of the caches. It leaves nothing that could be compared.',
  },
  guard: {
    also: ['guards'],
    says: 'A ceiling for deletes or charges, or a protected object. What goes beyond it is refused before anything is sent.',
    fix: 'Set `guards` in the workspace file, or give `--allow-deletes N` or `--allow-charges N` for one run.',
  },
  lock: {
    also: ['locks'],
    says: 'What an action holds while it runs, so that two of them do not meet. The ledger has a lock too, so that one run at a time changes an account.',
  },
  ledger: {
    says: 'The journal of what was sent, bound and applied. It is a safety net and not the truth: that is read from the platform in every run.',
    fix: '`hostwright ledger list` shows it.',
  },
  digest: {
    says: 'A hash over what an action does. An apply that is given the reviewed plan runs the actions with the same digests, or nothing.',
  },
  group: {
    also: ['groups', 'independent groups'],
    says: 'Actions that wait for each other, or hold the same lock. Groups do not depend on each other and run side by side; paid requests go one at a time.',
  },
  live: {
    says: 'What the account has now, as it was read in this run.',
  },
  'last-applied': {
    shown: 'last applied',
    says: 'What the last apply wrote, from the ledger. It tells which side changed.',
  },
};

/** Every word that has an answer. */
export const PLAN_WORDS: readonly string[] = Object.keys(WORDS);

const BY_FORM: ReadonlyMap<string, PlanWord> = new Map(
  (Object.keys(WORDS) as PlanWord[]).flatMap((word) => {
    const { shown = word, also = [] } = WORDS[word];
    return [shown, word, ...also].map((form) => [plain(form), word] as const);
  }),
);

/** What is known of a word of a plan, in whichever form it is printed; undefined where it is none. */
export function explainWord(asked: string): ExplainedWord | undefined {
  const word = BY_FORM.get(plain(asked));
  if (word === undefined) return undefined;
  const { shown = word, says, fix } = WORDS[word];
  return { word: shown, says, ...(fix !== undefined && { fix }) };
}

/** Letter case, and what stands between the parts of a word, do not count; nor do the numbers of actions after it. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s*(\(\d+\)?|#\d.*)$/, '')
    .replace(/(?<=\w)[\s_-]+(?=\w)/g, '-')
    .trim();
}
