import type { Chain } from '../chain.ts';
import type { Market } from '../markets.ts';
import { type Dice, hexOf } from '../seeded.ts';
import { TRADERS } from '../trades.ts';
import type { AccountBook, Move } from './account-book.ts';
import { type Account, general, type MarketOf, ofNetwork, ofParty, onMarket } from './accounts.ts';

/** The random parties, market and amounts of an event in the ledger. */
export interface EventContext {
  readonly book: AccountBook;
  readonly dice: Dice;
  readonly party: string;
  readonly other: string;
  readonly market: MarketOf;
  /** The quantum of the settlement asset. */
  readonly quantum: bigint;
  readonly label: string;
}

export function contextOf(
  chain: Chain,
  market: Market,
  { book, dice, label }: Pick<EventContext, 'book' | 'dice' | 'label'>,
): EventContext {
  // Other parties are reserved for close-outs, which need to know what they hold.
  const trader = () => chain.parties[dice.below(TRADERS)] ?? chain.parties[0];
  const of = { id: market.id, asset: market.settlementAsset.id };
  const quantum = BigInt(market.settlementAsset.quantum);
  return { book, dice, label, party: trader(), other: trader(), market: of, quantum };
}

/** Moves that belong together, in order. */
export type MoneyEvent = (context: EventContext) => readonly Move[];

/** At most 0.5 % of a balance, so that no account runs short. */
const some = ({ book, dice }: EventContext, from: Account): bigint => book.share(from, dice.between(10, 5000));

/** Sometimes the insurance pool of the market pays what the loser cannot. */
const markToMarket: MoneyEvent = context => {
  const { dice, market } = context;
  const isInsured = dice.chance(10);
  const margin = onMarket('MARGIN', context.party, market);
  const from = isInsured ? ofNetwork('INSURANCE', market.asset, market.id) : margin;
  return throughSettlement(context, from, ['MTM_LOSS', 'MTM_WIN']);
};

const funding: MoneyEvent = context =>
  throughSettlement(context, onMarket('MARGIN', context.party, context.market), [
    'PERPETUALS_FUNDING_LOSS',
    'PERPETUALS_FUNDING_WIN',
  ]);

function throughSettlement(
  context: EventContext,
  from: Account,
  [loss, win]: readonly [string, string],
): readonly Move[] {
  const { market, other } = context;
  const quantity = some(context, from);
  const settlement = ofNetwork('SETTLEMENT', market.asset, market.id);
  return [
    { type: loss, from, to: settlement, quantity },
    { type: win, from: settlement, to: onMarket('MARGIN', other, market), quantity },
  ];
}

const ownMove =
  (type: string, from: (context: EventContext) => Account, to: (context: EventContext) => Account): MoneyEvent =>
  context => [{ type, from: from(context), to: to(context), quantity: some(context, from(context)) }];

const ownGeneral = ({ party, market }: EventContext): Account => general(party, market.asset);
const own =
  (type: string) =>
  ({ party, market }: EventContext): Account =>
    onMarket(type, party, market);
const locked =
  (type: string) =>
  ({ party, market }: EventContext): Account =>
    ofParty(type, party, market.asset);

const referral: MoneyEvent = context => {
  const { dice, other, market, quantum } = context;
  const from = ownGeneral(context);
  const transit = ofNetwork('PENDING_FEE_REFERRAL_REWARD', market.asset);
  const quantity = (quantum * BigInt(dice.between(5, 400))) / 100n;
  return [
    { type: 'FEE_REFERRER_REWARD_PAY', from, to: transit, quantity },
    { type: 'FEE_REFERRER_REWARD_DISTRIBUTE', from: transit, to: general(other, market.asset), quantity },
  ];
};

/** A transfer to another party with a fee, or of vested rewards to the party's general account. */
const transfer: MoneyEvent = context => {
  const { dice, other, market, label } = context;
  const isOwn = dice.chance(25);
  const from = isOwn ? locked('VESTED_REWARDS')(context) : ownGeneral(context);
  const to = isOwn ? ownGeneral(context) : general(other, market.asset);
  const transit = ofNetwork('PENDING_TRANSFERS', market.asset);
  const fees = ofNetwork('FEES_INFRASTRUCTURE', market.asset);
  const quantity = some(context, from);
  const sent = { quantity, transferId: hexOf(`${label}/transfer`) };
  // The network parameter transfer.fee.factor.
  const fee = { type: 'INFRASTRUCTURE_FEE_PAY', from, to: fees, quantity: quantity / 1000n };
  return [
    ...(isOwn ? [] : [fee]),
    { ...sent, type: 'TRANSFER_FUNDS_SEND', from, to: transit },
    { ...sent, type: 'TRANSFER_FUNDS_DISTRIBUTE', from: transit, to },
  ];
};

/** A move between two accounts of the same party. */
export const MARGIN_CALL: MoneyEvent = ownMove('MARGIN_LOW', ownGeneral, own('MARGIN'));

export const ON_ANY_MARKET: readonly [MoneyEvent, ...MoneyEvent[]] = [
  ...([transfer, transfer, referral] as const),
  ownMove('REWARDS_VESTED', locked('VESTING_REWARDS'), locked('VESTED_REWARDS')),
];

export const ON_DERIVATIVES: readonly [MoneyEvent, ...MoneyEvent[]] = [
  ...([markToMarket, markToMarket, funding] as const),
  ...([MARGIN_CALL, MARGIN_CALL, ownMove('MARGIN_HIGH', own('MARGIN'), ownGeneral)] as const),
  ownMove('ORDER_MARGIN_LOW', ownGeneral, own('ORDER_MARGIN')),
];

/** What an order on a spot market locks. */
export const HOLDING_LOCK: MoneyEvent = ownMove('HOLDING_LOCK', ownGeneral, locked('HOLDING'));

export const ON_SPOT: readonly [MoneyEvent, ...MoneyEvent[]] = [
  HOLDING_LOCK,
  ownMove('HOLDING_RELEASE', locked('HOLDING'), ownGeneral),
];
