import * as v from 'valibot';

/** The range requested for an export. Files hold whole segments, so they may hold more. */
export interface ExportRange {
  readonly table: string;
  /** The blocks of the files. */
  readonly fromBlock: string;
  readonly toBlock: string;
  /** As the user wrote it: `e20..e25`, `last-month`, `17001..17500`. */
  readonly name: string;
  /** The first moment inside the range; null if it begins with the files. */
  readonly from: RangeBound | null;
  /** The first moment after the range; null if it ends with the files. */
  readonly until: RangeBound | null;
  /** Ids of the segment before the files ('' if there is none) and of their last one, which the segment after them names. */
  readonly segments?:
    | {
        readonly before: string;
        readonly last: string;
        /** Where the segments of the node were not one chain: the block, one that it contradicts, and why. */
        readonly breaks?:
          | readonly { readonly at: string; readonly against: string; readonly reason: string }[]
          | undefined;
      }
    | undefined;
}

export interface RangeBound {
  /** UTC to the microsecond: `2026-10-01T12:00:00.000000Z`. */
  readonly time: string;
  /** The epoch at this end of the range; null if it was not given as an epoch. */
  readonly epoch: string | null;
}

/** When an epoch begins and when the next one does (null while it is open), as UTC to the microsecond. */
export interface EpochTimes {
  readonly seq: string;
  readonly start: string;
  readonly end: string | null;
}

/** What another node named as the segments of an export (the witnesses of its plan). */
export interface SavedWitness {
  readonly node: string;
  readonly same: number;
  readonly of: number;
  readonly differs: {
    readonly fromBlock: string;
    readonly toBlock: string;
    readonly id: string;
    readonly otherId: string;
  } | null;
  readonly problem: string | null;
}

const height = v.pipe(v.string(), v.regex(/^\d{1,18}$/));
const seq = v.pipe(v.string(), v.regex(/^\d{1,15}$/));
const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  v.check(text => !Number.isNaN(Date.parse(text))),
);
const words = v.pipe(v.string(), v.maxLength(2000));
const segmentId = v.pipe(v.string(), v.maxLength(100));
const end = v.nullable(v.strictObject({ time, epoch: v.nullable(seq) }));

const range = v.pipe(
  v.strictObject({
    table: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)),
    fromBlock: height,
    toBlock: height,
    name: v.pipe(v.string(), v.maxLength(100)),
    from: end,
    until: end,
    segments: v.optional(
      v.strictObject({
        ...{ before: segmentId, last: segmentId },
        breaks: v.optional(
          v.pipe(v.array(v.strictObject({ at: height, against: height, reason: words })), v.maxLength(100)),
        ),
      }),
    ),
  }),
  v.check(({ fromBlock, toBlock }) => BigInt(fromBlock) <= BigInt(toBlock)),
  v.check(({ from, until }) => from === null || until === null || from.time < until.time),
);

/** A range for each day of three years. */
const MAX_RANGES = 1000;
const MAX_EPOCHS = 10_000;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const witness = v.strictObject({
  ...{ node: words, same: count, of: count, problem: v.nullable(words) },
  differs: v.nullable(v.strictObject({ fromBlock: height, toBlock: height, id: words, otherId: words })),
});

/** Members of a names file; older exports do not have them. */
export const RANGE_ENTRIES = {
  ranges: v.optional(v.pipe(v.array(range), v.maxLength(MAX_RANGES)), []),
  epochs: v.optional(
    v.pipe(v.array(v.strictObject({ seq, start: time, end: v.nullable(time) })), v.maxLength(MAX_EPOCHS)),
    [],
  ),
  witnesses: v.optional(v.pipe(v.array(witness), v.maxLength(MAX_RANGES)), []),
};

/** Old and new ranges together: a new range replaces those it overlaps, and only the newest stay. */
export function mergeRanges(there: readonly ExportRange[], now: readonly ExportRange[]): readonly ExportRange[] {
  const isReplaced = (old: ExportRange): boolean =>
    now.some(
      ({ table, fromBlock, toBlock }) =>
        table === old.table && BigInt(fromBlock) <= BigInt(old.toBlock) && BigInt(old.fromBlock) <= BigInt(toBlock),
    );
  return [...there.filter(old => !isReplaced(old)), ...now].slice(-MAX_RANGES);
}

export const mergeEpochs = (there: readonly EpochTimes[], now: readonly EpochTimes[]): readonly EpochTimes[] =>
  [...new Map([...there, ...now].map(epoch => [epoch.seq, epoch])).values()].slice(-MAX_EPOCHS);
