import type { CheckedBundle } from './checked-bundle.ts';
import { highSPositions } from './signatures.ts';

/** How far a bundle is, as far as its signatures tell. */
export type BundleReadiness =
  /** Enough signatures, or some while the number needed is unknown. */
  | 'yes'
  /** Known signers signed it, but too few. */
  | 'too-few'
  | 'no'
  /** None of the signers known here signed it. */
  | 'unknown';

/** Whether the contract may take a bundle when its submitter sends it. */
export function bundleReadiness(checked: CheckedBundle): BundleReadiness {
  const { bytes, findings, sufficiency } = checked;
  if (bytes.kind === 'whole' && findings !== undefined && findings.form === undefined) return 'unknown';
  if (validSignatureCount(checked) === 0) return 'no';
  return sufficiency?.kind === 'not-enough' ? 'too-few' : 'yes';
}

/** Signatures of known signers; none if the contract refuses the whole call. */
export const validSignatureCount = (checked: CheckedBundle): number =>
  checked.findings?.form === undefined || isRefused(checked) ? 0 : checked.findings.known;

/** A high s makes the contract refuse the whole call; the newer one only if it reads that far. */
export const isRefused = ({ bytes, sufficiency, findings }: CheckedBundle): boolean =>
  sufficiency?.kind === 'refused' ||
  (findings?.form?.functionName === 'remove_signer' && highSPositions(bytes).length > 0);
