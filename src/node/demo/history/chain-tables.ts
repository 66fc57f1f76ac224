import { bytea, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, txHash } from '../chain.ts';
import { delegationsAtEpochEnd } from '../delegations.ts';
import { seededHex } from '../seeded-random.ts';
import { epochEndBlocks, originColumns, type RowGenerator } from './history-source.ts';

/** One row per height: the only table with a row count that is known in advance. */
export const blockRows: RowGenerator = function* ({ chain }, segment) {
  for (let height = segment.fromHeight; height <= segment.toHeight; height++) {
    yield {
      vega_time: timestamptz(blockTimeUs(chain, height)),
      height: String(height),
      hash: bytea(seededHex(`${chain.seed}/block/${height}`)),
    };
  }
};

/** One per epoch, as set by network.checkpoint.timeElapsedBetweenCheckpoints. */
export const checkpointRows: RowGenerator = function* ({ chain }, segment) {
  for (const { height } of epochEndBlocks(chain, segment)) {
    yield {
      hash: seededHex(`${chain.seed}/checkpoint/${height}`),
      block_hash: seededHex(`${chain.seed}/block/${height}`).toUpperCase(),
      block_height: String(height),
      tx_hash: bytea(txHash(chain, height, 0)),
      vega_time: timestamptz(blockTimeUs(chain, height)),
      seq_num: '0',
    };
  }
};

export const delegationRows: RowGenerator = function* (source, segment) {
  for (const { height, epoch } of epochEndBlocks(source.chain, segment)) {
    for (const [index, { party, nodeId, amount }] of delegationsAtEpochEnd(source.chain, epoch).entries()) {
      yield {
        party_id: bytea(party),
        node_id: bytea(nodeId),
        epoch_id: String(epoch + 1),
        amount,
        ...originColumns(source, height, index),
      };
    }
  }
};
