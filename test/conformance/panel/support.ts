// What the cases of panel accounts, callbacks and billing events share: where things are, how to buy, what was sent
// out.
import assert from 'node:assert/strict';
import type { Attempt, Delivery } from '../../../src/sandbox/billing/state.ts';
import type { Client, Reply } from '../context.ts';

export const LIST = '/api/panel_accounts';
export const SHOP = `${LIST}/acmeshop`;
export const BLOG = `${LIST}/acmeblog`;
export const MINUTE_MS = 60_000;
export const HOOK = 'https://billing.example/hook';

export const wait = (client: Client, durationMs: number): void => client.sandbox.clock.advance(durationMs);
export const buy = (client: Client, body: object = {}): Promise<Reply> =>
  client.call('POST', LIST, { package: 'basic', domain: 'owned.example.com', ...body });
export const platform = (client: Client, body: object): Promise<Reply> => client.call('PATCH', '/_sandbox/panel', body);
export const paying = (client: Client, body: object, account = 'acc-acme'): Promise<Reply> =>
  client.call('PATCH', `/_sandbox/accounts/${account}`, body);
export const usernames = async (client: Client, query = ''): Promise<readonly unknown[]> =>
  (await client.get(LIST + query)).column('panel_accounts', 'username');

/** The stored account. */
export function stored(client: Client, username = 'acmeshop') {
  const account = client.sandbox.state.panel.accounts.get(username);
  assert.ok(account !== undefined, `no panel account ${username}`);
  return account;
}

/** The row of the account on this domain. */
export async function rowFor(client: Client, domain: string): Promise<Record<string, unknown> | undefined> {
  const rows = (await client.get(LIST)).at('panel_accounts') as Record<string, unknown>[];
  return rows.find((row) => row['primary_domain'] === domain);
}

/** Turns the webhook of a billing plan on. */
export async function listen(client: Client, account = 'acc-acme'): Promise<void> {
  await paying(client, { webhookEnabled: true, webhookUrl: HOOK, webhookAuth: 'Basic fake' }, account);
}

export const answering = (client: Client, url: string, ...answers: readonly object[]): Promise<Reply> =>
  client.call('PUT', '/_sandbox/receivers', { url, answers });

export async function sent(client: Client, kind: Delivery['kind']): Promise<readonly Delivery[]> {
  const deliveries = (await client.get('/_sandbox/deliveries')).at('deliveries') as Delivery[];
  return deliveries.filter((one) => one.kind === kind);
}

/** The bodies of all events, in their order. */
export async function events(client: Client): Promise<readonly Record<string, unknown>[]> {
  return (await sent(client, 'event')).map(({ attempts }) => attempts[0]?.body as Record<string, unknown>);
}

export const actions = async (client: Client): Promise<readonly string[]> =>
  (await events(client)).map(({ action, ...block }) => `${Object.keys(block).join('+')} ${String(action)}`);

/** Minutes from the first attempt to each of the others. */
export function minutes({
  attempts,
  firedAt,
}: {
  readonly attempts: readonly Attempt[];
  readonly firedAt: number;
}): readonly number[] {
  return attempts.map(({ at }) => (at - firedAt) / MINUTE_MS);
}
