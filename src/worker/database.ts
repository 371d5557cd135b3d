// How the database of an open queue is asked beside it, and what is said while it does not answer.
import type { PgBoss } from 'pg-boss';
import type { Session } from '../usecases/session.ts';

/** Sends one statement to the database, and rejects with what that says. */
export type Ask = (text: string, values: unknown[]) => Promise<{ readonly rows: readonly object[] }>;

/** Whoever watches a worker waits no longer for an answer. */
const SOON_MS = 3000;
/** A database that stays away is told again after this. */
const TELL_AGAIN_MS = 60_000;
const LOOK_MS = 1000;

export function askOf(boss: PgBoss): Ask {
  return (text, values) => boss.getDb().executeSql(text, values);
}

/** The same, which rejects where there is no answer soon: a host that is gone answers nothing at all. */
export function askSoon({ clock }: Pick<Session, 'clock'>, boss: PgBoss): Ask {
  return async (text, values) => {
    const over = new AbortController();
    const late = clock.sleep(SOON_MS, over.signal).then(() => {
      throw new Error('the database did not answer in time');
    });
    try {
      return await Promise.race([askOf(boss)(text, values), late]);
    } finally {
      over.abort();
    }
  };
}

/** Why nothing can be done now, in words; undefined when the database answers. */
export function whyAway(ask: Ask): Promise<string | undefined> {
  return ask('SELECT 1', []).then(
    () => undefined,
    () => 'the database does not answer',
  );
}

interface Line {
  readonly level: 'info' | 'error';
  readonly event: 'queue-error' | 'queue-back';
  readonly [field: string]: unknown;
}

/**
 * Tells of errors of the queue: the first, and while there are more of them one line a minute. `look` says why the
 * database is away; when it is back that is told too.
 */
export function errorTeller(
  { clock, stop }: Pick<Session, 'clock' | 'stop'>,
  log: (line: Line) => void,
  look: () => Promise<string | undefined>,
): (error: Error) => void {
  let toldAtMs = -Infinity;
  let untold = 0;
  let isLooking = false;
  const untilBack = async (): Promise<void> => {
    const fromMs = clock.now();
    do {
      // Not before: one of several connections that are just being lost may still answer.
      await clock.sleep(LOOK_MS, stop).catch(() => undefined);
      if (stop.aborted) return;
    } while ((await look()) !== undefined);
    log({ level: 'info', event: 'queue-back', seconds: Math.round((clock.now() - fromMs) / 1000) });
    [toldAtMs, untold] = [-Infinity, 0];
  };
  return ({ message }) => {
    untold += 1;
    if (clock.now() - toldAtMs >= TELL_AGAIN_MS) {
      // What pg-boss adds tells its parts apart, and nothing else.
      const words = message.replace(/ \(Queue: [^)]*\)$/, '');
      log({ level: 'error', event: 'queue-error', message: words, ...(untold > 1 && { errors: untold }) });
      [toldAtMs, untold] = [clock.now(), 0];
    }
    if (isLooking) return;
    isLooking = true;
    void untilBack().finally(() => {
      isLooking = false;
    });
  };
}
