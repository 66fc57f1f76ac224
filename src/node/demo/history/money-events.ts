import type { Chain } from '../chain.ts';
import type { Market } from '../markets.ts';
import { type Dice, hexOf } from '../seeded.ts';
import type { AccountBook, Move } from './account-book.ts';
import { type Account, general, type MarketOf, ofNetwork, ofParty, onMarket } from './accounts.ts';

/** Who and what an event of the ledger is about, by chance. */
export interface Happening {
  readonly book: AccountBook;
  readonly dice: Dice;
  readonly party: string;
  readonly other: string;
  readonly market: MarketOf;
  /** What a spot market trades. */
  readonly baseAsset: string;
  readonly label: string;
}

export function happeningOn(
  chain: Chain,
  market: Market,
  { book, dice, label }: Pick<Happening, 'book' | 'dice' | 'label'>,
): Happening {
  const party = dice.pick(chain.parties);
  const other = dice.pick(chain.parties);
  const of = { id: market.id, asset: market.settlementAsset.id };
  return { book, dice, label, party, other, market: of, baseAsset: market.baseAsset.id };
}

/** Moves that belong together, in the order in which they are made: what comes in somewhere between goes on from there. */
export type MoneyEvent = (happening: Happening) => readonly Move[];

/** At most half a hundredth of what lies there, so that no account is ever short. */
const some = ({ book, dice }: Happening, from: Account): bigint => book.share(from, dice.between(10, 5000));

const trade: MoneyEvent = happening => {
  const { party, other, market } = happening;
  const from = general(party, market.asset);
  const fee = (type: string, to: Account): Move => ({ type, from, to, quantity: some(happening, from) });
  const maker = fee('MAKER_FEE_PAY', ofNetwork('FEES_MAKER', market.asset, market.id));
  return [
    maker,
    fee('INFRASTRUCTURE_FEE_PAY', ofNetwork('FEES_INFRASTRUCTURE', market.asset)),
    fee('LIQUIDITY_FEE_PAY', ofNetwork('FEES_LIQUIDITY', market.asset, market.id)),
    { ...maker, type: 'MAKER_FEE_RECEIVE', from: maker.to, to: general(other, market.asset) },
  ];
};

/** Now and then the insurance of the market pays what the loser cannot. */
const markToMarket: MoneyEvent = happening => {
  const { dice, market } = happening;
  const isInsured = dice.chance(10);
  const margin = onMarket('MARGIN', happening.party, market);
  const from = isInsured ? ofNetwork('INSURANCE', market.asset, market.id) : margin;
  return throughSettlement(happening, from, ['MTM_LOSS', 'MTM_WIN']);
};

const funding: MoneyEvent = happening =>
  throughSettlement(happening, onMarket('MARGIN', happening.party, happening.market), [
    'PERPETUALS_FUNDING_LOSS',
    'PERPETUALS_FUNDING_WIN',
  ]);

function throughSettlement(
  happening: Happening,
  from: Account,
  [loss, win]: readonly [string, string],
): readonly Move[] {
  const { market, other } = happening;
  const quantity = some(happening, from);
  const settlement = ofNetwork('SETTLEMENT', market.asset, market.id);
  return [
    { type: loss, from, to: settlement, quantity },
    { type: win, from: settlement, to: onMarket('MARGIN', other, market), quantity },
  ];
}

const ownMove =
  (type: string, from: (happening: Happening) => Account, to: (happening: Happening) => Account): MoneyEvent =>
  happening => [{ type, from: from(happening), to: to(happening), quantity: some(happening, from(happening)) }];

const ownGeneral = ({ party, market }: Happening): Account => general(party, market.asset);
const own =
  (type: string) =>
  ({ party, market }: Happening): Account =>
    onMarket(type, party, market);
const locked =
  (type: string) =>
  ({ party, market }: Happening): Account =>
    ofParty(type, party, market.asset);

