import type { Chain } from '../chain.ts';
import type { Market } from '../markets.ts';
import type { Allocation } from '../paid-liquidity-fees.ts';
import { providerPerformance } from '../provider-performance.ts';
import { type Dice, seededHex } from '../seeded-random.ts';
import { notionalValue, REGULAR_TRADERS, type Trade, type TraderRole } from '../trades.ts';
import type { AccountBook, Move } from './account-book.ts';
import {
  type Account,
  generalAccount,
  type MarketAndAsset,
  marketAccount,
  NETWORK_OWNER,
  networkAccount,
  partyAccount,
} from './accounts.ts';
import type { Reward } from './rewards.ts';

/** The random parties, market and amounts of an event in the ledger. */
interface EventContext {
  readonly book: AccountBook;
  readonly dice: Dice;
  readonly party: string;
  readonly other: string;
  readonly market: MarketAndAsset;
  /** The quantum of the settlement asset. */
  readonly quantum: bigint;
  readonly label: string;
}

export function createEventContext(
  chain: Chain,
  market: Market,
  { book, dice, label }: Pick<EventContext, 'book' | 'dice' | 'label'>,
): EventContext {
  // Other parties are reserved for close-outs, which need to know their holdings.
  const trader = () => chain.parties[dice.below(REGULAR_TRADERS)] ?? chain.parties[0];
  const of = { id: market.id, asset: market.settlementAsset.id };
  const quantum = BigInt(market.settlementAsset.quantum);
  return { book, dice, label, party: trader(), other: trader(), market: of, quantum };
}

/** Moves that belong together, in order. */
type MoneyEvent = (context: EventContext) => readonly Move[];

/** At most 0.5 % of a balance, so that no account runs short. */
const smallShare = ({ book, dice }: EventContext, from: Account): bigint => book.share(from, dice.between(10, 5000));

/** Sometimes the insurance pool of the market pays what the loser cannot. */
const markToMarket: MoneyEvent = context => {
  const { dice, market } = context;
  const isInsured = dice.chance(10);
  const margin = marketAccount('MARGIN', context.party, market);
  const from = isInsured ? networkAccount('INSURANCE', market.asset, market.id) : margin;
  return throughSettlement(context, from, ['MTM_LOSS', 'MTM_WIN']);
};

const funding: MoneyEvent = context =>
  throughSettlement(context, marketAccount('MARGIN', context.party, context.market), [
    'PERPETUALS_FUNDING_LOSS',
    'PERPETUALS_FUNDING_WIN',
  ]);

function throughSettlement(
  context: EventContext,
  from: Account,
  [loss, win]: readonly [string, string],
): readonly Move[] {
  const { market, other } = context;
  const quantity = smallShare(context, from);
  const settlement = networkAccount('SETTLEMENT', market.asset, market.id);
  return [
    { type: loss, from, to: settlement, quantity },
    { type: win, from: settlement, to: marketAccount('MARGIN', other, market), quantity },
  ];
}

const ownMoveEvent =
  (type: string, from: (context: EventContext) => Account, to: (context: EventContext) => Account): MoneyEvent =>
  context => [{ type, from: from(context), to: to(context), quantity: smallShare(context, from(context)) }];

const ownGeneralAccount = ({ party, market }: EventContext): Account => generalAccount(party, market.asset);
const ownMarketAccount =
  (type: string) =>
  ({ party, market }: EventContext): Account =>
    marketAccount(type, party, market);
const ownAssetAccount =
  (type: string) =>
  ({ party, market }: EventContext): Account =>
    partyAccount(type, party, market.asset);

const referral: MoneyEvent = context => {
  const { dice, other, market, quantum } = context;
  const from = ownGeneralAccount(context);
  const transit = networkAccount('PENDING_FEE_REFERRAL_REWARD', market.asset);
  const quantity = (quantum * BigInt(dice.between(5, 400))) / 100n;
  return [
    { type: 'FEE_REFERRER_REWARD_PAY', from, to: transit, quantity },
    { type: 'FEE_REFERRER_REWARD_DISTRIBUTE', from: transit, to: generalAccount(other, market.asset), quantity },
  ];
};

/** A transfer to another party with a fee, or of vested rewards to the party's general account. */
const transfer: MoneyEvent = context => {
  const { dice, other, market, label } = context;
  const isOwn = dice.chance(25);
  const from = isOwn ? ownAssetAccount('VESTED_REWARDS')(context) : ownGeneralAccount(context);
  const to = isOwn ? ownGeneralAccount(context) : generalAccount(other, market.asset);
  const transit = networkAccount('PENDING_TRANSFERS', market.asset);
  const fees = networkAccount('FEES_INFRASTRUCTURE', market.asset);
  const quantity = smallShare(context, from);
  const sent = { quantity, transferId: seededHex(`${label}/transfer`) };
  // The network parameter transfer.fee.factor.
  const fee = { type: 'INFRASTRUCTURE_FEE_PAY', from, to: fees, quantity: quantity / 1000n };
  return [
    ...(isOwn ? [] : [fee]),
    { ...sent, type: 'TRANSFER_FUNDS_SEND', from, to: transit },
    { ...sent, type: 'TRANSFER_FUNDS_DISTRIBUTE', from: transit, to },
  ];
};

