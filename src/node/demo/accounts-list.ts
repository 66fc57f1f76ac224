import type { DemoTable } from '../store.ts';
import { type Chain, type DemoScale, epochOf, headAtStart, lastBlockOfEpoch } from './chain.ts';
import type { AccountBalance, AccountBook } from './history/account-book.ts';
import { Bookkeeping } from './history/bookkeeping.ts';
import { EPOCHS_AHEAD } from './paid-liquidity-fees.ts';

/**
 * The table behind `accounts`: the balances at the head, without those of the world outside. They follow the chain for
 * as many epochs as the paid fees do, then they stay.
 */
export function accountsTable(chain: Chain, scale: DemoScale): DemoTable {
  const money = new Bookkeeping(chain, scale);
  let height = headAtStart(chain);
  const lastHeight = lastBlockOfEpoch(epochOf(height) + EPOCHS_AHEAD);
  let book: AccountBook | undefined;
  const bookNow = (): AccountBook => {
    book ??= money.bookAt(height).copy();
    return book;
  };
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
    rows: () => accountRows(bookNow().balances()),
    changedBy: head => {
      const now = bookNow();
      const blocks = { fromHeight: height + 1, toHeight: Math.min(head, lastHeight) };
      height = Math.max(height, blocks.toHeight);
      const changed = new Set<string>();
      for (const { balances } of money.post(now, blocks)) for (const [id] of balances) changed.add(id);
      return accountRows([...now.balances()].filter(({ id }) => changed.has(id)));
    },
  };
}

function* accountRows(balances: Iterable<AccountBalance>) {
  for (const { id, account, balance } of balances) {
    const { party, asset, market, type } = account;
    yield [id, party, asset, market, `ACCOUNT_TYPE_${type}`, String(balance)] as const;
  }
}
