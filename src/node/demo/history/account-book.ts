import { type Account, accountId } from './accounts.ts';

/** An account and what lies on it. */
export interface Page {
  readonly account: Account;
  readonly id: string;
  readonly balance: bigint;
}

/** Money that goes from one account to another. */
export interface Move {
  readonly from: Account;
  readonly to: Account;
  readonly quantity: bigint;
  /** Without `TRANSFER_TYPE_`. */
  readonly type: string;
  readonly transferId?: string;
}

/** A move once it is made. */
export interface Posting {
  readonly fromId: string;
  readonly toId: string;
  readonly quantity: bigint;
  readonly fromBalance: bigint;
  readonly toBalance: bigint;
  /** Accounts whose balance is kept. */
  readonly kept: readonly (readonly [id: string, balance: bigint])[];
}

/** A movement of money, as the ledger and the balances tell it. */
export interface Entry extends Posting {
  readonly height: number;
  /** Counts within the block, from 0. */
  readonly index: number;
  readonly move: Move;
}

/** What lies on every account of the chain, which begins with nothing anywhere. */
export class AccountBook {
  readonly #pages: Map<string, Page>;

  constructor(pages: Iterable<readonly [string, Page]> = []) {
    this.#pages = new Map(pages);
  }

  /** The same balances, to go on from. */
  copy(): AccountBook {
    return new AccountBook(this.#pages);
  }

  balance(account: Account): bigint {
    return this.#page(account).balance;
  }

  /** So many millionths of what lies there. */
  share(account: Account, millionths: number): bigint {
    return (this.balance(account) * BigInt(millionths)) / 1_000_000n;
  }

  post({ from, to, quantity }: Move): Posting {
    const kept: (readonly [string, bigint])[] = [];
    const add = (account: Account, change: bigint): Page => {
      const page = this.#page(account);
      // Of the world outside no balance is kept.
      if (account.type === 'EXTERNAL') return page;
      const next = { ...page, balance: page.balance + change };
      this.#pages.set(keyOf(account), next);
      kept.push([next.id, next.balance]);
      return next;
    };
    const payer = add(from, -quantity);
    const payee = add(to, quantity);
    const balances = { fromBalance: payer.balance, toBalance: payee.balance };
    return { fromId: payer.id, toId: payee.id, quantity, ...balances, kept };
  }

  /** Every account that money has ever lain on, in the order in which they came. */
  pages(): Iterable<Page> {
    return this.#pages.values();
  }

  #page(account: Account): Page {
    return this.#pages.get(keyOf(account)) ?? { account, id: accountId(account), balance: 0n };
  }
}

const keyOf = ({ type, asset, party, market }: Account): string => `${type}/${asset}/${party}/${market}`;
