import type { EpochTimes, ExportRange } from '../../chain/directory/export-range.ts';
import { boundNs, parseChainPoint } from '../../chain/insight/chain-point.ts';
import { microText } from '../../chain/insight/time.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { Dialect } from './dialects/dialect.ts';

/** The ranges and epochs saved with exports. */
export interface SavedRanges {
  readonly ranges: readonly ExportRange[];
  /** Epochs with known times. */
  readonly epochs: readonly EpochTimes[];
  /** Why the node that was asked for other epochs does not say their times; absent if none was asked. */
  readonly unknownAtNode?: string;
}

/** The rows that an answer uses. */
export interface RowRange {
  /** A row counts if it is in one of these. */
  readonly spans: readonly Span[];
  /** The range of the answer and that of the files, one sentence each. */
  readonly notes: readonly string[];
  /** Whether the files were exported for other times, so that no row says nothing; undefined if their times are not known. */
  readonly isOutside: boolean | undefined;
  /** The requested range and what the files cover, where a range was named. */
  readonly ends?: { readonly asked: TimeSpan; readonly covered: TimeSpan };
}

/** Times in the engine's format; null means unbounded or unknown. */
interface TimeSpan {
  readonly from: string | null;
  /** Exclusive. */
  readonly until: string | null;
}

/** Null means unbounded. */
interface Span {
  readonly from: Bound | null;
  /** Exclusive. */
  readonly until: Bound | null;
}

interface Bound {
  /** In the engine's format, to the microsecond; null if only the epoch is known. */
  readonly time: string | null;
  /** The first or last epoch; null if the bound is not an epoch. */
  readonly epoch: string | null;
}

interface RangeRequest {
  readonly table: DatasetTable;
  readonly values: {
    readonly from?: string;
    readonly to?: string;
    readonly at?: string;
    readonly isWhole?: boolean;
  };
  readonly saved: SavedRanges;
  /** The rows have an epoch column. */
  readonly hasEpochs?: boolean;
}

/**
 * The requested range, or the exported one, which may be smaller than that of the files. Throws AnswerError for an invalid
 * range, and for an epoch with unknown times.
 */
export function rowRange({ table, values, saved, hasEpochs = false }: RangeRequest): RowRange {
  // The balance at a moment depends on all rows before it.
  if (values.at !== undefined) return { spans: [UNBOUNDED_SPAN], notes: [filesNote(table)], isOutside: false };
  const own = partsByRange(table, saved.ranges);
  const spans = exportedSpans(own);
  const [from, to] = [values.from, values.to].map(text => text?.trim());
  if (values.isWhole === true) {
    const whole = `range: everything in the files${exportedRangesText(own)}`;
    return { spans: [UNBOUNDED_SPAN], notes: [whole, filesNote(table)], isOutside: false };
  }
  if (from === undefined && to === undefined)
    return { spans, notes: [exportedRangeNote(own), filesNote(table)], isOutside: false };
  const known = { ...saved, hasEpochs };
  const first = from === undefined ? earliest(spans) : parseFirstBound('--from', from, known);
  const last = to === undefined ? latest(spans) : parseLastBound('--to', to, known);
  const isBeyond = isEmpty({ from: first, until: last });
  // If one end is outside the exported range, the range extends to the end of the files.
  const named: Span = {
    from: from === undefined && isBeyond ? null : first,
    until: to === undefined && isBeyond ? null : last,
  };
  if (from !== undefined && to !== undefined && isEmpty(named))
    throw new AnswerError(`the range begins after it ends: ${from} is later than ${to}`, 'change one of them');
  const ends = `from ${from ?? `the beginning of ${scopeText(named.from)}`} to ${to ?? `the end of ${scopeText(named.until)}`}`;
  const covered = own.map(coveredSpan);
  const isKnown = covered.some(({ from: first, until }) => first !== null || until !== null);
  const isOutside = isKnown ? covered.every(piece => areSpansApart(named, piece)) : undefined;
  const outside = isOutside === true ? '; these files have none of it' : '';
  return {
    spans: [named],
    notes: [
      `range: ${ends}${timesText(named)}${outside}${exportedRangesText(own)}`,
      filesNote(table),
      ...(isOutside === true ? [] : beyondNotes(named, covered, table)),
    ],
    isOutside,
    ends: { asked: spanTimes(named), covered: spanTimes({ from: earliest(covered), until: latest(covered) }) },
  };
}

const spanTimes = ({ from, until }: Span): TimeSpan => ({ from: from?.time ?? null, until: until?.time ?? null });

