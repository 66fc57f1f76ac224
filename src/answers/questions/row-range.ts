import type { EpochTimes, ExportRange } from '../../chain/directory/export-range.ts';
import type { Bound } from '../../chain/insight/chain-point.ts';
import { joinRanges } from '../../chain/insight/range.ts';
import { parseNamedRangeEnd } from '../../chain/range/parse-range.ts';
import {
  isEmptyRange,
  type RangeEnd,
  type RangeEnds,
  rangeEnd,
  rowTime,
  savedRangeEnd,
  savedTimeNs,
} from '../../chain/range/range-end.ts';
import type { BlockRun, DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { Dialect } from './dialects/dialect.ts';

/** The ranges and epochs saved with exports. */
export interface SavedRanges {
  readonly ranges: readonly ExportRange[];
  /** Epochs with known times. */
  readonly epochs: readonly EpochTimes[];
  /** Why the node could not give the times of other epochs; absent if no node was asked. */
  readonly unknownAtNode?: string;
}

/** The rows that an answer uses. */
export interface RowRange {
  /** A row counts if it is in one of these. */
  readonly spans: readonly RangeEnds[];
  /** The range of the answer and that of the files, one sentence each. */
  readonly notes: readonly string[];
  /** Whether the files were exported for other times, so missing rows prove nothing; undefined if unknown. */
  readonly isOutside: boolean | undefined;
  /** The requested range and what the files cover, where a range was named. */
  readonly ends?: { readonly asked: RangeEnds; readonly covered: RangeEnds };
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
  // Only exports have a range that a user asked for.
  const own = partsByRange(table, table.runs === undefined ? saved.ranges : []);
  const spans = exportedSpans(own);
  const [from, to] = [values.from, values.to].map(text => text?.trim());
  if (values.isWhole === true) {
    const whole = `range: everything in ${sourceText(table)}${exportedRangesText(own)}`;
    return { spans: [UNBOUNDED_SPAN], notes: [whole, filesNote(table)], isOutside: false };
  }
  if (from === undefined && to === undefined)
    return { spans, notes: [exportedRangeNote(own, table), filesNote(table)], isOutside: false };
  const known = { ...saved, hasEpochs, table };
  const first = from === undefined ? earliest(spans) : readEnd({ flag: '--from', text: from, bound: 'from' }, known);
  const last = to === undefined ? latest(spans) : readEnd({ flag: '--to', text: to, bound: 'to' }, known);
  const isBeyond = isEmptyRange({ from: first, until: last });
  // If one end is outside the exported range, the range extends to the end of the files.
  const named: RangeEnds = {
    from: from === undefined && isBeyond ? null : first,
    until: to === undefined && isBeyond ? null : last,
  };
  if (from !== undefined && to !== undefined && isEmptyRange(named))
    throw new AnswerError(`the range begins after it ends: ${from} is later than ${to}`, 'change --from or --to');
  const scopeText = (end: RangeEnd | null): string => (end === null ? sourceText(table) : 'the exported range');
  const ends = `from ${from ?? `the beginning of ${scopeText(named.from)}`} to ${to ?? `the end of ${scopeText(named.until)}`}`;
  const covered = table.runs?.map(run => coveredByRun(run, table)) ?? own.map(coveredSpan);
  const isKnown = covered.some(({ from: first, until }) => first !== null || until !== null);
  const isOutside = isKnown ? covered.every(piece => areSpansApart(named, piece)) : undefined;
  const outside =
    isOutside === true ? `; ${table.runs ? 'the history on disk has' : 'these files have'} no part of the range` : '';
  return {
    spans: [named],
    notes: [
      `range: ${ends}${timesText(named)}${outside}${exportedRangesText(own)}`,
      filesNote(table),
      ...(hasEpochs ? [] : missingEpochNotes({ ...(from && { from }), ...(to && { to }) }, known)),
      ...(isOutside === true ? [] : beyondNotes(named, covered, table)),
    ],
    isOutside,
    ends: { asked: named, covered: wholeSpan(covered) },
  };
}

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
    ...(from === null ? [] : endSql(from, times, AFTER)),
    ...(until === null ? [] : endSql(until, times, BEFORE)),
  ]);
  if (conditions.some(each => each.length === 0)) return [];
  const [only = [], ...others] = conditions;
  return others.length === 0 ? only : [`(${conditions.map(each => each.join(' AND ')).join('\n    OR ')})`];
}

