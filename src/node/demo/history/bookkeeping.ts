import type { DemoTable } from '../../store.ts';
import { type Chain, type DemoScale, epochAtHeight, lastBlockOfEpoch, startHeight } from '../chain.ts';
import { ChainCache } from '../chain-cache.ts';
import { activeTerms, type Commitment, createCommitments } from '../liquidity-provisions.ts';
import { marketStateAt } from '../market-stages.ts';
import type { Asset, Market } from '../markets.ts';
import { createSettledMarkets } from '../markets-table.ts';
import {
  allocationsOfEpoch,
  type CommitmentsByMarket,
  commitmentsByMarket,
  FEE_EPOCHS_AHEAD,
} from '../paid-liquidity-fees.ts';
import { providerPerformance } from '../provider-performance.ts';
import { Dice } from '../seeded-random.ts';
import { tradesOfBlocks } from '../trades.ts';
import { type AccountBalance, AccountBook, type LedgerEntry, type Move } from './account-book.ts';
import { type Account, generalAccount, marketAccount, networkAccount } from './accounts.ts';
import { type Deposit, depositsInBlocks, type Withdrawal, withdrawalsInBlocks } from './gateway-tables.ts';
import { type BlockRange, type DemoEvent, payoutBlocks, spreadEvents } from './history-source.ts';
import {
  createEventContext,
  EVENTS_ON_ANY_MARKET,
  EVENTS_ON_DERIVATIVES,
  EVENTS_ON_SPOT,
  HOLDING_LOCK_EVENT,
  liquidityFeeMoves,
  MARGIN_CALL_EVENT,
  rewardMoves,
  tradeMoves,
} from './money-events.ts';
import { rewardsInBlocks } from './rewards.ts';

/** Balances are cached at this interval, so that a range of blocks does not have to start at block 1. */
const CACHE_INTERVAL_BLOCKS = 1000;
/** Market events per thousand blocks, not counting trades. */
const EVENTS_PER_THOUSAND_BLOCKS = 70;

const BOOKKEEPING_BY_CHAIN = new ChainCache((chain, scale) => new Bookkeeping(chain, scale));

/** The books of a chain, which all nodes of this process that serve it share. */
export const sharedBookkeeping = (chain: Chain, scale: DemoScale): Bookkeeping => BOOKKEEPING_BY_CHAIN.of(chain, scale);

/**
 * All money of the demo chain since its first block: an account begins each segment with the balance that it had at the
 * end of the segment before.
 */
export class Bookkeeping {
  readonly #chain: Chain;
  readonly #scale: DemoScale;
  readonly #cached = new Map([[0, new AccountBook()]]);
  #providing: Provisioning | undefined;

  constructor(chain: Chain, scale: DemoScale) {
    this.#chain = chain;
    this.#scale = scale;
  }

  /** Every movement of some blocks, in order. */
  *entriesIn({ fromHeight, toHeight }: BlockRange): Iterable<LedgerEntry> {
    const book = this.bookAt(fromHeight - 1).copy();
    yield* this.post(book, { fromHeight, toHeight });
    this.#cached.set(toHeight, book);
  }

