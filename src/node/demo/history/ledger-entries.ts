import { settledMarketsOf } from '../market-list.ts';
import type { Market } from '../markets.ts';
import { Dice } from '../seeded.ts';
import type { Segment } from '../segments.ts';
import { AccountBook, type Move, type Posting } from './account-book.ts';
import { general, ofNetwork, ofParty } from './accounts.ts';
import { depositsIn, withdrawalsIn } from './gateway-tables.ts';
import { type HistorySource, rowCount } from './history-source.ts';
import {
  happeningOn,
  MARGIN_CALL,
  MARKET_CLEARED,
  type MoneyEvent,
  ON_ANY_MARKET,
  ON_DERIVATIVES,
  ON_SPOT,
} from './money-events.ts';
import { type Reward, rewardsIn } from './rewards.ts';

/** A movement of money, as the ledger and the balances tell it. */
export interface Entry extends Posting {
  readonly height: number;
  /** Counts within the block, from 0. */
  readonly index: number;
  readonly move: Move;
}

/** Moves of one block that belong together. */
interface Moves {
  readonly height: number;
  readonly moves: readonly Move[];
}

const ROWS_PER_SEGMENT = 400;

/** Every movement of a segment, in order: those that other tables tell of, and what happens on the markets between them. */
export function* entriesIn(source: HistorySource, segment: Segment): Iterable<Entry> {
  const { chain } = source;
  const book = new AccountBook(`${chain.seed}/opening/${segment.fromHeight}`, chain.assets);
  const due = [...dueIn(source, segment)].toSorted((a, b) => a.height - b.height);
  const dueRows = due.reduce((sum, { moves }) => sum + moves.length, 0);
  const rows = Math.max(0, rowCount(source, segment, ROWS_PER_SEGMENT) - dueRows);
  let [block, index] = [0, 0];
  for (const { height, moves } of inOrder(due, marketEvents({ source, segment, book, rows }))) {
    if (height !== block) [block, index] = [height, 0];
    for (const move of moves) yield { height, index: index++, move, ...book.post(move) };
  }
}

/** Those of a block that are due come before what happens in it. */
function* inOrder(due: readonly Moves[], events: Iterable<Moves>): Iterable<Moves> {
  let next = 0;
  for (const event of events) {
    for (let first = due[next]; first !== undefined && first.height <= event.height; first = due[++next]) yield first;
    yield event;
  }
  yield* due.slice(next);
}

/** What other tables tell of, and what is left of the markets that were settled before. */
function* dueIn(source: HistorySource, segment: Segment): Iterable<Moves> {
  for (const reward of rewardsIn(source, segment)) yield { height: reward.height, moves: [payout(reward)] };
  for (const { creditedHeight, party, asset, amount } of depositsIn(source, segment)) {
    if (creditedHeight === undefined) continue;
    const accounts = { from: ofNetwork('EXTERNAL', asset.id), to: general(party, asset.id) };
    yield { height: creditedHeight, moves: [{ type: 'DEPOSIT', ...accounts, quantity: BigInt(amount) }] };
  }
  for (const { height, party, asset, amount, status } of withdrawalsIn(source, segment)) {
    if (status === 'STATUS_REJECTED') continue;
    const accounts = { from: general(party, asset.id), to: ofNetwork('EXTERNAL', asset.id) };
    yield { height, moves: [{ type: 'WITHDRAW', ...accounts, quantity: BigInt(amount) }] };
  }
}

/** From the pool, and locked; a share in the infrastructure's fees can be spent at once. */
function payout({ type, asset, market, game, party, amount }: Reward): Move {
  const to = type === 'FEES_INFRASTRUCTURE' ? general(party, asset) : ofParty('VESTING_REWARDS', party, asset);
  return { type: 'REWARD_PAYOUT', from: ofNetwork(type, asset, game || market), to, quantity: BigInt(amount) };
}

interface Between {
  readonly source: HistorySource;
  readonly segment: Segment;
  readonly book: AccountBook;
  /** How many moves there are to be. */
  readonly rows: number;
}

/** Spread evenly over the blocks of the segment. */
function* marketEvents({ source: { chain }, segment, book, rows }: Between): Iterable<Moves> {
  const blocks = segment.toHeight - segment.fromHeight + 1;
  for (let done = 0; done < rows; ) {
    const height = segment.fromHeight + Math.floor((done * blocks) / rows);
    const label = `${chain.seed}/ledger/${height}/${done}`;
    const dice = new Dice(label);
    const open = chain.markets.filter(({ createdHeight }) => createdHeight <= height);
    const cleared = height < CLEARED_BEFORE && dice.chance(20) ? settledMarketsOf(chain) : [];
    const [event, market] = cleared[0]
      ? ([MARKET_CLEARED, cleared[dice.below(cleared.length)] ?? cleared[0]] as const)
      : happeningIn(dice, open[dice.below(open.length)] ?? chain.markets[0]);
    const happening = happeningOn(chain, market, { book, dice, label });
    const all = event(happening);
    const moves = done + all.length > rows ? MARGIN_CALL(happening) : all;
    yield { height, moves };
    done += moves.length;
  }
}

/** Until this block parties get back what they had on markets that were settled before the recorded history. */
const CLEARED_BEFORE = 1000;

function happeningIn(dice: Dice, market: Market): readonly [MoneyEvent, Market] {
  const own = market.kind === 'spot' ? ON_SPOT : ON_DERIVATIVES;
  return [dice.pick(dice.chance(55) ? ON_ANY_MARKET : own), market];
}
