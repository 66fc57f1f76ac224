import { bytea, type HistoryRow, jsonb, NO_TIME, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs } from '../chain.ts';
import type { Asset } from '../markets.ts';
import { type Dice, seededAddress, seededHex } from '../seeded-random.ts';
import {
  type BlockRange,
  type DemoEvent,
  type HistorySource,
  type RowGenerator,
  spreadEvents,
} from './history-source.ts';

/** A deposit; it is credited, also in the ledger, a few blocks after it is seen. */
export interface Deposit extends DemoEvent {
  readonly party: string;
  readonly asset: Asset;
  readonly amount: bigint;
  /** Undefined if it stays open indefinitely. */
  readonly creditedHeight: number | undefined;
}

const BLOCKS_UNTIL_CREDITED = 3;
type Source = Pick<HistorySource, 'chain' | 'scale'>;

/** Deposits seen in the blocks, or a few blocks before. */
export function* depositsInBlocks({ chain }: Source, { fromHeight, toHeight }: BlockRange): Iterable<Deposit> {
  const blocks = { fromHeight: Math.max(1, fromHeight - BLOCKS_UNTIL_CREDITED), toHeight };
  for (const moment of spreadEvents({ chain, scale: 1 }, blocks, 'deposits', 8)) {
    const { dice } = moment;
    const [party, asset] = [dice.pick(chain.parties), dice.pick(chain.assets)];
    const amount = randomAmount(asset, dice.between(50, 20_000), dice);
    const creditedHeight = dice.chance(5) ? undefined : moment.height + BLOCKS_UNTIL_CREDITED;
    yield { ...moment, party, asset, amount, creditedHeight };
  }
}

/** A multiple of the quantum, often with digits in every place. */
function randomAmount({ quantum }: Asset, quanta: number, dice: Dice): bigint {
  const whole = BigInt(quantum) * BigInt(quanta);
  return dice.chance(40) ? whole + BigInt(dice.digits(quantum.length)) / 2n : whole;
}

/** A deposit has two rows: one when it opens and one when it is credited. */
export const depositRows: RowGenerator = (source, segment) => {
  const rows: HistoryRow[] = [];
  const isInside = (height: number): boolean => height >= segment.fromHeight && height <= segment.toHeight;
  for (const { height, party, asset, amount, timeUs, txHash, label, creditedHeight } of depositsInBlocks(
    source,
    segment,
  )) {
    const deposit = {
      id: bytea(seededHex(label)),
      party_id: bytea(party),
      asset: bytea(asset.id),
      amount: String(amount),
      foreign_tx_hash: `0x${seededHex(`${label}/foreign`)}`,
      created_timestamp: timestamptz(timeUs),
      tx_hash: txHash,
      vega_time: timestamptz(timeUs),
    };
    if (isInside(height)) rows.push({ ...deposit, status: 'STATUS_OPEN', credited_timestamp: NO_TIME });
    if (creditedHeight === undefined || !isInside(creditedHeight)) continue;
    const credited = timestamptz(blockTimeUs(source.chain, creditedHeight));
    rows.push({ ...deposit, status: 'STATUS_FINALIZED', credited_timestamp: credited, vega_time: credited });
  }
  return sortById(rows);
};

/** A withdrawal is finalized at once unless it is rejected; some blocks later it completes on the other chain. */
export interface Withdrawal extends DemoEvent {
  readonly party: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly isRefused: boolean;
  /** Undefined if it never completes there. */
  readonly withdrawnHeight: number | undefined;
}

const BLOCKS_UNTIL_WITHDRAWN = 90;

export function* withdrawalsInBlocks({ chain }: Source, blocks: BlockRange): Iterable<Withdrawal> {
  for (const moment of spreadEvents({ chain, scale: 1 }, blocks, 'withdrawals', 6)) {
    const { dice, height } = moment;
    const [party, asset] = [dice.pick(chain.parties), dice.pick(chain.assets)];
    const amount = randomAmount(asset, dice.between(10, 2000), dice);
    const isRefused = dice.chance(15);
    const withdrawnHeight = isRefused || dice.chance(20) ? undefined : height + BLOCKS_UNTIL_WITHDRAWN;
    yield { ...moment, party, asset, amount, isRefused, withdrawnHeight };
  }
}

export const withdrawalRows: RowGenerator = (source, { fromHeight, toHeight }) => {
  const rows: HistoryRow[] = [];
  const blocks = { fromHeight: Math.max(1, fromHeight - BLOCKS_UNTIL_WITHDRAWN), toHeight };
  const isInside = (height: number): boolean => height >= fromHeight && height <= toHeight;
  for (const withdrawal of withdrawalsInBlocks(source, blocks)) {
    const { height, party, asset, amount, timeUs, txHash, label, dice, isRefused, withdrawnHeight } = withdrawal;
    const requested = {
      id: bytea(seededHex(label)),
      party_id: bytea(party),
      amount: String(amount),
      asset: bytea(asset.id),
      status: isRefused ? 'STATUS_REJECTED' : 'STATUS_FINALIZED',
      ref: String(dice.below(1_000_000)),
      // An empty text, not NULL, while nothing has happened on the other chain.
      foreign_tx_hash: '',
      created_timestamp: timestamptz(timeUs),
      withdrawn_timestamp: NO_TIME,
      ext: jsonb({ erc20: { receiverAddress: seededAddress(`${label}/receiver`) } }),
      tx_hash: txHash,
      vega_time: timestamptz(timeUs),
    };
    if (isInside(height)) rows.push(requested);
    if (withdrawnHeight === undefined || !isInside(withdrawnHeight)) continue;
    const withdrawn = timestamptz(blockTimeUs(source.chain, withdrawnHeight));
    const foreign = { foreign_tx_hash: `0x${seededHex(`${label}/foreign`)}`, withdrawn_timestamp: withdrawn };
    rows.push({ ...requested, ...foreign, vega_time: withdrawn });
  }
  return sortById(rows);
};

function sortById(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const key = (row: HistoryRow) => `${row.id} ${row.vega_time}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
