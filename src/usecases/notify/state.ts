// What is so on an account that somebody should know of, as one run saw it, and what of it is news. Unknown is not gone:
// what a run could not see stays as it was told.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DriftItem } from '../../model/plan/drift.ts';
import type { Condition, Message, RunEnd } from '../../model/plan/news.ts';
import type { ActionOutcome, Outcome } from '../../model/plan/outcome.ts';
import type { Plan, PlanBlocker } from '../../model/plan/plan.ts';

/** What a channel was told of and is so, as marks by key: another mark at the same key is news. */
export type Told = Readonly<Record<string, string>>;

type Kind = Condition['is'];

/** A condition with what is news about it when it changes. */
interface Found extends Condition {
  readonly mark?: string;
}

/** What a run saw. */
interface Seen {
  readonly conditions: readonly Found[];
  /** Whether the run would have seen this, if it were so. */
  readonly sees: (is: Kind, where: string) => boolean;
}

export interface News extends Pick<Message, 'firing' | 'resolved'> {
  /** What is so now, as far as it is known: to be remembered once this was told. */
  readonly state: Told;
}

/** Notices of plans of which somebody should know in time. */
const IN_TIME: Readonly<Record<string, Kind>> = { HW2391: 'ends', HW2392: 'ends', HW2394: 'ends', HW2393: 'waits' };
/** A person said no at a terminal: nobody else need be told. */
const NOT_CONFIRMED = 'HW6102';

/** What of a run is news to a channel that was told `before`. */
export function newsOf(end: RunEnd, account: string, before: Told): News {
  if (end.outcome === 'interrupted') return { firing: [], resolved: [], state: before };
  const { result, plan } = end;
  const seen = [
    ...(result === undefined ? [] : [applied(result, plan, account)]),
    ...(result === undefined || plan?.drift !== undefined ? [lookedAt(end, account)] : []),
  ];
  const now = new Map(seen.flatMap(({ conditions }) => conditions).map((one) => [`${one.is} ${one.where}`, one]));
  const gone = Object.keys(before).filter((key) => !now.has(key) && seen.some(({ sees }) => sees(...partsOf(key))));
  const kept = Object.entries(before).filter(([key]) => !gone.includes(key));
  return {
    firing: [...now]
      .filter(([key, { mark = '' }]) => !Object.hasOwn(before, key) || before[key] !== mark)
      .map(([, { mark: _mark, ...condition }]) => condition),
    resolved: gone.map(partsOf).map(([is, where]) => ({ is, where })),
    state: { ...Object.fromEntries(kept), ...Object.fromEntries([...now].map(([key, { mark = '' }]) => [key, mark])) },
  };
}

function partsOf(key: string): [Kind, string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space) as Kind, key.slice(space + 1)];
}

function lookedAt({ plan, diagnostics }: RunEnd, account: string): Seen {
  const errors = wholeOf('unread', account, diagnostics);
  if (plan === undefined) return { conditions: errors, sees: (is, where) => is === 'unread' && where === account };
  const { drift = [], waiting, manual, blocked, unknown, actions, covers, ignored = [], notices } = plan;
  const open = new Set(actions.map(({ address }) => address));
  const unseen = new Set([...unknown.map(({ address }) => rootIn(address)), ...ignored.map(({ address }) => address)]);
  return {
    conditions: [
      ...errors,
      ...unknown.map(blocker('unread')),
      ...[...waiting, ...manual, ...blocked].map(blocker('waits')),
      ...notices.flatMap((notice) => inTime(notice, account)),
      ...drift.filter((item) => item.class !== 'in-flight').map(drifted),
    ],
    sees: (is, where) =>
      covers === undefined &&
      errors.length === 0 &&
      !unseen.has(where) &&
      !unseen.has(rootIn(where)) &&
      // What apply could not do, and is still to be done, has failed as far as anybody knows.
      !(is === 'failed' && (where === account ? open.size > 0 : open.has(where))),
  };
}