/** Epochs at the end of the range: they are paid in the first block of the next epoch, which is not in the range. */
export const epochsPaidLater = ({ spans }: RowRange): readonly string[] =>
  spans
    .flatMap(({ until }) => until?.epoch ?? [])
    .filter(epoch => spans.every(({ from }) => from?.epoch !== String(BigInt(epoch) + 1n)));

/** Epochs before the range: they are paid in its first block. */
export const epochsPaidFirst = ({ spans }: RowRange): readonly string[] =>
  spans
    .flatMap(({ from }) => (from?.epoch && BigInt(from.epoch) > 0n ? [String(BigInt(from.epoch) - 1n)] : []))
    .filter(epoch => spans.every(({ until }) => until?.epoch !== epoch));

/** SQL conditions that a row is in the range, by the time of its block or its epoch. */
export function rangeConditions({ spans }: RowRange, times: RowTimes): readonly string[] {
  const conditions = spans.map(({ from, until }) => [
    ...(from === null ? [] : boundSql(from, times, AFTER)),
    ...(until === null ? [] : boundSql(until, times, BEFORE)),
  ]);
  if (conditions.some(each => each.length === 0)) return [];
  const [only = [], ...others] = conditions;
  return others.length === 0 ? only : [`(${conditions.map(each => each.join(' AND ')).join('\n    OR ')})`];
}

/** SQL for when a row was: the time of its block, and if there are such columns the day of it and the epoch. */
interface RowTimes {
  readonly dialect: Dialect;
  readonly time: string;
  readonly day?: string | undefined;
  readonly epoch?: string | undefined;
}

const AFTER = { time: '>=', whole: '>=' } as const;
const BEFORE = { time: '<', whole: '<=' } as const;

function boundSql(
  bound: Bound,
  { dialect, time, day, epoch }: RowTimes,
  than: typeof AFTER | typeof BEFORE,
): readonly string[] {
  if (bound.epoch !== null && epoch !== undefined) return [`${epoch} ${than.whole} ${BigInt(bound.epoch)}`];
  const moment = bound.time ?? '';
  // Nothing of the day that begins at this moment: an engine would open its files.
  const ofDay = than === BEFORE && MIDNIGHT.test(moment) ? than.time : than.whole;
  return [
    ...(day === undefined ? [] : [`${day} ${ofDay} DATE ${dialect.text(moment.slice(0, 10))}`]),
    `${time} ${than.time} ${dialect.time(moment)}`,
  ];
}

const MIDNIGHT = /[ T]00:00:00(?:\.0+)?Z?$/;

/** SQL conditions that a row is before a moment. */
export const beforeConditions = ({ until }: TimeBound, times: RowTimes): readonly string[] =>
  boundSql({ time: until, epoch: null }, times, BEFORE);

const scopeText = (bound: Bound | null): string => (bound === null ? 'the files' : 'the exported range');

const UNBOUNDED_SPAN: Span = { from: null, until: null };

/** Parts of a table that were exported for the same range; undefined if unknown. */
interface PartsOfRange {
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly exported: ExportRange | undefined;
}

/** An archive belongs to the saved range of its blocks. If two different ranges match, neither is used. */
function partsByRange({ name, parts }: DatasetTable, ranges: readonly ExportRange[]): readonly PartsOfRange[] {
  const joined: PartsOfRange[] = [];
  for (const { fromBlock, toBlock, firstTime, lastTime } of parts) {
    const holds = (range: ExportRange): boolean =>
      BigInt(range.fromBlock) <= BigInt(fromBlock) && BigInt(toBlock) <= BigInt(range.toBlock);
    const [first, ...others] = ranges.filter(range => range.table === name && holds(range));
    const exported = others.every(other => isSameRange(other, first)) ? first : undefined;
    const before = joined.at(-1);
    if (before === undefined || !isSameRange(before.exported, exported)) joined.push({ firstTime, lastTime, exported });
    else
      joined.splice(-1, 1, {
        exported,
        firstTime: before.firstTime ?? firstTime,
        lastTime: lastTime ?? before.lastTime,
      });
  }
  return joined;
}

