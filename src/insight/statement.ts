import { epochNumber, type FeeRow, sharePercent, sumOf } from './paid-fees.ts';
import { readEntries } from './statement-entry.ts';
import { epochLines } from './statement-epochs.ts';
import type { AllocatedLine, EpochSpan, LinePlace, StatementLine, UnreadableLine } from './statement-line.ts';

/** What was requested, and the rows received. */
export interface StatementFacts {
  /** In lower case; '' for the statement of a whole market. */
  readonly party: string;
  /** As requested; '' for any. Shown in the lines of whole epochs. */
  readonly market: string;
  readonly asset: string;
  /** What is known of the epochs of the statement, oldest first; rows of other epochs are ignored. */
  readonly spans: readonly EpochSpan[];
  readonly rows: readonly FeeRow[];
}

/** What a party or market was allocated, epoch by epoch. All amounts are exact, in smallest units. */
export interface Statement {
  /** By epoch, oldest first, then by market and asset. */
  readonly lines: readonly StatementLine[];
  /** One for each asset with an allocation. */
  readonly totals: readonly AssetTotal[];
  /** What could not be used, in sentences. */
  readonly problems: readonly string[];
}

export interface AssetTotal {
  readonly asset: string;
  readonly amount: string;
  /** The part of the party's AMMs. */
  readonly ammAmount: string;
  /** Of the markets and epochs with an allocation; '' if one of them cannot be read. */
  readonly marketTotal: string;
  /** In percent of that; '' if unknown. */
  readonly share: string;
  /** Number of lines in the sum. */
  readonly allocations: number;
  /** Number of lines in no sum. */
  readonly unreadable: number;
  /** The line with the largest amount. */
  readonly largest: { readonly amount: string; readonly epoch: string; readonly market: string } | null;
}

/** Makes a statement from the rows. Never throws; unreadable amounts are in no sum. */
export function statementOf({ party, market, asset, spans, rows }: StatementFacts): Statement {
  const isWithin = (epoch: bigint): boolean => spans.some(({ from, to }) => epoch >= from && epoch <= to);
  const read = readEntries(rows, party);
  const entries = read.entries.filter(({ epoch }) => isWithin(epoch));
  const epochs = epochLines(
    entries.map(({ epoch }) => epoch),
    spans,
    { market, asset },
  );
  const lines = withRunning([...entries.map(({ line }) => line), ...epochs].toSorted(byPlace));
  const problems = read.problems.filter(({ epoch }) => epoch === null || isWithin(epoch));
  return { lines, totals: totalsOf(lines), problems: problems.map(({ text }) => text) };
}

function byPlace(one: LinePlace, other: LinePlace): number {
  const [left, right] = [epochNumber(one.epoch) ?? 0n, epochNumber(other.epoch) ?? 0n];
  if (left !== right) return left < right ? -1 : 1;
  return compare(one.market, other.market) || compare(one.asset, other.asset);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function withRunning(lines: readonly StatementLine[]): readonly StatementLine[] {
  const sums = new Map<string, bigint>();
  return lines.map(line => {
    if (line.kind !== 'allocated') return line;
    const sum = (sums.get(line.asset) ?? 0n) + BigInt(line.amount);
    sums.set(line.asset, sum);
    return { ...line, running: String(sum) };
  });
}

function totalsOf(lines: readonly StatementLine[]): readonly AssetTotal[] {
  const amounts = lines.filter(line => line.kind === 'allocated' || line.kind === 'unreadable');
  const byAsset = Map.groupBy(amounts, ({ asset }) => asset);
  return [...byAsset].toSorted(([one], [other]) => compare(one, other)).map(([asset, of]) => totalOf(asset, of));
}

function totalOf(asset: string, lines: readonly (AllocatedLine | UnreadableLine)[]): AssetTotal {
  const paid = lines.filter(line => line.kind === 'allocated');
  const amount = paid.at(-1)?.running ?? '0';
  const marketTotal = sumOf(paid.map(line => line.marketTotal)) ?? '';
  const largest = paid.reduce<AllocatedLine | null>(
    (most, line) => (most === null || BigInt(line.amount) > BigInt(most.amount) ? line : most),
    null,
  );
  return {
    asset,
    amount,
    ammAmount: sumOf(paid.map(line => line.ammAmount)) ?? '0',
    marketTotal,
    share: sharePercent(amount, marketTotal) ?? '',
    allocations: paid.length,
    unreadable: lines.length - paid.length,
    largest: largest && { amount: largest.amount, epoch: largest.epoch, market: largest.market },
  };
}
