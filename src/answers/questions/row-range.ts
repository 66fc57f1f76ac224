import type { EpochTimes, ExportRange } from '../../directory/export-range.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sqlText } from '../engine/sql-text.ts';
import { momentOf } from './sql-parts.ts';

/** What is kept beside exports of the ranges that they were asked for. */
export interface KeptRanges {
  readonly ranges: readonly ExportRange[];
  /** Epochs whose times are known. */
  readonly epochs: readonly EpochTimes[];
}

/** The rows that an answer is made of. */
export interface RowRange {
  /** A row counts that is in one of them. */
  readonly spans: readonly Span[];
  /** The range of the answer and that of the files, a sentence each. */
  readonly notes: readonly string[];
}

/** Null where nothing bounds it. */
interface Span {
  readonly from: Bound | null;
  /** What begins there does not belong to it any more. */
  readonly until: Bound | null;
}

interface Bound {
  /** As the engine writes it, to the microsecond; null where only the epoch is known. */
  readonly time: string | null;
  /** The first epoch, or the last one; null where the bound is none of an epoch. */
  readonly epoch: string | null;
}

interface Asked {
  readonly table: DatasetTable;
  readonly values: {
    readonly from?: string;
    readonly to?: string;
    readonly at?: string;
    readonly isWhole?: boolean;
  };
  readonly kept: KeptRanges;
  /** Rows say themselves of which epoch they are. */
  readonly hasEpochs?: boolean;
}

/**
 * The range that was named; else the one that the exports were asked for, which may be smaller than that of the files. Throws
 * AnswerError for what is no range, and for an epoch whose times nobody knows.
 */
export function rowRange(asked: Asked): RowRange {
  const { table, values, kept, hasEpochs = false } = asked;
  // What lay somewhere at one moment is told by all rows until then.
  if (values.at !== undefined) return { spans: [EVERYTHING], notes: [filesNote(table)] };
  const own = ownRanges(table, kept.ranges);
  const spans = spansOf(own);
  const [from, to] = [values.from, values.to].map(text => text?.trim());
  if (values.isWhole === true)
    return { spans: [EVERYTHING], notes: [`range: everything in the files${askedFor(own)}`, filesNote(table)] };
  if (from === undefined && to === undefined) return { spans, notes: [ownNote(own), filesNote(table)] };
  const known = { epochs: kept.epochs, hasEpochs };
  const first = from === undefined ? earliest(spans) : firstOf('--from', from, known);
  const last = to === undefined ? latest(spans) : endOf('--to', to, known);
  const isBeyond = isEmpty({ from: first, until: last });
  // One end beyond what was asked for goes as far as the files do.
  const named: Span = {
    from: from === undefined && isBeyond ? null : first,
    until: to === undefined && isBeyond ? null : last,
  };
  if (from !== undefined && to !== undefined && isEmpty(named))
    throw new AnswerError(`--from ${from} is later than --to ${to}`, 'change one of them');
  const ends = `from ${from ?? `the beginning of ${whose(named.from)}`} to ${to ?? `the end of ${whose(named.until)}`}`;
  const outside = isOutside(named, table) ? '; none of it lies in these files' : '';
  return { spans: [named], notes: [`range: ${ends}${timesText(named)}${outside}${askedFor(own)}`, filesNote(table)] };
}

/** Last epochs of the range: what they pay comes in the first block of the next one, outside the range. */
export const epochsPaidLater = ({ spans }: RowRange): readonly string[] =>
  spans
    .flatMap(({ until }) => until?.epoch ?? [])
    .filter(epoch => spans.every(({ from }) => from?.epoch !== String(BigInt(epoch) + 1n)));

/** Conditions that a row of such a time, and of such an epoch, is in the range. */
export function rowsWithin({ spans }: RowRange, time: string, epoch?: string): readonly string[] {
  const conditions = spans.map(({ from, until }) => [
    ...(from === null ? [] : [boundSql(from, { time, epoch, than: '>=', ofEpoch: '>=' })]),
    ...(until === null ? [] : [boundSql(until, { time, epoch, than: '<', ofEpoch: '<=' })]),
  ]);
  if (conditions.some(each => each.length === 0)) return [];
  const [only = [], ...others] = conditions;
  return others.length === 0 ? only : [`(${conditions.map(each => each.join(' AND ')).join('\n    OR ')})`];
}

