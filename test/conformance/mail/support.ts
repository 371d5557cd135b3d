// What the cases of mailspaces share: where things are, how the mail server fails, how time and the DNS move.
import assert from 'node:assert/strict';
import { answered } from '../context.ts';
import type { Client, Reply } from '../context.ts';

export const SHOP = '/api/mailspace/mail-shop';
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** The mail server cannot do this, so many times. */
export async function trouble(
  client: Client,
  part: string,
  times: number | null = 1,
  space = 'mail-shop',
): Promise<void> {
  answered(await client.call('PUT', `/_sandbox/mailspaces/${space}/troubles`, { troubles: [{ part, times }] }), 200);
}

export const publish = (
  client: Client,
  name: unknown,
  value: unknown,
  type = 'TXT',
  priority: number | null = null,
): Promise<Reply> => client.call('POST', '/_sandbox/dns', { type, name, value, priority });

export const wait = (client: Client, durationMs: number): void => client.sandbox.clock.advance(durationMs);

/** One row of a list, by what a key says. */
export function rowOf(reply: Reply, list: string, key: string, wanted: unknown): Record<string, unknown> {
  const rows = reply.at(list);
  assert.ok(Array.isArray(rows), `${list} is no list: ${reply.text.slice(0, 200)}`);
  const found = (rows as Record<string, unknown>[]).find((row) => row[key] === wanted);
  assert.ok(found !== undefined, `no row of ${list} has the ${key} ${String(wanted)}`);
  return found;
}

/** The stored mailspace. */
export function stored(client: Client, id = 'mail-shop') {
  const space = client.sandbox.state.mail.spaces.get(id);
  assert.ok(space !== undefined, `no mailspace ${id}`);
  return space;
}

export const addresses = (rows: readonly { email: string }[]): readonly string[] =>
  rows.map(({ email }) => email).sort();

/** Buys, pays and waits until the mailspace is in the list; its id. */
export async function bought(client: Client, domain: string): Promise<string> {
  const reply = await client.call('POST', '/api/mailspace', { domain });
  answered(reply, 202);
  wait(client, 20_000);
  return String(rowOf(await client.get('/api/mailspace'), 'mailspaces', 'domain', domain)['id']);
}
