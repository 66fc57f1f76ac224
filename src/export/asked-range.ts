import type { EpochBounds } from './epoch.ts';
import type { AskedEnd } from './locate.ts';
import type { NamedRange } from './range-name.ts';

/** What an export was asked for; its files go by whole segments, so they may hold more. */
export interface AskedRange {
  /** As it was named: `e20..e25`, `last-month`, `17001..17500`. */
  readonly name: string;
  /** Null where it is the end of the files. */
  readonly from: AskedEnd | null;
  readonly to: AskedEnd | null;
}

interface Ends {
  readonly from: { readonly height: bigint; readonly asked: AskedEnd | null };
  readonly to: { readonly height: bigint; readonly asked: AskedEnd | null };
}

/** The range of two ends that were found, by the words that name both, if any do. */
export function askedRange({ from, to }: Ends, words: string | null): AskedRange {
  const [first, last] = [from, to].map(({ height, asked }) => asked?.name ?? String(height));
  const name = words ?? (first === last ? `${first}` : `${first}..${last}`);
  return { name, from: from.asked, to: to.asked };
}

/** The words of a range that is not named by its two ends. */
export function rangeWords(range: NamedRange): string | null {
  switch (range.kind) {
    case 'last':
      return `last ${range.segments}`;
    case 'all':
      return 'all';
    case 'period':
      return range.word;
    case 'between':
      return null;
  }
}

/** What is kept beside an export of its range: rows from the first moment on, until the second one. */
export function keptRange({ asked, table, fromBlock, toBlock }: Exported): {
  readonly ranges: readonly KeptRange[];
  readonly epochs: readonly EpochBounds[];
} {
  if (asked === undefined) return { ranges: [], epochs: [] };
  const { name, from, to } = asked;
  const range = {
    ...{ table: table.id, fromBlock: String(fromBlock), toBlock: String(toBlock), name: name.slice(0, 100) },
    from: endOf(from),
    until: endOf(to),
  };
  const isRange = range.from === null || range.until === null || range.from.time < range.until.time;
  return {
    ranges: isRange ? [range] : [],
    epochs: [from?.epoch, to?.epoch].flatMap(epoch => epoch ?? []),
  };
}

interface Exported {
  readonly asked?: AskedRange;
  readonly table: { readonly id: string };
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

interface KeptRange {
  readonly table: string;
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly name: string;
  readonly from: KeptEnd | null;
  readonly until: KeptEnd | null;
}

interface KeptEnd {
  readonly time: string;
  readonly epoch: string | null;
}

const endOf = (end: AskedEnd | null): KeptEnd | null =>
  end === null || end.time === null ? null : { time: end.time, epoch: end.epoch?.seq ?? null };
