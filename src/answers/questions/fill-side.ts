import type { Columns } from './sql-parts.ts';

/** A distressed party against the network (TYPE_NETWORK_CLOSE_OUT_BAD). */
const CLOSE_OUT = '3';

/** A trade is a fill for its buyer and for its seller. */
export const SIDES = ['buyer', 'seller'] as const;

export type Side = (typeof SIDES)[number];

export const otherSide = (side: Side): Side => (side === 'buyer' ? 'seller' : 'buyer');

/**
 * The role of a side in a trade: maker, taker, auction or close-out. In a close-out the network is the aggressor, and the
 * closed-out party is neither maker nor taker (protocol.md section 1.5). When the network later trades with the book, the
 * other side is the maker.
 */
export function roleOf(columns: Columns, side: Side): string {
  const aggressor = columns.plain('aggressor');
  const own = side === 'buyer' ? 1 : 2;
  return `CASE WHEN ${columns.plain('type')}::VARCHAR = '${CLOSE_OUT}' THEN 'close-out' WHEN coalesce(${aggressor}, 0) = 0 THEN 'auction' WHEN ${aggressor} = ${own} THEN 'taker' ELSE 'maker' END`;
}
