// How the bodies of control requests are read. Errors become 400 answers.
import type { Context } from 'hono';
import { isRecord } from './http/endpoint.ts';
import type { Site } from './state.ts';
import type { World } from './world.ts';

export async function bodyOf(context: Context): Promise<Record<string, unknown>> {
  const text = await context.req.text();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (!isRecord(body)) throw new Error('the body must be an object');
  return body;
}

export function textOf(body: Record<string, unknown>, key: string): string {
  const value = body[key];
  if (typeof value !== 'string') throw new Error(`${key} must be a text`);
  return value;
}

/** Changes the site that a control's path names. */
export async function changeSite(
  { state }: World,
  context: Context,
  change: (site: Site, body: Record<string, unknown>) => void,
): Promise<Response> {
  const site = state.sites.get(context.req.param('site') ?? '');
  if (site === undefined) return context.json({ error: 'no such site' }, 404);
  change(site, await bodyOf(context));
  return context.json({});
}
