import type { Chain } from '../chain.ts';
import type { Market } from '../markets.ts';
import { type Dice, hexOf } from '../seeded.ts';
import { TRADERS } from '../trades.ts';
import type { AccountBook, Move } from './account-book.ts';
import { type Account, general, type MarketOf, ofNetwork, ofParty, onMarket } from './accounts.ts';

/** Who and what an event of the ledger is about, by chance. */
export interface Happening {
  readonly book: AccountBook;
  readonly dice: Dice;
  readonly party: string;
  readonly other: string;
  readonly market: MarketOf;
  /** A noticeable amount of what the market settles in. */
  readonly quantum: bigint;
  readonly label: string;
}

export function happeningOn(
  chain: Chain,
  market: Market,
  { book, dice, label }: Pick<Happening, 'book' | 'dice' | 'label'>,
): Happening {
  // Of the others it is known what they hold, until they are closed out.
  const trader = () => chain.parties[dice.below(TRADERS)] ?? chain.parties[0];
  const of = { id: market.id, asset: market.settlementAsset.id };
  const quantum = BigInt(market.settlementAsset.quantum);
  return { book, dice, label, party: trader(), other: trader(), market: of, quantum };
}

/** Moves that belong together, in the order in which they are made: what comes in somewhere between goes on from there. */
export type MoneyEvent = (happening: Happening) => readonly Move[];

/** At most half a hundredth of what lies there, so that no account is ever short. */
const some = ({ book, dice }: Happening, from: Account): bigint => book.share(from, dice.between(10, 5000));

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

const referral: MoneyEvent = happening => {
  const { dice, other, market, quantum } = happening;
  const from = ownGeneral(happening);
  const transit = ofNetwork('PENDING_FEE_REFERRAL_REWARD', market.asset);
  const quantity = (quantum * BigInt(dice.between(5, 400))) / 100n;
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
  const quantity = some(happening, from);
  const sent = { quantity, transferId: hexOf(`${label}/transfer`) };
  // As the network parameter transfer.fee.factor has it.
  const fee = { type: 'INFRASTRUCTURE_FEE_PAY', from, to: fees, quantity: quantity / 1000n };
  return [
    ...(isOwn ? [] : [fee]),
    { ...sent, type: 'TRANSFER_FUNDS_SEND', from, to: transit },
    { ...sent, type: 'TRANSFER_FUNDS_DISTRIBUTE', from: transit, to },
  ];
};

/** One move between two accounts of one party. */
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

/** What an order of a spot market puts aside. */
export const HOLDING_LOCK: MoneyEvent = ownMove('HOLDING_LOCK', ownGeneral, locked('HOLDING'));

export const ON_SPOT: readonly [MoneyEvent, ...MoneyEvent[]] = [
  HOLDING_LOCK,
  ownMove('HOLDING_RELEASE', locked('HOLDING'), ownGeneral),
];
