import type { Check } from '../check.ts';
import type { OrderRow } from '../rows.ts';

/** The filled size of an order equals the sum of its trades. */
export const orderRemainders: Check = {
  name: 'order-remainders',
  title: 'order fills match their trades',
  kind: 'look',
  tables: ['trades', 'orders'],
  blindSpots: [
    'orders placed before the range, and orders of the network',
    'orders that were stopped or rejected, which may have matched before',
    'an order whose size was cut below its filled size',
  ],
  start: ({ findings, party: only }) => {
    /** Orders that may still trade, with their traded size. */
    let open = new Map<string, bigint>();
    let rows = new Map<string, OrderRow>();
    let traded = new Map<string, bigint>();
    return {
      beginRange: () => {
        open = new Map();
      },
      row: row => {
        findings.read();
        if (row.table === 'trades') {
          for (const { order } of [row.buyer, row.seller]) traded.set(order, (traded.get(order) ?? 0n) + row.size);
        } else if (row.table === 'orders' && !row.isOfNetwork) {
          const other = rows.get(row.id);
          if (other === undefined || other.version <= row.version) rows.set(row.id, row);
          if (row.isCreatedHere && !open.has(row.id)) open.set(row.id, 0n);
        }
      },
      endBlock: block => {
        for (const [id, size] of traded) {
          const before = open.get(id);
          if (before !== undefined) open.set(id, before + size);
        }
        for (const [id, row] of rows) {
          const filled = open.get(id);
          if (!MAY_TRADE.includes(row.status)) open.delete(id);
          if (filled === undefined || (only !== undefined && row.party !== only)) continue;
          if (MAY_HAVE_MATCHED.includes(row.status)) continue;
          const said = row.size - row.remaining;
          if (row.remaining === 0n && said < filled) continue;
          findings.compared(block);
          if (said !== filled)
            findings.differs({
              what: 'the filled size of an order differs from its trades',
              ...{ party: row.party, market: row.market, block, amount: said - filled },
              amounts: { order: said, trades: filled },
            });
        }
        rows = new Map();
        traded = new Map();
      },
    };
  },
};

/** Active and parked. */
const MAY_TRADE: readonly string[] = ['1', '8'];

/** Stopped and rejected: a check of margin or fees after the match may end an order. */
const MAY_HAVE_MATCHED: readonly string[] = ['4', '6'];