const liquidityFee: MoneyEvent = happening => {
  const { party, market } = happening;
  const pool = ofNetwork('FEES_LIQUIDITY', market.asset, market.id);
  const accrued = onMarket('LP_LIQUIDITY_FEES', party, market);
  const quantity = some(happening, pool);
  return [
    { type: 'LIQUIDITY_FEE_ALLOCATE', from: pool, to: accrued, quantity },
    { type: 'LIQUIDITY_FEE_NET_DISTRIBUTE', from: accrued, to: general(party, market.asset), quantity },
  ];
};

const penalty: MoneyEvent = happening => {
  const { market } = happening;
  const from = own('BOND')(happening);
  const to = ofNetwork('INSURANCE', market.asset, market.id);
  return [{ type: 'SLA_PENALTY_BOND_APPLY', from, to, quantity: some(happening, from) }];
};

const referral: MoneyEvent = happening => {
  const { other, market } = happening;
  const from = ownGeneral(happening);
  const transit = ofNetwork('PENDING_FEE_REFERRAL_REWARD', market.asset);
  const quantity = some(happening, from);
  return [
    { type: 'FEE_REFERRER_REWARD_PAY', from, to: transit, quantity },
    { type: 'FEE_REFERRER_REWARD_DISTRIBUTE', from: transit, to: general(other, market.asset), quantity },
  ];
};

/** To somebody else, with a fee; or what was unlocked, to the own account. */
const transfer: MoneyEvent = happening => {
  const { dice, other, market, label } = happening;
  const isOwn = dice.chance(25);
  const from = isOwn ? locked('VESTED_REWARDS')(happening) : ownGeneral(happening);
  const to = isOwn ? ownGeneral(happening) : general(other, market.asset);
  const transit = ofNetwork('PENDING_TRANSFERS', market.asset);
  const fees = ofNetwork('FEES_INFRASTRUCTURE', market.asset);
  const sent = { quantity: some(happening, from), transferId: hexOf(`${label}/transfer`) };
  const fee = { type: 'INFRASTRUCTURE_FEE_PAY', from, to: fees, quantity: some(happening, from) };
  return [
    ...(isOwn ? [] : [fee]),
    { ...sent, type: 'TRANSFER_FUNDS_SEND', from, to: transit },
    { ...sent, type: 'TRANSFER_FUNDS_DISTRIBUTE', from: transit, to },
  ];
};

/** A piece of the base asset for a piece of the quote asset that an order has put aside. */
const spotTrade: MoneyEvent = happening => {
  const { party, other, market, baseAsset } = happening;
  const paid = locked('HOLDING')(happening);
  const sold = general(other, baseAsset);
  return [
    { type: 'SPOT', from: paid, to: general(other, market.asset), quantity: some(happening, paid) },
    { type: 'SPOT', from: sold, to: general(party, baseAsset), quantity: some(happening, sold) },
  ];
};

/** One move between two accounts of one party. */
export const MARGIN_CALL: MoneyEvent = ownMove('MARGIN_LOW', ownGeneral, own('MARGIN'));

export const ON_ANY_MARKET: readonly [MoneyEvent, ...MoneyEvent[]] = [
  ...([trade, trade, trade, liquidityFee, transfer, transfer, referral, penalty] as const),
  ownMove('BOND_LOW', ownGeneral, own('BOND')),
  ownMove('REWARDS_VESTED', locked('VESTING_REWARDS'), locked('VESTED_REWARDS')),
];

export const ON_DERIVATIVES: readonly [MoneyEvent, ...MoneyEvent[]] = [
  ...([markToMarket, markToMarket, funding] as const),
  ...([MARGIN_CALL, ownMove('MARGIN_HIGH', own('MARGIN'), ownGeneral)] as const),
  ownMove('ORDER_MARGIN_LOW', ownGeneral, own('ORDER_MARGIN')),
];

export const ON_SPOT: readonly [MoneyEvent, ...MoneyEvent[]] = [
  spotTrade,
  ownMove('HOLDING_LOCK', ownGeneral, locked('HOLDING')),
  ownMove('HOLDING_RELEASE', locked('HOLDING'), ownGeneral),
];

/** What is left on a market when it ends goes back. */
export const MARKET_CLEARED: MoneyEvent = ownMove('CLEAR_ACCOUNT', own('MARGIN'), ownGeneral);
