import { readId } from '../../base/text/ids.ts';
import { type Directory, nameOf, type Unit, unitOfAsset } from '../../chain/directory/directory.ts';
import { readNames } from '../../chain/directory/fetch-directory.ts';
import { compareDecimals, quotient, toWholeUnits } from '../../chain/insight/decimal.ts';
import { epochNumber, type FeeRow, sumAmounts, wholeAmount } from '../../chain/insight/paid-fees.ts';
import { amountText } from '../../chain/resources/amount-text.ts';
import { readFeeRow } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { nameOrId } from '../rules/name-texts.ts';
import type { Loading } from '../rules/rule-input.ts';
import { answeredChainState, mapAnswer, type OverviewAnswers, pageGap } from './answers.ts';

/** How many epochs the overview shows fees of. */
export const FEE_EPOCHS = 10;

/** The fees that the node listed. */
interface ParsedFees {
  /** Rows whose epoch and total can be read, each market, asset and epoch once. */
  readonly rows: readonly FeeRow[];
  /** Why rows are left out; '' if none is. */
  readonly flaw: string;
  /** The newest epoch with fees; null without rows. */
  readonly newest: bigint | null;
  /** The node gave several epochs of all markets, so it knows ranges. */
  readonly isRange: boolean;
}

export function answeredFees(answers: OverviewAnswers): ParsedFees {
  const { fees } = answers;
  return fees.kind === 'answered' ? readFees(fees.value.rows, answeredEpoch(answers)) : readFees([], null);
}

/** The newest epoch, if the node reports it. */
export const answeredEpoch = (answers: OverviewAnswers): bigint | null =>
  answeredChainState(answers).epoch?.seq ?? null;

/** Epochs that may have begun between the answer with the epoch and the answer with the fees. */
const EPOCHS_BETWEEN_ANSWERS = 2n;

