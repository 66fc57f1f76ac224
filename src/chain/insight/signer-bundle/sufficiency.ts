import type { Findings } from './findings.ts';
import type { FunctionName } from './payload.ts';
import { MAX_LOW_S, type Signature } from './signatures.ts';

/** Whether the signatures are enough for the contract, assuming its signers are those known here. */
export type Sufficiency =
  /** A high s makes the contract refuse the whole call. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'enough' | 'not-enough'; readonly counted: number; readonly signerCount: number }
  /** More signers are known than the stated number, so some of these signers are not on the contract. */
  | { readonly kind: 'too-many'; readonly counted: number; readonly signerCount: number }
  /** The number of signers of the contract is unknown: enough for at most this many. */
  | { readonly kind: 'enough-for'; readonly counted: number; readonly most: number };

interface Counting {
  readonly functionName: FunctionName;
  readonly signatures: readonly Signature[];
  readonly findings: Findings;
  /** In thousandths. */
  readonly threshold: number;
  readonly signerCount: number | undefined;
}

/** Counts as the contract does (protocol.md section 3.4). */
export function sufficiencyOf({ functionName, signatures, findings, threshold, signerCount }: Counting): Sufficiency {
  const refusing = signatures.findIndex(({ s }) => s > MAX_LOW_S);
  if (refusing >= 0 && functionName === 'remove_signer') return { kind: 'refused' };
  const read = refusing < 0 ? findings.signed : findings.signed.slice(0, refusing);
  const counted = read.filter(({ isKnown, problem }) => isKnown && problem === undefined).length;
  if (signerCount === undefined) {
    const most = maxSigners(counted, threshold);
    return { kind: 'enough-for', counted, most };
  }
  if (counted > signerCount) return { kind: 'too-many', counted, signerCount };
  if (isEnough(counted, signerCount, threshold)) return { kind: 'enough', counted, signerCount };
  return refusing < 0 ? { kind: 'not-enough', counted, signerCount } : { kind: 'refused' };
}

/** Whether the signatures exceed the threshold, in thousandths of all signers (protocol.md section 3.4). */
export const isEnough = (signatures: number, signerCount: number, threshold: number): boolean =>
  signerCount > 0 && Math.floor((signatures * 1000) / signerCount) > threshold;

/** The largest number of signers for which these signatures are enough; 0 if for none, or without a valid threshold. */
export function maxSigners(signatures: number, threshold: number): number {
  if (!(threshold >= 0)) return 0;
  const most = Math.floor((signatures * 1000) / (threshold + 1));
  // NaN too is 0.
  return most >= signatures ? most : 0;
}
