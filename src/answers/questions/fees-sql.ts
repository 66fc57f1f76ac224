import { sqlName } from '../engine/sql-text.ts';
import type { Columns } from './sql-parts.ts';

const FEES = [
  ...['maker_fee', 'infrastructure_fee', 'liquidity_fee'],
  // Of newer nodes.
  ...['buy_back_fee', 'treasury_fee', 'high_volume_maker_fee'],
] as const;

type Fee = (typeof FEES)[number];

/** What a trade cost in fees: of one kind or all that the table has, of one side or both. */
export function feeOf(columns: Columns, fee?: Fee, side?: 'buyer' | 'seller'): string {
  const kinds = fee === undefined ? FEES : [fee];
  const sides = side === undefined ? (['buyer', 'seller'] as const) : [side];
  const terms = sides
    .flatMap(of => kinds.map(kind => `${of}_${kind}`))
    .filter(name => columns.has(name))
    .map(name => `CASE WHEN ${sqlName(name)} IS NULL THEN 0::HUGEINT::BIGNUM ELSE ${columns.whole(name)} END`);
  return terms.length === 0 ? '0::HUGEINT::BIGNUM' : terms.join(' + ');
}
