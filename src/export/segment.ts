import { isJsonArray, type Json, jsonText, member } from '../api/json.ts';

/** A stretch of history that a node keeps (node-lists.md section 7.1). Heights are inclusive. */
export interface Segment {
  readonly fromHeight: bigint;
  readonly toHeight: bigint;
  readonly historySegmentId: string;
  readonly previousHistorySegmentId: string;
  readonly databaseVersion: string;
  readonly chainId: string;
}

export const SEGMENTS_REQUEST = { path: 'api/v2/networkhistory/segments', query: [] } as const;

/** The segments of an answer, oldest first; undefined when the answer holds no list of segments. */
export function readSegments(answer: Json): readonly Segment[] | undefined {
  const segments = member(answer, 'segments');
  if (!isJsonArray(segments)) return undefined;
  return segments
    .flatMap(readSegment)
    .toSorted((a, b) => (a.fromHeight < b.fromHeight ? -1 : a.fromHeight > b.fromHeight ? 1 : 0));
}

/** Items of the list in an answer that are no segments. */
export function unreadableIn(answer: Json): number {
  const segments = member(answer, 'segments');
  return isJsonArray(segments) ? segments.filter(item => !isSegment(item)).length : 0;
}

/** What is wrong with the list of segments in an answer, counted; undefined when all of it can be read. */
export function segmentsFlaw(answer: Json): string | undefined {
  const segments = member(answer, 'segments');
  const unreadable = unreadableIn(answer);
  return isJsonArray(segments) && unreadable > 0 ? unreadableText(unreadable, segments.length) : undefined;
}

export const unreadableText = (unreadable: number, listed: number): string =>
  `${unreadable} of the ${listed} segments cannot be read`;

/** Segments that follow each other without a gap. */
export interface BlockSpan {
  readonly fromHeight: bigint;
  readonly toHeight: bigint;
  readonly segments: readonly Segment[];
}

/** Joins segments the way nodes do (export-behaviour.md section 2.2), so that what we accept, they accept. */
export function contiguousSpans(segments: readonly Segment[]): readonly BlockSpan[] {
  const chains: { fromHeight: bigint; toHeight: bigint; segments: Segment[] }[] = [];
  // By where they end, so that a history with thousands of gaps is gone through once.
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
      chains.push({ fromHeight: segment.fromHeight, toHeight: segment.toHeight, segments: [segment] });
      continue;
    }
    before.splice(before.indexOf(index), 1);
    endsAt(segment.toHeight, index);
    chain.toHeight = segment.toHeight;
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

/** Every number and name of a segment goes into requests, file names and what is expected of an archive. */
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

const HIGHEST = 2n ** 63n - 1n;

const isHeight = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= HIGHEST;