/** SQL for the time of a row: the time of its block and, if such columns exist, its day and epoch. */
interface RowTimes {
  readonly dialect: Dialect;
  readonly time: string;
  readonly day?: string | undefined;
  readonly epoch?: string | undefined;
}

const AFTER = { time: '>=', whole: '>=' } as const;
const BEFORE = { time: '<', whole: '<=' } as const;

function endSql(
  end: RangeEnd,
  { dialect, time, day, epoch }: RowTimes,
  than: typeof AFTER | typeof BEFORE,
): readonly string[] {
  if (end.epoch !== null && epoch !== undefined) return [`${epoch} ${than.whole} ${BigInt(end.epoch)}`];
  const moment = end.ns === null ? '' : engineTime(end.ns);
  // Nothing of the day that begins at this moment: an engine would open its files.
  const ofDay = than === BEFORE && MIDNIGHT.test(moment) ? than.time : than.whole;
  return [
    ...(day === undefined ? [] : [`${day} ${ofDay} DATE ${dialect.text(moment.slice(0, 10))}`]),
    `${time} ${than.time} ${dialect.time(moment)}`,
  ];
}

const MIDNIGHT = / 00:00:00\.0+$/;

/** SQL conditions that a row is before a moment. */
export const beforeConditions = (untilNs: bigint, times: RowTimes): readonly string[] =>
  endSql({ ns: untilNs, epoch: null }, times, BEFORE);

const sourceText = ({ runs }: DatasetTable): string => (runs === undefined ? 'the files' : 'the history on disk');

const UNBOUNDED_SPAN: RangeEnds = { from: null, until: null };

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
function exportedSpans(own: readonly PartsOfRange[]): readonly RangeEnds[] {
  const spans = own.map(part => {
    const rows = own.length === 1 ? UNBOUNDED_SPAN : rowsSpan(part);
    return {
      from: savedRangeEnd(part.exported?.from ?? null) ?? rows.from,
      until: savedRangeEnd(part.exported?.until ?? null) ?? rows.until,
    };
  });
  return spans.length === 0 ? [UNBOUNDED_SPAN] : spans;
}

/** From the first row to the last one. */
const rowsSpan = ({ firstTime, lastTime }: Pick<PartsOfRange, 'firstTime' | 'lastTime'>): RangeEnds => {
  const [from, last] = [savedTimeNs(firstTime), savedTimeNs(lastTime)];
  return {
    from: from === null ? null : { ns: from, epoch: null },
    until: last === null ? null : { ns: afterRow(last), epoch: null },
  };
};

/** The first moment after the time of a row. */
export const afterRow = (ns: bigint): bigint => ns + 1000n;

/** A moment in the engine's format: `2026-10-01 12:00:00.000000`. */
export const engineTime = (ns: bigint): string => rowTime(ns).replace('T', ' ').replace('Z', '');

/** From the beginning of the earliest to the end of the latest. */
export const wholeSpan = (spans: readonly RangeEnds[]): RangeEnds => ({ from: earliest(spans), until: latest(spans) });

const byTime = (one: RangeEnd, other: RangeEnd): number => ((one.ns ?? 0n) < (other.ns ?? 0n) ? -1 : 1);

const earliest = (spans: readonly RangeEnds[]): RangeEnd | null =>
  spans.some(({ from }) => from === null)
    ? null
    : (spans.flatMap(({ from }) => from ?? []).toSorted(byTime)[0] ?? null);

const latest = (spans: readonly RangeEnds[]): RangeEnd | null =>
  spans.some(({ until }) => until === null)
    ? null
    : (spans
        .flatMap(({ until }) => until ?? [])
        .toSorted(byTime)
        .at(-1) ?? null);

interface KnownEpochs extends Pick<SavedRanges, 'epochs' | 'unknownAtNode'> {
  readonly hasEpochs: boolean;
  readonly table: DatasetTable;
}

interface TypedEnd {
  readonly flag: string;
  readonly text: string;
  readonly bound: Bound;
}

/** The first moment after the requested one: an epoch, a day or a minute counts to its end. */
export function parseMoment(flag: string, text: string, known: Omit<KnownEpochs, 'hasEpochs'>): bigint {
  return readEnd({ flag, text, bound: 'to' }, { ...known, hasEpochs: false }).ns ?? 0n;
}