interface Compared {
  readonly time: string;
  readonly epoch: string | undefined;
  readonly than: string;
  readonly ofEpoch: string;
}

const boundSql = (bound: Bound, { time, epoch, than, ofEpoch }: Compared): string =>
  bound.epoch !== null && epoch !== undefined
    ? `${epoch} ${ofEpoch} ${BigInt(bound.epoch)}`
    : `${time} ${than} TIMESTAMP ${sqlText(bound.time ?? '')}`;

const whose = (bound: Bound | null): string => (bound === null ? 'the files' : 'what was asked for');

const EVERYTHING: Span = { from: null, until: null };

/** Parts of a table that were exported for one range; undefined where that is not known. */
interface OwnRange {
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly asked: ExportRange | undefined;
}

/** An archive belongs to the range that was kept for its blocks; where two say so that differ, neither is believed. */
function ownRanges({ name, parts }: DatasetTable, ranges: readonly ExportRange[]): readonly OwnRange[] {
  const joined: OwnRange[] = [];
  for (const { fromBlock, toBlock, firstTime, lastTime } of parts) {
    const holds = (range: ExportRange): boolean =>
      BigInt(range.fromBlock) <= BigInt(fromBlock) && BigInt(toBlock) <= BigInt(range.toBlock);
    const [first, ...others] = ranges.filter(range => range.table === name && holds(range));
    const asked = others.every(other => isSame(other, first)) ? first : undefined;
    const before = joined.at(-1);
    if (before === undefined || !isSame(before.asked, asked)) joined.push({ firstTime, lastTime, asked });
    else
      joined.splice(-1, 1, { asked, firstTime: before.firstTime ?? firstTime, lastTime: lastTime ?? before.lastTime });
  }
  return joined;
}

