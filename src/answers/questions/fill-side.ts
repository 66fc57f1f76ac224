import type { Columns } from './sql-parts.ts';

/** A trade is a fill of its buyer and one of its seller. */
export const SIDES = ['buyer', 'seller'] as const;

export type Side = (typeof SIDES)[number];

export const otherSide = (side: Side): Side => (side === 'buyer' ? 'seller' : 'buyer');

/** What somebody was on their side of a trade: maker, taker, or neither in an auction. */
export function roleOf(columns: Columns, side: Side): string {
  const aggressor = columns.plain('aggressor');
  const own = side === 'buyer' ? 1 : 2;
  return `CASE WHEN coalesce(${aggressor}, 0) = 0 THEN 'auction' WHEN ${aggressor} = ${own} THEN 'taker' ELSE 'maker' END`;
}
