import { bytea, type HistoryRow, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, epochOf, lastBlockOfEpoch, txHash } from '../chain.ts';
import { delegationsAfter } from '../delegations.ts';
import { Dice, hexOf } from '../seeded.ts';
import type { Segment } from '../segments.ts';
import type { HistorySource, TableRows } from './history-source.ts';

/** One row per height: the only table whose row count is known beforehand. */
export const blockRows: TableRows = function* ({ chain }, segment) {
  for (let height = segment.fromHeight; height <= segment.toHeight; height++) {
    yield {
      vega_time: timestamptz(blockTimeUs(chain, height)),
      height: String(height),
      hash: bytea(hexOf(`${chain.seed}/block/${height}`)),
    };
  }
};

/** One per epoch, as network.checkpoint.timeElapsedBetweenCheckpoints says. */
export const checkpointRows: TableRows = function* ({ chain }, segment) {
  for (const { height } of epochEnds(segment)) {
    yield {
      hash: hexOf(`${chain.seed}/checkpoint/${height}`),
      block_hash: hexOf(`${chain.seed}/block/${height}`).toUpperCase(),
      block_height: String(height),
      tx_hash: bytea(txHash(chain, height, 0)),
      vega_time: timestamptz(blockTimeUs(chain, height)),
      seq_num: '0',
    };
  }
};

export const delegationRows: TableRows = function* (source, segment) {
  for (const { height, epoch } of epochEnds(segment)) {
    for (const [index, { party, nodeId, amount }] of delegationsAfter(source.chain, epoch).entries()) {
      yield {
        party_id: bytea(party),
        node_id: bytea(nodeId),
        epoch_id: String(epoch + 1),
        amount,
        ...origin(source, height, index),
      };
    }
  }
};

const REWARD_TYPES = [
  'ACCOUNT_TYPE_GLOBAL_REWARD',
  'ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES',
  'ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES',
  'ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES',
  'ACCOUNT_TYPE_FEES_INFRASTRUCTURE',
] as const;

export const rewardRows: TableRows = function* (source, segment) {
  const { chain } = source;
  for (const { height, epoch } of epochEnds(segment)) {
    for (let index = 0; index < 40; index++) {
      const dice = new Dice(`${chain.seed}/rewards/${epoch}/${index}`);
      const type = dice.pick(REWARD_TYPES);
      yield rewardRow(source, { height, epoch, index, type, dice });
    }
  }
};

interface Reward {
  readonly height: number;
  readonly epoch: number;
  readonly index: number;
  readonly type: (typeof REWARD_TYPES)[number];
  readonly dice: Dice;
}

function rewardRow(source: HistorySource, { height, epoch, index, type, dice }: Reward): HistoryRow {
  const { chain } = source;
  const hasMarket = type !== 'ACCOUNT_TYPE_GLOBAL_REWARD' && type !== 'ACCOUNT_TYPE_FEES_INFRASTRUCTURE';
  return {
    party_id: bytea(dice.pick(chain.parties)),
    asset_id: bytea(dice.pick(chain.assets).id),
    // A reward of no market has the empty id, which is not NULL.
    market_id: bytea(hasMarket ? dice.pick(chain.markets).id : ''),
    reward_type: type,
    epoch_id: String(epoch),
    amount: dice.digits(dice.between(1, 24)),
    percent_of_total: dice.chance(5) ? '50' : String(dice.below(100_000_000) / 1_000_000),
    timestamp: dice.chance(4) ? NO_TIME : timestamptz(blockTimeUs(chain, height)),
    ...origin(source, height, index),
    locked_until_epoch_id: String(epoch + dice.below(5)),
    quantum_amount: dice.digits(dice.between(1, 9)),
    game_id: dice.chance(50) ? null : bytea(hexOf(`game/${dice.below(4)}`)),
  };
}

function origin({ chain }: HistorySource, height: number, index: number) {
  return {
    tx_hash: bytea(txHash(chain, height, 0)),
    vega_time: timestamptz(blockTimeUs(chain, height)),
    seq_num: String(index),
  };
}

interface EpochEnd {
  readonly height: number;
  readonly epoch: number;
}

function* epochEnds({ fromHeight, toHeight }: Segment): Iterable<EpochEnd> {
  for (let epoch = epochOf(fromHeight); lastBlockOfEpoch(epoch) <= toHeight; epoch++) {
    yield { height: lastBlockOfEpoch(epoch), epoch };
  }
}
