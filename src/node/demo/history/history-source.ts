import type { HistoryRow } from '../../history/copy-format.ts';
import { bytea, timestamptz } from '../../history/copy-format.ts';
import type { Store } from '../../store.ts';
import { blockTimeUs, type Chain, epochAtHeight, firstBlockOfEpoch, lastBlockOfEpoch, txHash } from '../chain.ts';
import { Dice } from '../seeded-random.ts';
import type { DemoSegment } from '../segments.ts';
import type { LedgerEntry } from './account-book.ts';

/** Gives every movement of money in some blocks, in order. */
interface Bookkeeper {
  entriesIn(blocks: BlockRange): Iterable<LedgerEntry>;
}

export interface HistorySource {
  readonly chain: Chain;
  /** The rows that the lists serve too. */
  readonly store: Store;
  /** Multiplies the rows of the busy tables. */
  readonly scale: number;
  readonly money: Bookkeeper;
}

/** The rows of one table in one segment, in primary key order; generated for each export. */
export type RowGenerator = (source: HistorySource, segment: DemoSegment) => Iterable<HistoryRow>;

/** One event of a busy table. */
export interface DemoEvent {
  readonly height: number;
  readonly timeUs: number;
  /** Counts within the block, from 0. */
  readonly index: number;
  readonly txHash: string;
  /** Unique, and the same on every run. */
  readonly label: string;
  readonly dice: Dice;
}

/** A range of blocks, including both ends. */
export type BlockRange = Pick<DemoSegment, 'fromHeight' | 'toHeight'>;

/** Events spread evenly over the blocks: `count` per thousand, times the scale. */
export function* spreadEvents(
  { chain, scale }: Pick<HistorySource, 'chain' | 'scale'>,
  { fromHeight, toHeight }: BlockRange,
  table: string,
  count: number,
): Iterable<DemoEvent> {
  const until = (height: number) => Math.floor((height * count * scale) / 1000);
  for (let height = fromHeight; height <= toHeight; height++) {
    for (let index = 0; index < until(height) - until(height - 1); index++) {
      const label = `${chain.seed}/${table}/${height}/${index}`;
      const hash = bytea(txHash(chain, height, index));
      yield { height, timeUs: blockTimeUs(chain, height), index, txHash: hash, label, dice: new Dice(label) };
    }
  }
}

/** Sorts the rows within each block by these columns; the blocks are in order already. */
export function* sortWithinBlocks(rows: Iterable<HistoryRow>, ...columns: readonly string[]): Iterable<HistoryRow> {
  const key = (row: HistoryRow) => columns.map(column => row[column] ?? '').join(' ');
  let block: HistoryRow[] = [];
  for (const row of rows) {
    if (block[0] && block[0].vega_time !== row.vega_time) {
      yield* block.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
      block = [];
    }
    block.push(row);
  }
  yield* block.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The columns for the origin of a row, in tables that have all three. */
export function originColumns({ chain }: HistorySource, height: number, index: number) {
  return {
    tx_hash: bytea(txHash(chain, height, 0)),
    vega_time: timestamptz(blockTimeUs(chain, height)),
    seq_num: String(index),
  };
}

interface EpochBlock {
  readonly height: number;
  readonly epoch: number;
}

/** The last block of each epoch that ends in a segment. */
export function* epochEndBlocks(chain: Chain, { fromHeight, toHeight }: BlockRange): Iterable<EpochBlock> {
  for (let epoch = epochAtHeight(chain, fromHeight); lastBlockOfEpoch(chain, epoch) <= toHeight; epoch++) {
    yield { height: lastBlockOfEpoch(chain, epoch), epoch };
  }
}

/** The first block of each epoch in a segment, with the epoch before: the core pays for an epoch in that block. */
export function* payoutBlocks(chain: Chain, { fromHeight, toHeight }: BlockRange): Iterable<EpochBlock> {
  for (
    let epoch = Math.max(1, epochAtHeight(chain, fromHeight) - 1);
    firstBlockOfEpoch(chain, epoch + 1) <= toHeight;
    epoch++
  ) {
    const height = firstBlockOfEpoch(chain, epoch + 1);
    if (height >= fromHeight) yield { height, epoch };
  }
}
