// What the send log of a site's mail shows, page by page, and what its metrics count. The log is the provider's: it is
// filtered here only after a page has been fetched.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import type { MailMessage } from './state.ts';
import { blank, dateOrNull } from '../../core/present.ts';
import type { World } from '../../core/world.ts';
import { mailEndpoints } from './routes.ts';
import type { SiteMail } from './routes.ts';

const LAST_START = 10_000;
const DAY_MS = 86_400_000;

function showLog(call: Call, { mail }: SiteMail): Answer {
  const { query } = call;
  // MET-07/search: a search that fails answers 502 log_search_failed.
  if (mail.logSearchDown) refuse(502, 'log_search_failed', 'The log could not be searched');
  // MET-06: the log filters by sender, recipient, subject and dates.
  const found = mail.messages
    .filter((message) => fits(call, message, query))
    .sort((left, right) => right.sentAt - left.sentAt);
  const size = Number(call.ambiguities['GAP-34.page']);
  const startAt = startOf(query);
  const fetched = found.slice(startAt, startAt + size);
  // MET-06/relay: the platform's own traffic is taken out of a page after it was fetched.
  const shown = fetched.filter(({ relay }) => !relay).map(presentMessage);
  const next = startAt + fetched.length;
  return ok({
    messages: shown,
    total: found.length,
    start_at: startAt,
    page_count: fetched.length,
    next_start_at: fetched.length > 0 && next < found.length ? next : blank(),
    prev_start_at: startAt === 0 ? blank() : Math.max(0, startAt - size),
  });
}

function startOf(query: URLSearchParams): number {
  // MET-06/cursor: the log is followed by next_start_at, page and per_page mean nothing.
  const asked = Number.parseInt(query.get('start_at') ?? '', 10) || 0;
  // LIM-08/cursor: the cursor of the mail log ends at 10000.
  return Math.min(Math.max(asked, 0), LAST_START);
}

function fits(world: World, message: MailMessage, query: URLSearchParams): boolean {
  const contains = (key: 'sender' | 'rcpt' | 'subject'): boolean => {
    const wanted = (query.get(key) ?? '').toLowerCase();
    const value = (message[key] ?? '').toLowerCase();
    // GAP-34: whether addresses match in part is not documented; subjects do.
    return (
      wanted === '' ||
      (key === 'subject' || world.ambiguities['GAP-34.match'] === 'part' ? value.includes(wanted) : value === wanted)
    );
  };
  const from = Date.parse(`${query.get('start_date') ?? ''}T00:00:00Z`);
  const to = Date.parse(`${query.get('end_date') ?? ''}T23:59:59Z`);
  const inTime = !(message.sentAt < from) && !(message.sentAt > to);
  return (
    inTime &&
    contains('sender') &&
    contains('rcpt') &&
    contains('subject') &&
    fitsOutcome(message, query.get('delivered'))
  );
}

function fitsOutcome({ delivered }: MailMessage, wanted: string | null): boolean {
  const letter = (wanted ?? '').toUpperCase();
  // MET-06/delivered: delivered takes Y or N, and anything else is ignored.
  if (letter !== 'Y' && letter !== 'N') return true;
  return ['true', 'y'].includes(String(delivered).toLowerCase()) === (letter === 'Y');
}

function presentMessage(message: MailMessage): unknown {
  return {
    sender: message.sender,
    rcpt: message.rcpt,
    subject: message.subject,
    // MET-07: delivered reads as true or false or as a text.
    delivered: message.delivered,
    rspcode: message.rspcode,
    rspmsg: message.rspmsg,
    spam_disposition: message.spamDisposition,
    timestamp: dateOrNull(message.sentAt),
  };
}

/** GAP-34: the names of these fields are not documented. */
function showMetrics(call: Call, { mail }: SiteMail): Answer {
  const { query } = call;
  const asked = (query.get('days') ?? '').trim();
  // MET-08: days is 30 where nothing is said, and refused where it is no number.
  if (asked !== '' && !/^[+-]?\d+$/.test(asked)) refuse(400, 'invalid_days', 'days must be a number');
  const number = asked === '' ? 30 : Number.parseInt(asked, 10);
  // MET-08/limits: days is brought to 1-90 without a word, and never touches usage.
  const span = Math.min(Math.max(number, 1), 90);
  const since = call.clock.now() - span * DAY_MS;
  const sent = mail.messages.filter(({ sentAt, relay }) => sentAt >= since && !relay);
  const volume: Record<string, number> = {};
  for (const { sentAt } of sent) {
    const day = new Date(sentAt).toISOString().slice(0, 10);
    volume[day] = (volume[day] ?? 0) + 1;
  }
  const usage = { sent: mail.messages.filter(({ relay }) => !relay).length, allowance: 10_000 };
  const metrics = { days: span, volume, opens: {}, clicks: {}, usage };
  return { ...ok(call.ambiguities['GAP-34.metrics'] === 'wrapped' ? { metrics } : metrics), keyedByData: true };
}

export const siteMailLogEndpoints = mailEndpoints('active', { 'GET /logs': showLog, 'GET /metrics': showMetrics });
