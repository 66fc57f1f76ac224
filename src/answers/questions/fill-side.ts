import type { Columns } from './sql-parts.ts';

/** A distressed party against the network (TYPE_NETWORK_CLOSE_OUT_BAD). */
const CLOSE_OUT = '3';

/** A trade is a fill of its buyer and one of its seller. */
export const SIDES = ['buyer', 'seller'] as const;

export type Side = (typeof SIDES)[number];

export const otherSide = (side: Side): Side => (side === 'buyer' ? 'seller' : 'buyer');

/**
 * What somebody was on their side of a trade: maker, taker, neither in an auction, or closed out. The network is the aggressor
 * of a close-out; whose position it takes over is neither maker nor taker (protocol.md section 1.5). When the network trades with
 * the book later, the other side made that price.
 */
export function roleOf(columns: Columns, side: Side): string {
  const aggressor = columns.plain('aggressor');
  const own = side === 'buyer' ? 1 : 2;
  return `CASE WHEN ${columns.plain('type')}::VARCHAR = '${CLOSE_OUT}' THEN 'close-out' WHEN coalesce(${aggressor}, 0) = 0 THEN 'auction' WHEN ${aggressor} = ${own} THEN 'taker' ELSE 'maker' END`;
}
