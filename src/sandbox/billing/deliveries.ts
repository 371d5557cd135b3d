// Decides how a message is delivered: which answers are a success, when it is tried again, when it is given up. Must
// not know what it says, and must not open a connection: attempts are recorded, answers come from a script
// (webhook-state.ts).
import { rule } from '../rules/rules.ts';
import type { Attempt, Delivery, ReceiverAnswer } from './webhook-state.ts';
import type { World } from '../core/world.ts';

const verbatim = rule('CBK-02', 'the authorization is sent as it was given, and not at all where none was');
const stableTimestamp = rule('CBK-02/stable', 'a callback says the same at each attempt, its timestamp above all');
const stableEvent = rule('CBK-11', 'an event says the same at each attempt, so that receivers know it again');
const schedule = rule('CBK-04', 'a callback is repeated every 2, then 5, then 15 minutes');
const onlySuccess = rule('CBK-04/success', 'any 2xx is a success, anything else a failure, a redirect too');
const timeout = rule('CBK-04/timeout', 'an answer that takes more than 30 seconds is none');
const givesUp = rule('CBK-04/end', 'four hours after it was fired a message is given up');
const eventSchedule = rule('CBK-09', 'an event is repeated after 5, 10 or 15 minutes, by its age');

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 30_000;
const GIVE_UP_MS = 240 * MINUTE_MS;

interface Message {
  readonly kind: Delivery['kind'];
  readonly url: string;
  readonly authorization: string | null;
  /** Made once, when it is fired. */
  readonly body: () => unknown;
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
  const fired = message.body();
  const stays = world.rules.on(message.kind === 'callback' ? stableTimestamp : stableEvent);
  attempt(world, delivery, { ...message, body: () => (stays ? fired : message.body()) });
}

/** Deliveries are at least once: sends what was said last a further time. */
export function repeatDelivery(world: World, delivery: Delivery): void {
  const last = delivery.attempts.at(-1);
  if (last !== undefined)
    delivery.attempts.push({ ...last, at: world.clock.now(), answer: outcome(world, takeAnswer(world, delivery.url)) });
}

function attempt(world: World, delivery: Delivery, message: Message): void {
  const at = world.clock.now();
  const given = takeAnswer(world, delivery.url);
  const answer = outcome(world, given);
  delivery.attempts.push({ at, headers: headersOf(world, message), body: message.body(), answer });
  if (succeeded(world, answer)) {
    delivery.state = 'delivered';
    return;
  }
  const failedAt = at + Math.min(given.afterMs ?? 0, TIMEOUT_MS);
  const next = nextAttempt(world, delivery, failedAt);
  if (next === null) delivery.state = 'given-up';
  else world.clock.at(next, () => attempt(world, delivery, message));
}

function headersOf(world: World, { authorization }: Message): Readonly<Record<string, string>> {
  const fixed = { accept: 'application/json', 'content-type': 'application/json' };
  if (authorization === null) return fixed;
  return { authorization: world.rules.on(verbatim) ? authorization : `Bearer ${authorization}`, ...fixed };
}

function takeAnswer(world: World, url: string): ReceiverAnswer {
  const answers = world.state.webhooks.receivers.get(url) ?? [];
  return (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 };
}

function outcome(world: World, { status, afterMs = 0 }: ReceiverAnswer): Attempt['answer'] {
  if (status === null) return 'unreachable';
  return afterMs > TIMEOUT_MS && world.rules.on(timeout) ? 'timeout' : status;
}

function succeeded(world: World, answer: Attempt['answer']): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < (world.rules.on(onlySuccess) ? 300 : 400);
}

/** null: no more. */
function nextAttempt(world: World, { kind, firedAt }: Delivery, failedAt: number): number | null {
  const minutes = (failedAt - firedAt) / MINUTE_MS;
  const likeCallback = kind === 'callback' || !world.rules.on(eventSchedule);
  if (likeCallback && !world.rules.on(schedule)) return null;
  const next = likeCallback
    ? callbackTime(world, firedAt, failedAt, minutes)
    : failedAt + (minutes < 2 ? 5 : minutes < 5 ? 10 : 15) * MINUTE_MS;
  return next - firedAt > GIVE_UP_MS && world.rules.on(givesUp) ? null : next;
}

/** GAP-60: whether the age chooses how long to wait, or the waits are marks on a clock that begins when it is fired. */
function callbackTime(world: World, firedAt: number, failedAt: number, minutes: number): number {
  if (world.readings['GAP-60'] === 'by-age') return failedAt + (minutes < 5 ? 2 : minutes <= 10 ? 5 : 15) * MINUTE_MS;
  const mark = [2, 4, 5, 10].find((one) => one > minutes) ?? 10 + 15 * (Math.floor((minutes - 10) / 15) + 1);
  return firedAt + mark * MINUTE_MS;
}
