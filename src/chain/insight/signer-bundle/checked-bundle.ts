import { type Findings, findSigners } from './findings.ts';
import { type Removal, type RemovalText, readRemoval } from './payload.ts';
import {
  readSignatureBytes,
  type Signature,
  type SignatureBytes,
  type SignerRecovery,
  splitSignatures,
} from './signatures.ts';
import { type Sufficiency, sufficiencyOf } from './sufficiency.ts';

/** A bundle whose signatures were compared with the known signers. */
export interface CheckedBundle {
  readonly removal: Removal | { readonly problem: string };
  readonly bytes: SignatureBytes;
  /** Undefined without signatures, or if the bundle cannot have been signed. */
  readonly findings: Findings | undefined;
  /** Undefined without a threshold, or if not all signatures were checked. */
  readonly sufficiency: Sufficiency | undefined;
}

/** The members of a bundle that decide, as the node sent them. */
export interface BundleText extends RemovalText {
  readonly signatures: string;
}

/** What signatures are compared with. */
interface SignerKnowledge {
  readonly chainIds: readonly string[];
  /** Addresses in lower case. */
  readonly known: ReadonlySet<string>;
  readonly recovery: SignerRecovery;
  readonly pause: () => Promise<void>;
  /** Of the contract, in thousandths. */
  readonly threshold?: number | undefined;
  readonly signerCount?: number | undefined;
  /** Damaged signatures are not repaired: looking for one takes a fifth of a second. */
  readonly isQuick?: true;
}

/** The most signatures checked: a contract has a few dozen signers, but a node may send megabytes. */
export const MAX_SIGNATURES_CHECKED = 100;

/** How many signatures follow unchecked; each may count, or make the contract refuse the call. */
export const uncheckedCount = (bytes: SignatureBytes): number =>
  bytes.kind === 'whole' ? Math.max(0, bytes.count - MAX_SIGNATURES_CHECKED) : 0;

export async function checkBundle(text: BundleText, known: SignerKnowledge): Promise<CheckedBundle> {
  const removal = readRemoval(text);
  const bytes = readSignatureBytes(text.signatures);
  const signatures = bytes.kind === 'whole' ? splitSignatures(bytes.hex, MAX_SIGNATURES_CHECKED) : [];
  const findings =
    'problem' in removal || signatures.length === 0
      ? undefined
      : await findSigners({ ...known, removal, signatures }, known.isQuick === true);
  return {
    removal,
    bytes,
    findings,
    sufficiency: uncheckedCount(bytes) > 0 ? undefined : findSufficiency(findings, signatures, known),
  };
}

function findSufficiency(
  findings: Findings | undefined,
  signatures: readonly Signature[],
  { threshold, signerCount }: SignerKnowledge,
): Sufficiency | undefined {
  if (findings?.form === undefined || threshold === undefined) return undefined;
  return sufficiencyOf({ functionName: findings.form.functionName, signatures, findings, threshold, signerCount });
}
