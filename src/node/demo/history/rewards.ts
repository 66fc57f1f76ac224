import { bytea, type HistoryRow, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs } from '../chain.ts';
import { Dice, hexOf } from '../seeded.ts';
import type { Segment } from '../segments.ts';
import { epochEnds, type HistorySource, origin, type TableRows } from './history-source.ts';

/** What a party is paid at the end of an epoch. */
export interface Reward {
  readonly height: number;
  readonly epoch: number;
  /** Counts within the epoch, from 0. */
  readonly index: number;
  readonly party: string;
  readonly asset: string;
  /** The pool's account type, without `ACCOUNT_TYPE_`. */
  readonly type: (typeof POOLS)[number];
  /** Before the upgrade a pool was a market's; ''. */
  readonly market: string;
  /** Since then it is a game's; '' for the pools that belong to none. */
  readonly game: string;
  readonly amount: string;
  readonly dice: Dice;
}

const POOLS = [
  'GLOBAL_REWARD',
  'REWARD_MAKER_PAID_FEES',
  'REWARD_MAKER_RECEIVED_FEES',
  'REWARD_LP_RECEIVED_FEES',
  'FEES_INFRASTRUCTURE',
] as const;

/** The schema that brought games (export-behaviour.md section 3). */
const GAMES_SINCE = 74;

/** The rewards of a segment, by epoch; the ledger pays the same ones. */
export function* rewardsIn({ chain }: HistorySource, segment: Segment): Iterable<Reward> {
  for (const { height, epoch } of epochEnds(segment)) {
    for (let index = 0; index < 40; index++) {
      const dice = new Dice(`${chain.seed}/rewards/${epoch}/${index}`);
      const type = dice.pick(POOLS);
      const isOfAll = type === 'GLOBAL_REWARD' || type === 'FEES_INFRASTRUCTURE';
      const hasGame = segment.databaseVersion >= GAMES_SINCE;
      yield {
        height,
        epoch,
        index,
        type,
        party: dice.pick(chain.parties),
        asset: dice.pick(chain.assets).id,
        market: isOfAll || hasGame ? '' : dice.pick(chain.markets).id,
        game: isOfAll || !hasGame ? '' : hexOf(`game/${dice.below(4)}`),
        amount: dice.digits(dice.between(1, 24)),
        dice,
      };
    }
  }
}

export const rewardRows: TableRows = function* (source, segment) {
  for (const reward of rewardsIn(source, segment)) yield rewardRow(source, reward);
};

function rewardRow(source: HistorySource, reward: Reward): HistoryRow {
  const { height, epoch, index, dice } = reward;
  return {
    party_id: bytea(reward.party),
    asset_id: bytea(reward.asset),
    // A reward of no market has the empty id, which is not NULL.
    market_id: bytea(reward.market),
    reward_type: `ACCOUNT_TYPE_${reward.type}`,
    epoch_id: String(epoch),
    amount: reward.amount,
    percent_of_total: dice.chance(5) ? '50' : String(dice.below(100_000_000) / 1_000_000),
    timestamp: dice.chance(4) ? NO_TIME : timestamptz(blockTimeUs(source.chain, height)),
    ...origin(source, height, index),
    locked_until_epoch_id: String(epoch + dice.below(5)),
    quantum_amount: dice.digits(dice.between(1, 9)),
    game_id: reward.game === '' ? null : bytea(reward.game),
  };
}
