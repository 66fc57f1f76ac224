import { compareDecimals, quotient, rounded } from './decimal.ts';

/** What decides a provider's part of the liquidity fees (protocol.md section 2.2); fractions of 1, as sent. */
export interface FeeWeight {
  readonly equityLikeShare: string;
  readonly averageScore: string;
}

/** A provider's part of the fees before penalties, or why it is unknown. */
export type FeeShare = { readonly percent: string } | { readonly problem: string };

/** The share of one among all providers of its market (including itself), in percent to a tenth. */
export function feeShareOf(one: FeeWeight, all: readonly FeeWeight[]): FeeShare {
  const parts = [one, ...all].flatMap(({ equityLikeShare, averageScore }) => [equityLikeShare, averageScore]);
  if (!parts.every(isFraction)) return { problem: 'a share or score of a provider on this market cannot be read' };
  const places = Math.max(...parts.map(part => (part.split('.')[1] ?? '').length));
  const whole = 10n ** BigInt(places);
  const units = (part: string): bigint => {
    const [integer = '', fraction = ''] = part.split('.');
    return BigInt(`${integer}${fraction.padEnd(places, '0')}`);
  };
  const together = all.reduce((sum, { equityLikeShare }) => sum + units(equityLikeShare), 0n);
  // Nodes round each share, and automated market makers have one without being listed.
  const off = together > whole ? together - whole : whole - together;
  if (off * MOST_PROVIDERS > whole) {
    const percent = quotient(String(together * 100n), String(whole), 2);
    return { problem: `the listed equity-like shares add up to ${percent} %` };
  }
  const weight = ({ equityLikeShare, averageScore }: FeeWeight): bigint => units(equityLikeShare) * units(averageScore);
  const total = all.reduce((sum, other) => sum + weight(other), 0n);
  const percent = quotient(String(weight(one) * 100n), String(total), 1);
  if (percent === undefined) return { problem: 'no provider on this market has a liquidity score' };
  return { percent: percent === '0.0' && weight(one) > 0n ? '<0.1' : percent };
}

const MOST_PROVIDERS = 10_000n;

/** Whether a text is a fraction of 1 as nodes write them. */
export const isFraction = (text: string): boolean =>
  text.length <= LONGEST && /^\d*\.?\d+$/.test(text) && compareDecimals(text, '1') <= 0;

const LONGEST = 100;

/** In percent to a hundredth, for people; undefined for anything but a fraction of 1. */
export function fractionShown(text: string): string | undefined {
  if (!isFraction(text)) return undefined;
  const percent = rounded(quotient(text, '0.01', LONGEST) ?? '', 2);
  return percent === '0.00' && compareDecimals(text, '0') > 0 ? '<0.01 %' : `${percent?.replace(/\.?0+$/, '')} %`;
}
