import { sqlName } from '../engine/sql-text.ts';
import type { Columns } from './sql-parts.ts';

const ALWAYS = ['maker_fee', 'infrastructure_fee', 'liquidity_fee'] as const;

/** Only in newer nodes. */
const SOMETIMES = ['buy_back_fee', 'treasury_fee', 'high_volume_maker_fee'] as const;

type Fee = (typeof ALWAYS)[number];

/** The fees of a trade: of one kind or all, of one side or both. */
export function feeOf(columns: Columns, fee?: Fee, side?: 'buyer' | 'seller'): string {
  const sides = side === undefined ? (['buyer', 'seller'] as const) : [side];
  const names = (kinds: readonly string[]) => sides.flatMap(of => kinds.map(kind => `${of}_${kind}`));
  const more = fee === undefined ? names(SOMETIMES).filter(name => columns.has(name)) : [];
  return [...names(fee === undefined ? ALWAYS : [fee]), ...more]
    .map(name => `CASE WHEN ${sqlName(name)} IS NULL THEN 0::HUGEINT::BIGNUM ELSE ${columns.whole(name)} END`)
    .join(' + ');
}
