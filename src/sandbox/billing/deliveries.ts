// How a message is delivered: which answers are a success, when it is tried again, when it is given up.
import type { Attempt, Delivery, ReceiverAnswer } from './webhook-state.ts';
import type { World } from '../core/world.ts';

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

export function deliverMessage(world: World, message: Message): void {
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
