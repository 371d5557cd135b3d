// Work on many items of which only some are in hand at a time.

/** Does `work` for each item in their order, `atOnce` of them side by side. */
export async function sideBySide<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
