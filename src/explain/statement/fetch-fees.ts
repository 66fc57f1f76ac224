import { PageTooLargeError, RefusedError } from '../../api/errors.ts';
import { jsonText, member } from '../../api/json.ts';
import type { Directory } from '../../directory/directory.ts';
import { epochNumber } from '../../insight/paid-fees.ts';
import type { FeeList } from '../../insight/statement-line.ts';
import { MAX_PAGE_SIZE } from '../../resources/page-request.ts';
import { feeRowOf, paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import type { RowPage } from '../../resources/resource.ts';
import { type CountedNode, countedNode, type FeeNode, type FeePair, type FeeQuestion } from './fee-question.ts';
import { findPairs } from './paid-pairs.ts';

/** Everything that was asked for a statement; what it says of some epochs is made of this, with no further request. */
export interface FetchedFees {
  readonly question: FeeQuestion;
  readonly lists: readonly FeeList[];
  /** The epoch that the node is in; undefined where it was not asked or does not say. */
  readonly epochNow: bigint | undefined;
  /** The newest epoch with fees that is known. */
  readonly newestPaid: bigint | undefined;
  readonly requests: number;
  readonly notes: readonly string[];
}

export interface FetchFees {
  readonly directory: Directory;
  /** Told before each request: the how many-th it is, and of how many where that is known. */
  readonly onProgress: (progress: FeeProgress) => void;
}

export interface FeeProgress {
  readonly request: number;
  readonly of: number | null;
}

/** Asks for every epoch, market by market, in as few requests as that takes. Throws a NodeError. */
export async function fetchFees(question: FeeQuestion, node: FeeNode, options: FetchFees): Promise<FetchedFees> {
  let of: number | null = null;
  const counted = countedNode(node, request => options.onProgress({ request, of }));
  const epochNow = question.isCountedBack ? await epochOf(counted) : undefined;
  const found = await findPairs(question, counted, options.directory);
  of = counted.count() + found.pairs.length;
  const lists: FeeList[] = [];
  for (const pair of found.pairs) lists.push(await listOf(pair, question, counted));
  const epochs = lists.flatMap(({ rows }) => rows.flatMap(row => epochNumber(row.epochSeq) ?? []));
  return {
    question,
    lists,
    epochNow,
    newestPaid: epochs.reduce((most, epoch) => (most === undefined || epoch > most ? epoch : most), found.newestPaid),
    requests: counted.count(),
    notes: found.notes,
  };
}

/** A node can answer all else while its core, which knows the epoch, cannot be reached. */
async function epochOf(node: CountedNode): Promise<bigint | undefined> {
  try {
    const answer = await node.get({ path: 'statistics', query: [] });
    return epochNumber(jsonText(member(member(answer, 'statistics'), 'epochSeq')));
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

async function listOf({ market, asset }: FeePair, { party }: FeeQuestion, node: CountedNode): Promise<FeeList> {
  const filters = { marketId: [market], assetId: [asset], ...(party !== '' && { partyIds: [party] }) };
  const { rows, hasNextPage, size } = await largestPage(node, filters);
  return { market, asset, rows: rows.map(feeRowOf), isCut: hasNextPage || rows.length >= size };
}

/** No cursor leads on in this list, so that it is asked for as large as the node can send it. */
async function largestPage(
  node: CountedNode,
  filters: { readonly [name: string]: readonly string[] },
): Promise<Pick<RowPage, 'rows' | 'hasNextPage'> & { readonly size: number }> {
  for (let size = MAX_PAGE_SIZE; ; size = Math.ceil(size / 2)) {
    try {
      const first = { size, newestFirst: true, position: { kind: 'first' } } as const;
      const { rows, hasNextPage } = await node.page(paidLiquidityFees, { filters, ...first });
      return { rows, hasNextPage, size };
    } catch (error) {
      if (!(error instanceof PageTooLargeError) || size === 1) throw error;
    }
  }
}