function readEnd({ flag, text, bound }: TypedEnd, known: KnownEpochs): RangeEnd {
  const { epochs, hasEpochs, unknownAtNode, table } = known;
  const place = parseNamedRangeEnd(text);
  if (place === undefined)
    throw new AnswerError(
      `${flag} must be an epoch, a day or a time in UTC, not "${text}"`,
      'for example e20, 2026-10-01, or "2026-10-01 12:00"',
    );
  const end = rangeEnd(place, bound, seq => epochs.find(each => each.seq === seq));
  if (end.ns !== null || hasEpochs) return end;
  const between = flag === '--at' ? undefined : endBetweenRows(end, bound, known);
  if (between !== undefined) return between;
  if (unknownAtNode !== undefined)
    throw new AnswerError(
      `the times of epoch ${end.epoch} are not saved, and ${unknownAtNode}`,
      'give a date or time instead of the epoch, or use another node of this chain',
    );
  const there = epochRuns(epochs).join(', ');
  if (table.runs !== undefined)
    throw new AnswerError(
      `${flag} e${end.epoch}: this epoch is not on disk${there && ` (only ${there})`}`,
      `fetch it: ${epochHint(table, end, flag === '--at' ? 'up-to' : 'only')}, or give a date or time instead`,
    );
  throw new AnswerError(
    `${flag} e${end.epoch}: the times of this epoch are not saved with these exports${there && ` (only those of ${there})`}`,
    'add a node that knows it (--node URL), or give a date or time instead of the epoch',
  );
}

const epochHint = ({ name }: DatasetTable, { epoch }: Pick<RangeEnd, 'epoch'>, blocks: 'only' | 'up-to'): string =>
  `blockglass fetch --tables ${name}${blocks === 'only' ? ` --from e${epoch}` : ''} --to e${epoch}`;

/**
 * The end of a range at an epoch of a gap in the history: between the epochs next to it, where the table has no rows, every
 * moment gives the same answer. Undefined for exports, and where rows could be of that epoch.
 */
function endBetweenRows({ epoch }: RangeEnd, bound: Bound, { epochs, table }: KnownEpochs): RangeEnd | undefined {
  if (table.runs === undefined || epoch === null) return undefined;
  const ordered = epochs.toSorted((one, other) => (BigInt(one.seq) < BigInt(other.seq) ? -1 : 1));
  const below = ordered.findLast(({ seq }) => BigInt(seq) < BigInt(epoch));
  const above = ordered.find(({ seq }) => BigInt(seq) > BigInt(epoch));
  const low = savedTimeNs(below?.end ?? below?.start ?? null);
  const high = savedTimeNs(above?.start ?? null);
  const hasRows = table.parts.some(({ firstTime, lastTime }) => {
    const [first, last] = [savedTimeNs(firstTime), savedTimeNs(lastTime)];
    return first !== null && last !== null && (high === null || first < high) && (low === null || last >= low);
  });
  const ns = bound === 'from' ? (high ?? low) : (low ?? high);
  return hasRows || ns === null ? undefined : { ns, epoch };
}

/** The epochs that a range names and the history has not. */
function missingEpochNotes(values: Pick<RangeRequest['values'], 'from' | 'to'>, { epochs, table }: KnownEpochs) {
  if (table.runs === undefined) return [];
  return unsavedEpochs(values, { epochs }).map(
    epoch => `epoch ${epoch} is not on disk. To fetch it: ${epochHint(table, { epoch }, 'only')}`,
  );
}

/** `e1, e12..e280`: a history has hundreds of epochs. */
function epochRuns(epochs: KnownEpochs['epochs']): readonly string[] {
  const seqs = epochs.map(({ seq }) => BigInt(seq)).toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return joinRanges(seqs.map(seq => ({ from: seq, to: seq }))).map(({ from, to }) =>
    from === to ? `e${from}` : `e${from}..e${to}`,
  );
}

/** Epochs that a request names and whose times are not saved with the exports. */
export function unsavedEpochs(
  { from, to, at }: Pick<RangeRequest['values'], 'from' | 'to' | 'at'>,
  { epochs }: Pick<SavedRanges, 'epochs'>,
): readonly string[] {
  const known = new Set(epochs.map(({ seq }) => seq));
  const places = [from, to, at].map(text => parseNamedRangeEnd(text ?? ''));
  const named = places.flatMap(place => (place?.kind === 'epoch' ? place.seq : []));
  return [...new Set(named)].filter(seq => !known.has(seq));
}