/** A move between two accounts of the same party. */
export const MARGIN_CALL_EVENT: MoneyEvent = ownMoveEvent('MARGIN_LOW', ownGeneralAccount, ownMarketAccount('MARGIN'));

export const EVENTS_ON_ANY_MARKET: readonly [MoneyEvent, ...MoneyEvent[]] = [
  ...([transfer, transfer, referral] as const),
  ownMoveEvent('REWARDS_VESTED', ownAssetAccount('VESTING_REWARDS'), ownAssetAccount('VESTED_REWARDS')),
];

export const EVENTS_ON_DERIVATIVES: readonly [MoneyEvent, ...MoneyEvent[]] = [
  ...([markToMarket, markToMarket, funding] as const),
  ...([
    MARGIN_CALL_EVENT,
    MARGIN_CALL_EVENT,
    ownMoveEvent('MARGIN_HIGH', ownMarketAccount('MARGIN'), ownGeneralAccount),
  ] as const),
  ownMoveEvent('ORDER_MARGIN_LOW', ownGeneralAccount, ownMarketAccount('ORDER_MARGIN')),
];

/** What an order on a spot market locks. */
export const HOLDING_LOCK_EVENT: MoneyEvent = ownMoveEvent(
  'HOLDING_LOCK',
  ownGeneralAccount,
  ownAssetAccount('HOLDING'),
);

export const EVENTS_ON_SPOT: readonly [MoneyEvent, ...MoneyEvent[]] = [
  HOLDING_LOCK_EVENT,
  ownMoveEvent('HOLDING_RELEASE', ownAssetAccount('HOLDING'), ownGeneralAccount),
];

/** The money that a trade moves, in order: fees, the exchange on a spot market, the margin of a closed-out party. */
export function* tradeMoves(trade: Trade, book: AccountBook, parties: readonly string[]): Iterable<Move> {
  const { kind, market } = trade;
  const of = { id: market.id, asset: market.settlementAsset.id };
  yield* tradeFeeMoves(trade, 'buyer');
  yield* tradeFeeMoves(trade, 'seller');
  if (market.kind === 'spot') yield* exchange(trade);
  if (kind === 'opening' && trade.aggressor !== undefined) {
    const party = trade[trade.aggressor];
    const quantity = notionalValue(market, trade.price, trade.size) / 10n;
    yield {
      type: 'MARGIN_LOW',
      from: generalAccount(party, of.asset),
      to: marketAccount('MARGIN', party, of),
      quantity,
    };
  }
  if (kind === 'close-out') {
    const margin = marketAccount('MARGIN', trade.buyer === NETWORK_OWNER ? trade.seller : trade.buyer, of);
    const winner = marketAccount('MARGIN', parties[trade.size % REGULAR_TRADERS] ?? '', of);
    const settlement = networkAccount('SETTLEMENT', of.asset, of.id);
    const quantity = book.share(margin, 600_000);
    const rest = book.balance(margin) - quantity;
    yield { type: 'MTM_LOSS', from: margin, to: settlement, quantity };
    yield { type: 'MTM_WIN', from: settlement, to: winner, quantity };
    yield {
      type: 'MARGIN_CONFISCATED',
      from: margin,
      to: networkAccount('INSURANCE', of.asset, of.id),
      quantity: rest,
    };
  }
}

/** The other side receives the maker fee. If the network pays, the money comes from the insurance pool of the market. */
function* tradeFeeMoves({ market, buyer, seller, fees }: Trade, side: TraderRole): Iterable<Move> {
  const { maker, infrastructure, liquidity } = fees[side];
  const asset = market.settlementAsset.id;
  const [party, other] = side === 'buyer' ? [buyer, seller] : [seller, buyer];
  const from = traderAccount(party, asset, market);
  const pool = networkAccount('FEES_MAKER', asset, market.id);
  if (maker > 0n) yield { type: 'MAKER_FEE_PAY', from, to: pool, quantity: maker };
  if (infrastructure > 0n)
    yield {
      type: 'INFRASTRUCTURE_FEE_PAY',
      from,
      to: networkAccount('FEES_INFRASTRUCTURE', asset),
      quantity: infrastructure,
    };
  if (liquidity > 0n)
    yield {
      type: 'LIQUIDITY_FEE_PAY',
      from,
      to: networkAccount('FEES_LIQUIDITY', asset, market.id),
      quantity: liquidity,
    };
  if (maker > 0n)
    yield { type: 'MAKER_FEE_RECEIVE', from: pool, to: traderAccount(other, asset, market), quantity: maker };
}

