import { shortenName } from '../../base/text/shorten-name.ts';
import { isJsonArray, type Json, jsonText, member } from '../api/json.ts';
import type { Reply } from '../api/reply.ts';
import { blocksBehindText } from '../insight/count-of.ts';
import { joinRanges, type Range, rangeLabel } from '../insight/range.ts';
import { breaksText, type ChainBreak, findChainBreaks } from './segment-links.ts';

/** The history that a node lists: its segments, spans and gaps (export-behaviour.md section 2.2). */
export interface History {
  /** Readable segments, oldest first. */
  readonly segments: readonly Segment[];
  readonly spans: readonly BlockSpan[];
  /** Missing blocks between the spans. */
  readonly gaps: readonly Range[];
  /** Blocks that are in more than one segment. */
  readonly overlaps: readonly Range[];
  /** Where segments do not follow from one another, oldest first. */
  readonly breaks: readonly ChainBreak[];
  /** Chain ids of the segments, oldest first. */
  readonly chains: readonly string[];
  /** Number of list items that are not valid segments. */
  readonly unreadable: number;
  /** The newest block of the node, from the header of the same answer; null when absent. */
  readonly head: bigint | null;
}

/** Reads the answer to SEGMENTS_REQUEST; undefined when it has no list of segments. */
export function readSegmentHistory({ json, facts }: Pick<Reply, 'json' | 'facts'>): History | undefined {
  const segments = readSegments(json);
  if (segments === undefined) return undefined;
  const head = facts.blockHeight === undefined ? null : BigInt(facts.blockHeight);
  return createHistory(segments, { unreadable: countUnreadable(json), head, hasLinks: hasLinks(json) });
}

interface ListingDetails extends Pick<History, 'unreadable' | 'head'> {
  /** False if no segment has the member with the id of the previous one. */
  readonly hasLinks: boolean;
}

/** The history of these segments, given oldest first. */
export function createHistory(
  segments: readonly Segment[],
  { unreadable = 0, head = null, hasLinks = true }: Partial<ListingDetails> = {},
): History {
  const gaps: Range[] = [];
  const overlaps: Range[] = [];
  let end: bigint | undefined;
  for (const { fromHeight, toHeight } of segments) {
    if (end !== undefined && fromHeight > end + 1n) gaps.push({ from: end + 1n, to: fromHeight - 1n });
    if (end !== undefined && fromHeight <= end)
      overlaps.push({ from: fromHeight, to: toHeight < end ? toHeight : end });
    if (end === undefined || toHeight > end) end = toHeight;
  }
  const chains = [...new Set(segments.map(({ chainId }) => chainId))];
  const breaks = hasLinks ? findChainBreaks(segments) : [];
  return {
    segments,
    spans: contiguousSpans(segments),
    gaps,
    overlaps: joinRanges(overlaps),
    breaks,
    chains,
    unreadable,
    head,
  };
}

/** A remark on a history, for the user. */
interface HistoryNote {
  readonly label: string;
  readonly text: string;
}

/** Remarks on a history; none when it has no gaps and no faults. */
export function segmentNotes(history: History): readonly HistoryNote[] {
  const { segments, gaps, overlaps, breaks, chains, unreadable } = history;
  const broken = breaksText(breaks);
  const note = (label: string, text: string): readonly HistoryNote[] => [{ label, text }];
  const [newest, lag] = [newestSegmentBlock(segments), historyLag(history)];
  const isComplete = gaps.length === 0 && unreadable === 0 && chains.length < 2 && broken === undefined;
  const first = segments[0]?.fromHeight ?? 1n;
  const from = first > 1n && isComplete ? `from block ${first} ` : '';
  return [
    ...(unreadable === 0 ? [] : note('unreadable', unreadableText(unreadable, segments.length + unreadable))),
    ...(gaps.length === 0
      ? []
      : note('missing', `blocks ${listFewRanges(gaps)}${unreadable === 0 ? '' : ' (only readable segments counted)'}`)),
    ...(overlaps.length === 0 ? [] : note('overlap', `blocks ${listFewRanges(overlaps)} are in more than one segment`)),
    ...(broken === undefined ? [] : note('links', broken)),
    ...(chains.length < 2
      ? []
      : note('chains', `segments of ${chains.length} chains: ${listFew(chains.map(displayChainId))}`)),
    ...(lag === '' ? [] : note('history', `${isComplete ? 'complete ' : ''}${from}up to block ${newest} (${lag})`)),
  ];
}

const newestSegmentBlock = (segments: readonly Segment[]): bigint =>
  segments.reduce((most, { toHeight }) => (toHeight > most ? toHeight : most), 0n);

/** How far the history ends from the latest block: `31 blocks behind the latest, 23531`; '' if it ends there, or if that is unknown. */
export function historyLag({ segments, head }: Pick<History, 'segments' | 'head'>): string {
  if (head === null || segments.length === 0) return '';
  const behind = head - newestSegmentBlock(segments);
  if (behind === 0n) return '';
  return `${blocksBehindText(behind, 'the latest')}, ${head}`;
}

