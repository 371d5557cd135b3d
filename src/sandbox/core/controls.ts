// The controls of tests below /_sandbox, as tables: what each does with the body and the path of a request.
import { isRecord } from './http/endpoint.ts';
import type { Site } from './state.ts';
import type { World } from './world.ts';

export type Body = Record<string, unknown>;

/** What it returns is the answer, `{}` where that is nothing. What it throws is a 400, NotThere a 404. */
export type Control = (body: Body, params: Readonly<Record<string, string>>) => unknown;

/** By method and path below /_sandbox: `PATCH /sites/:site`. */
export type Controls = Readonly<Record<string, Control>>;

export class NotThere extends Error {}

/** What a path names. */
export function there<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new NotThere(`no such ${what}`);
  return found;
}

export function textOf(body: Body, key: string): string {
  const value = body[key];
  if (typeof value !== 'string') throw new Error(`${key} must be a text`);
  return value;
}

export function listOf<T = unknown>(body: Body, key: string): readonly T[] {
  const value = body[key];
  if (!Array.isArray(value)) throw new Error(`${key} must be a list`);
  return value as T[];
}

/** Of the texts that there are for it. */
export function oneOf<T extends string>(values: readonly T[], value: unknown, what: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new Error(`no ${what} '${String(value)}'; there are: ${values.join(', ')}`);
  return found;
}

/** A trouble of the platform; without a number of times it lasts until somebody mends it. */
export function troubleOf<T extends string>(parts: readonly T[], given: unknown): { part: T; times: number | null } {
  const { part, times } = isRecord(given) ? given : {};
  return { part: oneOf(parts, part, 'trouble'), times: typeof times === 'number' ? times : null };
}

/** Changes what a path names, and answers nothing. */
export function changing<T>(
  find: (params: Readonly<Record<string, string>>) => T,
): (change: (found: T, body: Body, params: Readonly<Record<string, string>>) => void) => Control {
  return (change) => (body, params) => {
    change(find(params), body, params);
  };
}

export function siteOf({ state }: World, { site = '' }: Readonly<Record<string, string>>): Site {
  return there(state.sites.get(site), 'site');
}
