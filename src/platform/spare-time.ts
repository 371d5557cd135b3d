// Work for the time in which a command only waits for answers. One piece a turn of the event loop, after whatever has
// arrived was taken in and the next requests have left.

export interface SpareTime {
  readonly add: (piece: () => void) => void;
  /** What is not done yet is not done any more: it is left to whoever needs it. */
  readonly end: () => void;
}

/** `soon`: runs something in a later turn of the loop. */
export function createSpareTime(soon: (turn: () => void) => void = setImmediate): SpareTime {
  const pieces: (() => void)[] = [];
  let next = 0;
  let waiting = false;
  const end = (): void => {
    pieces.length = 0;
    next = 0;
  };
  const turn = (): void => {
    const piece = pieces[next];
    next += 1;
    waiting = next < pieces.length;
    if (waiting) soon(turn);
    else end();
    piece?.();
  };
  return {
    add: (piece) => {
      pieces.push(piece);
      if (waiting) return;
      waiting = true;
      soon(turn);
    },
    end,
  };
}
