import type { Allocation } from '../paid-liquidity-fees.ts';
import { performanceOf } from '../provider-performance.ts';
import { hexOf } from '../seeded.ts';
import type { AccountBook, Move } from './account-book.ts';
import { general, ofNetwork, ofParty, onMarket } from './accounts.ts';
import type { Reward } from './rewards.ts';

const TEN_THOUSANDTHS = 10_000n;

/**
 * What providers get for an epoch (protocol.md section 1.1): their allocation less what is withheld as a penalty. What
 * is withheld is shared as a bonus among those who performed.
 */
export function* movesOfFees({ epoch, market, shares }: Allocation, book: AccountBook): Iterable<Move> {
  const of = { id: market.id, asset: market.settlementAsset.id };
  const network = (type: string) => ofNetwork(type, of.asset, of.id);
  const bonus = network('LIQUIDITY_FEES_BONUS_DISTRIBUTION');
  const accrued = (party: string) => onMarket('LP_LIQUIDITY_FEES', party, of);
  const paid = shares.map(({ commitment, amount }) => {
    const penalty = BigInt(performanceOf(commitment.id, epoch).feePenalty);
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
      to: general(party, of.asset),
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
    yield { type: 'SLA_PERFORMANCE_BONUS_DISTRIBUTE', from: bonus, to: general(party, of.asset), quantity };
  }
}

/** The treasury fills each pool before it pays; the pool of infrastructure fees is filled by the fees. */
export function* movesOfRewards(rewards: readonly Reward[], label: string): Iterable<Move> {
  const pools = Map.groupBy(rewards, ({ type, asset, market, game }) => `${type}/${asset}/${game || market}`);
  for (const [key, all] of pools) {
    const [first] = all;
    if (first === undefined) continue;
    const pool = ofNetwork(first.type, first.asset, first.game || first.market);
    if (first.type !== 'FEES_INFRASTRUCTURE') {
      const transit = ofNetwork('PENDING_TRANSFERS', first.asset);
      const quantity = all.reduce((sum, { amount }) => sum + amount, 0n);
      const sent = { quantity, transferId: hexOf(`${label}/${key}`) };
      yield { ...sent, type: 'TRANSFER_FUNDS_SEND', from: ofNetwork('NETWORK_TREASURY', first.asset), to: transit };
      yield { ...sent, type: 'TRANSFER_FUNDS_DISTRIBUTE', from: transit, to: pool };
    }
    for (const { type, asset, party, amount } of all) {
      // A share of the infrastructure fees can be spent at once; a reward is locked.
      const to = type === 'FEES_INFRASTRUCTURE' ? general(party, asset) : ofParty('VESTING_REWARDS', party, asset);
      yield { type: 'REWARD_PAYOUT', from: pool, to, quantity: amount };
    }
  }
}
