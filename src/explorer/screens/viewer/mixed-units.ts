import type { OpenTable } from './state.ts';

/**
 * Why the numbers of a column may not add up: they belong to several assets or markets, each with its own decimals.
 * Undefined if they belong to one, or if that is unknown; in the rows of a look, those shown where it is left out.
 */
export function mixedUnitsOf(
  open: OpenTable,
  column: string,
  look = open.view.shown.look,
): 'asset' | 'market' | undefined {
  const { table } = open;
  const unit = table.columns.find(({ name }) => name === column)?.unit ?? '';
  const what = unitEntity(unit);
  if (what === undefined) return undefined;
  const tells = unitColumnPattern(open, what);
  const isOne = look.filters.some(({ column: name, value }) => value !== null && tells.test(name));
  return isOne ? undefined : what;
}

/** The columns whose value determines the asset or market of a number. */
function unitColumnPattern({ table }: OpenTable, what: 'asset' | 'market'): RegExp {
  const isToldByAsset = what === 'asset' && table.columns.some(({ name }) => ASSET.test(name));
  return isToldByAsset ? ASSET : ONE_ASSET;
}

/** Whether the numbers of a column are in smallest units: always in files, in answers only if their unit is given so. */
export function isInSmallestUnits({ table }: OpenTable, name: string): boolean {
  const column = table.columns.find(known => known.name === name);
  return column?.isAnswer !== true || column.unit.startsWith('smallest');
}

function unitEntity(unit: string): 'asset' | 'market' | undefined {
  if (/^(?:market|position) decimals| of the market$/.test(unit)) return 'market';
  return /asset/.test(unit) && !/staking token/.test(unit) ? 'asset' : undefined;
}

const ASSET = /^asset(?:_id)?$/;
// A market settles in one asset, and an account holds one.
const ONE_ASSET = /^(?:market|market_id|account_id|account_from_id|account_to_id)$/;
