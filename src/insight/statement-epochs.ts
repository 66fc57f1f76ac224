import type { EpochRange, EpochSpan, EpochsLine } from './statement-line.ts';

/** Lines for epochs without an amount or with unknown ones, joined into ranges. */
export const epochLines = (
  allocated: readonly bigint[],
  spans: readonly EpochSpan[],
  place: Pick<EpochsLine, 'market' | 'asset'>,
): readonly EpochsLine[] => {
  const sorted = allocated.toSorted(byNumber);
  const lineOf = (kind: EpochsLine['kind'], { from, to }: EpochRange): EpochsLine => ({
    kind,
    ...place,
    epoch: String(from),
    toEpoch: String(to),
  });
  return spans.flatMap(({ kind, ...range }) =>
    kind === 'known' ? holes(sorted, range).map(hole => lineOf('none', hole)) : [lineOf(kind, range)],
  );
};

const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

function holes(allocated: readonly bigint[], { from, to }: EpochRange): readonly EpochRange[] {
  const found: EpochRange[] = [];
  let next = from;
  for (const epoch of allocated) {
    if (epoch > to) break;
    if (epoch > next) found.push({ from: next, to: epoch - 1n });
    if (epoch >= next) next = epoch + 1n;
  }
  return next > to ? found : [...found, { from: next, to }];
}

/** The parts of the spans inside the range. */
export const within = (spans: readonly EpochSpan[], range: EpochRange): readonly EpochSpan[] =>
  spans
    .map(({ kind, from, to }) => ({
      kind,
      from: from > range.from ? from : range.from,
      to: to < range.to ? to : range.to,
    }))
    .filter(({ from, to }) => from <= to);
