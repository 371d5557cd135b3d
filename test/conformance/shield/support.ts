// What the cases of Shield share: paths, everyday bodies, rows of lists.
import assert from 'node:assert/strict';
import { READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered } from '../context.ts';
import type { Client } from '../context.ts';

export const at = (site: string): string => `/api/sites/site-${site}/shield`;
export const PREMIUM = at('premium');
export const BASIC = at('basic');
export const RULES = `${PREMIUM}/waf_custom_rules`;
export const LIMITS = `${PREMIUM}/rate_limits`;
export const LISTS = `${PREMIUM}/access_lists`;

export type Row = Record<string, unknown>;

export const condition = {
  action_type: 1,
  variable_type: 'REQUEST_URI',
  variable_subselector: '',
  operator_type: 2,
  severity_type: 2,
  value: '/x',
};
export const rule = { rule_name: 'New rule', rule_description: 'one', rule_configuration: condition };
export const limit = {
  rule_name: 'New limit',
  rule_description: '',
  rule_configuration: { actionType: 1, requestCount: 3, timeframe: 10 },
};
export const list = { name: 'New list', description: 'one', type: 0, content: '192.0.2.7\n192.0.2.8' };

export const names = async (client: Client, path: string): Promise<readonly unknown[]> =>
  (await client.get(path)).column(null, path === LISTS ? 'name' : 'rule_name');

export async function row(client: Client, path: string, id: unknown): Promise<Row> {
  const found = ((await client.get(path)).at() as Row[]).find((one) => one['id'] === id);
  assert.ok(found !== undefined, `no ${String(id)} in ${path}`);
  return found;
}

/** A removed item answers 204 and is gone; it takes can_destroy. */
export async function removal(client: Client, path: string, id: string): Promise<void> {
  const before = await names(client, path);
  answered(await client.call('DELETE', `${path}/${id}`, undefined, { token: READER_API_KEY }), 403);
  const gone = await client.call('DELETE', `${path}/${id}`);
  assert.deepEqual([gone.status, gone.text], [204, '']);
  assert.equal((await names(client, path)).length, before.length - 1);
  answered(await client.call('DELETE', `${path}/${id}`), 404);
}
