import type { Reply } from '../api/reply.ts';
import { shortName } from '../text/short-name.ts';
import {
  type BlockSpan,
  contiguousSpans,
  readSegments,
  type Segment,
  unreadableIn,
  unreadableText,
} from './segment.ts';

/** Blocks, both ends inclusive. */
export interface HeightRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** What a node's list of segments comes to. */
export interface History {
  /** Those that can be read, oldest first. */
  readonly segments: readonly Segment[];
  readonly spans: readonly BlockSpan[];
  /** Between the spans. */
  readonly gaps: readonly HeightRange[];
  /** Blocks that more than one segment holds. */
  readonly overlaps: readonly HeightRange[];
  /** Names of the chains that the segments are of, oldest first. */
  readonly chains: readonly string[];
  /** Items of the list that are no segments. */
  readonly unreadable: number;
  /** The newest block of the node, by the same answer; null where it does not say. */
  readonly head: bigint | null;
}

/** The one judgement of a list of segments, for whoever shows one; undefined when the answer holds no list. */
export function judgeSegments({ json, facts }: Pick<Reply, 'json' | 'facts'>): History | undefined {
  const segments = readSegments(json);
  if (segments === undefined) return undefined;
  const head = facts.blockHeight === undefined ? null : BigInt(facts.blockHeight);
  return historyOf(segments, { unreadable: unreadableIn(json), head });
}

/** Of segments, oldest first. */
export function historyOf(
  segments: readonly Segment[],
  { unreadable = 0, head = null }: Partial<Pick<History, 'unreadable' | 'head'>> = {},
): History {
  const gaps: HeightRange[] = [];
  const overlaps: HeightRange[] = [];
  let end: bigint | undefined;
  for (const { fromHeight, toHeight } of segments) {
    if (end !== undefined && fromHeight > end + 1n) gaps.push({ from: end + 1n, to: fromHeight - 1n });
    if (end !== undefined && fromHeight <= end)
      addRange(overlaps, { from: fromHeight, to: toHeight < end ? toHeight : end });
    if (end === undefined || toHeight > end) end = toHeight;
  }
  const chains = [...new Set(segments.map(({ chainId }) => chainId))];
  return { segments, spans: contiguousSpans(segments), gaps, overlaps, chains, unreadable, head };
}

/** Ranges come by where they begin: one that begins within the last one, or behind it, is joined to it. */
function addRange(ranges: HeightRange[], range: HeightRange): void {
  const last = ranges.at(-1);
  if (last === undefined || range.from > last.to + 1n) ranges.push(range);
  else if (range.to > last.to) ranges[ranges.length - 1] = { from: last.from, to: range.to };
}

/** One thing to know of a history before it is relied on. */
export interface HistoryNote {
  readonly label: string;
  readonly text: string;
}

/** What has to be known of a history, in the same words wherever it is shown; nothing where it is whole. */
export function segmentNotes({ segments, gaps, overlaps, chains, unreadable, head }: History): readonly HistoryNote[] {
  const note = (label: string, text: string): readonly HistoryNote[] => [{ label, text }];
  const newest = segments.reduce((most, { toHeight }) => (toHeight > most ? toHeight : most), 0n);
  const behind = head === null || segments.length === 0 ? 0n : head - newest;
  return [
    ...(unreadable === 0 ? [] : note('unreadable', unreadableText(unreadable, segments.length + unreadable))),
    ...(gaps.length === 0
      ? []
      : note('not kept', `blocks ${fewRanges(gaps)}${unreadable === 0 ? '' : ', as far as its segments can be read'}`)),
    ...(overlaps.length === 0 ? [] : note('overlap', `blocks ${fewRanges(overlaps)} are in more than one segment`)),
    ...(chains.length < 2 ? [] : note('chains', `segments of ${chains.length} chains: ${few(chains.map(chainName))}`)),
    ...(behind > 0n ? note('ends', `${behind} blocks below the newest block, ${head}`) : []),
    ...(behind < 0n ? note('ends', `${-behind} blocks above the newest block, ${head}`) : []),
  ];
}

const chainName = (chainId: string): string => (chainId === '' ? 'no name' : shortName(chainId));

const fewRanges = (ranges: readonly HeightRange[]): string =>
  few(ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)));

const few = (parts: readonly string[]): string =>
  parts.length <= MOST_NAMED
    ? parts.join(', ')
    : `${parts.slice(0, MOST_NAMED).join(', ')} and ${parts.length - MOST_NAMED} more`;

const MOST_NAMED = 3;
