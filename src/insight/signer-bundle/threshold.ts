/** Whether so many signatures are more than the threshold, in thousandths of all signers (signer-bundles.md section 4). */
export const isEnough = (signatures: number, signerCount: number, threshold: number): boolean =>
  signerCount > 0 && Math.floor((signatures * 1000) / signerCount) > threshold;

/** The most signers the contract may have for so many of theirs to be enough; 0 when they are for none, as where the threshold is none. */
export function mostSigners(signatures: number, threshold: number): number {
  if (!(threshold >= 0)) return 0;
  const most = Math.floor((signatures * 1000) / (threshold + 1));
  return most < signatures ? 0 : most;
}
