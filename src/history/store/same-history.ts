import { shortenName } from '../../base/text/shorten-name.ts';
import type { Segment } from '../../chain/range/segment-history.ts';
import type { SliceRecord } from '../manifest/manifest.ts';
import { type ChainHistory, lastFetched, sliceRange } from './chain-history.ts';

/** What a node says of its chain. */
interface NodeChain {
  readonly chainId: string;
  /** Null when it does not say. */
  readonly genesisTime: string | null;
  /** Its segments, oldest first; empty when it lists none. */
  readonly segments: readonly Segment[];
}

/** Whether a history on disk and that of a node are one. Reasons may hold words of the node. */
type Sameness =
  /** Ids of segments prove it. */
  | { readonly kind: 'same' }
  /** Nothing contradicts it, but no segment proves it. */
  | { readonly kind: 'unproven' }
  /** It only has the same chain id. */
  | { readonly kind: 'other-chain'; readonly reason: string }
  | { readonly kind: 'conflict'; readonly reason: string };

/** Compares a history on disk with that of a node of the same chain id. */
function compareHistories(stored: ChainHistory, node: NodeChain): Sameness {
  const [known, said] = [stored.genesisTime, node.genesisTime].map(time => (time === null ? null : Date.parse(time)));
  if (known !== null && said !== null && known !== said)
    return {
      kind: 'other-chain',
      reason: `its genesis is ${node.genesisTime}, that of the history on disk ${stored.genesisTime}`,
    };
  const byEnd = new Map(node.segments.map((segment, index) => [segment.toHeight, index]));
  const byStart = new Map(node.segments.map((segment, index) => [segment.fromHeight, index]));
  let isProven = false;
  let conflict: string | undefined;
  for (const { table, slices } of stored.tables) {
    for (const slice of slices) {
      const difference = compareSlice(slice, { segments: node.segments, byStart, byEnd });
      if (difference === 'same') isProven = true;
      if (typeof difference === 'string') continue;
      const reason = `${difference.text} (${table}, fetched ${slice.finished.slice(0, 10)})`;
      // One that starts otherwise is another chain, wherever else they differ.
      if (difference.isStart) return { kind: 'other-chain', reason };
      conflict ??= reason;
    }
  }
  if (conflict !== undefined) return { kind: 'conflict', reason: conflict };
  return { kind: isProven ? 'same' : 'unproven' };
}

interface ListedSegments {
  readonly segments: readonly Segment[];
  /** Their places in the list. */
  readonly byStart: ReadonlyMap<bigint, number>;
  readonly byEnd: ReadonlyMap<bigint, number>;
}

interface Difference {
  readonly text: string;
  /** It is in the segment that starts the chain. */
  readonly isStart: boolean;
}

function compareSlice(slice: SliceRecord, listed: ListedSegments): 'same' | 'unknown' | Difference {
  const { from, to } = sliceRange(slice);
  const ids = slice.segmentIds ?? [];
  const [firstId, lastId] = [ids[0], ids.at(-1)];
  if (firstId === undefined || lastId === undefined) return 'unknown';
  const { segments, byStart, byEnd } = listed;
  let isProven = false;
  let difference: Difference | undefined;
  for (const { segment, id } of pairs(ids, { from, to }, listed)) {
    if (segment.historySegmentId === id) isProven = id !== '' || isProven;
    else
      difference = {
        text: `blocks ${segment.fromHeight} to ${segment.toHeight} are segment ${name(segment.historySegmentId)} on this node, and ${name(id)} on disk`,
        isStart: segment.fromHeight <= 1n || difference?.isStart === true,
      };
  }
  if (difference !== undefined) return difference;
  const before = segments[byEnd.get(from - 1n) ?? -1];
  const link = slice.previousSegmentId ?? '';
  if (before !== undefined && link !== '') {
    if (before.historySegmentId === link) isProven = true;
    else
      return {
        text: `the segment before block ${from} is ${name(before.historySegmentId)} on this node, and ${name(link)} on disk`,
        isStart: false,
      };
  }
  const after = segments[byStart.get(to + 1n) ?? -1];
  if (after !== undefined && after.previousHistorySegmentId !== '' && lastId !== '') {
    if (after.previousHistorySegmentId === lastId) isProven = true;
    else
      return {
        text: `the segment before block ${to + 1n} is ${name(after.previousHistorySegmentId)} on this node, and ${name(lastId)} on disk`,
        isStart: false,
      };
  }
  return isProven ? 'same' : 'unknown';
}

