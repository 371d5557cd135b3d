// Which Shield events a request sees: those of one day, newest first, a page at a time.
import { ok, refuse } from '../core/http/endpoint.ts';
import type { Answer, Call } from '../core/http/endpoint.ts';
import { inCase } from './shapes.ts';
import type { ShieldZone } from './state.ts';

const PAGE = 25;
const DAY_MS = 86_400_000;

export function readEvents({ world, query }: Call, zone: ShieldZone): Answer {
  const date = query.get('date');
  const dayMs = date === null || date === '' ? Math.floor(world.clock.now() / DAY_MS) * DAY_MS : dayOf(date);
  if (dayMs === undefined) return refuse(422, null, 'date must be MM-DD-YYYY');
  const token = query.get('continue');
  const start = token === null || token === '' ? 0 : offsetOf(token, dayMs);
  if (start === undefined) return refuse(422, null, 'continue is no token of that day');
  // SHD-24/day: events are those of one day, today unless another is asked for.
  const found = zone.events
    .filter(({ atMs }) => atMs >= dayMs && atMs < dayMs + DAY_MS)
    .sort((left, right) => right.atMs - left.atMs);
  // SHD-24: events come in pages, with a token that leads to the next one.
  const end = start + PAGE;
  const hasMoreData = end < found.length;
  return ok({
    logs: found
      .slice(start, end)
      .map(({ atMs, entry }) => inCase(world, { timestamp: new Date(atMs).toISOString(), ...entry })),
    hasMoreData,
    continuationToken: hasMoreData ? tokenFor(dayMs, end) : null,
    startToken: tokenFor(dayMs, start),
  });
}

function dayOf(date: string): number | undefined {
  const [, month, day, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(date) ?? [];
  const atMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Opaque to a client. */
function tokenFor(dayMs: number, offset: number): string {
  return Buffer.from(`${dayMs}/${offset}`).toString('base64url');
}

function offsetOf(token: string, dayMs: number): number | undefined {
  const [day, offset] = Buffer.from(token, 'base64url').toString().split('/');
  return day === String(dayMs) && /^\d+$/.test(offset ?? '') ? Number(offset) : undefined;
}
