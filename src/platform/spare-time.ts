// Work for the time in which a command only waits for answers. One piece a turn of the event loop, after whatever has
// arrived was taken in and the next requests have left. Without it a plan of rich sites takes 6 % longer
// (docs/design/speed.md).

/** Takes pieces of work. `soon`: runs something in a later turn of the loop. */
export function createSpareTime(soon: (turn: () => void) => void = setImmediate): (piece: () => void) => void {
  const pieces: (() => void)[] = [];
  let next = 0;
  const turn = (): void => {
    const piece = pieces[next] as () => void;
    next += 1;
    if (next < pieces.length) soon(turn);
    else pieces.length = next = 0;
    piece();
  };
  return (piece) => {
    if (pieces.push(piece) === 1) soon(turn);
  };
}
