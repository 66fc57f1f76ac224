import { countOf } from './count-of.ts';
import { compareDecimals, quotient, roundDecimal } from './decimal.ts';

/** What decides a provider's part of the liquidity fees (protocol.md section 2.2); fractions of 1, as sent, or ''. */
export interface FeeWeight {
  readonly equityLikeShare: string;
  readonly averageScore: string;
  /** Of the last epoch: the part of its accrued fees that was withheld. */
  readonly feePenalty: string;
}

/** A part of the fees as two exact numbers and in percent to a tenth, or why it is unknown. */
export type FeeShare =
  | { readonly numerator: string; readonly denominator: string; readonly percent: string }
  | { readonly problem: string };

export interface FeeShares {
  /** Of what an epoch allocates. */
  readonly before: FeeShare;
  /** Of providers' income if an epoch ends with the last one's penalties: the others get the withheld part. */
  readonly after: FeeShare;
}

/**
 * The shares of all providers on a market. `equityPart` is the part of the fees that is shared by equity-like share times
 * score; the rest is shared only by score.
 */
export function computeFeeShares(all: readonly FeeWeight[], equityPart: string): readonly FeeShares[] {
  const problem = weightsProblem(all, equityPart);
  const weights = problem === undefined ? feeWeights(all, equityPart) : [];
  const before = feeShareByIndex(weights, 'no provider on this market has a liquidity score');
  const after = feeShareByIndex(
    weightsAfterPenalties(all, weights),
    'the last epoch withheld all fees of every provider',
  );
  const unsaid = all.filter(({ feePenalty }, index) => weights[index] !== 0n && !isFraction(feePenalty)).length;
  const withheld = unsaid === 0 ? undefined : `the last fee penalty of ${countOf(unsaid, 'provider')} is not known`;
  return all.map((_, index): FeeShares => {
    const share = problem === undefined ? before(index) : { problem };
    if ('problem' in share) return { before: share, after: share };
    return { before: share, after: withheld === undefined ? after(index) : { problem: withheld } };
  });
}

function weightsProblem(all: readonly FeeWeight[], equityPart: string): string | undefined {
  if (!isFraction(equityPart)) return 'the node does not report how fees are shared';
  const isRead = all.every(one => isFraction(one.equityLikeShare) && isFraction(one.averageScore));
  if (!isRead) return 'a share or score of a provider on this market cannot be read';
  const shares = inUnits(all.map(({ equityLikeShare }) => equityLikeShare));
  const together = sum(shares.units);
  // Nodes round each share, and automated market makers have one without being listed.
  const off = together > shares.whole ? together - shares.whole : shares.whole - together;
  if (off * MAX_PROVIDERS <= shares.whole) return undefined;
  const percent = quotient(String(together * 100n), String(shares.whole), 2);
  return `the listed equity-like shares add up to ${percent} %`;
}

const MAX_PROVIDERS = 10_000n;

/** Proportional to the fees each provider is allocated. */
function feeWeights(all: readonly FeeWeight[], equityPart: string): readonly bigint[] {
  const shares = inUnits(all.map(({ equityLikeShare }) => equityLikeShare)).units;
  const scores = inUnits(all.map(({ averageScore }) => averageScore)).units;
  const products = shares.map((share, index) => share * (scores[index] ?? 0n));
  const part = inUnits([equityPart]);
  const [byEquity = 0n, allProducts, allScores] = [part.units[0], sum(products), sum(scores)];
  if (byEquity === part.whole) return products;
  if (allProducts === 0n) return all.map(() => 0n);
  return products.map(
    (product, index) => byEquity * product * allScores + (part.whole - byEquity) * (scores[index] ?? 0n) * allProducts,
  );
}

/** What penalties leave of the weights. */
function weightsAfterPenalties(all: readonly FeeWeight[], weights: readonly bigint[]): readonly bigint[] {
  const { units, whole } = inUnits(all.map(({ feePenalty }) => (isFraction(feePenalty) ? feePenalty : '0')));
  return weights.map((weight, index) => weight * (whole - (units[index] ?? 0n)));
}

function feeShareByIndex(weights: readonly bigint[], problem: string): (index: number) => FeeShare {
  const total = sum(weights);
  return index => {
    const weight = weights[index] ?? 0n;
    const percent = quotient(String(weight * 100n), String(total), 1);
    if (percent === undefined) return { problem };
    const shared = commonFactor(weight, total);
    return {
      numerator: String(weight / shared),
      denominator: String(total / shared),
      percent: percent === '0.0' && weight > 0n ? '<0.1' : percent,
    };
  };
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

const commonFactor = (one: bigint, other: bigint): bigint => (one === 0n ? other : commonFactor(other % one, one));

/** Fractions of 1 in whole units of their smallest decimal place. */
function inUnits(fractions: readonly string[]): { readonly units: readonly bigint[]; readonly whole: bigint } {
  const places = fractions.reduce((most, text) => Math.max(most, (text.split('.')[1] ?? '').length), 0);
  const units = fractions.map(text => {
    const [integer = '', fraction = ''] = text.split('.');
    return BigInt(`${integer}${fraction.padEnd(places, '0')}`);
  });
  return { units, whole: 10n ** BigInt(places) };
}

/** Whether a text is a fraction of 1 as nodes write them. */
export const isFraction = (text: string): boolean =>
  text.length <= MAX_FRACTION_LENGTH && /^\d*\.?\d+$/.test(text) && compareDecimals(text, '1') <= 0;

const MAX_FRACTION_LENGTH = 100;

/** In percent to a hundredth, for people; undefined for anything but a fraction of 1. */
export function fractionAsPercent(text: string): string | undefined {
  if (!isFraction(text)) return undefined;
  const percent = roundDecimal(quotient(text, '0.01', MAX_FRACTION_LENGTH) ?? '', 2);
  return percent === '0.00' && compareDecimals(text, '0') > 0 ? '<0.01 %' : `${percent?.replace(/\.?0+$/, '')} %`;
}
