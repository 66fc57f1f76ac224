/** The same item on both sides, or an item that only one side has. */
type Match<Item> =
  | { readonly before: Item; readonly after: Item }
  | { readonly before: Item; readonly after: undefined }
  | { readonly before: undefined; readonly after: Item };

/**
 * Items of both sides by their key. Of several with one key, those that mean the same are a pair; of the rest, one on each
 * side is a pair, and others are on one side only.
 */
export function matchItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { keyOf, meaningOf }: { readonly keyOf: (item: Item) => string; readonly meaningOf: (item: Item) => string },
): readonly Match<Item>[] {
  const earlier = Map.groupBy(before, keyOf);
  const later = Map.groupBy(after, keyOf);
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap(key => {
    const [ones, others] = [earlier.get(key) ?? [], later.get(key) ?? []];
    return ones.length <= 1 && others.length <= 1
      ? matchRemaining(ones, others)
      : matchSameKey(ones, others, meaningOf);
  });
}

function matchSameKey<Item>(ones: readonly Item[], others: readonly Item[], meaningOf: (item: Item) => string) {
  const waiting = Map.groupBy(others, meaningOf);
  const pairs: Match<Item>[] = [];
  const left = ones.filter(before => {
    const after = waiting.get(meaningOf(before))?.pop();
    if (after === undefined) return true;
    pairs.push({ before, after });
    return false;
  });
  return [...pairs, ...matchRemaining(left, [...waiting.values()].flat())];
}

function matchRemaining<Item>(ones: readonly Item[], others: readonly Item[]): readonly Match<Item>[] {
  const [before, after] = [ones[0], others[0]];
  if (ones.length === 1 && others.length === 1 && before !== undefined && after !== undefined)
    return [{ before, after }];
  return [
    ...ones.map(item => ({ before: item, after: undefined })),
    ...others.map(item => ({ before: undefined, after: item })),
  ];
}