function applied(result: Outcome, plan: Plan | undefined, account: string): Seen {
  const { actions, remaining, diagnostics, outcome } = result;
  const failed = actions.filter(({ result: word }) => word === 'failed' || word === 'unknown-outcome');
  const isLeft = failed.length === 0 && ['error', 'refused', 'conflict'].includes(outcome);
  const left = remaining.filter(({ is }) => is !== 'unplanned');
  const done = new Set(actions.flatMap(({ address, result: word }) => (word.endsWith('done') ? [address] : [])));
  // After that nothing of what is declared is left to do, anywhere.
  const isWhole = outcome === 'done' && plan !== undefined && plan.covers === undefined && plan.drift === undefined;
  return {
    conditions: [
      ...(isLeft && !diagnostics.some(({ code }) => code === NOT_CONFIRMED)
        ? wholeOf('failed', account, diagnostics)
        : []),
      ...failed.map((action) => notDone(action, plan)),
      ...left.map((one) => blocker(one.is === 'unknown' ? 'unread' : 'waits')(one)),
    ],
    sees: (is, where) =>
      where === account
        ? (is === 'failed' || is === 'unread') && !isLeft && outcome !== 'error'
        : done.has(where) || (isWhole && (is === 'failed' || is === 'waits')),
  };
}

/** What is wrong with the run as a whole; none where nothing is. */
function wholeOf(is: 'failed' | 'unread', account: string, diagnostics: readonly Diagnostic[]): readonly Found[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const codes = [...new Set(errors.map(({ code }) => code))].sort();
  const [first] = errors;
  if (first === undefined) return [];
  const more = codes.length > 1 ? `, and ${codes.length - 1} more` : '';
  const what = `${first.summary} (${first.code})${more}.`;
  const next = `\`hostwright explain ${first.code}\` says what to do.`;
  return [{ is, where: account, what, next, mark: codes.join(' ') }];
}

function blocker(is: Kind): (one: PlanBlocker) => Found {
  return ({ address, reason, remedy }) => ({ is, where: address, what: sentence(reason), next: sentence(remedy) });
}

function inTime({ code, address, summary, detail }: Diagnostic, account: string): readonly Found[] {
  const is = Object.hasOwn(IN_TIME, code) ? IN_TIME[code] : undefined;
  return is === undefined ? [] : [{ is, where: address ?? account, what: `${summary}.`, next: detail, mark: code }];
}

const SAYS: Readonly<Record<DriftItem['class'], string>> = {
  pending: 'Changed in the manifest, and not applied',
  drifted: 'Changed on the account',
  both: 'Changed on the account and in the manifest',
  differs: 'Differs from the manifest',
  undeclared: 'Changed on the account, where no manifest declares anything',
  'in-flight': 'Begun by an earlier run',
};

function drifted(item: DriftItem): Found {
  const { address, is, fields } = item;
  const paths = fields.map(({ path }) => path.slice(1));
  const about = is === 'missing' ? ': it is missing' : is === 'extra' ? ': it is there, and undeclared' : '';
  const named = about === '' && paths.length > 0 ? `: ${paths.join(', ')}` : about;
  return {
    is: 'drift',
    where: address,
    what: `${SAYS[item.class]}${named}.`,
    next:
      item.class === 'pending'
        ? '`hostwright apply` applies it.'
        : `\`hostwright drift\` shows both sides; \`hostwright apply\` or \`hostwright drift --accept\` decides.`,
    // Names alone: what stands in a field may be about a person.
    mark: createHash('sha256')
      .update(`${item.class} ${is} ${paths.join(' ')}`)
      .digest('hex')
      .slice(0, 12),
  };
}

function notDone({ address, verb, reason, result }: ActionOutcome, plan: Plan | undefined): Found {
  const changes = plan?.actions.find((action) => action.address === address)?.changes;
  // What went wrong may be told with the values.
  const isPlain = changes?.every(({ personal = [], secret }) => personal.length === 0 && secret === undefined) === true;
  const why = isPlain && reason !== undefined ? `: ${reason}` : '';
  return result === 'failed'
    ? { is: 'failed', where: address, what: sentence(`${verb} failed${why}`), next: 'The log of the run says more.' }
    : {
        is: 'failed',
        where: address,
        what: `Nobody knows whether ${verb} was carried out.`,
        next: `Look, then run \`hostwright ledger confirm\`.`,
      };
}

function sentence(text: string): string {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function rootIn(address: string): string {
  return address.split('/').slice(0, 2).join('/');
}
