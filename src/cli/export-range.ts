import { didYouMean } from '../base/text/nearest-word.ts';
import { EMPTY, joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import {
  isRangeEndText,
  type NamedRange,
  parseTypedRange,
  RANGE_END_FORMS,
  RANGE_FORMS,
  RANGE_WORDS,
  RangeEndError,
} from '../chain/range/parse-range.ts';
import { createRequestedRange, rangeKeyword } from '../chain/range/requested-range.ts';
import {
  addAvailableRanges,
  availableRanges,
  type ResolveContext,
  type ResolvedRange,
  resolveRange,
} from '../chain/range/resolve-range.ts';
import { type Boundaries, checkRange } from '../chain/range/segment-boundaries.ts';
import type { ExportPlan } from '../history/plan/export-plan.ts';
import type { ExportTable } from '../history/plan/export-tables.ts';
import type { RangeLine } from '../history/plan/range-lines.ts';
import { ARCHIVE_ONLY_FLAG } from './archive-only-flag.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags that name blocks. */
export const RANGE_FLAGS: readonly Flag[] = [
  {
    name: 'from',
    kind: 'text',
    group: 'Range',
    value: 'PLACE',
    about: 'first block of a segment; or an epoch (e41), a date or a UTC time (2026-10-01 12:00)',
  },
  {
    name: 'to',
    kind: 'text',
    group: 'Range',
    value: 'PLACE',
    about:
      'last block of a segment; or the end of an epoch, day or minute. Epochs and dates are widened to whole segments',
  },
  {
    name: 'last',
    kind: 'number',
    group: 'Range',
    least: 1,
    most: 999_999,
    check: refuseRangeAsNumber,
    value: 'SEGMENTS',
    about: 'the newest segments, instead of --from and --to',
  },
  { name: 'range', kind: 'text', group: 'Range', value: 'RANGE', about: `first and last block in one: ${RANGE_FORMS}` },
];

/** The range that the flags name; undefined without any. */
export function readNamedRange(given: ParsedFlags): NamedRange | undefined {
  const last = given.number('last');
  const text = given.text('range');
  const [from, to] = [readBound(given, 'from'), readBound(given, 'to')];
  const isBetween = from !== undefined || to !== undefined;
  if ([last !== undefined, text !== undefined, isBetween].filter(Boolean).length > 1)
    throw new UsageError('use only one of --from with --to, --last, and --range');
  if (last !== undefined) return { kind: 'last', segments: last };
  if (text !== undefined) {
    const range = parseTypedRange(text);
    if (range === undefined)
      throw new UsageError(`--range must be ${RANGE_FORMS}, not "${text}"${didYouMean(text, RANGE_WORDS)}`);
    return range;
  }
  return from === undefined || to === undefined ? undefined : { kind: 'between', from, to };
}

// The name of a range, as in the explorer's field, is not a number of segments.
function refuseRangeAsNumber(text: string): void {
  if (!/^\d+$/.test(text) && parseTypedRange(text) !== undefined)
    throw new UsageError(`--last must be a number of segments, not "${text}"; did you mean --range "${text}"?`);
}

function readBound(given: ParsedFlags, name: 'from' | 'to'): string | undefined {
  const text = given.text(name);
  if (text === undefined || isRangeEndText(text)) return text;
  throw new UsageError(`--${name} must be ${RANGE_END_FORMS}, not "${text}"`);
}

/** Finds the blocks of the named range. Throws UsageError if the node does not have it. */
export async function locateRange(
  given: ParsedFlags,
  range: NamedRange | undefined,
  ground: ResolveContext,
): Promise<ResolvedRange> {
  if (range === undefined) {
    const missing = given.has('from') ? '--to' : given.has('to') ? '--from' : '--from and --to, or --last SEGMENTS';
    throw new UsageError(`missing ${missing}; ${availableRanges(ground.boundaries)}`);
  }
  return resolveRange(range, ground).catch((error: unknown) => {
    if (!(error instanceof RangeEndError)) throw error;
    const flag = error.bound !== null && given.has(error.bound) ? `--${error.bound}: ` : '';
    const newest = ground.boundaries.kind === 'listed' ? ground.boundaries.segments.at(-1) : undefined;
    const isLate = flag !== '' && error.bound === 'to' && error.lies === 'after' && newest !== undefined;
    const hint = isLate ? `; try --to ${newest.toHeight}` : '';
    throw new UsageError(`${flag}${addAvailableRanges(error, ground.boundaries)}${hint}`);
  });
}

/** How the ends of a range were found. */
export const boundNotes = ({ from, to }: ResolvedRange): readonly string[] =>
  [from.note, to.note].flatMap(note => (note === null ? [] : [note]));

/** Facts about a range, one per line. */
export const rangeText = (lines: readonly RangeLine[]): SafeText =>
  lines.length === 0
    ? EMPTY
    : joinSafe(lines.map(({ label, text }) => safeLine(`${label.padEnd(LABEL_CELLS)}${text}`)));

const LABEL_CELLS = 10;

interface PlanInput {
  readonly table: ExportTable;
  readonly boundaries: Boundaries;
  readonly named: NamedRange | undefined;
}

/** The requested export. Throws UsageError if the node does not have the range. */
export function createExportPlan(
  given: ParsedFlags,
  { table, boundaries, named }: PlanInput,
  found: ResolvedRange,
): ExportPlan {
  const [from, to] = [found.from.height, found.to.height];
  const range = checkRange(boundaries, from, to);
  if (!range.isValid) throw new UsageError(`${range.problem}; ${availableRanges(boundaries)}`);
  return {
    table,
    fromBlock: from,
    toBlock: to,
    asked: createRequestedRange(found, named === undefined ? null : rangeKeyword(named)),
    ...(boundaries.kind === 'listed' && { chainId: boundaries.chainId }),
    ...(range.runs !== undefined && { runs: range.runs }),
    ...(range.broken !== undefined && { broken: range.broken }),
    destination: given.text('out') ?? '.',
    mayOverwrite: given.has('overwrite'),
    keepsIncomplete: given.has('keep-incomplete'),
    ...readSlices(given),
  };
}

function readSlices(given: ParsedFlags): Pick<ExportPlan, 'slices'> {
  const segmentsPerSlice = given.number('slice');
  const parallel = given.number('parallel') ?? 1;
  if (segmentsPerSlice !== undefined && given.has(ARCHIVE_ONLY_FLAG.name))
    throw new UsageError(
      '--archive-only cannot be used with --slice: slices are saved only after their rows are checked',
    );
  if (segmentsPerSlice !== undefined) return { slices: { segmentsPerSlice, parallel } };
  if (given.has('parallel')) throw new UsageError('--parallel needs --slice');
  return {};
}
