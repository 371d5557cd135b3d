// Sends run requests to the queue, for whoever hears of events.
import type { Dispatcher, RunRequest } from '../events/run-request.ts';
import type { QueueOptions } from './queue.ts';
import { openQueue, QUEUE } from './queue.ts';

/** The queue as a place for run requests. Rejects with a `QueueError`, whose diagnostic says what to do. */
export async function queueDispatcher(options: Omit<QueueOptions, 'works'>): Promise<Dispatcher> {
  const boss = await openQueue({ ...options, works: false });
  return {
    name: 'the queue',
    // Of every policy of pg-boss, this one takes everything: it is kept when this resolves.
    dispatch: async (request: RunRequest) => {
      await boss.send(QUEUE, request, { singletonKey: request.account });
    },
    close: () => boss.stop({ timeout: 5000 }),
  };
}
