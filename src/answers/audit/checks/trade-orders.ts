import { NETWORK_PARTY } from '../../../chain/directory/account-id.ts';
import type { Check } from '../check.ts';
import type { OrderRow, TradeRow } from '../rows.ts';

/** A trade changes both of its orders, so each has a row in the block of the trade. */
export const tradeOrders: Check = {
  name: 'trade-orders',
  title: 'the orders of a trade have rows in its block, of the same party, market and side',
  kind: 'look',
  tables: ['trades', 'orders'],
  blindSpots: ['orders of the network', 'orders that do not trade'],
  start: ({ findings, party: only }) => {
    let orders = new Map<string, OrderRow>();
    let trades: TradeRow[] = [];
    return {
      row: row => {
        findings.read();
        if (row.table === 'trades') trades.push(row);
        else if (row.table === 'orders') orders.set(row.id, row);
      },
      endBlock: block => {
        for (const { market, size, buyer, seller } of trades)
          for (const { side, party, order } of [buyer, seller]) {
            if (party === NETWORK_PARTY || (only !== undefined && party !== only)) continue;
            const row = orders.get(order);
            findings.compared(block);
            const of = { party, market, block, amount: size };
            if (row === undefined) findings.differs({ ...of, what: 'an order of a trade has no row in this block' });
            else if (row.party !== party || row.market !== market || row.side !== side)
              findings.differs({ ...of, what: 'an order of a trade is of another party, market or side' });
          }
        orders = new Map();
        trades = [];
      },
    };
  },
};
