// What the platform sends out: callbacks of orders and events of billing plans. When an attempt is a success, when the next
// one is made, when a message is given up.
// CBK-18: there are no events but these: cache layers (TSK-12), backups and restores (BKP-07), Shield (SHD-28) and mail
// (MSP-20) are not told of.
import { billingOf } from './state.ts';
import type { Attempt, Delivery, ReceiverAnswer } from './state.ts';
import type { World } from '../core/world.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { any } from '../core/http/schema.ts';
import type { Properties } from '../core/http/schema.ts';
import type { Site, State, Task } from '../core/state.ts';
import { accountRef, siteView } from '../core/present.ts';

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 30_000;
const GIVE_UP_MS = 240 * MINUTE_MS;

interface Message {
  readonly kind: Delivery['kind'];
  readonly url: string;
  readonly authorization: string | null;
  /** The same at each attempt: its timestamp above all (CBK-02/stable), so that receivers know it again (CBK-11). */
  readonly body: unknown;
}

function deliverMessage(world: World, message: Message): void {
  const delivery: Delivery = {
    kind: message.kind,
    method: 'POST',
    url: message.url,
    firedAt: world.clock.now(),
    attempts: [],
    state: 'waiting',
  };
  world.state.webhooks.deliveries.push(delivery);
  attempt(world, delivery, message);
}

/** Deliveries are at least once: sends what was said last a further time. */
export function repeatDelivery(world: World, delivery: Delivery): void {
  const last = delivery.attempts.at(-1);
  if (last !== undefined)
    delivery.attempts.push({ ...last, at: world.clock.now(), answer: outcome(takeAnswer(world, delivery.url)) });
}

function attempt(world: World, delivery: Delivery, message: Message): void {
  const at = world.clock.now();
  const given = takeAnswer(world, delivery.url);
  const answer = outcome(given);
  delivery.attempts.push({ at, headers: headersOf(message), body: message.body, answer });
  if (succeeded(answer)) {
    delivery.state = 'delivered';
    return;
  }
  const failedAt = at + Math.min(given.afterMs ?? 0, TIMEOUT_MS);
  const next = nextAttempt(world, delivery, failedAt);
  if (next === null) delivery.state = 'given-up';
  else world.clock.at(next, () => attempt(world, delivery, message));
}

function headersOf({ authorization }: Message): Readonly<Record<string, string>> {
  const fixed = { accept: 'application/json', 'content-type': 'application/json' };
  if (authorization === null) return fixed;
  // CBK-02: the authorization is sent as it was given, and not at all where none was.
  return { authorization, ...fixed };
}

function takeAnswer(world: World, url: string): ReceiverAnswer {
  const answers = world.state.webhooks.receivers.get(url) ?? [];
  return (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 };
}

function outcome({ status, afterMs = 0 }: ReceiverAnswer): Attempt['answer'] {
  if (status === null) return 'unreachable';
  // CBK-04/timeout: an answer that takes more than 30 seconds is none.
  return afterMs > TIMEOUT_MS ? 'timeout' : status;
}

function succeeded(answer: Attempt['answer']): boolean {
  // CBK-04/success: any 2xx is a success, anything else a failure, a redirect too.
  return typeof answer === 'number' && answer >= 200 && answer < 300;
}

/** null: no more. */
function nextAttempt(world: World, { kind, firedAt }: Delivery, failedAt: number): number | null {
  const minutes = (failedAt - firedAt) / MINUTE_MS;
  // CBK-04: a callback is repeated every 2, then 5, then 15 minutes. CBK-09: an event after 5, 10 or 15 minutes, by its
  // age.
  const next =
    kind === 'callback'
      ? callbackTime(world, firedAt, failedAt, minutes)
      : failedAt + (minutes < 2 ? 5 : minutes < 5 ? 10 : 15) * MINUTE_MS;
  // CBK-04/end: four hours after it was fired a message is given up.
  return next - firedAt > GIVE_UP_MS ? null : next;
}

