// Work for the time in which a command only waits for answers. One piece a turn of the event loop, after whatever has
// arrived was taken in and the next requests have left; what is not done by the end is left to whoever needs it.

export interface SpareTime {
  readonly add: (piece: () => void) => void;
  /** Nothing more is done. */
  readonly end: () => void;
}

/** `soon`: runs something in a later turn of the loop. */
export function createSpareTime(soon: (turn: () => void) => void = setImmediate): SpareTime {
  const pieces: (() => void)[] = [];
  let next = 0;
  let waiting = false;
  const turn = (): void => {
    const piece = pieces[next];
    waiting = piece !== undefined;
    if (piece === undefined) return;
    next += 1;
    piece();
    soon(turn);
  };
  return {
    add: (piece) => {
      pieces.push(piece);
      if (waiting) return;
      waiting = true;
      soon(turn);
    },
    end: () => {
      pieces.length = 0;
      next = 0;
    },
  };
}
