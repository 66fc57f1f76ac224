import { bytea, type HistoryRow, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, txHash } from '../chain.ts';
import { Dice } from '../seeded-random.ts';
import type { DemoSegment } from '../segments.ts';
import type { Move } from './account-book.ts';
import { type HistorySource, type RowGenerator, sortWithinBlocks } from './history-source.ts';

export const ledgerRows: RowGenerator = function* (source, segment) {
  const { chain } = source;
  for (const { height, index, move, ...posting } of source.money.entriesIn(segment)) {
    const timeUs = blockTimeUs(chain, height);
    const time = timestamptz(timeUs);
    yield {
      // Microseconds distinguish the entries of a block (export-behaviour.md section 3.0).
      ledger_entry_time: timestamptz(timeUs + index),
      account_from_id: bytea(posting.fromId),
      account_to_id: bytea(posting.toId),
      quantity: String(posting.quantity),
      tx_hash: bytea(txHash(chain, height, index)),
      vega_time: time,
      transfer_time: time,
      account_from_balance: String(posting.fromBalance),
      account_to_balance: String(posting.toBalance),
      ...ledgerLabels(move, segment, `${chain.seed}/ledger/${height}/${index}`),
    };
  }
};

/**
 * Before the upgrade, rows between accounts of the same party may lack their type; no sum needs it. After it, rows that
 * belong to no transfer have an empty id.
 */
function ledgerLabels({ type, transferId = '' }: Move, { databaseVersion }: DemoSegment, label: string) {
  const isUnsaid = databaseVersion < 69 && OWN_TRANSFER_TYPES.includes(type) && new Dice(`${label}/words`).chance(30);
  return { type: isUnsaid ? null : `TRANSFER_TYPE_${type}`, transfer_id: bytea(transferId) };
}

const OWN_TRANSFER_TYPES = ['MARGIN_LOW', 'MARGIN_HIGH'];

/** The balance of each account, after each block that changed it. */
export const balanceRows: RowGenerator = (source, segment) =>
  sortWithinBlocks(changedBalances(source, segment), 'account_id');

function* changedBalances(source: HistorySource, segment: DemoSegment): Iterable<HistoryRow> {
  let block = new Map<string, bigint>();
  let height = 0;
  const rows = function* (): Iterable<HistoryRow> {
    const origin = {
      vega_time: timestamptz(blockTimeUs(source.chain, height)),
      tx_hash: bytea(txHash(source.chain, height, 0)),
    };
    for (const [id, balance] of block) yield { account_id: bytea(id), balance: String(balance), ...origin };
  };
  for (const entry of source.money.entriesIn(segment)) {
    if (entry.height !== height) {
      yield* rows();
      block = new Map();
      height = entry.height;
    }
    for (const [id, balance] of entry.balances) block.set(id, balance);
  }
  yield* rows();
}
