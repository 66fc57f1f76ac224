import { jsonText, member } from '../api/json.ts';
import { namesIn } from '../directory/fetch-directory.ts';
import { compareDecimals, quotient } from '../insight/decimal.ts';
import { epochNumber, type FeeRow, sumOf, wholeAmount } from '../insight/paid-fees.ts';
import { feeRowOf } from '../resources/paid-liquidity-fees.ts';
import type { Row } from '../resources/resource.ts';
import type { Answers } from './answers.ts';

/** How many epochs the overview shows fees of. */
export const FEE_EPOCHS = 10;

/** The fees that the node listed. */
export interface FeesRead {
  /** Rows whose epoch and total can be read, each market, asset and epoch once. */
  readonly rows: readonly FeeRow[];
  /** Why rows are left out; '' if none is. */
  readonly flaw: string;
  /** The newest epoch with fees; null without rows. */
  readonly newest: bigint | null;
  /** The node gave several epochs of all markets, so it knows ranges. */
  readonly isRange: boolean;
}

export function feesFrom({ fees, statistics }: Pick<Answers, 'fees' | 'statistics'>): FeesRead {
  return fees.kind === 'answered' ? readFees(fees.value.rows, epochIn(statistics)) : readFees([], null);
}

/** The current epoch, if the core says so. */
export function epochIn(statistics: Answers['statistics']): bigint | null {
  if (statistics.kind !== 'answered') return null;
  return epochNumber(jsonText(member(member(statistics.value.json, 'statistics'), 'epochSeq'))) ?? null;
}

/** Epochs that may have begun between the answer that says which one it is and that with the fees. */
const EPOCHS_BETWEEN_ANSWERS = 2n;

/** `current` is the epoch by the core: no fees are of a much later one. */
export function readFees(sent: readonly Row[], current: bigint | null): FeesRead {
  const all = sent.map(feeRowOf);
  const readable = all.filter(
    ({ epochSeq, totalFeesPaid }) => epochNumber(epochSeq) !== undefined && wholeAmount(totalFeesPaid) !== undefined,
  );
  const last = current === null ? undefined : current + EPOCHS_BETWEEN_ANSWERS;
  const past = readable.filter(({ epochSeq }) => last === undefined || (epochNumber(epochSeq) ?? 0n) <= last);
  const rows = [...new Map(past.map(row => [feeKeyOf(row), row])).values()];
  const epochs = new Set(rows.map(({ epochSeq }) => epochNumber(epochSeq) ?? 0n));
  const newest = [...epochs].reduce<bigint | null>(
    (most, epoch) => (most === null || epoch > most ? epoch : most),
    null,
  );
  const flaw = flawOf([
    [all.length - readable.length, 'cannot be read'],
    [readable.length - past.length, 'of epochs that have not begun'],
    [past.length - rows.length, 'listed twice'],
  ]);
  return { rows, flaw, newest, isRange: epochs.size > 1 };

  function flawOf(counts: readonly (readonly [count: number, what: string])[]): string {
    const [first] = counts.filter(([count]) => count > 0);
    return first === undefined ? '' : `${first[0]} of ${all.length} rows ${first[1]}`;
  }
}

/** What a node lists once. */
export const feeKeyOf = ({ market, asset, epochSeq }: FeeRow): string =>
  [market, asset, epochSeq].join(' ').toLowerCase();

/** Rows of one epoch. */
export const rowsOfEpoch = (rows: readonly FeeRow[], epoch: bigint): readonly FeeRow[] =>
  rows.filter(({ epochSeq }) => epochNumber(epochSeq) === epoch);

/** The totals of an epoch by asset, on how many markets, largest first where assets can be compared. */
export interface EpochTotal {
  readonly assetId: string;
  /** Smallest units. */
  readonly total: string;
  readonly markets: number;
}

export function totalsOf(rows: readonly FeeRow[], quanta: ReadonlyMap<string, string>): readonly EpochTotal[] {
  const byAsset = Map.groupBy(rows, ({ asset }) => asset.toLowerCase());
  return [...byAsset]
    .map(([assetId, own]) => ({
      assetId,
      total: sumOf(own.map(({ totalFeesPaid }) => totalFeesPaid)) ?? '0',
      markets: new Set(own.map(({ market }) => market.toLowerCase())).size,
    }))
    .toSorted((one, other) => byWorth(one, other, quanta) || other.markets - one.markets);
}

/** Amounts of two assets compare by their quanta, which are worth about the same. */
function byWorth(one: EpochTotal, other: EpochTotal, quanta: ReadonlyMap<string, string>): number {
  const worth = ({ assetId, total }: EpochTotal) => quotient(total, quanta.get(assetId) ?? '', 6);
  const [left, right] = [worth(one), worth(other)];
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareDecimals(right, left);
}

/** The quantum of each asset, by id in lower case. */
export function quantaIn({ assets }: Pick<Answers, 'assets'>): ReadonlyMap<string, string> {
  const records = assets.kind === 'answered' ? assets.value.records : [];
  const known = namesIn('assets', records).assets ?? new Map();
  return new Map([...known].flatMap(([id, { quantum }]) => (/[1-9]/.test(quantum) ? [[id, quantum] as const] : [])));
}

/** The market with the most fees in the newest epoch, else the newest active one; null if none is known. */
export function topMarketOf(answers: Answers): { readonly marketId: string; readonly assetId: string } | null {
  const { rows, newest } = feesFrom(answers);
  const quanta = quantaIn(answers);
  const perMarket = (newest === null ? [] : rowsOfEpoch(rows, newest)).map(({ market, asset, totalFeesPaid }) => ({
    marketId: market,
    ...{ assetId: asset, total: totalFeesPaid, markets: 1 },
  }));
  const [top] = perMarket
    .filter(({ marketId }) => isId(marketId))
    .toSorted((one, other) =>
      byWorth(
        { ...one, assetId: one.assetId.toLowerCase() },
        { ...other, assetId: other.assetId.toLowerCase() },
        quanta,
      ),
    );
  if (top !== undefined) return { marketId: top.marketId, assetId: isId(top.assetId) ? top.assetId : '' };
  const { markets } = answers;
  const entries =
    markets.kind === 'answered' ? (namesIn('markets', markets.value.rows).markets ?? new Map()) : new Map();
  const active = [...entries].find(([id, { state }]) => state === 'STATE_ACTIVE' && isId(id));
  return active === undefined ? null : { marketId: active[0], assetId: '' };
}

const isId = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text);