const isSameRange = (one: ExportRange | undefined, other: ExportRange | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The spans of the ranges. If there are several, an unbounded one ends with its rows. */
function exportedSpans(own: readonly PartsOfRange[]): readonly Span[] {
  const spans = own.map(({ firstTime, lastTime, exported }): Span => {
    const [first, last] = own.length === 1 ? [null, null] : [firstTime, lastTime];
    return {
      from: exported?.from ? { time: engineTime(exported.from.time), epoch: exported.from.epoch } : boundAtTime(first),
      until: exported?.until
        ? { time: engineTime(exported.until.time), epoch: exported.until.epoch }
        : boundAtTime(last, 1n),
    };
  });
  return spans.length === 0 ? [UNBOUNDED_SPAN] : spans;
}

const boundAtTime = (iso: string | null, moreUs = 0n): Bound | null =>
  iso === null ? null : { time: addMicroseconds(engineTime(iso), moreUs), epoch: null };

/** `2026-10-01T12:00:00.000000Z` in the engine's format. */
export const engineTime = (iso: string): string =>
  iso
    .replace('T', ' ')
    .replace('Z', '')
    .padEnd(26, iso.includes('.') ? '0' : '.000000');

/** Adds microseconds. */
export function addMicroseconds(time: string, us: bigint): string {
  if (us === 0n) return time;
  const [seconds = '', fraction = ''] = time.split('.');
  const sum = BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0')) + us;
  const iso = new Date(Number(sum / 1_000_000n) * 1000).toISOString();
  return `${iso.slice(0, 19).replace('T', ' ')}.${String(sum % 1_000_000n).padStart(6, '0')}`;
}

const byTime = (one: Bound, other: Bound): number => ((one.time ?? '') < (other.time ?? '') ? -1 : 1);

const earliest = (spans: readonly Span[]): Bound | null =>
  spans.some(({ from }) => from === null)
    ? null
    : (spans.flatMap(({ from }) => from ?? []).toSorted(byTime)[0] ?? null);

const latest = (spans: readonly Span[]): Bound | null =>
  spans.some(({ until }) => until === null)
    ? null
    : (spans
        .flatMap(({ until }) => until ?? [])
        .toSorted(byTime)
        .at(-1) ?? null);

interface KnownEpochs extends Pick<SavedRanges, 'epochs' | 'unknownAtNode'> {
  readonly hasEpochs: boolean;
}

function parseFirstBound(flag: string, text: string, known: KnownEpochs): Bound {
  const place = parseChainPoint(text);
  if (place?.kind !== 'epoch') return { time: parseBoundTime(flag, text, 'from'), epoch: null };
  const { seq } = place;
  const epoch = known.epochs.find(each => each.seq === seq);
  const time = epoch?.start ?? known.epochs.find(each => each.seq === String(BigInt(seq) - 1n))?.end ?? null;
  return epochBound(flag, seq, time, known);
}

/** A requested moment; an epoch, a day or a minute counts to its end. */
export interface TimeBound {
  /** Exclusive. */
  readonly until: string;
}

export function parseMoment(flag: string, text: string, saved: SavedRanges): TimeBound {
  return { until: parseLastBound(flag, text, { ...saved, hasEpochs: false }).time ?? '' };
}

/** The end of an epoch, a day or a minute. */
function parseLastBound(flag: string, text: string, known: KnownEpochs): Bound {
  const place = parseChainPoint(text);
  if (place?.kind !== 'epoch') return { time: parseBoundTime(flag, text, 'to'), epoch: null };
  const { seq } = place;
  const epoch = known.epochs.find(each => each.seq === seq);
  const time = epoch?.end ?? known.epochs.find(each => each.seq === String(BigInt(seq) + 1n))?.start ?? null;
  return epochBound(flag, seq, time, known);
}

function epochBound(
  flag: string,
  seq: string,
  iso: string | null,
  { epochs, hasEpochs, unknownAtNode }: KnownEpochs,
): Bound {
  if (iso !== null) return { time: engineTime(iso), epoch: seq };
  if (hasEpochs) return { time: null, epoch: seq };
  const there = [...new Set(epochs.map(epoch => `e${epoch.seq}`))].join(', ');
  if (unknownAtNode !== undefined)
    throw new AnswerError(
      `the times of epoch ${seq} are not saved, and ${unknownAtNode}`,
      'give a date or time instead of the epoch',
    );
  throw new AnswerError(
    `${flag} e${seq}: the times of this epoch are not saved with these exports${there && ` (only those of ${there})`}`,
    'name a node that knows it (--node URL), or give a date or time instead of the epoch',
  );
}

/** Epochs that a request names and whose times are not saved with the exports. */
export function unsavedEpochs(
  { from, to, at }: Pick<RangeRequest['values'], 'from' | 'to' | 'at'>,
  { epochs }: Pick<SavedRanges, 'epochs'>,
): readonly string[] {
  const known = new Set(epochs.map(({ seq }) => seq));
  const places = [from, to, at].map(text => parseChainPoint(text ?? ''));
  const named = places.flatMap(place => (place?.kind === 'epoch' ? place.seq : []));
  return [...new Set(named)].filter(seq => !known.has(seq));
}

/** One end of a day, minute, second or fraction of a second, in the engine's format. */
function parseBoundTime(flag: string, text: string, bound: 'from' | 'to'): string {
  const place = parseChainPoint(text);
  // Rows have whole microseconds: the first one at the bound or after it.
  if (place?.kind === 'time' && place.unit !== 'month')
    return engineTime(microText((boundNs(place, bound) + 999n) / 1000n));
  throw new AnswerError(
    `${flag} must be an epoch, a day or a time in UTC, not "${text}"`,
    'for example e20, 2026-10-01, or "2026-10-01 12:00"',
  );
}

function isEmpty({ from, until }: Span): boolean {
  if (from?.epoch && until?.epoch) return BigInt(from.epoch) > BigInt(until.epoch);
  return from?.time != null && until?.time != null && from.time >= until.time;
}

/** What the files cover: what was exported, and their rows, which may go beyond it. Null means unknown. */
function coveredSpan({ firstTime, lastTime, exported }: PartsOfRange): Span {
  const [first, behind] = [boundAtTime(firstTime), boundAtTime(lastTime, 1n)];
  const from = exported?.from ? { time: engineTime(exported.from.time), epoch: exported.from.epoch } : first;
  const until = exported?.until ? { time: engineTime(exported.until.time), epoch: exported.until.epoch } : behind;
  return { from: isEarlierBound(first, from) ? first : from, until: isEarlierBound(until, behind) ? behind : until };
}

const isEarlierBound = (one: Bound | null, other: Bound | null): boolean =>
  one?.time != null && other?.time != null && one.time < other.time;

const areSpansApart = (asked: Span, covered: Span): boolean =>
  isEmpty({ from: asked.from, until: covered.until }) || isEmpty({ from: covered.from, until: asked.until });

/** Which part of a requested range may be missing, because it goes beyond what was exported and beyond the rows. */
function beyondNotes({ from, until }: Span, covered: readonly Span[], table: DatasetTable): readonly string[] {
  const { firstTime, lastTime, fromBlock, toBlock } = table;
  const [begin, end] = [earliest(covered), latest(covered)];
  // Before the first block there is nothing.
  const isEarly = fromBlock !== '1' && firstTime !== null && isEarlierBound(from, begin);
  const isLate = lastTime !== null && isEarlierBound(end, until);
  return [
    ...(isEarly
      ? [
          `the range begins before the first row of the files (${firstTime}): what came before block ${fromBlock ?? '?'} is not in them`,
        ]
      : []),
    ...(isLate
      ? [
          `the range goes on after the last row of the files (${lastTime}): what came after block ${toBlock ?? '?'} is not in them`,
        ]
      : []),
  ];
}

function exportedRangeNote(own: readonly PartsOfRange[]): string {
  const names = [...new Set(own.flatMap(({ exported }) => (exported === undefined ? [] : [rangeText(exported)])))];
  const unknown = own.filter(({ exported }) => exported === undefined).length;
  if (names.length === 0) return `range: everything in the files, because ${NOT_KNOWN}`;
  const each = names.length > 1 ? 'each export in its own range: ' : '';
  const rest = unknown === 0 ? '' : `; and all rows of exports whose range is not known`;
  return `range: ${each}${names.join('; ')}${names.length > 1 ? '' : ', the exported range'}${rest}`;
}

const NOT_KNOWN = 'their exported range is not known (an older export, or one without its .names.json)';

function exportedRangesText(own: readonly PartsOfRange[]): string {
  const names = [...new Set(own.flatMap(({ exported }) => (exported === undefined ? [] : [rangeText(exported)])))];
  return names.length === 0 ? '' : `; the export has ${names.join('; ')}`;
}

function rangeText({ name, from, until }: ExportRange): string {
  return `${name}${timesText({ from: from && { ...from, time: engineTime(from.time) }, until: until && { ...until, time: engineTime(until.time) } })}`;
}

/** `2026-10-01 12:00:00`, with a fraction only if it has one. */
export const timeText = (time: string): string => time.replace(/\.?0+$/, '');

/** The start of a span and its exclusive end. */
function timesText({ from, until }: Span): string {
  const [first, last] = [from?.time ?? null, until?.time ?? null].map(time => time && timeText(time));
  if (first === null && last === null) return '';
  return ` (${[first === null ? '' : `from ${first}`, last === null ? '' : `until ${last}`].filter(Boolean).join(' ')} UTC)`;
}

/** A monthly sum does not show that days are missing, so this note says which rows there are. */
function filesNote({ name, fromBlock, toBlock, firstTime, lastTime }: DatasetTable): string {
  const times = firstTime === null || lastTime === null ? 'no row' : `rows of ${firstTime} to ${lastTime}`;
  return `files: ${name} of blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}, ${times}; the answer has nothing else`;
}