  /** The balances after a block. */
  bookAt(height: number): AccountBook {
    const known = this.#cached.get(height);
    if (known !== undefined) return known;
    const before = Math.max(...[...this.#cached.keys()].filter(cached => cached < height));
    const next = Math.min(height, Math.floor(before / CACHE_INTERVAL_BLOCKS + 1) * CACHE_INTERVAL_BLOCKS);
    const book = (this.#cached.get(before) ?? new AccountBook()).copy();
    for (const _ of this.post(book, { fromHeight: before + 1, toHeight: next }));
    this.#cached.set(next, book);
    return this.bookAt(height);
  }

  /** The movements of some blocks, posted one by one to a book that has the balances of the block before. */
  *post(book: AccountBook, blocks: BlockRange): Iterable<LedgerEntry> {
    const due = this.#dueIn(blocks);
    for (let height = blocks.fromHeight; height <= blocks.toHeight; height++) {
      let index = 0;
      for (const move of this.#movesIn(height, due, book)) yield { height, index: index++, move, ...book.post(move) };
    }
  }

  #dueIn(blocks: BlockRange): Due {
    const source = { chain: this.#chain, scale: this.#scale.history };
    this.#providing ??= createProvisioning([...createCommitments(this.#chain, this.#scale.provisions)]);
    const { bonds } = this.#providing;
    const byHeight = ({ height }: { readonly height: number }): number => height;
    const inside = ({ height }: BondChange): boolean => height >= blocks.fromHeight && height <= blocks.toHeight;
    return {
      deposits: Map.groupBy(depositsInBlocks(source, blocks), ({ creditedHeight }) => creditedHeight),
      withdrawals: Map.groupBy(withdrawalsInBlocks(source, blocks), byHeight),
      bonds: Map.groupBy(bonds.filter(inside), byHeight),
      trades: Map.groupBy(tradesOfBlocks(source, blocks.fromHeight, blocks.toHeight), byHeight),
      events: Map.groupBy(spreadEvents(source, blocks, 'ledger', EVENTS_PER_THOUSAND_BLOCKS), byHeight),
      payouts: new Map([...payoutBlocks(this.#chain, blocks)].map(({ height, epoch }) => [height, epoch])),
    };
  }

  *#movesIn(height: number, due: Due, book: AccountBook): Iterable<Move> {
    const chain = this.#chain;
    if (height === 1) yield* this.#restored();
    const epoch = due.payouts.get(height);
    if (epoch !== undefined) yield* this.#epochMoves({ epoch, height }, book);
    for (const deposit of due.deposits.get(height) ?? []) yield depositMove(deposit);
    for (const withdrawal of due.withdrawals.get(height) ?? []) yield* withdrawalMoves(withdrawal);
    for (const change of due.bonds.get(height) ?? []) yield* bondMoves(change, book);
    for (const trade of due.trades.get(height) ?? []) yield* tradeMoves(trade, book, chain.parties);
    for (const event of due.events.get(height) ?? []) yield* eventMoves(chain, event, book);
    yield* clearingMoves(chain, height, book);
  }

  /** The balances that the chain began with, from a checkpoint; they cover all later movements. */
  *#restored(): Iterable<Move> {
    const { assets, parties, seed } = this.#chain;
    const { bonds = [] } = this.#providing ?? {};
    const mostOn = new Map<string, bigint>();
    for (const { account, target } of bonds) {
      const key = `${account.party}/${account.asset}/${account.market}`;
      if (target > (mostOn.get(key) ?? 0n)) mostOn.set(key, target);
    }
    const restored = (to: Account, quantity: bigint): Move => ({
      ...{ type: 'CHECKPOINT_BALANCE_RESTORE', from: networkAccount('EXTERNAL', to.asset), to, quantity },
    });
    const times = BigInt(Math.ceil(Math.max(1, this.#scale.history)));
    for (const { id, quantum } of assets) {
      yield restored(networkAccount('NETWORK_TREASURY', id), BigInt(quantum) * 10_000_000n);
      for (const party of parties) {
        const dice = new Dice(`${seed}/restored/${id}/${party}`);
        const own = BigInt(quantum) * BigInt(dice.between(1_000_000, 5_000_000)) * times;
        const bonded = [...mostOn].filter(([key]) => key.startsWith(`${party}/${id}/`));
        yield restored(generalAccount(party, id), own + bonded.reduce((sum, [, most]) => sum + most, 0n));
      }
    }
    for (const { account, quantity } of leftoversOfSettledMarkets(this.#chain)) yield restored(account, quantity);
  }

  *#epochMoves(
    { epoch, height }: { readonly epoch: number; readonly height: number },
    book: AccountBook,
  ): Iterable<Move> {
    const chain = this.#chain;
    const { providers = new Map(), commitments = [] } = this.#providing ?? {};
    for (const allocation of allocationsOfEpoch(chain, this.#scale, providers, epoch))
      yield* liquidityFeeMoves(allocation, book);
    for (const commitment of commitments) yield* slashMoves(commitment, { chain: this.#chain, epoch }, book);
    const source = { chain, scale: this.#scale.history };
    const rewards = [...rewardsInBlocks(source, { fromHeight: height, toHeight: height })];
    yield* rewardMoves(rewards, `${chain.seed}/rewards/${epoch}`);
  }
}

interface Due {
  readonly deposits: ReadonlyMap<number | undefined, readonly Deposit[]>;
  readonly withdrawals: ReadonlyMap<number, readonly Withdrawal[]>;
  readonly bonds: ReadonlyMap<number, readonly BondChange[]>;
  readonly trades: ReadonlyMap<number, Iterable<Parameters<typeof tradeMoves>[0]>>;
  readonly events: ReadonlyMap<number, readonly DemoEvent[]>;
  /** By height, the epoch that is paid for in that block. */
  readonly payouts: ReadonlyMap<number, number>;
}

interface Provisioning {
  readonly commitments: readonly Commitment[];
  readonly providers: CommitmentsByMarket;
  readonly bonds: readonly BondChange[];
}

const createProvisioning = (commitments: readonly Commitment[]): Provisioning => ({
  commitments,
  providers: commitmentsByMarket(commitments),
  bonds: bondChanges(commitments),
});

function depositMove({ party, asset, amount }: Deposit): Move {
  const accounts = { from: networkAccount('EXTERNAL', asset.id), to: generalAccount(party, asset.id) };
  return { type: 'DEPOSIT', ...accounts, quantity: amount };
}

/** Money leaves the account when the withdrawal is requested, unless it is rejected. */
function* withdrawalMoves({ party, asset, amount, isRefused }: Withdrawal): Iterable<Move> {
  const accounts = { from: generalAccount(party, asset.id), to: networkAccount('EXTERNAL', asset.id) };
  if (!isRefused) yield { type: 'WITHDRAW', ...accounts, quantity: amount };
}

/** Moves the bond up or down to its target. */
function* bondMoves({ account, target }: BondChange, book: AccountBook): Iterable<Move> {
  const own = generalAccount(account.party, account.asset);
  const missing = target - book.balance(account);
  if (missing > 0n) yield { type: 'BOND_LOW', from: own, to: account, quantity: missing };
  if (missing < 0n) yield { type: 'BOND_HIGH', from: account, to: own, quantity: -missing };
}

/** A penalty lowers the bond, but the record of the provision does not change (protocol.md section 2.1). */
function* slashMoves(
  commitment: Commitment,
  { chain, epoch }: { readonly chain: Chain; readonly epoch: number },
  book: AccountBook,
): Iterable<Move> {
  if (activeTerms(commitment, lastBlockOfEpoch(chain, epoch)) === undefined) return;
  const { id, partyId, market } = commitment;
  const { bondPenalty } = providerPerformance(id, epoch);
  const of = { id: market.id, asset: market.settlementAsset.id };
  const from = marketAccount('BOND', partyId, of);
  const quantity = (book.balance(from) * BigInt(bondPenalty)) / 10_000n;
  const to = networkAccount('INSURANCE', of.asset, of.id);
  if (quantity > 0n) yield { type: 'SLA_PENALTY_BOND_APPLY', from, to, quantity };
}

function eventMoves(chain: Chain, { dice, label, height }: DemoEvent, book: AccountBook): readonly Move[] {
  const [first, ...others] = chain.markets.filter(market => marketStateAt(market, height)?.state === 'STATE_ACTIVE');
  if (first === undefined) return [];
  const market = dice.pick([first, ...others]);
  const context = createEventContext(chain, market, { book, dice, label });
  const [own, instead] =
    market.kind === 'spot' ? [EVENTS_ON_SPOT, HOLDING_LOCK_EVENT] : [EVENTS_ON_DERIVATIVES, MARGIN_CALL_EVENT];
  const moves = dice.pick(dice.chance(40) ? EVENTS_ON_ANY_MARKET : own)(context);
  // An empty account cannot pay: it gets money instead.
  return moves.every(({ quantity }) => quantity > 0n) ? moves : instead(context);
}

interface LeftoverBalance {
  readonly account: Account;
  readonly quantity: bigint;
}

/** Balances that parties still had on markets that were settled before the recorded history. */
function leftoversOfSettledMarkets(chain: Chain): readonly LeftoverBalance[] {
  return createSettledMarkets(chain).flatMap((market: Market, index) =>
    chain.parties.slice(index * 6, index * 6 + 6).map((party, at) => {
      const { id, quantum }: Asset = market.settlementAsset;
      const account = marketAccount('MARGIN', party, { id: market.id, asset: id });
      return {
        account,
        quantity: (BigInt(quantum) * BigInt(new Dice(`${market.id}/${party}`).between(10, 9000) + at)) / 3n,
      };
    }),
  );
}

const FIRST_CLEARED = 40;
const CLEARING_INTERVAL_BLOCKS = 45;

/** These balances are returned, one party at a time. */
function* clearingMoves(chain: Chain, height: number, book: AccountBook): Iterable<Move> {
  if (height < FIRST_CLEARED || (height - FIRST_CLEARED) % CLEARING_INTERVAL_BLOCKS !== 0) return;
  const account = leftoversOfSettledMarkets(chain)[(height - FIRST_CLEARED) / CLEARING_INTERVAL_BLOCKS]?.account;
  if (account === undefined) return;
  const quantity = book.balance(account);
  yield { type: 'CLEAR_ACCOUNT', from: account, to: generalAccount(account.party, account.asset), quantity };
}

/** What the table behind `accounts` is made of. */
export const ACCOUNTS_TABLE = {
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
} as const satisfies Partial<DemoTable>;

/**
 * The table behind `accounts`: the balances at the head, without those of the world outside. They follow the chain for
 * as many epochs as the paid fees do, then they stay.
 */
export function accountsTable(chain: Chain, scale: DemoScale): DemoTable {
  const money = sharedBookkeeping(chain, scale);
  let height = startHeight(chain);
  const lastHeight = lastBlockOfEpoch(chain, epochAtHeight(chain, height) + FEE_EPOCHS_AHEAD);
  let book: AccountBook | undefined;
  const bookNow = (): AccountBook => {
    book ??= money.bookAt(height).copy();
    return book;
  };
  return {
    ...ACCOUNTS_TABLE,
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

/** The balance that a bond account must have from a block on. */
interface BondChange {
  readonly height: number;
  readonly account: Account;
  readonly target: bigint;
}

/** Sorted by block. A party has one account for all its commitments to a market. */
function bondChanges(commitments: readonly Commitment[]): readonly BondChange[] {
  const owners = Map.groupBy(commitments, ({ partyId, market }) => `${partyId}/${market.id}`);
  return [...owners.values()].flatMap(bondAccountChanges).toSorted((a, b) => a.height - b.height);
}

function bondAccountChanges(commitments: readonly Commitment[]): readonly BondChange[] {
  const [first] = commitments;
  if (first === undefined) return [];
  const market = { id: first.market.id, asset: first.market.settlementAsset.id };
  const account = marketAccount('BOND', first.partyId, market);
  const steps = commitments.flatMap(({ versions }) =>
    versions.map(({ height, bond }, index) => ({ height, change: bond - (versions[index - 1]?.bond ?? 0n) })),
  );
  const changes = Map.groupBy(steps, ({ height }) => height);
  let target = 0n;
  return [...changes.keys()]
    .toSorted((a, b) => a - b)
    .map(height => {
      for (const { change } of changes.get(height) ?? []) target += change;
      return { height, account, target };
    });
}
