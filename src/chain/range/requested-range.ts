import type { EpochTimes, ExportRange, RangeBound } from '../directory/export-range.ts';
import type { RequestedEnd } from './locate-block.ts';
import type { NamedRange } from './parse-range.ts';
import type { Boundaries } from './segment-boundaries.ts';

/** The range that was requested. The exported segments may contain more. */
export interface RequestedRange {
  /** As typed: `e20..e25`, `last-month`, `17001..17500`. */
  readonly name: string;
  /** Null when it is the end of the exported files. */
  readonly from: RequestedEnd | null;
  readonly to: RequestedEnd | null;
}

interface Ends {
  readonly from: { readonly height: bigint; readonly asked: RequestedEnd | null };
  readonly to: { readonly height: bigint; readonly asked: RequestedEnd | null };
}

/** The requested range for two ends. `words` names both at once, if the range was typed that way. */
export function createRequestedRange({ from, to }: Ends, words: string | null): RequestedRange {
  const [first, last] = [from, to].map(({ height, asked }) => asked?.name ?? String(height));
  const name = words ?? (first === last ? `${first}` : `${first}..${last}`);
  return { name, from: from.asked, to: to.asked };
}

/** The words of a range that was not typed as two ends; null otherwise. */
export function rangeKeyword(range: NamedRange): string | null {
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

/** The record of the range saved with an export. Rows belong to the range from `from` on, and before `until`. */
export function createRangeRecord(
  { asked, table, fromBlock, toBlock }: ExportedRange,
  boundaries?: Boundaries,
): {
  readonly ranges: readonly ExportRange[];
  readonly epochs: readonly EpochTimes[];
} {
  if (asked === undefined) return { ranges: [], epochs: [] };
  const { name, from, to } = asked;
  const range = {
    ...{ table: table.id, fromBlock: String(fromBlock), toBlock: String(toBlock), name: name.slice(0, 100) },
    from: toRangeBound(from),
    until: toRangeBound(to),
    ...firstAndLastSegment(boundaries, fromBlock, toBlock),
  };
  const isRange = range.from === null || range.until === null || range.from.time < range.until.time;
  return {
    ranges: isRange ? [range] : [],
    epochs: [from?.epoch, to?.epoch].flatMap(epoch => epoch ?? []),
  };
}

/** With these ids and the breaks between them, an audit can decide if neighbouring exports are of one history. */
function firstAndLastSegment(
  boundaries: Boundaries | undefined,
  fromBlock: bigint,
  toBlock: bigint,
): Pick<ExportRange, 'segments'> {
  if (boundaries === undefined || boundaries.kind === 'rule') return {};
  const first = boundaries.segments.find(({ fromHeight }) => fromHeight === fromBlock);
  const last = boundaries.segments.find(({ toHeight }) => toHeight === toBlock);
  if (first === undefined || last === undefined) return {};
  const ids = { before: first.previousHistorySegmentId, last: last.historySegmentId };
  if (Math.max(ids.before.length, ids.last.length) > MAX_SEGMENT_ID_LENGTH) return {};
  const breaks = boundaries.breaks
    .filter(({ at }) => fromBlock <= at && at <= toBlock)
    .slice(0, MAX_BREAKS)
    .map(({ at, against, reason }) => ({ at: String(at), against: String(against), reason: reason.slice(0, 500) }));
  return { segments: { ...ids, ...(breaks.length > 0 && { breaks }) } };
}

/** One is enough for an audit to report that it cannot judge. */
const MAX_BREAKS = 20;

/** An id of IPFS has 46 to 62 characters. */
const MAX_SEGMENT_ID_LENGTH = 100;

interface ExportedRange {
  readonly asked?: RequestedRange;
  readonly table: { readonly id: string };
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

const toRangeBound = (end: RequestedEnd | null): RangeBound | null =>
  end === null || end.time === null ? null : { time: end.time, epoch: end.epoch?.seq ?? null };
