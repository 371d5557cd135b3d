// A worker in this process, on a real PostgreSQL.
import { expect } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import type { LogLine, WorkOptions } from '../../src/worker/worker.ts';
import { work } from '../../src/worker/worker.ts';
import type { Harness } from '../support/harness.ts';

/** The queue asks for a newer Node.js than the rest; what is tried here works on older ones too. */
export const node = '22.12.0';

export interface Running {
  readonly lines: LogLine[];
  readonly stop: () => Promise<void>;
  /** What it ends with. */
  readonly ended: ReturnType<typeof work>;
  /** Waits for so many lines of an event. */
  readonly until: (event: string, count?: number) => Promise<readonly LogLine[]>;
}

/** Starts a worker in this process. It is stopped with `stop`. */
export async function startWorker(
  { session }: Pick<Harness, 'session'>,
  databaseUrl: string,
  given: Partial<WorkOptions> = {},
): Promise<Running> {
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  const ended = work(session({ stop: stop.signal, clock: realClock }), {
    folders: ['accounts/*'],
    concurrency: 4,
    driftEvery: '24h',
    drainMs: 5000,
    notify: { addresses: [], secret: undefined },
    databaseUrl,
    node,
    version: '0',
    redact: (text) => text,
    log: (line) => {
      lines.push(line);
      for (const look of waiting) look();
    },
    ...given,
  });
  const until: Running['until'] = (event, count = 1) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.filter((line) => line.event === event);
        if (found.length < count) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const end = async (): Promise<void> => {
    stop.abort();
    expect(await ended).toEqual([]);
  };
  const problems = await Promise.race([until('worker-started').then(() => []), ended]);
  expect(problems).toEqual([]);
  return { lines, until, stop: end, ended };
}