/** GAP-60: whether the age chooses how long to wait, or the waits are marks on a clock that begins when it is fired. */
function callbackTime(world: World, firedAt: number, failedAt: number, minutes: number): number {
  if (world.ambiguities['GAP-60'] === 'by-age')
    return failedAt + (minutes < 5 ? 2 : minutes <= 10 ? 5 : 15) * MINUTE_MS;
  const mark = [2, 4, 5, 10].find((one) => one > minutes) ?? 10 + 15 * (Math.floor((minutes - 10) / 15) + 1);
  return firedAt + mark * MINUTE_MS;
}

export interface Callback {
  readonly url: string;
  readonly authorization: string | null;
}

/** ORD-24: a callback needs an HTTPS url. */
export const CALLBACK: Properties = {
  callback: {
    type: 'object',
    properties: {
      url: { type: 'string', required: true, pattern: /^https:\/\//, message: 'callback.url must be an HTTPS URL' },
      authorization: any,
    },
  },
};

/** The callback of a request body that has one. */
export function callbackOf(body: unknown): Callback | undefined {
  const callback = isRecord(body) ? body['callback'] : undefined;
  if (!isRecord(callback) || typeof callback['url'] !== 'string') return undefined;
  return {
    url: callback['url'],
    authorization: typeof callback['authorization'] === 'string' ? callback['authorization'] : null,
  };
}

/** CBK-05: it names no order. Its timestamp is that of the first attempt. */
export function callBack(world: World, callback: Callback | undefined, task: Task): void {
  const ended = task.status === 'FAILED' || task.status === 'OK';
  // CBK-03: a callback is fired when the task of its order is OK, or has failed.
  if (callback === undefined || !ended) return;
  const success = task.status === 'OK';
  deliverMessage(world, {
    ...callback,
    kind: 'callback',
    body: { timestamp: Math.floor(world.clock.now() / 1000), success, data: task.data },
  });
}

export type Action = 'created' | 'resized' | 'owner_change' | 'deleted';

/** Who is billed for what an account owns: a sub-account's parent. */
function payerOf(state: State, accountId: string): string {
  return state.accounts.get(accountId)?.parentId ?? accountId;
}

export function announce(
  world: World,
  accountId: string,
  action: string,
  name: string,
  block: (payerId: string) => Record<string, unknown>,
): void {
  const payerId = payerOf(world.state, accountId);
  const billing = billingOf(world.state.accounts.get(payerId));
  // CBK-08: an event is dropped silently unless the plan's webhook is enabled and has a URL.
  if (billing.webhookUrl === null || !billing.webhookEnabled) return;
  // A trial has no subscription at the processor yet.
  const billed = billing.processor && !billing.trial;
  // CBK-13: deleted is told only where the processor bills.
  if (action === 'deleted' && !billed) return;
  // CBK-10: an event is an action and exactly one block, whose name tells the resource.
  const body = { action, [name]: block(payerId) };
  deliverMessage(world, { kind: 'event', url: billing.webhookUrl, authorization: billing.webhookAuth || null, body });
}

export function announceSite(world: World, site: Site, action: Action): void {
  // SIT-15: the events of sites go to the billing webhook.
  announce(world, site.accountId, action, 'site', (payerId) => siteBlock(world, site, payerId));
}

export function owners(world: World, ownerId: string, payerId: string): Record<string, unknown> {
  const { state } = world;
  // CBK-17: of a sub-account the event names the parent as account, and itself as sub_account.
  if (ownerId === payerId) return { account: accountRef(state, ownerId) };
  return { account: accountRef(state, payerId), sub_account: accountRef(state, ownerId) };
}

/** SIT-10: four fields that no read of a site has. */
function siteBlock(world: World, site: Site, payerId: string): Record<string, unknown> {
  return {
    ...siteView(world, site),
    cdn_id: `zone-${site.id}`,
    cdn_cname: site.temporaryHostname.replace('.tmp.', '.cdn.'),
    sftp_base_path: `/sites/${site.id}`,
    dunning_suspended: site.suspended,
    ...owners(world, site.accountId, payerId),
  };
}
