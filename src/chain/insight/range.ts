/** Blocks or epochs, both ends included. */
export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Joins ranges that touch or overlap. They are given in order of `from`. */
export function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const { from, to } of ranges) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to + 1n) joined.push({ from, to });
    else if (to > last.to) joined[joined.length - 1] = { from: last.from, to };
  }
  return joined;
}

/** The ranges contained in both. */
export const intersectRanges = (ones: readonly Range[], others: readonly Range[]): readonly Range[] =>
  ones.flatMap(one =>
    others.flatMap(other => {
      const from = one.from > other.from ? one.from : other.from;
      const to = one.to < other.to ? one.to : other.to;
      return from <= to ? [{ from, to }] : [];
    }),
  );

export const areSameRanges = (ones: readonly Range[], others: readonly Range[]): boolean =>
  ones.length === others.length && ones.every(({ from, to }, at) => others[at]?.from === from && others[at]?.to === to);

/** `1 to 1000`, and `7` of a single one. */
export const rangeLabel = ({ from, to }: Range): string => (from === to ? `${from}` : `${from} to ${to}`);
