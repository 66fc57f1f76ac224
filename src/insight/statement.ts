import { epochNumber, sharePercent, sumOf } from './paid-fees.ts';
import { readEntries } from './statement-entry.ts';
import { gapsOf } from './statement-gaps.ts';
import type { EpochRange, FeeList, LinePlace, PaidLine, StatementLine, UnreadableLine } from './statement-line.ts';

/** What was asked for, and what came of it. */
export interface StatementFacts {
  /** In lower case; '' for the statement of a market: all that was paid on it. */
  readonly party: string;
  /** Null: every epoch that came. */
  readonly epochs: EpochRange | null;
  readonly lists: readonly FeeList[];
}

/** What a party or a market was paid, epoch by epoch. All amounts are exact, in smallest units. */
export interface Statement {
  /** By epoch, oldest first; those of one epoch by market and asset. */
  readonly lines: readonly StatementLine[];
  /** One for each asset that something was paid in. */
  readonly totals: readonly AssetTotal[];
  /** What came and cannot be used, in sentences. */
  readonly problems: readonly string[];
}

export interface AssetTotal {
  readonly asset: string;
  readonly amount: string;
  /** Of the markets in the epochs with a payment; '' where one of them cannot be read. */
  readonly marketTotal: string;
  /** Of that; '' where it is not known. */
  readonly share: string;
  /** Lines that it is the sum of. */
  readonly payments: number;
  /** Lines that are in no sum. */
  readonly unreadable: number;
  /** The line with the largest amount. */
  readonly largest: { readonly amount: string; readonly epoch: string; readonly market: string } | null;
}

/** Makes a statement of what came. It never throws, and what cannot be read is in none of its sums. */
export function statementOf(facts: StatementFacts): Statement {
  const read = facts.lists.map(list => ({ list, ...readEntries(list, facts.party) }));
  const inRange = read.map(({ entries, ...rest }) => ({
    ...rest,
    entries: entries.filter(({ epoch }) => isWithin(epoch, facts.epochs)),
  }));
  const newest = inRange.flatMap(({ entries }) => entries.map(({ epoch }) => epoch)).reduce(larger, 0n);
  const gaps = inRange.flatMap(one => gapsOf({ ...one, range: facts.epochs, newest }));
  const entries = inRange.flatMap(({ entries }) => entries.map(({ line }) => line));
  const lines = withRunning([...entries, ...gaps].toSorted(byPlace));
  const problems = read
    .flatMap(list => list.problems)
    .filter(({ epoch }) => epoch === null || isWithin(epoch, facts.epochs));
  return { lines, totals: totalsOf(lines), problems: problems.map(({ text }) => text) };
}

const isWithin = (epoch: bigint, range: EpochRange | null): boolean =>
  range === null || (epoch >= range.from && epoch <= range.to);

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function byPlace(one: LinePlace, other: LinePlace): number {
  const [left, right] = [epochNumber(one.epoch) ?? 0n, epochNumber(other.epoch) ?? 0n];
  if (left !== right) return left < right ? -1 : 1;
  return compare(one.market, other.market) || compare(one.asset, other.asset);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function withRunning(lines: readonly StatementLine[]): readonly StatementLine[] {
  const sums = new Map<string, bigint>();
  return lines.map(line => {
    if (line.kind !== 'paid') return line;
    const sum = (sums.get(line.asset) ?? 0n) + BigInt(line.amount);
    sums.set(line.asset, sum);
    return { ...line, running: String(sum) };
  });
}

function totalsOf(lines: readonly StatementLine[]): readonly AssetTotal[] {
  const amounts = lines.filter(line => line.kind === 'paid' || line.kind === 'unreadable');
  const byAsset = Map.groupBy(amounts, ({ asset }) => asset);
  return [...byAsset].toSorted(([one], [other]) => compare(one, other)).map(([asset, of]) => totalOf(asset, of));
}

function totalOf(asset: string, lines: readonly (PaidLine | UnreadableLine)[]): AssetTotal {
  const paid = lines.filter(line => line.kind === 'paid');
  const amount = paid.at(-1)?.running ?? '0';
  const marketTotal = sumOf(paid.map(line => line.marketTotal)) ?? '';
  const largest = paid.reduce<PaidLine | null>(
    (most, line) => (most === null || BigInt(line.amount) > BigInt(most.amount) ? line : most),
    null,
  );
  return {
    asset,
    amount,
    marketTotal,
    share: sharePercent(amount, marketTotal) ?? '',
    payments: paid.length,
    unreadable: lines.length - paid.length,
    largest: largest && { amount: largest.amount, epoch: largest.epoch, market: largest.market },
  };
}
