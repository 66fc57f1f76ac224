import type { DemoTable } from '../store.ts';
import { type Chain, type DemoScale, headAtStart } from './chain.ts';
import { Bookkeeping } from './history/bookkeeping.ts';

/** The table behind `accounts`: what lay on each account when the node started, that of the world outside left out. */
export function accountsTable(chain: Chain, scale: DemoScale): DemoTable {
  return {
    name: 'accounts',
    columns: [
      'id TEXT NOT NULL',
      'owner TEXT NOT NULL',
      'asset TEXT NOT NULL',
      'market TEXT NOT NULL',
      'type TEXT NOT NULL',
      'balance TEXT NOT NULL',
    ],
    primaryKey: 'id',
    indices: ['owner, market'],
    rows: function* () {
      for (const { id, account, balance } of new Bookkeeping(chain, scale).bookAt(headAtStart(chain)).pages()) {
        const { party, asset, market, type } = account;
        yield [id, party, asset, market, `ACCOUNT_TYPE_${type}`, String(balance)] as const;
      }
    },
  };
}