/** The range of the files: the exported range and their rows, which may go beyond it. Null means unknown. */
function coveredSpan(part: PartsOfRange): RangeEnds {
  const rows = rowsSpan(part);
  const from = savedRangeEnd(part.exported?.from ?? null) ?? rows.from;
  const until = savedRangeEnd(part.exported?.until ?? null) ?? rows.until;
  return {
    from: isEarlierEnd(rows.from, from) ? rows.from : from,
    until: isEarlierEnd(until, rows.until) ? rows.until : until,
  };
}

/** The times of the blocks of a run, and those of its rows where they go beyond. */
function coveredByRun({ from, to, fromMs, toMs }: BlockRun, { parts }: DatasetTable): RangeEnds {
  const times = parts
    .filter(({ fromBlock, toBlock }) => from <= BigInt(fromBlock) && BigInt(toBlock) <= to)
    .flatMap(({ firstTime, lastTime }) => [savedTimeNs(firstTime), savedTimeNs(lastTime)])
    .filter(ns => ns !== null);
  const firsts = [...times, ...(fromMs === undefined ? [] : [BigInt(fromMs) * NS_PER_MS])];
  const lasts = [...times, ...(toMs === undefined ? [] : [BigInt(toMs) * NS_PER_MS])];
  const first = firsts.reduce((least, ns) => (ns < least ? ns : least), firsts[0] ?? 0n);
  const last = lasts.reduce((most, ns) => (ns > most ? ns : most), lasts[0] ?? 0n);
  return {
    from: firsts.length === 0 ? null : { ns: first, epoch: null },
    until: lasts.length === 0 ? null : { ns: afterRow(last), epoch: null },
  };
}

const NS_PER_MS = 1_000_000n;

const isEarlierEnd = (one: RangeEnd | null, other: RangeEnd | null): boolean =>
  one?.ns != null && other?.ns != null && one.ns < other.ns;

const areSpansApart = (asked: RangeEnds, covered: RangeEnds): boolean =>
  isEmptyRange({ from: asked.from, until: covered.until }) || isEmptyRange({ from: covered.from, until: asked.until });

/** The part of a requested range that may be missing, because it goes beyond both the exported range and the rows. */
function beyondNotes(
  { from, until }: RangeEnds,
  covered: readonly RangeEnds[],
  table: DatasetTable,
): readonly string[] {
  const { firstTime, lastTime, fromBlock, toBlock } = table;
  const { from: begin, until: end } = wholeSpan(covered);
  // Before the first block there is nothing.
  const isEarly = fromBlock !== '1' && firstTime !== null && isEarlierEnd(from, begin);
  const isLate = lastTime !== null && isEarlierEnd(end, until);
  return [
    ...(isEarly
      ? [
          `${sourceText(table)} ${table.runs ? 'begins' : 'begin'} at block ${fromBlock ?? '?'} (${firstTime}); earlier data in the range is not included`,
        ]
      : []),
    ...(isLate
      ? [
          `${sourceText(table)} ${table.runs ? 'ends' : 'end'} at block ${toBlock ?? '?'} (${lastTime}); later data in the range is not included`,
        ]
      : []),
  ];
}

function exportedRangeNote(own: readonly PartsOfRange[], table: DatasetTable): string {
  if (table.runs !== undefined) return `range: everything in ${sourceText(table)}`;
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

const rangeText = ({ name, from, until }: ExportRange): string =>
  `${name}${timesText({ from: savedRangeEnd(from), until: savedRangeEnd(until) })}`;

/** `2026-10-01 12:00:00`, with a fraction only if it has one. */
export const engineTimeText = (ns: bigint): string => engineTime(ns).replace(/\.?0+$/, '');

/** The start of a span and its exclusive end. */
function timesText({ from, until }: RangeEnds): string {
  const [first, last] = [from?.ns ?? null, until?.ns ?? null].map(ns => (ns === null ? null : engineTimeText(ns)));
  if (first === null && last === null) return '';
  return ` (${[first === null ? '' : `from ${first}`, last === null ? '' : `until ${last}`].filter(Boolean).join(' ')} UTC)`;
}

/** A monthly sum does not show that days are missing, so this note lists the rows used. */
function filesNote({ name, fromBlock, toBlock, firstTime, lastTime, runs }: DatasetTable): string {
  const times = firstTime === null || lastTime === null ? 'no row' : `rows of ${firstTime} to ${lastTime}`;
  const source = runs === undefined ? 'files' : 'history';
  return `${source}: ${name} of blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}, ${times}; no other data was used`;
}