const displayChainId = (chainId: string): string => (chainId === '' ? 'no name' : shortenName(chainId));

const listFewRanges = (ranges: readonly Range[]): string => listFew(ranges.map(rangeLabel));

const listFew = (parts: readonly string[]): string =>
  parts.length <= MAX_LISTED_PARTS
    ? parts.join(', ')
    : `${parts.slice(0, MAX_LISTED_PARTS).join(', ')} and ${parts.length - MAX_LISTED_PARTS} more`;

const MAX_LISTED_PARTS = 3;

/** One stored part of the history (node-behaviour.md section 7.1). Heights are inclusive. */
export interface Segment {
  readonly fromHeight: bigint;
  readonly toHeight: bigint;
  readonly historySegmentId: string;
  readonly previousHistorySegmentId: string;
  readonly databaseVersion: string;
  readonly chainId: string;
}

/** The valid segments in an answer, oldest first; undefined when it has no list of segments. */
export function readSegments(answer: Json): readonly Segment[] | undefined {
  const segments = member(answer, 'segments');
  if (!isJsonArray(segments)) return undefined;
  return segments
    .flatMap(readSegment)
    .toSorted((a, b) => (a.fromHeight < b.fromHeight ? -1 : a.fromHeight > b.fromHeight ? 1 : 0));
}

/** Counts the list items that are not valid segments. */
function countUnreadable(answer: Json): number {
  const segments = member(answer, 'segments');
  return isJsonArray(segments) ? segments.filter(item => !isSegment(item)).length : 0;
}

/** Whether any segment has the member with the id of the previous one. */
function hasLinks(answer: Json): boolean {
  const segments = member(answer, 'segments');
  return isJsonArray(segments) && segments.some(item => member(item, 'previousHistorySegmentId') !== undefined);
}

/** The text with the number of segments in an answer that cannot be read; undefined when all can. */
export function unreadableSegmentsText(answer: Json): string | undefined {
  const segments = member(answer, 'segments');
  const unreadable = countUnreadable(answer);
  return isJsonArray(segments) && unreadable > 0 ? unreadableText(unreadable, segments.length) : undefined;
}

const unreadableText = (unreadable: number, listed: number): string =>
  `${unreadable} of the ${listed} segments cannot be read`;

/** Consecutive segments without a gap. */
export interface BlockSpan extends Range {
  readonly segments: readonly Segment[];
}

/** Joins segments as nodes do, so that both accept the same ranges (export-behaviour.md section 2.2). */
function contiguousSpans(segments: readonly Segment[]): readonly BlockSpan[] {
  const chains: { readonly from: bigint; to: bigint; readonly segments: Segment[] }[] = [];
  // Chains by their last block, so that thousands of gaps need no search.
  const ending = new Map<bigint, number[]>();
  const endsAt = (toHeight: bigint, index: number): void => {
    const there = ending.get(toHeight);
    if (there === undefined) ending.set(toHeight, [index]);
    else there.push(index);
  };
  for (const segment of segments) {
    const before = ending.get(segment.fromHeight - 1n) ?? [];
    const index = before.reduce((least, other) => Math.min(least, other), Number.POSITIVE_INFINITY);
    const chain = chains[index];
    if (chain === undefined) {
      endsAt(segment.toHeight, chains.length);
      chains.push({ from: segment.fromHeight, to: segment.toHeight, segments: [segment] });
      continue;
    }
    before.splice(before.indexOf(index), 1);
    endsAt(segment.toHeight, index);
    chain.to = segment.toHeight;
    chain.segments.push(segment);
  }
  return chains;
}

function readSegment(item: Json): readonly Segment[] {
  if (!isSegment(item)) return [];
  return [
    {
      fromHeight: BigInt(jsonText(member(item, 'fromHeight'))),
      toHeight: BigInt(jsonText(member(item, 'toHeight'))),
      historySegmentId: jsonText(member(item, 'historySegmentId')),
      previousHistorySegmentId: jsonText(member(item, 'previousHistorySegmentId')),
      databaseVersion: jsonText(member(item, 'databaseVersion')),
      chainId: jsonText(member(item, 'chainId')),
    },
  ];
}

/** Checks every member, as they go into requests, file names and the expected content of an archive. */
function isSegment(item: Json): boolean {
  const [from, to] = [jsonText(member(item, 'fromHeight')), jsonText(member(item, 'toHeight'))];
  return (
    isHeight(from) &&
    isHeight(to) &&
    BigInt(from) <= BigInt(to) &&
    /^\d{1,9}$/.test(jsonText(member(item, 'databaseVersion'))) &&
    TEXTS.every(name => ['string', 'undefined'].includes(typeof member(item, name)))
  );
}

const TEXTS = ['historySegmentId', 'previousHistorySegmentId', 'chainId'] as const;

const MAX_HEIGHT = 2n ** 63n - 1n;

const isHeight = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_HEIGHT;
