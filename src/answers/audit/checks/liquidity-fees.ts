import type { Check, CheckInput } from '../check.ts';
import type { BlockPlace } from '../check-interface.ts';
import type { LedgerRow } from '../rows.ts';

/** Fee accounts of liquidity providers, and the bonus account of a market, pay out the amounts that they received. */
export const liquidityFees: Check = {
  name: 'liquidity-fees',
  title: 'liquidity fees are paid out as allocated',
  kind: 'look',
  tables: ['ledger'],
  blindSpots: [
    'how fees are shared among providers',
    'the first payout of an account, unless the range begins at block 1',
    'fee accounts that anything else moved money to or from',
  ],
  start: ground => {
    const pools = POOLS.map(words => new Pools(ground, words));
    return {
      beginRange: isFromFirstBlock => {
        for (const pool of pools) pool.begin(isFromFirstBlock);
      },
      row: row => {
        ground.findings.read();
        if (row.table === 'ledger') for (const pool of pools) pool.take(row);
      },
      endBlock: block => {
        for (const pool of pools) pool.endBlock(block);
      },
    };
  },
};

interface PoolWords {
  readonly filledBy: string;
  readonly emptiedBy: readonly string[];
  readonly what: string;
  /** Labels for the amounts put in and paid out. */
  readonly sides: readonly [filled: string, paid: string];
}

const POOLS: readonly PoolWords[] = [
  {
    filledBy: 'LIQUIDITY_FEE_ALLOCATE',
    emptiedBy: ['LIQUIDITY_FEE_NET_DISTRIBUTE', 'LIQUIDITY_FEE_UNPAID_COLLECT', 'SLA_PENALTY_LP_FEE_APPLY'],
    what: 'the fees paid out or withheld are not those allocated to the provider',
    sides: ['allocated', 'paid or withheld'],
  },
  {
    filledBy: 'LIQUIDITY_FEE_UNPAID_COLLECT',
    emptiedBy: ['SLA_PERFORMANCE_BONUS_DISTRIBUTE'],
    what: 'the bonuses paid are not the fees withheld for them',
    sides: ['withheld', 'paid'],
  },
];

interface Pool {
  /** Undefined until the pool was emptied once. */
  filled: bigint | undefined;
  paid: bigint;
  /** Amounts received after the payout of this block. */
  next: bigint;
}

/** Accounts that are emptied by each payout. */
class Pools {
  readonly #ground: CheckInput;
  readonly #words: PoolWords;
  #pools = new Map<number, Pool>();
  #paying = new Set<number>();
  #isFromFirstBlock = false;

  constructor(ground: CheckInput, words: PoolWords) {
    this.#ground = ground;
    this.#words = words;
  }

  begin(isFromFirstBlock: boolean): void {
    this.#pools = new Map();
    this.#isFromFirstBlock = isFromFirstBlock;
  }

  take({ from, to, quantity, type }: LedgerRow): void {
    const { filledBy, emptiedBy } = this.#words;
    if (type === filledBy) {
      const pool = this.#poolOf(to);
      if (this.#paying.has(to)) pool.next += quantity;
      else if (pool.filled !== undefined) pool.filled += quantity;
    } else this.#disturb(to);
    if (emptiedBy.includes(type)) {
      this.#poolOf(from).paid += quantity;
      this.#paying.add(from);
    } else this.#disturb(from);
  }

  endBlock(block: BlockPlace): void {
    const { findings, isWanted } = this.#ground;
    for (const account of this.#paying) {
      const pool = this.#poolOf(account);
      const { filled, paid, next } = pool;
      [pool.filled, pool.paid, pool.next] = [next, 0n, 0n];
      if (filled === undefined || isWanted?.(account) === false) continue;
      findings.compared(block, account);
      if (filled === paid) continue;
      const { what, sides } = this.#words;
      const amounts = { [sides[0]]: filled, [sides[1]]: paid };
      findings.differs({ what, account, block, amount: paid - filled, amounts });
    }
    this.#paying.clear();
  }

  #poolOf(account: number): Pool {
    const known = this.#pools.get(account);
    if (known !== undefined) return known;
    const pool = { filled: this.#isFromFirstBlock ? 0n : undefined, paid: 0n, next: 0n };
    this.#pools.set(account, pool);
    return pool;
  }

  /** Another movement: how full the pool is is unknown until it is emptied again. */
  #disturb(account: number): void {
    const pool = this.#pools.get(account);
    if (pool !== undefined) pool.filled = undefined;
  }
}