const name = (id: string): string => (id === '' ? 'without an id' : shortenName(id));

/**
 * Recorded ids paired with the segments that the node lists for the same blocks. A node may have only the last or the first
 * segment of a slice; where neither fits, nothing is compared.
 */
function* pairs(
  ids: readonly string[],
  { from, to }: { readonly from: bigint; readonly to: bigint },
  { segments, byStart, byEnd }: ListedSegments,
): Generator<{ readonly segment: Segment; readonly id: string }> {
  const end = byEnd.get(to);
  if (end !== undefined) {
    let next = to + 1n;
    for (let back = 0; back < ids.length; back++) {
      const [segment, id] = [segments[end - back], ids.at(-1 - back)];
      if (segment === undefined || id === undefined || segment.toHeight + 1n !== next || segment.fromHeight < from)
        return;
      yield { segment, id };
      next = segment.fromHeight;
    }
    return;
  }
  const start = byStart.get(from);
  if (start === undefined) return;
  let next = from;
  for (const [offset, id] of ids.entries()) {
    const segment = segments[start + offset];
    if (segment === undefined || segment.fromHeight !== next || segment.toHeight > to) return;
    yield { segment, id };
    next = segment.toHeight + 1n;
  }
}

/** The history on disk that the node continues; `conflict` if it contradicts the only candidate. */
export type HistoryMatch =
  | { readonly kind: 'found'; readonly history: ChainHistory; readonly isProven: boolean }
  | { readonly kind: 'conflict'; readonly history: ChainHistory; readonly reason: string }
  /** `others` are of the same chain id, with what tells them from this one. */
  | { readonly kind: 'none'; readonly others: readonly { readonly history: ChainHistory; readonly reason: string }[] };

/** Finds the history of a node among those on disk: one that its segments prove, else one that nothing contradicts. */
export function matchHistory(histories: readonly ChainHistory[], node: NodeChain): HistoryMatch {
  const compared = histories
    .filter(({ chainId }) => chainId === node.chainId)
    .toSorted((one, other) => (lastFetched(one) < lastFetched(other) ? 1 : -1))
    .map(history => ({ history, sameness: compareHistories(history, node) }));
  const proven = compared.find(({ sameness }) => sameness.kind === 'same');
  if (proven !== undefined) return { kind: 'found', history: proven.history, isProven: true };
  for (const { history, sameness } of compared)
    if (sameness.kind === 'conflict') return { kind: 'conflict', history, reason: sameness.reason };
  const possible = compared.find(({ sameness }) => sameness.kind === 'unproven');
  if (possible !== undefined) return { kind: 'found', history: possible.history, isProven: false };
  return {
    kind: 'none',
    others: compared.flatMap(({ history, sameness }) =>
      sameness.kind === 'other-chain' ? [{ history, reason: sameness.reason }] : [],
    ),
  };
}

/** What to say and do about a conflict. */
export const conflictText = ({ history, reason }: Extract<HistoryMatch, { readonly kind: 'conflict' }>): string =>
  `this node has another history of ${history.chainId} than ${history.folder}: ${reason}. Nothing was fetched. Use a node of the history on disk${history.nodes.length === 0 ? '' : ` (${history.nodes.at(-1)?.address})`}, or keep this one apart with --history DIR`;