/** `current` is the epoch by the core: no fees are of a much later one. */
export function readFees(sent: readonly Row[], current: bigint | null): ParsedFees {
  const all = sent.map(readFeeRow);
  const readable = all.filter(
    ({ epochSeq, totalFeesPaid }) => epochNumber(epochSeq) !== undefined && wholeAmount(totalFeesPaid) !== undefined,
  );
  const last = current === null ? undefined : current + EPOCHS_BETWEEN_ANSWERS;
  const past = readable.filter(({ epochSeq }) => last === undefined || (epochNumber(epochSeq) ?? 0n) <= last);
  const rows = [...new Map(past.map(row => [feeRowKey(row), row])).values()];
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
export const feeRowKey = ({ market, asset, epochSeq }: FeeRow): string =>
  [market, asset, epochSeq].join(' ').toLowerCase();

/** Rows of one epoch. */
const rowsOfEpoch = (rows: readonly FeeRow[], epoch: bigint): readonly FeeRow[] =>
  rows.filter(({ epochSeq }) => epochNumber(epochSeq) === epoch);

/** The totals of an epoch by asset, on how many markets, largest first where assets can be compared. */
interface EpochTotal {
  readonly assetId: string;
  /** Smallest units. */
  readonly total: string;
  readonly markets: number;
}

function feeTotals(rows: readonly FeeRow[], quanta: ReadonlyMap<string, string>): readonly EpochTotal[] {
  const byAsset = Map.groupBy(rows, ({ asset }) => asset.toLowerCase());
  return [...byAsset]
    .map(([assetId, own]) => ({
      assetId,
      total: sumAmounts(own.map(({ totalFeesPaid }) => totalFeesPaid)) ?? '0',
      markets: new Set(own.map(({ market }) => market.toLowerCase())).size,
    }))
    .toSorted((one, other) => compareTotals(one, other, quanta) || other.markets - one.markets);
}

/** Amounts of two assets compare by their quanta, which are worth about the same. */
function compareTotals(one: EpochTotal, other: EpochTotal, quanta: ReadonlyMap<string, string>): number {
  const worth = ({ assetId, total }: EpochTotal) => quotient(total, quanta.get(assetId) ?? '', 6);
  const [left, right] = [worth(one), worth(other)];
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareDecimals(right, left);
}

/** The quantum of each asset, by id in lower case. */
function assetQuanta({ assets }: Pick<OverviewAnswers, 'assets'>): ReadonlyMap<string, string> {
  const records = assets.kind === 'answered' ? assets.value.records : [];
  const known = readNames('assets', records).assets ?? new Map();
  return new Map([...known].flatMap(([id, { quantum }]) => (/[1-9]/.test(quantum) ? [[id, quantum] as const] : [])));
}

/** The market with the most fees in the newest epoch, else the newest active one; null if none is known. */
export function findTopMarket(
  answers: OverviewAnswers,
): { readonly marketId: string; readonly assetId: string } | null {
  const { rows, newest } = answeredFees(answers);
  const quanta = assetQuanta(answers);
  const last = newest === null ? [] : rowsOfEpoch(rows, newest);
  const order = new Map(feeTotals(last, quanta).map(({ assetId }, index) => [assetId, index]));
  const perMarket = last.map(({ market, asset, totalFeesPaid }) => {
    const key = asset.toLowerCase();
    const worth = { assetId: key, total: totalFeesPaid, markets: 1 };
    return { marketId: market, assetId: asset, worth, rank: order.get(key) ?? 0 };
  });
  const [top] = perMarket
    .filter(({ marketId }) => readId(marketId) !== undefined)
    .toSorted(
      (one, other) =>
        compareTotals(one.worth, other.worth, quanta) ||
        // Without quanta only the amounts of one asset compare.
        one.rank - other.rank ||
        compareDecimals(other.worth.total, one.worth.total),
    );
  if (top !== undefined)
    return { marketId: top.marketId, assetId: readId(top.assetId) === undefined ? '' : top.assetId };
  const { markets } = answers;
  const entries =
    markets.kind === 'answered' ? (readNames('markets', markets.value.rows).markets ?? new Map()) : new Map();
  const active = [...entries].find(([id, { state }]) => state === 'STATE_ACTIVE' && readId(id) !== undefined);
  return active === undefined ? null : { marketId: active[0], assetId: '' };
}

export interface FeeFacts {
  /** The newest epoch with fees; null if the node has none of any. */
  readonly epoch: string | null;
  readonly markets: number;
  /** By asset; the asset worth most comes first. */
  readonly totals: readonly FeeTotal[];
  /** The last epochs, oldest first; null if they could not be read. */
  readonly series: FeeSeries | null;
  /** Why the series is missing; '' otherwise. */
  readonly why: string;
}

interface FeeTotal {
  readonly assetId: string;
  readonly symbol: string | null;
  /** Smallest units. */
  readonly raw: string;
  /** In whole units; null while its decimals are unknown. */
  readonly value: string | null;
  /** For a sentence. */
  readonly text: string;
  readonly markets: number;
}

export interface FeeSeries {
  /** Null: of all markets. */
  readonly marketId: string | null;
  readonly market: string | null;
  readonly assetId: string;
  /** Oldest first. */
  readonly epochs: readonly EpochFees[];
}

interface EpochFees {
  readonly epoch: string;
  /** Smallest units; 0 where nothing was allocated. */
  readonly raw: string;
  /** For a person. */
  readonly text: string;
}

/** The fees of the newest epoch and of the last ones, from the answers so far. */
export function collectFeeFacts(answers: OverviewAnswers, directory: Directory): Loading<FeeFacts> {
  const { fees } = answers;
  const read = answeredFees(answers);
  const source = mapAnswer(fees, page => {
    const gap = read.flaw === '' ? pageGap(page) : read.flaw;
    return { value: read, records: page.rows.length, gap };
  });
  if (source.kind !== 'read') return source;
  const { newest, rows } = read;
  if (newest === null && source.gap !== '') return { kind: 'unread', why: source.gap };
  if (newest === null) return { ...source, value: { epoch: null, markets: 0, totals: [], series: null, why: '' } };
  const last = rowsOfEpoch(rows, newest);
  const totals = feeTotals(last, assetQuanta(answers));
  const series = feeSeries(answers, { newest, assetId: totals[0]?.assetId ?? '', gap: source.gap, directory });
  return {
    ...source,
    value: {
      epoch: String(newest),
      markets: new Set(last.map(({ market }) => market.toLowerCase())).size,
      totals: totals.map(({ assetId, total, markets }) => {
        const unit = unitOfAsset(directory, assetId);
        const value = unit === undefined ? null : (toWholeUnits(total, unit.decimals) ?? null);
        // Smallest units have no meaning without their asset.
        const of = unit === undefined && assetId !== '' ? ` of ${nameOrId(directory, 'asset', assetId)}` : '';
        const text = `${amountText(total, unit)}${of}`;
        return { assetId, symbol: unit?.symbol ?? null, raw: total, value, text, markets };
      }),
      ...series,
    },
  };
}

interface SeriesInput {
  readonly newest: bigint;
  readonly assetId: string;
  /** Why rows may be missing. */
  readonly gap: string;
  readonly directory: Directory;
}

/** Of all markets if the node gives ranges, else of the market with the most fees. */
function feeSeries(
  answers: OverviewAnswers,
  { newest, assetId, gap, directory }: SeriesInput,
): Pick<FeeFacts, 'series' | 'why'> {
  const { rows, isRange } = answeredFees(answers);
  const { marketFees } = answers;
  if (isRange && gap !== '') return { series: null, why: gap };
  if (isRange) {
    const own = rows.filter(({ asset }) => asset.toLowerCase() === assetId);
    return {
      series: {
        marketId: null,
        market: null,
        assetId,
        epochs: lastEpochs(own, newest, unitOfAsset(directory, assetId)),
      },
      why: '',
    };
  }
  if (marketFees.kind === 'waiting') return { series: null, why: 'waiting' };
  if (marketFees.kind === 'failed') return { series: null, why: marketFees.why };
  const { marketId, assetId: asset, newestBefore, page } = marketFees.value;
  const own = readFees(page.rows, null);
  const isOther = own.rows.some(
    row => row.market.toLowerCase() !== marketId.toLowerCase() || row.asset.toLowerCase() !== asset.toLowerCase(),
  );
  if (isOther || own.flaw !== '' || !isNewestEpoch(own.newest, newestBefore))
    return { series: null, why: 'the node did not list the last epochs of one market' };
  const market = nameOf(directory, 'market', marketId) ?? null;
  return {
    series: {
      marketId,
      market,
      assetId: asset,
      epochs: lastEpochs(own.rows, own.newest, unitOfAsset(directory, asset)),
    },
    why: '',
  };
}

/** Some nodes begin with the oldest epoch. A newer one may have ended since all markets were listed. */
const isNewestEpoch = (epoch: bigint | null, before: bigint | null): epoch is bigint =>
  epoch !== null && before !== null && before <= epoch && epoch <= before + EPOCHS_BETWEEN_ANSWERS;

/** An epoch without a row had no fees: nodes list only those with some. */
function lastEpochs(
  rows: readonly { readonly epochSeq: string; readonly totalFeesPaid: string }[],
  newest: bigint,
  unit: Unit | undefined,
): FeeSeries['epochs'] {
  const oldest = newest >= BigInt(FEE_EPOCHS) ? newest - BigInt(FEE_EPOCHS) + 1n : 1n;
  return Array.from({ length: Number(newest - oldest + 1n) }, (_, index) => {
    const epoch = oldest + BigInt(index);
    const own = rows.filter(({ epochSeq }) => epochNumber(epochSeq) === epoch);
    const raw = sumAmounts(own.map(({ totalFeesPaid }) => totalFeesPaid)) ?? '0';
    return { epoch: String(epoch), raw, text: amountText(raw, unit) };
  });
}
