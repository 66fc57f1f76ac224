import { bytea, type HistoryRow, jsonb, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { addressOf, hexOf } from '../seeded.ts';
import { accountId, moments, sortedInBlock, type TableRows } from './history-source.ts';

export const balanceRows: TableRows = (source, segment) => {
  const { chain } = source;
  function* rows(): Iterable<HistoryRow> {
    for (const { timeUs, txHash, label, dice } of moments(source, segment, 'balances', 300)) {
      yield {
        account_id: accountId(label, dice.pick(chain.parties)),
        vega_time: timestamptz(timeUs),
        tx_hash: txHash,
        balance: dice.chance(6) ? '0' : dice.digits(dice.between(1, 30)),
      };
    }
  }
  return sortedInBlock(rows(), 'account_id');
};

const TRANSFER_TYPES = [
  'TRANSFER_TYPE_MTM_LOSS',
  'TRANSFER_TYPE_MTM_WIN',
  'TRANSFER_TYPE_MAKER_FEE_PAY',
  'TRANSFER_TYPE_MAKER_FEE_RECEIVE',
  'TRANSFER_TYPE_INFRASTRUCTURE_FEE_PAY',
  'TRANSFER_TYPE_LIQUIDITY_FEE_PAY',
  'TRANSFER_TYPE_MARGIN_LOW',
  'TRANSFER_TYPE_PERPETUALS_FUNDING_LOSS',
  'TRANSFER_TYPE_REWARD_PAYOUT',
] as const;

export const ledgerRows: TableRows = function* (source, segment) {
  const { chain } = source;
  for (const { timeUs, index, txHash, label, dice } of moments(source, segment, 'ledger', 400)) {
    const market = dice.pick(chain.markets).id;
    const blockTime = timestamptz(timeUs);
    yield {
      // Entries of a block are told apart by microseconds (export-behaviour.md section 3.0).
      ledger_entry_time: timestamptz(timeUs + index),
      account_from_id: accountId(market, dice.pick(chain.parties), 'margin'),
      account_to_id: accountId(market, dice.pick(chain.parties), 'general'),
      quantity: dice.digits(dice.between(1, 26)),
      tx_hash: txHash,
      vega_time: blockTime,
      transfer_time: blockTime,
      account_from_balance: dice.chance(8) ? '0' : dice.digits(dice.between(5, 28)),
      account_to_balance: dice.digits(dice.between(5, 28)),
      type: dice.chance(3) ? null : dice.pick(TRANSFER_TYPES),
      transfer_id: dice.chance(80) ? null : bytea(hexOf(`${label}/transfer`)),
    };
  }
};

/** Each deposit is seen twice: when it opens and when it is credited. */
export const depositRows: TableRows = (source, segment) => {
  const rows: HistoryRow[] = [];
  for (const { height, timeUs, txHash, label, dice } of moments({ ...source, scale: 1 }, segment, 'deposits', 8)) {
    const id = bytea(hexOf(label));
    const deposit = {
      id,
      party_id: bytea(dice.pick(source.chain.parties)),
      asset: bytea(dice.pick(source.chain.assets).id),
      amount: dice.digits(dice.between(6, 23)),
      foreign_tx_hash: `0x${hexOf(`${label}/foreign`)}`,
      created_timestamp: timestamptz(timeUs),
      tx_hash: txHash,
      vega_time: timestamptz(timeUs),
    };
    rows.push({ ...deposit, status: 'STATUS_OPEN', credited_timestamp: NO_TIME });
    if (height + 3 > segment.toHeight) continue;
    const credited = timestamptz(timeUs + 3_150_000);
    rows.push({ ...deposit, status: 'STATUS_FINALIZED', credited_timestamp: credited, vega_time: credited });
  }
  return byId(rows);
};

export const withdrawalRows: TableRows = (source, segment) => {
  const rows: HistoryRow[] = [];
  for (const { timeUs, txHash, label, dice } of moments({ ...source, scale: 1 }, segment, 'withdrawals', 6)) {
    const status = dice.pick(['STATUS_OPEN', 'STATUS_FINALIZED', 'STATUS_REJECTED']);
    const isDone = status === 'STATUS_FINALIZED';
    rows.push({
      id: bytea(hexOf(label)),
      party_id: bytea(dice.pick(source.chain.parties)),
      amount: dice.digits(dice.between(6, 23)),
      asset: bytea(dice.pick(source.chain.assets).id),
      status,
      ref: String(dice.below(1_000_000)),
      // Nothing happened on the other chain yet: an empty text, not NULL.
      foreign_tx_hash: isDone ? `0x${hexOf(`${label}/foreign`)}` : '',
      created_timestamp: timestamptz(timeUs),
      withdrawn_timestamp: isDone ? timestamptz(timeUs) : NO_TIME,
      ext: jsonb({ erc20: { receiverAddress: addressOf(`${label}/receiver`) } }),
      tx_hash: txHash,
      vega_time: timestamptz(timeUs),
    });
  }
  return byId(rows);
};

function byId(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const key = (row: HistoryRow) => `${row.id} ${row.vega_time}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
