import { hexOf, loadKeccak } from '../keccak.ts';
import { recoveryBit, type Signature } from './signatures.ts';

/** Recovers signers from signatures. */
export interface Recovery {
  readonly keccak: (bytes: Uint8Array) => Uint8Array;
  /**
   * The address, in lower case, whose key made this signature if it signed this hash; any hash leads to some address.
   * Undefined if no key can have made it.
   */
  readonly signerOf: (digest: Uint8Array, signature: Pick<Signature, 'r' | 's' | 'v'>) => string | undefined;
}

/** Loaded on first use: the curve takes some milliseconds. */
export async function loadRecovery(): Promise<Recovery> {
  const [keccak, { secp256k1 }] = await Promise.all([loadKeccak(), import('@noble/curves/secp256k1.js')]);
  return {
    keccak,
    signerOf: (digest, { r, s, v }) => {
      const bit = recoveryBit(v);
      if (bit === undefined) return undefined;
      try {
        const publicKey = new secp256k1.Signature(r, s, bit).recoverPublicKey(digest).toBytes(false);
        return `0x${hexOf(keccak(publicKey.subarray(1)).subarray(12))}`;
      } catch {
        return undefined;
      }
    },
  };
}
