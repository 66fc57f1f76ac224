/** Whether the signatures exceed the threshold, in thousandths of all signers (signer-bundles.md section 4). */
export const isEnough = (signatures: number, signerCount: number, threshold: number): boolean =>
  signerCount > 0 && Math.floor((signatures * 1000) / signerCount) > threshold;

/** The largest number of signers for which these signatures are enough; 0 if for none, or without a valid threshold. */
export function mostSigners(signatures: number, threshold: number): number {
  if (!(threshold >= 0)) return 0;
  const most = Math.floor((signatures * 1000) / (threshold + 1));
  // NaN too is 0.
  return most >= signatures ? most : 0;
}
