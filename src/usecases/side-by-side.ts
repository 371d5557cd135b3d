// Work on many items of which only some are in hand at a time.

/**
 * Does `work` for each item, begun in their order, `atOnce` of them side by side; the results in that order. Once one
 * rejects, its place is not taken by another: after a refused credential nothing more is sent. p-limit would take the
 * next item before whoever waits for all of them hears of the first that rejected.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
