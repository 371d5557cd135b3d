// Limits of requests as platforms have them: what each lets through, and what else uses it up. Time is given.

export interface Limit {
  /** What one second allows in the long run. */
  readonly perSecond: number;
  /** Let through beyond that, once. */
  readonly atOnce: number;
  /** Milliseconds until it may let one through; 0: it does, and counts it. */
  readonly take: (nowMs: number) => number;
}

/** So many in each period, which begins anew on the dot. */
export function fixedWindow(perSecond: number, windowMs = 1000, offsetMs = 0): Limit {
  const most = (perSecond * windowMs) / 1000;
  let window = -1;
  let taken = 0;
  return {
    perSecond,
    atOnce: 0,
    take: (nowMs) => {
      const current = Math.floor((nowMs + offsetMs) / windowMs);
      if (current !== window) [window, taken] = [current, 0];
      if (taken >= most) return (current + 1) * windowMs - offsetMs - nowMs;
      taken += 1;
      return 0;
    },
  };
}

/** So many in any period, wherever it begins. */
export function slidingWindow(perSecond: number, windowMs = 1000): Limit {
  const most = (perSecond * windowMs) / 1000;
  const takenAtMs: number[] = [];
  return {
    perSecond,
    atOnce: 0,
    take: (nowMs) => {
      while (takenAtMs.length > 0 && (takenAtMs[0] as number) <= nowMs - windowMs) takenAtMs.shift();
      if (takenAtMs.length >= most) return (takenAtMs[0] as number) + windowMs - nowMs;
      takenAtMs.push(nowMs);
      return 0;
    },
  };
}

/** Fills evenly, and holds so many. */
export function tokenBucket(perSecond: number, burst: number): Limit {
  let tokens = burst;
  let atMs: number | undefined;
  return {
    perSecond,
    atOnce: burst,
    take: (nowMs) => {
      tokens = Math.min(burst, tokens + ((nowMs - (atMs ?? nowMs)) * perSecond) / 1000);
      atMs = nowMs;
      if (tokens < 1) return ((1 - tokens) / perSecond) * 1000;
      tokens -= 1;
      return 0;
    },
  };
}
