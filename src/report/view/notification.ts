// The document that a notification carries: counts, what differs, how the command ended. Bounded in size, with nothing
// about a person and no secret in it: it goes to where others read along.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Notification } from '../../model/generated/output/notification.ts';
import type { DriftClass, DriftItem } from '../../model/plan/drift.ts';
import type { Message } from '../../model/plan/news.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { escapeJson } from './escape.ts';
import { withoutPersonal } from './personal.ts';

const FORMAT = 'hostwright.notification/1';
/** What receivers take without being asked. */
const MOST_BYTES = 200_000;
const MOST_PROBLEMS = 20;

export interface NotificationContent {
  /** Absent: none could be made. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
  readonly atMs: number;
}

/** What is news on an account, with how the run ended; of a try there is nothing to tell. */
export function renderState({ account, end, firing, resolved, link, atMs }: Message): string {
  const { outcome = 'done', diagnostics = [], plan } = end ?? {};
  const more = { account, firing, resolved, ...(link !== undefined && { link }) };
  const content = { outcome, diagnostics, atMs, ...(plan !== undefined && { plan }) };
  return renderNotification(content, end === undefined ? 'hostwright.test' : 'hostwright.state', more);
}

/** The text to send. Of more objects than there is room for the first are told and the others counted. */
export function renderNotification(
  { plan: whole, diagnostics, outcome, atMs }: NotificationContent,
  type: Notification['type'] = 'hostwright.drift',
  more: Partial<Notification['data']> = {},
): string {
  const plan = whole === undefined ? undefined : withoutPersonal(whole);
  const { kept, leftOut } = fitting(plan?.drift ?? []);
  const problems = diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST_PROBLEMS)
    .map(({ code, summary }) => ({ code, summary }));
  const data: Notification['data'] = {
    format: FORMAT,
    ...(plan !== undefined && { account: plan.account }),
    outcome,
    exitCode: EXIT_CODES[outcome],
    summary: summaryOf(plan),
    drift: kept,
    leftOut,
    problems,
    ...more,
  };
  return escapeJson(JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data }));
}

function fitting(drift: readonly DriftItem[]): { readonly kept: readonly DriftItem[]; readonly leftOut: number } {
  let room = MOST_BYTES;
  const kept = drift.filter((item) => {
    const size = Buffer.byteLength(escapeJson(JSON.stringify(item)));
    if (size > room) return false;
    room -= size;
    return true;
  });
  return { kept, leftOut: drift.length - kept.length };
}

function summaryOf(plan: Plan | undefined): Notification['data']['summary'] {
  const { drift = [] } = plan ?? {};
  const size = (list: 'ignored' | 'unmanaged' | 'blocked' | 'waiting' | 'manual' | 'unknown' | 'deferred'): number =>
    plan?.[list]?.length ?? 0;
  const count = (one: DriftClass): number => drift.filter((item) => item.class === one).length;
  return {
    both: count('both'),
    drifted: count('drifted'),
    differs: count('differs'),
    undeclared: count('undeclared'),
    pending: count('pending'),
    inFlight: count('in-flight'),
    ignored: size('ignored'),
    unmanaged: size('unmanaged'),
    blocked: size('blocked'),
    waiting: size('waiting'),
    manual: size('manual'),
    unknown: size('unknown'),
    deferred: size('deferred'),
  };
}
