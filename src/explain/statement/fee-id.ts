import { filterProblem, normalValue } from '../../resources/filter.ts';
import { paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';

/** An id in the form it is requested in; '' if it is not an id. */
export function feeId(name: 'partyIds' | 'marketId' | 'assetId', text: string): string {
  const filter = paidLiquidityFees.filters.find(candidate => candidate.name === name);
  return filter === undefined || filterProblem(filter, text) !== undefined ? '' : normalValue(filter, text);
}
