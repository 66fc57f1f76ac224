import { NETWORK_PARTY } from '../../../chain/directory/account-id.ts';
import type { Check } from '../check.ts';
import type { PositionRow, TradeRow } from '../rows.ts';

/** The pending volume of a position moves by the sizes of trades. */
export const positions: Check = {
  name: 'pending-volume',
  title: 'positions move as in the trades',
  kind: 'look',
  tables: ['trades', 'positions'],
  blindSpots: [
    'a position that goes to 0: liquidation and settlement close it without a trade',
    'a block in which a loss was shared: it resets the pending volume',
    'the first row of a position, unless the range begins at block 1',
    'open volume, prices and profits',
  ],
  start: ({ findings, party: only }) => {
    let isFromFirstBlock = false;
    let known = new Map<string, { readonly pending: bigint; readonly losses: string }>();
    let traded = new Map<string, bigint>();
    let rows = new Map<string, PositionRow>();
    let doubled = new Set<string>();
    /** Those with positions: a spot market has none. */
    const markets = new Set<string>();
    const addTrade = ({ market, size, buyer, seller }: TradeRow): void => {
      for (const [side, change] of [
        [buyer, size],
        [seller, -size],
      ] as const) {
        if (side.party === NETWORK_PARTY) continue;
        const key = `${market}/${side.party}`;
        traded.set(key, (traded.get(key) ?? 0n) + change);
      }
    };
    return {
      beginRange: isFirst => {
        isFromFirstBlock = isFirst;
        known = new Map();
      },
      row: row => {
        findings.read();
        if (row.table === 'trades') addTrade(row);
        else if (row.table === 'positions' && row.party !== NETWORK_PARTY) {
          const key = `${row.market}/${row.party}`;
          if (rows.has(key)) doubled.add(key);
          rows.set(key, row);
          markets.add(row.market);
        }
      },
      endBlock: block => {
        for (const key of new Set([...rows.keys(), ...traded.keys()])) {
          const [market = '', party = ''] = key.split('/');
          const [row, change] = [rows.get(key), traded.get(key) ?? 0n];
          const before = known.get(key) ?? (isFromFirstBlock && row !== undefined ? NOTHING_HELD : undefined);
          if (row !== undefined) known.set(key, { pending: row.pending, losses: row.losses });
          else if (before !== undefined) known.set(key, { ...before, pending: before.pending + change });
          if (only !== undefined && party !== only) continue;
          const place = { party, market, block };
          if (doubled.has(key)) {
            findings.compared(block);
            findings.differs({ ...place, what: 'positions has several rows for this party in one block' });
            continue;
          }
          if (before === undefined && (row !== undefined || !markets.has(market))) continue;
          if (row === undefined) {
            if (change === 0n) continue;
            findings.compared(block);
            findings.differs({ ...place, what: 'trades changed a position, but it has no row', amount: change });
            continue;
          }
          if (before === undefined) continue;
          // Both change a position without a trade.
          if (row.pending === 0n || (before.losses !== row.losses && before !== NOTHING_HELD)) continue;
          const moved = row.pending - before.pending;
          findings.compared(block);
          if (moved !== change)
            findings.differs({
              ...place,
              what: 'a position moved by another size than its trades',
              amount: moved - change,
              amounts: { position: moved, trades: change },
            });
        }
        traded = new Map();
        rows = new Map();
        doubled = new Set();
      },
    };
  },
};

const NOTHING_HELD = { pending: 0n, losses: '' } as const;
