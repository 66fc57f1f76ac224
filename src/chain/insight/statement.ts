import { derivedParty } from './derived-party.ts';
import { epochNumber, type FeeRow, sharePercent, sumAmounts, topParty, wholeAmount } from './paid-fees.ts';
import type { Range } from './range.ts';

/** The request, and the rows received. */
export interface StatementInput {
  /** In lower case; '' for the statement of a whole market. */
  readonly party: string;
  /** As requested; '' for any. Shown in the lines of whole epochs. */
  readonly market: string;
  readonly asset: string;
  /** The state of each epoch of the statement, oldest first; rows of other epochs are ignored. */
  readonly spans: readonly EpochSpan[];
  readonly rows: readonly FeeRow[];
}

/** What a party or market was allocated, epoch by epoch. All amounts are exact, in smallest units. */
export interface Statement {
  /** By epoch, oldest first, then by market and asset. */
  readonly lines: readonly StatementLine[];
  /** One for each asset with an allocation. */
  readonly totals: readonly AssetTotal[];
  /** Data that could not be used, in sentences. */
  readonly problems: readonly string[];
}

export interface AssetTotal {
  readonly asset: string;
  readonly amount: string;
  /** The part of the party's AMMs. */
  readonly ammAmount: string;
  /** Of the markets and epochs with an allocation; '' if any cannot be read. */
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
export function createStatement({ party, market, asset, spans, rows }: StatementInput): Statement {
  const isWithin = (epoch: bigint): boolean => spans.some(({ from, to }) => epoch >= from && epoch <= to);
  const read = readEntries(rows, party);
  const entries = read.entries.filter(({ epoch }) => isWithin(epoch));
  const epochs = epochLines(
    entries.map(({ epoch }) => epoch),
    spans,
    { market, asset },
  );
  const lines = withRunning([...entries.map(({ line }) => line), ...epochs].toSorted(compareLines));
  const problems = read.problems.filter(({ epoch }) => epoch === null || isWithin(epoch));
  return { lines, totals: assetTotals(lines), problems: problems.map(({ text }) => text) };
}

function compareLines(one: LineKey, other: LineKey): number {
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

function assetTotals(lines: readonly StatementLine[]): readonly AssetTotal[] {
  const amounts = lines.filter(line => line.kind === 'allocated' || line.kind === 'unreadable');
  const byAsset = Map.groupBy(amounts, ({ asset }) => asset);
  return [...byAsset].toSorted(([one], [other]) => compare(one, other)).map(([asset, of]) => assetTotal(asset, of));
}

function assetTotal(asset: string, lines: readonly (AllocatedFeesLine | UnreadableFeesLine)[]): AssetTotal {
  const paid = lines.filter(line => line.kind === 'allocated');
  const amount = paid.at(-1)?.running ?? '0';
  const marketTotal = sumAmounts(paid.map(line => line.marketTotal)) ?? '';
  const largest = paid.reduce<AllocatedFeesLine | null>(
    (most, line) => (most === null || BigInt(line.amount) > BigInt(most.amount) ? line : most),
    null,
  );
  return {
    asset,
    amount,
    ammAmount: sumAmounts(paid.map(line => line.ammAmount)) ?? '0',
    marketTotal,
    share: sharePercent(amount, marketTotal) ?? '',
    allocations: paid.length,
    unreadable: lines.length - paid.length,
    largest: largest && { amount: largest.amount, epoch: largest.epoch, market: largest.market },
  };
}

/** Epochs with the same state of knowledge. */
export interface EpochSpan extends Range {
  /**
   * `known`: all of the rows are present. `not-known`: some may be missing. `open`: not over, so fees are still to come.
   * `future`: not begun.
   */
  readonly kind: 'known' | 'not-known' | 'open' | 'future';
}

export type StatementLine = AllocatedFeesLine | EpochsLine | UnreadableFeesLine;

interface LineKey {
  /** '' in lines of whole epochs without a requested market. */
  readonly market: string;
  readonly asset: string;
  readonly epoch: string;
}

export interface AllocatedFeesLine extends LineKey {
  readonly kind: 'allocated';
  /** To the party with its automated market maker, or on the whole market. */
  readonly amount: string;
  /** The part of its automated market maker; '0' for a market. */
  readonly ammAmount: string;
  /** Of the market, as sent. */
  readonly marketTotal: string;
  /** In percent to one place; '' if the total cannot be read. */
  readonly share: string;
  /** Running total of this asset, including this line. */
  readonly running: string;
  /** How many parties were allocated something; null if only one party was requested. */
  readonly parties: number | null;
  readonly top: { readonly party: string; readonly amount: string; readonly share: string } | null;
}

/** Epochs without an amount, or with fees still unknown. */
interface EpochsLine extends LineKey {
  /** `none`: the node has no row for these epochs. The others as in EpochSpan. */
  readonly kind: 'none' | Exclude<EpochSpan['kind'], 'known'>;
  readonly toEpoch: string;
}

/** A row whose amount is in no total. */
interface UnreadableFeesLine extends LineKey {
  readonly kind: 'unreadable';
  readonly why: string;
}

/** The entry of one row, before anything is added up. */
interface StatementEntry {
  readonly epoch: bigint;
  readonly line: AllocatedFeesLine | UnreadableFeesLine;
}

interface ReadEntries {
  /** At most one for each market, asset and epoch. */
  readonly entries: readonly StatementEntry[];
  readonly problems: readonly ReadProblem[];
}

/** A problem with the rows of an epoch, or of no particular epoch (null). */
interface ReadProblem {
  readonly epoch: bigint | null;
  readonly text: string;
}

/** What each row has for the party, or for everybody ('' as party). */
function readEntries(rows: readonly FeeRow[], party: string): ReadEntries {
  const problems: ReadProblem[] = [];
  const dated = rows.flatMap(row => {
    const epoch = epochNumber(row.epochSeq);
    return epoch === undefined ? [] : [{ epoch, row }];
  });
  const strays = rows.length - dated.length;
  if (strays > 0)
    problems.push({ epoch: null, text: `${strays === 1 ? '1 row' : `${strays} rows`} without an epoch: left out` });
  const groups = Map.groupBy(dated, ({ epoch, row }) => `${epoch}/${row.market}/${row.asset}`.toLowerCase());
  const entries = [...groups.values()].flatMap(same => {
    const [first] = same;
    if (first === undefined) return [];
    const report = (text: string): void =>
      void problems.push({ epoch: first.epoch, text: `epoch ${first.epoch}: ${text}` });
    return createEntries(first.epoch, { rows: same.map(({ row }) => row), party, report });
  });
  return { entries, problems };
}

interface Same {
  readonly rows: readonly FeeRow[];
  readonly party: string;
  readonly report: (problem: string) => void;
}

function createEntries(epoch: bigint, { rows, party, report }: Same): readonly StatementEntry[] {
  const [row] = rows;
  if (row === undefined) return [];
  const place = { market: row.market, asset: row.asset, epoch: String(epoch) };
  const unreadable = (why: string): readonly StatementEntry[] => {
    report(`${why}: not in any total`);
    return [{ epoch, line: { kind: 'unreadable', ...place, why } }];
  };
  // A market has one row per epoch: of two, neither can be trusted.
  if (rows.length > 1) return unreadable(`${rows.length} rows for one market and asset`);
  const found = party === '' ? { amount: row.totalFeesPaid, ammAmount: '0' } : partyAmount(row, party);
  if (found === undefined) return [];
  if ('why' in found) return unreadable(found.why);
  const amount = wholeAmount(found.amount);
  if (amount === undefined) return unreadable('the amount is not a whole number');
  for (const problem of rowProblems(row, party, amount)) report(problem);
  const line: AllocatedFeesLine = {
    kind: 'allocated',
    ...place,
    amount: String(amount),
    ammAmount: found.ammAmount,
    marketTotal: row.totalFeesPaid,
    share: sharePercent(String(amount), row.totalFeesPaid) ?? '',
    running: '',
    ...partyFigures(row, party),
  };
  return [{ epoch, line }];
}

type PartyAmount = Pick<AllocatedFeesLine, 'amount' | 'ammAmount'> | { readonly why: string };

/** What the row has for the party and its AMM; undefined if it names only others. */
function partyAmount(row: FeeRow, party: string): PartyAmount | undefined {
  const named = (id: string) => row.feesPaidPerParty.filter(other => other.party.toLowerCase() === id);
  const [own, amm] = [named(party.toLowerCase()), named(derivedParty(party, row.market))];
  if (own.length > 1) return { why: 'the party is in the row more than once' };
  if (amm.length > 1) return { why: 'the AMM of the party is in the row more than once' };
  if (own.length + amm.length > 0) {
    const amount = sumAmounts([...own, ...amm].map(paid => paid.amount));
    return amount === undefined
      ? { why: 'the amount is not a whole number' }
      : { amount, ammAmount: sumAmounts(amm.map(paid => paid.amount)) ?? '0' };
  }
  const isNameless = row.feesPaidPerParty.length === 0 || row.feesPaidPerParty.some(other => other.party === '');
  return isNameless ? { why: 'the row has no party ids' } : undefined;
}

function rowProblems(row: FeeRow, party: string, amount: bigint): readonly string[] {
  const total = wholeAmount(row.totalFeesPaid);
  if (total === undefined) return ['the market total is not a whole number: no share'];
  if (party !== '') return amount > total ? ['the party has more than the whole market'] : [];
  const sum = sumAmounts(row.feesPaidPerParty.map(paid => paid.amount));
  if (sum === undefined) return ['the amount of a party is not a whole number'];
  return BigInt(sum) === total ? [] : [`the parties add up to ${sum}, the total is ${total}`];
}

function partyFigures(row: FeeRow, party: string): Pick<AllocatedFeesLine, 'parties' | 'top'> {
  if (party !== '') return { parties: null, top: null };
  const top = topParty(row);
  const share = top === undefined ? undefined : sharePercent(top.amount, row.totalFeesPaid);
  return {
    parties: row.feesPaidPerParty.length,
    top: top === undefined ? null : { party: top.party, amount: top.amount, share: share ?? '' },
  };
}

/** Lines for epochs without an amount or with unknown ones, joined into ranges. */
const epochLines = (
  allocated: readonly bigint[],
  spans: readonly EpochSpan[],
  place: Pick<EpochsLine, 'market' | 'asset'>,
): readonly EpochsLine[] => {
  const sorted = allocated.toSorted(byNumber);
  const lineOf = (kind: EpochsLine['kind'], { from, to }: Range): EpochsLine => ({
    kind,
    ...place,
    epoch: String(from),
    toEpoch: String(to),
  });
  return spans.flatMap(({ kind, ...range }) =>
    kind === 'known' ? holes(sorted, range).map(hole => lineOf('none', hole)) : [lineOf(kind, range)],
  );
};

const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

function holes(allocated: readonly bigint[], { from, to }: Range): readonly Range[] {
  const found: Range[] = [];
  let next = from;
  for (const epoch of allocated) {
    if (epoch > to) break;
    if (epoch > next) found.push({ from: next, to: epoch - 1n });
    if (epoch >= next) next = epoch + 1n;
  }
  return next > to ? found : [...found, { from: next, to }];
}

/** The parts of the spans inside the range. */
export const clipSpans = (spans: readonly EpochSpan[], range: Range): readonly EpochSpan[] =>
  spans
    .map(({ kind, from, to }) => ({
      kind,
      from: from > range.from ? from : range.from,
      to: to < range.to ? to : range.to,
    }))
    .filter(({ from, to }) => from <= to);
