import type { Client } from '../../chain/api/client.ts';
import type { EpochTimes } from '../../chain/directory/export-range.ts';
import type { Range } from '../../chain/insight/range.ts';
import { type LocatedBlock, locateBlock } from '../../chain/range/locate-block.ts';
import {
  isHeight,
  type NamedRange,
  NoTimesError,
  parseNamedRangeEnd,
  RangeEndError,
} from '../../chain/range/parse-range.ts';
import { addAvailableRanges, resolveRange } from '../../chain/range/resolve-range.ts';
import type { Boundaries } from '../../chain/range/segment-boundaries.ts';

/** A range to fetch: as an export names one, or with one open end. */
export type FetchRange = NamedRange | { readonly kind: 'open'; readonly from?: string; readonly to?: string };

interface FindRangeOptions {
  readonly client: Client;
  readonly range?: FetchRange | undefined;
  readonly signal: AbortSignal;
  readonly nowMs?: () => number;
}

type FoundRange = { readonly range: Range; readonly notes: readonly string[] } | { readonly problem: RangeProblem };

/** Why a range has no blocks on a node, and the flags that mend it. */
interface RangeProblem {
  readonly text: string;
  readonly flags?: string;
}

export const isFromStart = (range: FetchRange = { kind: 'all' }): boolean =>
  range.kind === 'all' || (range.kind === 'open' && range.from === undefined);

/** The ends of a range that are heights, so that nothing of the node is needed to find them. */
export function namedHeights(range: FetchRange = { kind: 'all' }) {
  const { from = '', to = '' } = range.kind === 'between' || range.kind === 'open' ? range : {};
  return { from: isHeight(from) ? BigInt(from) : undefined, to: isHeight(to) ? BigInt(to) : undefined };
}

/**
 * The blocks of a range. A node whose segments were searched may give no times either: then it is all of them. Throws
 * NodeError.
 */
export async function findRange(
  options: FindRangeOptions,
  boundaries: Boundaries,
  { isSearched, epochs }: SearchedNode,
): Promise<FoundRange> {
  const { client, range = { kind: 'all' }, signal, nowMs = Date.now } = options;
  try {
    if (range.kind === 'open' || range.kind === 'between') return await findBetween(range, options, boundaries);
    const { from, to } = await resolveRange(range, { asker: client, boundaries, nowMs: nowMs(), signal });
    const notes = range.kind === 'all' ? [] : [from.note, to.note].flatMap(note => note ?? []);
    return { range: { from: from.height, to: to.height }, notes };
  } catch (error) {
    if (!(error instanceof RangeEndError)) throw error;
    if (isSearched && error instanceof NoTimesError) {
      const epoch = unsavedEpoch(range, epochs);
      if (epoch !== undefined)
        return {
          problem: {
            text: `this node does not serve epochs, so ${epoch} cannot be found: give dates or times instead`,
          },
        };
      // The rows of blocks have times, but finding a date in them takes a dozen exports of whole segments for each end.
      const whole = await findRange({ ...options, range: { kind: 'all' } }, boundaries, { isSearched, epochs });
      return 'problem' in whole ? whole : { ...whole, notes: [NO_TIMES_NOTE] };
    }
    if (boundaries.kind === 'rule' && range.kind === 'all') return { problem: NOT_LISTED };
    return { problem: { text: addAvailableRanges(error, boundaries) } };
  }
}

interface SearchedNode {
  readonly isSearched: boolean;
  /** Those whose times are on disk, so that they can be asked for without the node. */
  readonly epochs: readonly Pick<EpochTimes, 'seq'>[];
}

/** The first epoch that a range names, and of which nothing is known. */
function unsavedEpoch(range: FetchRange, epochs: SearchedNode['epochs']): string | undefined {
  if (range.kind !== 'between' && range.kind !== 'open') return undefined;
  const named = [range.from, range.to].flatMap(text => (text === undefined ? [] : (parseNamedRangeEnd(text) ?? [])));
  const unsaved = named.find(place => place.kind === 'epoch' && !epochs.some(({ seq }) => seq === place.seq));
  return unsaved?.kind === 'epoch' ? `e${unsaved.seq}` : undefined;
}

const NO_TIMES_NOTE = 'the node does not report block times, so all blocks are fetched, not only the range';

const NOT_LISTED = {
  text: 'this node does not list its segments: give the first and the last block',
  flags: '--from HEIGHT --to HEIGHT',
} as const;

async function findBetween(
  { from, to }: { readonly from?: string; readonly to?: string },
  { client, signal }: FindRangeOptions,
  boundaries: Boundaries,
): Promise<FoundRange> {
  const [oldest, newest] = boundaries.kind === 'rule' ? [] : [boundaries.segments[0], boundaries.segments.at(-1)];
  if (oldest === undefined && (from === undefined || to === undefined)) return { problem: NOT_LISTED };
  const end = async (text: string | undefined, bound: 'from' | 'to', edge: bigint | undefined): Promise<FoundEnd> => {
    if (text === undefined) return { height: edge ?? 0n, note: null };
    if (isHeight(text)) return { height: BigInt(text), note: null };
    return locateBlock(client, text, bound, signal).catch((error: unknown) => {
      const isOutside = error instanceof RangeEndError && error.lies === (bound === 'from' ? 'before' : 'after');
      if (!isOutside || edge === undefined) throw error;
      return { height: edge, note: `${error.message}; fetching ${bound === 'from' ? 'from' : 'up to'} block ${edge}` };
    });
  };
  const [first, last] = [await end(from, 'from', oldest?.fromHeight), await end(to, 'to', newest?.toHeight)];
  const above = from !== undefined && newest !== undefined && first.height > newest.toHeight;
  if (above)
    return {
      problem: {
        text: `${from} is after the newest block in a segment of this node, ${newest.toHeight}: choose an earlier start, or wait for new segments`,
      },
    };
  if (first.height > last.height)
    return {
      problem: {
        text: `the first block ${first.height} is above the last block ${last.height}: put the earlier end first`,
      },
    };
  const notes = [first.note, last.note].flatMap(note => note ?? []);
  return { range: { from: first.height, to: last.height }, notes };
}

type FoundEnd = Pick<LocatedBlock, 'height'> & { readonly note: string | null };
