/** Whether so many signatures are more than the threshold, in thousandths of all signers (signer-bundles.md section 4). */
export const isEnough = (signatures: number, signerCount: number, threshold: number): boolean =>
  signerCount > 0 && Math.floor((signatures * 1000) / signerCount) > threshold;

/** The most signers the contract may have for so many signatures to be enough. */
export const mostSigners = (signatures: number, threshold: number): number =>
  Math.floor((signatures * 1000) / (threshold + 1));
