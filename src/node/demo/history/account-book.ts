import { type Account, hashAccountId } from './accounts.ts';

/** An account and its balance. */
export interface AccountBalance {
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

/** A move that has been posted. */
interface Posting {
  readonly fromId: string;
  readonly toId: string;
  readonly quantity: bigint;
  readonly fromBalance: bigint;
  readonly toBalance: bigint;
  /** The new balance of each account it changed; EXTERNAL has no balance. */
  readonly balances: readonly (readonly [id: string, balance: bigint])[];
}

/** A movement of money, as it appears in the ledger and the balances. */
export interface LedgerEntry extends Posting {
  readonly height: number;
  /** Counts within the block, from 0. */
  readonly index: number;
  readonly move: Move;
}

/** The balance of every account of the chain. A new book is empty. */
export class AccountBook {
  readonly #balances: Map<string, AccountBalance>;

  constructor(balances: Iterable<readonly [string, AccountBalance]> = []) {
    this.#balances = new Map(balances);
  }

  /** A copy that can be posted to without changing this one. */
  copy(): AccountBook {
    return new AccountBook(this.#balances);
  }

  balance(account: Account): bigint {
    return this.#entry(account).balance;
  }

  /** A part of a balance. */
  share(account: Account, millionths: number): bigint {
    return (this.balance(account) * BigInt(millionths)) / 1_000_000n;
  }

  post({ from, to, quantity }: Move): Posting {
    const balances: (readonly [string, bigint])[] = [];
    const add = (account: Account, change: bigint): AccountBalance => {
      const key = accountKey(account);
      const before = this.#entry(account, key);
      // EXTERNAL is the world outside the chain and has no balance.
      if (account.type === 'EXTERNAL') return before;
      const next = { ...before, balance: before.balance + change };
      this.#balances.set(key, next);
      balances.push([next.id, next.balance]);
      return next;
    };
    const payer = add(from, -quantity);
    const payee = add(to, quantity);
    const after = { fromBalance: payer.balance, toBalance: payee.balance };
    return { fromId: payer.id, toId: payee.id, quantity, ...after, balances };
  }

  /** Every account that has ever had money, oldest first. */
  balances(): Iterable<AccountBalance> {
    return this.#balances.values();
  }

  #entry(account: Account, key = accountKey(account)): AccountBalance {
    return this.#balances.get(key) ?? { account, id: hashAccountId(account), balance: 0n };
  }
}

const accountKey = ({ type, asset, party, market }: Account): string => `${type}/${asset}/${party}/${market}`;
