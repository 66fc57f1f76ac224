import { readNamesFile, slicesNamesPath } from '../../chain/directory/names-file.ts';
import type { Bound } from '../../chain/insight/chain-point.ts';
import { parseNamedRangeEnd } from '../../chain/range/parse-range.ts';
import { rangeEnd } from '../../chain/range/range-end.ts';
import { type ChainHistory, estimateBlockTime } from './chain-history.ts';

/** Epochs, days or times; an open end means the first or last block on disk. */
interface NamedEnds {
  readonly from?: string;
  readonly to?: string;
}

/** Whether the disk has all blocks of a range of these tables, as far as the saved times tell. */
export function coversRange(history: ChainHistory, tables: readonly string[], { from, to }: NamedEnds): boolean {
  if (from === undefined && to === undefined) return true;
  const [first, last] = [momentMs(history, from, 'from'), momentMs(history, to, 'to')];
  return tables.every(table => {
    const ranges = history.tables.find(stored => stored.table === table)?.ranges ?? [];
    const [begin, end] = [ranges[0], ranges.at(-1)];
    if (begin === undefined || end === undefined || ranges.length > 1) return false;
    const beginMs = estimateBlockTime(history.blockTimes, begin.from);
    const endMs = estimateBlockTime(history.blockTimes, end.to);
    return (
      (from === undefined || begin.from <= 1n || isUpTo(beginMs, first)) && (to === undefined || isUpTo(last, endMs))
    );
  });
}

const isUpTo = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && one <= other;

/** The first moment of a range, or the first one after it; undefined if the epoch is not saved. */
function momentMs({ folder }: ChainHistory, text: string | undefined, bound: Bound): number | undefined {
  const place = text === undefined ? undefined : parseNamedRangeEnd(text);
  if (place === undefined) return undefined;
  const { ns } = rangeEnd(place, bound, seq => savedEpochs(folder).find(epoch => epoch.seq === seq));
  return ns === null ? undefined : Number(ns / 1_000_000n);
}

/** The epochs whose times are saved in the folder of a history. */
export function savedEpochs(folder: string) {
  try {
    return readNamesFile(slicesNamesPath(folder))?.epochs ?? [];
  } catch {
    // An answer reports the damaged file.
    return [];
  }
}
