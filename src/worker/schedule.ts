// When each account is looked at without any event: all as often, and never all at once.
import { createHash } from 'node:crypto';

const DAY_MINUTES = 24 * 60;

/** What a schedule of the day can keep to: parts of an hour, and parts of a day. */
export const EVERY = ['5m', '10m', '15m', '20m', '30m', '1h', '2h', '3h', '4h', '6h', '8h', '12h', '24h'] as const;
export type Every = (typeof EVERY)[number];

/** A cron expression of its own for each account, so that they are spread over the whole time. */
export function cronOf(account: string, every: Every): string {
  const minutes = Number.parseInt(every, 10) * (every.endsWith('h') ? 60 : 1);
  const offset = createHash('sha256').update(account).digest().readUInt32BE(0) % minutes;
  if (minutes <= 60) return `${steps(offset, minutes, 60)} * * * *`;
  return `${offset % 60} ${steps(Math.floor(offset / 60), minutes / 60, DAY_MINUTES / 60)} * * *`;
}

/** As pg-boss takes the key of a schedule. */
export function keyOf(account: string): string {
  return /^[\w.-]{1,100}$/.test(account) ? account : createHash('sha256').update(account).digest('hex');
}

function steps(from: number, by: number, below: number): string {
  const found: number[] = [];
  for (let at = from; at < below; at += by) found.push(at);
  return found.join(',');
}
