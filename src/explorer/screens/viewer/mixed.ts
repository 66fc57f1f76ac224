import type { OpenTable } from './state.ts';

/**
 * Why the numbers of a column may not add up: they belong to several assets or markets, each with its own decimals.
 * Undefined if they belong to one, or if that is unknown.
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

/** Whether the numbers of a column are in smallest units: files have them so, answers where they say so alone. */
export function isInSmallest({ table }: OpenTable, name: string): boolean {
  const column = table.columns.find(known => known.name === name);
  return column?.isAnswer !== true || column.unit.startsWith('smallest');
}

function mixedBy(unit: string): 'asset' | 'market' | undefined {
  if (/^(?:market|position) decimals| of the market$/.test(unit)) return 'market';
  return /asset/.test(unit) && !/staking token/.test(unit) ? 'asset' : undefined;
}

const ASSET = /^asset(?:_id)?$/;
// A market settles in one asset, and an account holds one.
const ONE_ASSET = /^(?:market|market_id|account_id|account_from_id|account_to_id)$/;
