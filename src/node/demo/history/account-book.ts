import { Dice } from '../seeded.ts';
import { type Account, accountId } from './accounts.ts';

/** An account of a segment and what lies on it. */
interface Page {
  readonly id: string;
  balance: bigint;
  /** False of the world outside, of which no balance is kept. */
  readonly isKept: boolean;
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

/**
 * The running balances of one segment. What an account has when a segment begins follows from the seed and not from the
 * segments before, of which an export may make none: from segment to segment balances do not add up.
 */
export class AccountBook {
  readonly #label: string;
  readonly #decimals: ReadonlyMap<string, number>;
  readonly #pages = new Map<string, Page>();

  constructor(label: string, assets: readonly { readonly id: string; readonly decimals: number }[]) {
    this.#label = label;
    this.#decimals = new Map(assets.map(({ id, decimals }) => [id, decimals]));
  }

  /** So many millionths of what lies there. */
  share(account: Account, millionths: number): bigint {
    return (this.#page(account).balance * BigInt(millionths)) / 1_000_000n;
  }

  post({ from, to, quantity }: Move): Posting {
    const [payer, payee] = [this.#page(from), this.#page(to)];
    if (payer.isKept) payer.balance -= quantity;
    if (payee.isKept) payee.balance += quantity;
    return {
      fromId: payer.id,
      toId: payee.id,
      quantity,
      fromBalance: payer.balance,
      toBalance: payee.balance,
      kept: [payer, payee].filter(({ isKept }) => isKept).map(({ id, balance }) => [id, balance] as const),
    };
  }

  #page(account: Account): Page {
    const key = `${account.type}/${account.asset}/${account.party}/${account.market}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const id = accountId(account);
    const page = { id, balance: this.#opening(account, id), isKept: account.type !== 'EXTERNAL' };
    this.#pages.set(key, page);
    return page;
  }

  #opening({ type, asset }: Account, id: string): bigint {
    if (EMPTY_BETWEEN_BLOCKS.has(type)) return 0n;
    const dice = new Dice(`${this.#label}/${id}`);
    if (POOLS.test(type)) return BigInt(dice.digits(28));
    return BigInt(dice.digits((this.#decimals.get(asset) ?? 0) + dice.between(3, 7)));
  }
}

const EMPTY_BETWEEN_BLOCKS: ReadonlySet<string> = new Set([
  ...['EXTERNAL', 'SETTLEMENT', 'FEES_MAKER', 'PENDING_TRANSFERS'],
  'PENDING_FEE_REFERRAL_REWARD',
]);

/** What rewards are paid from. */
const POOLS = /^(?:REWARD_|GLOBAL_REWARD$|FEES_INFRASTRUCTURE$)/;
