import type { OpenTable } from './state.ts';

/**
 * What the numbers of a column may be of more than one of, and so do not add up: amounts of assets, prices and sizes of
 * markets, each with decimals of its own. Undefined where they are of one, or nothing is known of them.
 */
export function mixedIn({ table, view }: OpenTable, column: string): 'asset' | 'market' | undefined {
  const unit = table.columns.find(({ name }) => name === column)?.unit ?? '';
  const what = mixedBy(unit);
  if (what === undefined) return undefined;
  const isToldByAsset = what === 'asset' && table.columns.some(({ name }) => ASSET.test(name));
  const tells = isToldByAsset ? ASSET : ONE_ASSET;
  const isOne = view.shown.look.filters.some(({ column: name, value }) => value !== null && tells.test(name));
  return isOne ? undefined : what;
}

function mixedBy(unit: string): 'asset' | 'market' | undefined {
  if (/^(?:market|position) decimals| of the market$/.test(unit)) return 'market';
  return /asset/.test(unit) && !/staking token/.test(unit) ? 'asset' : undefined;
}

const ASSET = /^asset(?:_id)?$/;
// A market settles in one asset, and an account holds one.
const ONE_ASSET = /^(?:market|market_id|account_id|account_from_id|account_to_id)$/;
