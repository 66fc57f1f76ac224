import { bytea, type HistoryRow, jsonb, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs } from '../chain.ts';
import type { Asset } from '../markets.ts';
import { addressOf, type Dice, hexOf } from '../seeded.ts';
import type { Segment } from '../segments.ts';
import { type HistorySource, type Moment, moments, type TableRows } from './history-source.ts';

/** A deposit: it is seen, and a few blocks later credited, which the ledger says too. */
export interface Deposit extends Pick<Moment, 'height' | 'timeUs' | 'txHash' | 'label'> {
  readonly party: string;
  readonly asset: Asset;
  readonly amount: string;
  /** Undefined where the segment ends before it. */
  readonly creditedHeight: number | undefined;
}

const BLOCKS_UNTIL_CREDITED = 3;

export function* depositsIn(source: HistorySource, segment: Segment): Iterable<Deposit> {
  const { chain } = source;
  for (const { height, dice, ...moment } of moments({ ...source, scale: 1 }, segment, 'deposits', 8)) {
    const credited = height + BLOCKS_UNTIL_CREDITED;
    yield {
      ...moment,
      height,
      party: dice.pick(chain.parties),
      asset: dice.pick(chain.assets),
      amount: dice.digits(dice.between(6, 23)),
      creditedHeight: credited > segment.toHeight ? undefined : credited,
    };
  }
}

/** Each deposit is seen twice: when it opens and when it is credited. */
export const depositRows: TableRows = (source, segment) => {
  const rows: HistoryRow[] = [];
  for (const { party, asset, amount, timeUs, txHash, label, creditedHeight } of depositsIn(source, segment)) {
    const deposit = {
      id: bytea(hexOf(label)),
      party_id: bytea(party),
      asset: bytea(asset.id),
      amount,
      foreign_tx_hash: `0x${hexOf(`${label}/foreign`)}`,
      created_timestamp: timestamptz(timeUs),
      tx_hash: txHash,
      vega_time: timestamptz(timeUs),
    };
    rows.push({ ...deposit, status: 'STATUS_OPEN', credited_timestamp: NO_TIME });
    if (creditedHeight === undefined) continue;
    const credited = timestamptz(blockTimeUs(source.chain, creditedHeight));
    rows.push({ ...deposit, status: 'STATUS_FINALIZED', credited_timestamp: credited, vega_time: credited });
  }
  return byId(rows);
};

/** A withdrawal; the money leaves the party's account when it is asked for, unless it is refused. */
export interface Withdrawal extends Moment {
  readonly party: string;
  readonly asset: Asset;
  readonly amount: string;
  readonly status: 'STATUS_OPEN' | 'STATUS_FINALIZED' | 'STATUS_REJECTED';
}

export function* withdrawalsIn(source: HistorySource, segment: Segment): Iterable<Withdrawal> {
  const { chain } = source;
  for (const moment of moments({ ...source, scale: 1 }, segment, 'withdrawals', 6)) {
    const { dice } = moment;
    const status = dice.pick<Withdrawal['status']>(['STATUS_OPEN', 'STATUS_FINALIZED', 'STATUS_REJECTED']);
    const asset = dice.pick(chain.assets);
    yield { ...moment, status, party: dice.pick(chain.parties), asset, amount: withdrawn(asset, dice) };
  }
}

/** No more than any account begins a segment with. */
const withdrawn = ({ decimals }: Asset, dice: Dice): string => dice.digits(dice.between(6, decimals + 1));

export const withdrawalRows: TableRows = (source, segment) => {
  const rows: HistoryRow[] = [];
  for (const { status, party, asset, amount, timeUs, txHash, label, dice } of withdrawalsIn(source, segment)) {
    const isDone = status === 'STATUS_FINALIZED';
    rows.push({
      id: bytea(hexOf(label)),
      party_id: bytea(party),
      amount,
      asset: bytea(asset.id),
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
