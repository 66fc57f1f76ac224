import { PageTooLargeError } from '../../api/errors.ts';
import type { FeeRow } from '../../insight/paid-fees.ts';
import {
  type Filter,
  type FilterValues,
  filterProblem,
  lengthWarnings,
  normalizeValue,
} from '../../resources/filter.ts';
import { MAX_PAGE_SIZE } from '../../resources/page-request.ts';
import { paidLiquidityFees, readFeeRow } from '../../resources/paid-liquidity-fees.ts';
import type { Resource } from '../../resources/resource.ts';
import type { FeeNode, FeeQuery } from './fee-node.ts';

export interface FeePage {
  /** In the node's order. */
  readonly rows: readonly FeeRow[];
  /** The node may have more. */
  readonly isCut: boolean;
}

/** Cursors do not work in this list, so the page is as large as the node can send. */
export async function fetchLargestPage(node: FeeNode, filters: FilterValues, most = MAX_PAGE_SIZE): Promise<FeePage> {
  for (let size = most; ; size = Math.ceil(size / 2)) {
    try {
      const first = { size, newestFirst: true, position: { kind: 'first' } } as const;
      const { rows, hasNextPage } = await node.page(FEES, { filters, ...first });
      return { rows: rows.map(readFeeRow).map(inUsualForm), isCut: hasNextPage || rows.length >= size };
    } catch (error) {
      if (!(error instanceof PageTooLargeError) || size === 1) throw error;
    }
  }
}

/** Ids that differ only in case are the same. */
const inUsualForm = (row: FeeRow): FeeRow => ({
  ...row,
  market: feeId('marketId', row.market) || row.market,
  asset: feeId('assetId', row.asset) || row.asset,
});

/** Rows are not checked against filters: rows of other epochs tell how the node works, and an AMM is another party. */
const unchecked = ({ textsIn: _, ...filter }: Filter): Filter => filter;

const more = (name: string, kind: Filter['kind']): Filter => ({ name, title: name, kind, meaning: '' });

/** The list with the filters of v0.77 and later (protocol.md section 1.3), which older nodes ignore. */
const FEES: Resource = {
  ...paidLiquidityFees,
  filters: [
    ...paidLiquidityFees.filters.map(unchecked),
    more('epochFrom', 'epoch'),
    more('epochTo', 'epoch'),
    more('includeDerivedParties', 'boolean'),
  ],
  paging: { ...paidLiquidityFees.paging, inOrder: rows => rows },
};

/** An id in the form it is requested in; '' if it is not an id. */
export function feeId(name: 'partyIds' | 'marketId' | 'assetId', text: string): string {
  const filter = paidLiquidityFees.filters.find(candidate => candidate.name === name);
  return filter === undefined || filterProblem(filter, text) !== undefined ? '' : normalizeValue(filter, text);
}

/** Why a query finds nothing: the node answers the beginning of an id with no rows. Undefined for whole ids. */
export function incompleteIdProblem({ party, market, asset }: FeeQuery): string | undefined {
  const values = { partyIds: [party], marketId: [market], assetId: [asset] };
  const [odd] = lengthWarnings(paidLiquidityFees.filters, values);
  return odd && `${odd}: only a whole ID finds fees`;
}