const traderAccount = (party: string, asset: string, { id }: Market): Account =>
  party === NETWORK_OWNER ? networkAccount('INSURANCE', asset, id) : generalAccount(party, asset);

function* exchange({ market, price, size, buyer, seller }: Trade): Iterable<Move> {
  const { settlementAsset, baseAsset, positionDecimalPlaces } = market;
  const quote = notionalValue(market, price, size);
  const base = BigInt(size) * 10n ** BigInt(baseAsset.decimals - positionDecimalPlaces);
  const to = (party: string, asset: string) => generalAccount(party, asset);
  yield { type: 'SPOT', from: to(buyer, settlementAsset.id), to: to(seller, settlementAsset.id), quantity: quote };
  yield { type: 'SPOT', from: to(seller, baseAsset.id), to: to(buyer, baseAsset.id), quantity: base };
}

const TEN_THOUSANDTHS = 10_000n;

/**
 * Payments to providers for an epoch (protocol.md section 1.1): their allocation less the part withheld as a penalty. The
 * withheld part is shared as a bonus among those who performed.
 */
export function* liquidityFeeMoves({ epoch, market, shares }: Allocation, book: AccountBook): Iterable<Move> {
  const of = { id: market.id, asset: market.settlementAsset.id };
  const network = (type: string) => networkAccount(type, of.asset, of.id);
  const bonus = network('LIQUIDITY_FEES_BONUS_DISTRIBUTION');
  const accrued = (party: string) => marketAccount('LP_LIQUIDITY_FEES', party, of);
  const paid = shares.map(({ commitment, amount }) => {
    const penalty = BigInt(providerPerformance(commitment.id, epoch).feePenalty);
    const withheld = (amount * penalty) / TEN_THOUSANDTHS;
    return { party: commitment.partyId, amount, withheld, weight: amount * (TEN_THOUSANDTHS - penalty) };
  });
  for (const { party, amount } of paid)
    yield { type: 'LIQUIDITY_FEE_ALLOCATE', from: network('FEES_LIQUIDITY'), to: accrued(party), quantity: amount };
  const all = paid.reduce((sum, { weight }) => sum + weight, 0n);
  for (const { party, amount, withheld } of paid) {
    const from = accrued(party);
    if (all === 0n) {
      yield { type: 'SLA_PENALTY_LP_FEE_APPLY', from, to: network('INSURANCE'), quantity: amount };
      continue;
    }
    const net = {
      type: 'LIQUIDITY_FEE_NET_DISTRIBUTE',
      from,
      to: generalAccount(party, of.asset),
      quantity: amount - withheld,
    };
    if (net.quantity > 0n) yield net;
    if (withheld > 0n) yield { type: 'LIQUIDITY_FEE_UNPAID_COLLECT', from, to: bonus, quantity: withheld };
  }
  const best = paid.filter(({ weight }) => weight > 0n);
  const toShare = book.balance(bonus);
  let left = toShare;
  for (const [index, { party, weight }] of best.entries()) {
    const quantity = index === best.length - 1 ? left : (toShare * weight) / all;
    left -= quantity;
    if (quantity === 0n) continue;
    yield { type: 'SLA_PERFORMANCE_BONUS_DISTRIBUTE', from: bonus, to: generalAccount(party, of.asset), quantity };
  }
}

/** The treasury fills each pool before it pays; the pool of infrastructure fees is filled by the fees. */
export function* rewardMoves(rewards: readonly Reward[], label: string): Iterable<Move> {
  const pools = Map.groupBy(rewards, ({ type, asset, market, game }) => `${type}/${asset}/${game || market}`);
  for (const [key, all] of pools) {
    const [first] = all;
    if (first === undefined) continue;
    const pool = networkAccount(first.type, first.asset, first.game || first.market);
    if (first.type !== 'FEES_INFRASTRUCTURE') {
      const transit = networkAccount('PENDING_TRANSFERS', first.asset);
      const quantity = all.reduce((sum, { amount }) => sum + amount, 0n);
      const sent = { quantity, transferId: seededHex(`${label}/${key}`) };
      yield {
        ...sent,
        type: 'TRANSFER_FUNDS_SEND',
        from: networkAccount('NETWORK_TREASURY', first.asset),
        to: transit,
      };
      yield { ...sent, type: 'TRANSFER_FUNDS_DISTRIBUTE', from: transit, to: pool };
    }
    for (const { type, asset, party, amount } of all) {
      // A share of the infrastructure fees can be spent at once; a reward is locked.
      const to =
        type === 'FEES_INFRASTRUCTURE' ? generalAccount(party, asset) : partyAccount('VESTING_REWARDS', party, asset);
      yield { type: 'REWARD_PAYOUT', from: pool, to, quantity: amount };
    }
  }
}
