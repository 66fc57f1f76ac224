import { compareDecimals, quotient } from './decimal.ts';
import { wholeAmount } from './paid-fees.ts';

/** What decides whether a validator is rewarded, as the node sent it. */
export interface ScoredValidator {
  /** In consensus when the scores were made. */
  readonly isConsensus: boolean;
  readonly multisigScore: string;
  readonly votingPower: string;
}

/** Whether the text is a score, which is from 0 to 1. */
export const isScore = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,100})?$/.test(text) && compareDecimals(text, '1') <= 0;

/** A part of the total voting power; `isOfAll`: the given validators have all voting power. */
export interface PowerShare {
  /** To a tenth. */
  readonly percent: string;
  readonly isOfAll: boolean;
}

/** All validators together have about 10,000: the core rounds each one's (protocol.md section 4). */
const ALL_POWER = 10_000n;

/** The total that shares of voting power refer to; undefined if these validators do not show it. */
interface TotalPower {
  readonly together: bigint;
  readonly isOfAll: boolean;
}

export function totalPower(all: readonly ScoredValidator[]): TotalPower | undefined {
  let together = 0n;
  for (const { votingPower } of all) {
    const power = wholeAmount(votingPower);
    if (power === undefined) return undefined;
    together += power;
  }
  const off = together > ALL_POWER ? together - ALL_POWER : ALL_POWER - together;
  if (off <= BigInt(all.length)) return { together, isOfAll: true };
  // Some validators are missing; a larger sum is not voting power on this scale.
  return together > ALL_POWER ? undefined : { together: ALL_POWER, isOfAll: false };
}

/** A validator's part of all voting power; undefined if unknown. */
export function powerShare(votingPower: string, all: TotalPower | undefined): PowerShare | undefined {
  const own = wholeAmount(votingPower);
  if (own === undefined || all === undefined) return undefined;
  const percent = quotient(String(own * 100n), String(all.together), 1);
  if (percent === undefined) return undefined;
  return { percent: percent === '0.0' && own > 0n ? '<0.1' : percent, isOfAll: all.isOfAll };
}

/** Why the multisig score of a consensus validator is 0 (protocol.md section 3). */
export type ZeroScore =
  /** All consensus validators have 0: the contract has an extra signer, or no validator is a signer. */
  | { readonly kind: 'all'; readonly count: number }
  /** Another validator has a score, so the contract has no extra signer: this one is not a signer. */
  | { readonly kind: 'not-a-signer' };

/** Undefined if the score is not 0, does not count, or the other scores do not show why. */
export function zeroScoreReason(own: ScoredValidator, all: readonly ScoredValidator[]): ZeroScore | undefined {
  if (!own.isConsensus || !isZero(own.multisigScore)) return undefined;
  const scores = all.filter(({ isConsensus }) => isConsensus).map(({ multisigScore }) => multisigScore);
  if (scores.some(score => isNumber(score) && !isZero(score))) return { kind: 'not-a-signer' };
  return scores.length > 0 && scores.every(isZero) ? { kind: 'all', count: scores.length } : undefined;
}

const isZero = (score: string): boolean => isNumber(score) && compareDecimals(score, '0') === 0;

const isNumber = (text: string): boolean => /^\d{1,30}(?:\.\d{1,100})?$/.test(text);

/** The change of a stake at the next epoch in percent: `+12.5 %`; '' for none or unknown. */
export function stakeChange(pendingStake: string, stakedTotal: string): string {
  const [, sign = '', digits = ''] = /^(-?)(\d{1,300})$/.exec(pendingStake) ?? [];
  if (digits === '' || /^0+$/.test(digits)) return '';
  const percent = wholeAmount(stakedTotal) === undefined ? undefined : quotient(`${digits}00`, stakedTotal, 1);
  if (percent === undefined) return sign === '-' ? 'less' : 'more';
  return `${sign || '+'}${percent === '0.0' ? '<0.1' : percent.replace(/\.0$/, '')} %`;
}
