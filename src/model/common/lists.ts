/** What has the same key, together, in the order of the first ones. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** What there is of these, in their order. */
export function present<Part>(...parts: readonly (Part | undefined | false)[]): readonly Part[] {
  return parts.filter((part): part is Part => part !== undefined && part !== false);
}
