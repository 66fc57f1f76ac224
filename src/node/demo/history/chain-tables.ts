import { bytea, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, txHash } from '../chain.ts';
import { delegationsAfter } from '../delegations.ts';
import { hexOf } from '../seeded.ts';
import { epochEnds, origin, type TableRows } from './history-source.ts';

/** One row per height: the only table with a row count that is known in advance. */
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
  for (const { height } of epochEnds(chain, segment)) {
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
  for (const { height, epoch } of epochEnds(source.chain, segment)) {
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
