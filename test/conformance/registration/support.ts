// What the cases of domain registration share: where things are, everyday bodies, how the registrar fails and time
// moves.
import assert from 'node:assert/strict';
import { answered, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';

export const PATH = '/api/domain_registrations';
export const CONTACTS = '/api/domain_contacts';
export const DAY_MS = 86_400_000;
export const at = (name: string): string => `${PATH}/reg-${name}`;

export const patch = (client: Client, name: string, path: string, body: object): Promise<Reply> =>
  client.call('PATCH', at(name) + (path === '' ? '' : `/${path}`), body);
export const post = (client: Client, name: string, path: string, body?: object): Promise<Reply> =>
  client.call('POST', `${at(name)}/${path}`, body);
export const wait = (client: Client, durationMs: number): void => client.sandbox.clock.advance(durationMs);

/** One field of a registration, as its view shows it. */
export const field = async (client: Client, name: string, ...path: readonly (string | number)[]): Promise<unknown> =>
  (await client.get(at(name))).at('domain_registration', ...path);

export const PERSON = {
  first_name: 'Eve',
  last_name: 'Novak',
  street_address: 'Side Street 2',
  post_code: '2000',
  city: 'Ghent',
  country: 'BE',
  email: 'eve@novak.example',
  phone: '+32.91234567',
};

/** The registrar cannot do this, so many times. */
export async function trouble(client: Client, part: string, times: number | null = 1): Promise<void> {
  answered(await client.call('PATCH', '/_sandbox/registrar', { troubles: [{ part, times }] }), 200);
}

export const billing = (client: Client, change: object): Promise<Reply> =>
  client.call('PATCH', '/_sandbox/accounts/acc-acme', change);

export const orderDomain = (
  client: Client,
  name: string,
  rest: object = {},
  contact: object | undefined = PERSON,
): Promise<Reply> =>
  client.call('POST', '/api/orders/domain', {
    domain: { name, ...(contact === undefined ? {} : { contact }), ...rest },
  });

/** Orders, waits so long, and reads the order. */
export async function ordered(client: Client, name: string, rest: object = {}, waitMs = 20_000): Promise<Reply> {
  const reply = await orderDomain(client, name, rest);
  assert.equal(reply.status, 202, reply.text);
  wait(client, waitMs);
  const cart = await client.get(`/api/carts/${String(reply.at('cart', 'token'))}`);
  return client.get(`/api/orders/${String(cart.at('orders', 0, 'id'))}`);
}

export async function allRefused(
  rows: readonly (readonly [reply: Promise<Reply>, status: number, code: string | undefined])[],
): Promise<void> {
  // All of them first: a case that ends early would close the sandbox under the others.
  const replies = await Promise.all(rows.map(([reply]) => reply));
  rows.forEach(([, status, code], index) => refused(replies[index] as Reply, status, code));
}

/** The stored registration. */
export function stored(client: Client, name: string) {
  const registration = client.sandbox.state.registrar.registrations.get(`reg-${name}`);
  assert.ok(registration !== undefined, `no registration ${name}`);
  return registration;
}
