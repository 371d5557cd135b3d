// How many requests leave a second, once the platform has refused one (429). Its limit is documented nowhere (CNV-27,
// GAP-02), so it is found: from what was served at first by doubling, later along the curve of TCP CUBIC (RFC 9438),
// which the adaptive mode of the AWS clients uses too. After a refusal the rate is a little lower, comes back to where
// it was refused, stays about there, and then tries more. With it 5 % of the requests are refused, without it 26 %; the
// run itself takes a fifth longer (docs/design/speed.md).

export interface Pace {
  /** Between two requests; 0 as long as nothing was refused. */
  readonly gapMs: () => number;
  /** One leaves. `held`: it had to wait for its turn. */
  readonly leaves: (held: boolean, nowMs: number) => void;
  /** One that left then was answered, and not refused. */
  readonly served: (leftAtMs: number, nowMs: number) => void;
  /** One that left then was refused. False when it left before the last refusal was known: that tells nothing new. */
  readonly refused: (leftAtMs: number, nowMs: number) => boolean;
}

const CUT_FACTOR = 0.9;
/** How long until the rate of the last refusal is reached again: this, and not fewer requests than that. */
const BACK_AFTER_MS = 10_000;
const BACK_AFTER_REQUESTS = 100;
const DOUBLED_AFTER_MS = 2000;
/** A second refusal at less than this many times the first guess confirms the guess. */
const CONFIRMING_FACTOR = 1.5;
/** A platform that refuses at random must not bring a run to a halt. */
const LEAST_RPS = 1;
const SECOND_MS = 1000;
/** The same for a run that had sent next to nothing when it was refused: that shows little. */
const LEAST_FIRST_RPS = 5;
/**
 * Refused for longer than this, the limit is one of many seconds: what it serves over all of them counts, not what it
 * serves at once.
 */
const LONG_REFUSAL_MS = 2000;

/** What is known since the last cut. */
interface Phase {
  /** Requests a second at which the last refusal came. */
  readonly limit: number;
  readonly isFirst: boolean;
  readonly cutAtMs: number;
  /** The last refusal of which something new was learnt. */
  refusedAtMs: number;
  /** Time spent at the pace. */
  pacedMs: number;
  /** When the first that was served had left. */
  sinceMs: number;
  served: number;
}

export function createPace(): Pace {
  let phase: Phase | undefined;
  /** Of the phase before, with answers that came late. */
  let before = { sinceMs: Infinity, served: 0 };
  const servedAtMs: number[] = [];
  /** The first of them that was less than a second ago, at the last look. */
  let oldest = 0;

  const rateOf = ({ limit, pacedMs, isFirst }: Phase): number => {
    if (isFirst) return Math.max(LEAST_RPS, limit * CUT_FACTOR * 2 ** (pacedMs / DOUBLED_AFTER_MS));
    const backAfterMs = Math.max(BACK_AFTER_MS, (BACK_AFTER_REQUESTS * SECOND_MS) / limit);
    return Math.max(LEAST_RPS, limit * (1 + (1 - CUT_FACTOR) * (pacedMs / backAfterMs - 1) ** 3));
  };
  const servedLately = (nowMs: number): number => {
    while ((servedAtMs[oldest] ?? Infinity) <= nowMs - SECOND_MS) oldest += 1;
    // Seldom, so that the rest is not moved for each request.
    if (oldest > 1000) {
      servedAtMs.splice(0, oldest);
      oldest = 0;
    }
    return servedAtMs.length - oldest;
  };

  const limitAfter = ({ isFirst, limit }: Phase, rate: number, lately: number): number => {
    if (!isFirst) return rate;
    const shown = Math.min(rate, lately);
    // A second that lies across two periods of the platform shows more than one period lets through.
    return shown < limit * CONFIRMING_FACTOR ? Math.min(shown, limit) : shown;
  };

  return {
    gapMs: () => {
      if (phase === undefined) return 0;
      // Refused again before anything was served: one at a time shows when it is over.
      const isProbing = phase.served === 0 && phase.refusedAtMs > phase.cutAtMs;
      return SECOND_MS / (isProbing ? LEAST_RPS : rateOf(phase));
    },
    leaves: (held, nowMs) => {
      if (phase === undefined) before.sinceMs = Math.min(before.sinceMs, nowMs);
      // What need not wait shows nothing about the limit, so the rate does not grow by it.
      else if (held) phase.pacedMs += SECOND_MS / rateOf(phase);
    },
    served: (leftAtMs, nowMs) => {
      servedLately(nowMs);
      servedAtMs.push(nowMs);
      if (phase === undefined || leftAtMs < phase.cutAtMs) {
        before.served += 1;
        // It left together with the first that was refused.
        if (phase?.isFirst === true) phase = { ...phase, limit: phase.limit + 1 };
        return;
      }
      if (phase.served === 0) {
        phase.sinceMs = leftAtMs;
        if (nowMs - phase.cutAtMs > LONG_REFUSAL_MS) {
          const seconds = ((phase.refusedAtMs + nowMs) / 2 - before.sinceMs) / SECOND_MS;
          phase = {
            ...phase,
            isFirst: false,
            limit: Math.max(LEAST_RPS, Math.min(phase.limit, before.served / seconds)),
          };
        }
      }
      phase.served += 1;
    },
    refused: (leftAtMs, nowMs) => {
      if (phase !== undefined && leftAtMs < phase.refusedAtMs) return false;
      if (phase?.served === 0) {
        // Still the same refusal: a longer pause is the answer to it, not a lower rate.
        phase.refusedAtMs = nowMs;
        phase.pacedMs = 0;
        return true;
      }
      const lately = servedLately(nowMs);
      const limit =
        phase === undefined
          ? Math.max(LEAST_FIRST_RPS, lately)
          : limitAfter(phase, (rateOf(phase) * phase.served) / (phase.served + 1), lately);
      if (phase !== undefined) before = { sinceMs: phase.sinceMs, served: phase.served };
      phase = {
        limit: Math.max(LEAST_RPS, limit),
        isFirst: phase === undefined,
        cutAtMs: nowMs,
        refusedAtMs: nowMs,
        pacedMs: 0,
        sinceMs: nowMs,
        served: 0,
      };
      return true;
    },
  };
}
