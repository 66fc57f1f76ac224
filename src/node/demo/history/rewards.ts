import { bytea, type HistoryRow, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, type Chain, firstBlockOfEpoch, lastBlockOfEpoch } from '../chain.ts';
import type { Asset } from '../markets.ts';
import { Dice, seededHex } from '../seeded-random.ts';
import { tradesOfBlocks } from '../trades.ts';
import {
  type BlockRange,
  type HistorySource,
  originColumns,
  payoutBlocks,
  type RowGenerator,
} from './history-source.ts';

/** What a party is paid for an epoch, in the first block of the next one. */
export interface Reward {
  readonly height: number;
  readonly epoch: number;
  /** Counts within the epoch, from 0. */
  readonly index: number;
  readonly party: string;
  readonly asset: string;
  /** The pool's account type, without `ACCOUNT_TYPE_`. */
  readonly type: string;
  /** Before the upgrade a pool belonged to a market; '' for none. */
  readonly market: string;
  /** Since the upgrade it belongs to a game; '' for none. */
  readonly game: string;
  readonly amount: bigint;
  /** The share of what the pool pays in the epoch, in millionths. */
  readonly millionths: bigint;
  /** The amount in quanta, rounded down. */
  readonly quanta: bigint;
}

interface Pool {
  readonly type: string;
  readonly asset: Asset;
  readonly market: string;
  readonly game: string;
  readonly amounts: readonly bigint[];
}

/** The pools of games, and the asset that each pays. */
const GAME_POOLS = [
  ['REWARD_MAKER_PAID_FEES', 'USDT'],
  ['REWARD_MAKER_RECEIVED_FEES', 'USDC'],
  ['REWARD_LP_RECEIVED_FEES', 'VEGA'],
] as const;

/** From this height pools belong to games (export-behaviour.md section 3). */
const FIRST_GAMES_HEIGHT = 14_501;

/** The rewards paid in some blocks, by epoch, as the ledger pays them. */
export function* rewardsInBlocks(source: Pick<HistorySource, 'chain' | 'scale'>, blocks: BlockRange): Iterable<Reward> {
  const { chain } = source;
  for (const { height, epoch } of payoutBlocks(chain, blocks)) {
    const dice = new Dice(`${chain.seed}/rewards/${epoch}`);
    let index = 0;
    for (const { type, asset, market, game, amounts } of rewardPools(source, { height, epoch, dice })) {
      const total = amounts.reduce((sum, amount) => sum + amount, 0n);
      const first = dice.below(chain.parties.length);
      for (const [place, amount] of amounts.entries()) {
        const party = chain.parties[(first + place * 7) % chain.parties.length] ?? chain.parties[0];
        const share = { millionths: (amount * 1_000_000n) / total, quanta: amount / BigInt(asset.quantum) };
        yield { height, epoch, index: index++, party, asset: asset.id, type, market, game, amount, ...share };
      }
    }
  }
}

interface EpochPayout {
  readonly height: number;
  readonly epoch: number;
  readonly dice: Dice;
}

function* rewardPools(
  source: Pick<HistorySource, 'chain' | 'scale'>,
  { height, epoch, dice }: EpochPayout,
): Iterable<Pool> {
  const { chain } = source;
  const assetCalled = (wanted: string) => chain.assets.find(({ symbol }) => symbol === wanted) ?? chain.assets[0];
  const amountsOf = (count: number, { quantum }: Asset) =>
    Array.from({ length: count }, () => (BigInt(quantum) * BigInt(dice.between(40, 4000))) / 100n);
  const vega = assetCalled('VEGA');
  yield { type: 'GLOBAL_REWARD', asset: vega, market: '', game: '', amounts: amountsOf(10, vega) };
  for (const [type, symbol] of GAME_POOLS) {
    const asset = assetCalled(symbol);
    const slot =
      height < FIRST_GAMES_HEIGHT
        ? { market: pickOpenMarket(chain, height, dice), game: '' }
        : { market: '', game: pickGame(dice) };
    yield { type, asset, ...slot, amounts: amountsOf(5, asset) };
  }
  const fees = infrastructureFees(source, epoch);
  for (const asset of chain.assets) {
    // Most of the fees from trades; the rest stays in the pool.
    const total = ((fees.get(asset.id) ?? 0n) * 9n) / 10n;
    const amounts = [50n, 30n, 20n].map(share => (total * share) / 100n).filter(amount => amount > 0n);
    if (amounts.length > 0) yield { type: 'FEES_INFRASTRUCTURE', asset, market: '', game: '', amounts };
  }
}

const pickGame = (dice: Dice): string => seededHex(`game/${dice.below(4)}`);

function pickOpenMarket({ markets }: Chain, height: number, dice: Dice): string {
  const open = markets.filter(({ createdHeight }) => createdHeight <= height);
  return (open[dice.below(open.length)] ?? markets[0]).id;
}

function infrastructureFees(
  source: Pick<HistorySource, 'chain' | 'scale'>,
  epoch: number,
): ReadonlyMap<string, bigint> {
  const { chain } = source;
  const fees = new Map<string, bigint>();
  for (const { market, fees: paid } of tradesOfBlocks(
    source,
    firstBlockOfEpoch(chain, epoch),
    lastBlockOfEpoch(chain, epoch),
  )) {
    const { id } = market.settlementAsset;
    fees.set(id, (fees.get(id) ?? 0n) + paid.buyer.infrastructure + paid.seller.infrastructure);
  }
  return fees;
}

export const rewardRows: RowGenerator = function* (source, segment) {
  for (const reward of rewardsInBlocks(source, segment)) yield rewardRow(source, reward);
};

function rewardRow(source: HistorySource, reward: Reward): HistoryRow {
  const { height, epoch, index } = reward;
  const dice = new Dice(`${source.chain.seed}/reward/${epoch}/${index}`);
  return {
    party_id: bytea(reward.party),
    asset_id: bytea(reward.asset),
    // Empty, not NULL, for a reward of no market.
    market_id: bytea(reward.market),
    reward_type: `ACCOUNT_TYPE_${reward.type}`,
    epoch_id: String(epoch),
    amount: String(reward.amount),
    percent_of_total: String(Number(reward.millionths) / 10_000),
    timestamp: timestamptz(blockTimeUs(source.chain, height)),
    ...originColumns(source, height, index),
    locked_until_epoch_id: String(epoch + dice.below(5)),
    quantum_amount: String(reward.quanta),
    game_id: reward.game === '' ? null : bytea(reward.game),
  };
}
