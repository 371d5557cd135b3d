// What a callback of an order is: how it is asked for, and what it says when the task of the order has ended.
import { deliverMessage } from './deliveries.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { any } from '../core/http/schema.ts';
import type { Properties } from '../core/http/schema.ts';
import type { Task } from '../core/state.ts';
import type { World } from '../core/world.ts';

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