const isSame = (one: ExportRange | undefined, other: ExportRange | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Of several ranges each counts by itself: one without a bound ends with its rows. */
function spansOf(own: readonly OwnRange[]): readonly Span[] {
  const spans = own.map(({ firstTime, lastTime, asked }): Span => {
    const [first, last] = own.length === 1 ? [null, null] : [firstTime, lastTime];
    return {
      from: asked?.from ? { time: engineTime(asked.from.time), epoch: asked.from.epoch } : at(first),
      until: asked?.until ? { time: engineTime(asked.until.time), epoch: asked.until.epoch } : at(last, 1n),
    };
  });
  return spans.length === 0 ? [EVERYTHING] : spans;
}

const at = (iso: string | null, moreUs = 0n): Bound | null =>
  iso === null ? null : { time: later(engineTime(iso), moreUs), epoch: null };

/** `2026-10-01T12:00:00.000000Z` as the engine writes it. */
export const engineTime = (iso: string): string =>
  iso
    .replace('T', ' ')
    .replace('Z', '')
    .padEnd(26, iso.includes('.') ? '0' : '.000000');

/** So many microseconds later. */
export function later(time: string, us: bigint): string {
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

interface Known {
  readonly epochs: readonly EpochTimes[];
  readonly hasEpochs: boolean;
}

function firstOf(flag: string, text: string, known: Known): Bound {
  const seq = epochNamed(text);
  if (seq === undefined) return { time: momentOf(flag, text).first, epoch: null };
  const epoch = known.epochs.find(each => each.seq === seq);
  const time = epoch?.start ?? known.epochs.find(each => each.seq === String(BigInt(seq) - 1n))?.end ?? null;
  return epochBound(flag, seq, time, known);
}

/** A moment that a person named, with all of it: an epoch, a day or a minute to its end. */
export interface TimeBound {
  /** The first moment behind it. */
  readonly until: string;
}

export function momentOfTime(flag: string, text: string, { epochs }: KeptRanges): TimeBound {
  return { until: endOf(flag, text, { epochs, hasEpochs: false }).time ?? '' };
}

/** The end of what was named: the end of an epoch, of a day, of a minute. */
function endOf(flag: string, text: string, known: Known): Bound {
  const seq = epochNamed(text);
  if (seq === undefined) return { time: later(momentOf(flag, text).last, 1n), epoch: null };
  const epoch = known.epochs.find(each => each.seq === seq);
  const time = epoch?.end ?? known.epochs.find(each => each.seq === String(BigInt(seq) + 1n))?.start ?? null;
  return epochBound(flag, seq, time, known);
}

function epochBound(flag: string, seq: string, iso: string | null, { epochs, hasEpochs }: Known): Bound {
  if (iso !== null) return { time: engineTime(iso), epoch: seq };
  if (hasEpochs) return { time: null, epoch: seq };
  const there = epochs.map(epoch => `e${epoch.seq}`).join(', ');
  throw new AnswerError(
    `${flag} e${seq}: when this epoch begins and ends is not kept with these exports${there && ` (${there} are)`}`,
    'name a node that knows it (--node URL), or give a date or a time in place of the epoch',
  );
}

/** `20` of `e20`, `epoch 20`. */
export const epochNamed = (text: string): string | undefined => {
  const digits = /^(?:e|epoch)\s*0*(\d{1,18})$/i.exec(text.trim())?.[1];
  return digits;
};

function isEmpty({ from, until }: Span): boolean {
  if (from?.epoch && until?.epoch) return BigInt(from.epoch) > BigInt(until.epoch);
  return from?.time != null && until?.time != null && from.time >= until.time;
}

function isOutside({ from, until }: Span, { firstTime, lastTime }: DatasetTable): boolean {
  if (firstTime === null || lastTime === null) return false;
  const isBehind = from?.time != null && from.time > engineTime(lastTime);
  return isBehind || (until?.time != null && until.time <= engineTime(firstTime));
}

function ownNote(own: readonly OwnRange[]): string {
  const names = [...new Set(own.flatMap(({ asked }) => (asked === undefined ? [] : [rangeText(asked)])))];
  const unknown = own.filter(({ asked }) => asked === undefined).length;
  if (names.length === 0) return `range: everything in the files: ${NOT_KNOWN}`;
  const each = names.length > 1 ? 'each export counts in the range that it was asked for: ' : '';
  const rest = unknown === 0 ? '' : `; and all rows of what has no such range kept beside it`;
  return `range: ${each}${names.join('; ')}${names.length > 1 ? '' : ', as the export was asked for'}${rest}`;
}

const NOT_KNOWN = 'which range was asked for is not kept with them (an older export, or one without its .names.json)';

function askedFor(own: readonly OwnRange[]): string {
  const names = [...new Set(own.flatMap(({ asked }) => (asked === undefined ? [] : [rangeText(asked)])))];
  return names.length === 0 ? '' : `; the export was asked for ${names.join('; ')}`;
}

function rangeText({ name, from, until }: ExportRange): string {
  return `${name}${timesText({ from: from && { ...from, time: engineTime(from.time) }, until: until && { ...until, time: engineTime(until.time) } })}`;
}

/** The first moment of a span, and the first one behind it. */
function timesText({ from, until }: Span): string {
  const [first, last] = [from?.time ?? null, until?.time ?? null].map(time => time?.replace(/\.?0+$/, '') ?? null);
  if (first === null && last === null) return '';
  return ` (${[first === null ? '' : `from ${first}`, last === null ? '' : `until ${last}`].filter(Boolean).join(' ')} UTC)`;
}

/** A sum by month says nothing of the days of that month which are not there: what there is stands beside it. */
function filesNote({ name, fromBlock, toBlock, firstTime, lastTime }: DatasetTable): string {
  const times = firstTime === null || lastTime === null ? 'no row' : `rows of ${firstTime} to ${lastTime}`;
  return `files: ${name} of blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}, ${times}; nothing outside of that is in the answer`;
}
