import { compareDecimals, quotient } from './decimal.ts';
import { wholeAmount } from './paid-fees.ts';

/** What says whether a validator is paid, as the node sent it. */
export interface ScoredValidator {
  /** Of the consensus when the scores were made. */
  readonly isConsensus: boolean;
  readonly multisigScore: string;
  readonly votingPower: string;
}

/** A part of all voting power; `isOfAll`: the validators at hand have all of it. */
export interface PowerShare {
  /** To a tenth. */
  readonly percent: string;
  readonly isOfAll: boolean;
}

/** All validators together have about 10,000: the core rounds each one's (protocol.md section 4). */
const ALL_POWER = 10_000n;

/** What parts of all voting power are told of; undefined where these validators do not say it. */
export interface AllPower {
  readonly together: bigint;
  readonly isOfAll: boolean;
}

export function allPower(all: readonly ScoredValidator[]): AllPower | undefined {
  let together = 0n;
  for (const { votingPower } of all) {
    const power = wholeAmount(votingPower);
    if (power === undefined) return undefined;
    together += power;
  }
  const off = together > ALL_POWER ? together - ALL_POWER : ALL_POWER - together;
  if (off <= BigInt(all.length)) return { together, isOfAll: true };
  // Some are not at hand; more than that is no power of this kind.
  return together > ALL_POWER ? undefined : { together: ALL_POWER, isOfAll: false };
}

/** What part of all voting power that is; undefined where it cannot be said. */
export function powerShare(votingPower: string, all: AllPower | undefined): PowerShare | undefined {
  const own = wholeAmount(votingPower);
  if (own === undefined || all === undefined) return undefined;
  const percent = quotient(String(own * 100n), String(all.together), 1);
  if (percent === undefined) return undefined;
  return { percent: percent === '0.0' && own > 0n ? '<0.1' : percent, isOfAll: all.isOfAll };
}

/** Why the multisig score of a consensus validator is 0 (protocol.md section 3). */
export type ZeroScore =
  /** That of each of them is: a signer too many on the contract, or none of them there. */
  | { readonly kind: 'all'; readonly count: number }
  /** Another one's is not, so there is no signer too many: this one is not on the contract. */
  | { readonly kind: 'not-a-signer' };

/** Undefined for a score that is not 0, one that does not count, and where the scores of others do not say it. */
export function whyZero(own: ScoredValidator, all: readonly ScoredValidator[]): ZeroScore | undefined {
  if (!own.isConsensus || !isZero(own.multisigScore)) return undefined;
  const scores = all.filter(({ isConsensus }) => isConsensus).map(({ multisigScore }) => multisigScore);
  if (scores.some(score => isNumber(score) && !isZero(score))) return { kind: 'not-a-signer' };
  return scores.length > 0 && scores.every(isZero) ? { kind: 'all', count: scores.length } : undefined;
}

const isZero = (score: string): boolean => isNumber(score) && compareDecimals(score, '0') === 0;

const isNumber = (text: string): boolean => /^\d{1,30}(?:\.\d{1,100})?$/.test(text);

/** The change of a stake at the next epoch as a part of it: `+12.5 %`; '' for none, and where it cannot be said. */
export function stakeChange(pendingStake: string, stakedTotal: string): string {
  const [, sign = '', digits = ''] = /^(-?)(\d{1,300})$/.exec(pendingStake) ?? [];
  if (digits === '' || /^0+$/.test(digits)) return '';
  const percent = wholeAmount(stakedTotal) === undefined ? undefined : quotient(`${digits}00`, stakedTotal, 1);
  if (percent === undefined) return sign === '-' ? 'less' : 'more';
  return `${sign || '+'}${percent === '0.0' ? '<0.1' : percent.replace(/\.0$/, '')} %`;
}
