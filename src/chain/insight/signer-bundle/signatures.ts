import { isHexBytes } from '../../../base/text/ids.ts';
import { bytesToHex, loadKeccak } from '../keccak.ts';

/** The signature bytes of a bundle; the contract refuses all signatures if the length is wrong. */
export type SignatureBytes =
  | { readonly kind: 'none' }
  | { readonly kind: 'not-hex' }
  | { readonly kind: 'bad-length'; readonly bytes: number }
  | { readonly kind: 'whole'; readonly count: number; readonly hex: string };

export interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  /** As sent. */
  readonly v: number;
  readonly flaw: SignatureFlaw | undefined;
}

/** A flaw of the signature itself, independent of its signer. */
export type SignatureFlaw = 'bad v' | 'bad r' | 'bad s' | 'high s' | 'duplicate';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The highest s the contract accepts (protocol.md section 3.2). */
export const MAX_LOW_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const DIGITS = 2 * 65;

/** Signatures of 65 bytes each (r, s, v), concatenated, as hex digits. */
export function readSignatureBytes(text: string): SignatureBytes {
  const hex = text.replace(/^0x/i, '').toLowerCase();
  if (hex === '') return { kind: 'none' };
  if (!isHexBytes(hex)) return { kind: 'not-hex' };
  if (hex.length % DIGITS !== 0) return { kind: 'bad-length', bytes: hex.length / 2 };
  return { kind: 'whole', count: hex.length / DIGITS, hex };
}

/** The first signatures, up to `most`; none if the text is not hex. */
export function splitSignatures(hex: string, most: number): readonly Signature[] {
  if (!isHexBytes(hex)) return [];
  const seen = new Set<string>();
  return Array.from({ length: Math.min(most, hex.length / DIGITS) }, (_, index) =>
    readSignature(hex.slice(index * DIGITS, (index + 1) * DIGITS), seen),
  );
}

/** The places, from 1, of signatures with an s above what the contract accepts. */
export const highSPositions = (bytes: SignatureBytes): readonly number[] =>
  bytes.kind !== 'whole'
    ? []
    : Array.from({ length: bytes.count }, (_, index) => index + 1).filter(
        place => bytes.hex.slice(place * DIGITS - 66, place * DIGITS - 2) > LOW_S_HEX,
      );

/** Digits of the same length compare as the numbers do. */
const LOW_S_HEX = MAX_LOW_S.toString(16).padStart(64, '0');

/** Which of the two points with this r is meant; undefined for a v the contract does not accept. */
const recoveryBit = (v: number): 0 | 1 | undefined => (v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : undefined);

function readSignature(hex: string, seen: Set<string>): Signature {
  const r = BigInt(`0x${hex.slice(0, 64)}`);
  const s = BigInt(`0x${hex.slice(64, 128)}`);
  const v = Number.parseInt(hex.slice(128), 16);
  const key = `${hex.slice(0, 128)}/${recoveryBit(v) ?? v}`;
  const flaw = findFlaw({ r, s, v }) ?? (seen.has(key) ? 'duplicate' : undefined);
  seen.add(key);
  return { r, s, v, flaw };
}

function findFlaw({ r, s, v }: Omit<Signature, 'flaw'>): SignatureFlaw | undefined {
  if (r === 0n || r >= ORDER) return 'bad r';
  if (s === 0n || s >= ORDER) return 'bad s';
  if (s > MAX_LOW_S) return 'high s';
  return recoveryBit(v) === undefined ? 'bad v' : undefined;
}

/** Recovers signers from signatures. */
export interface SignerRecovery {
  readonly keccak: (bytes: Uint8Array) => Uint8Array;
  /**
   * The address, in lower case, whose key made this signature if it signed this hash; any hash leads to some address.
   * Undefined if no key can have made it.
   */
  readonly signerOf: (digest: Uint8Array, signature: Pick<Signature, 'r' | 's' | 'v'>) => string | undefined;
}

/** Loaded on first use: the curve takes some milliseconds. */
export async function loadRecovery(): Promise<SignerRecovery> {
  const [keccak, { secp256k1 }] = await Promise.all([loadKeccak(), import('@noble/curves/secp256k1.js')]);
  const recover: SignerRecovery['signerOf'] = (digest, { r, s, v }) => {
    const bit = recoveryBit(v);
    if (bit === undefined) return undefined;
    try {
      const publicKey = new secp256k1.Signature(r, s, bit).recoverPublicKey(digest).toBytes(false);
      return `0x${bytesToHex(keccak(publicKey.subarray(1)).subarray(12))}`;
    } catch {
      return undefined;
    }
  };
  return { keccak, signerOf: cached(recover) };
}

/** A search for a flipped bit of two signatures recovers about two thousand signers. */
const CACHED = 4096;

/** The latest results by their inputs: the same bundles are checked again whenever they are shown. */
const recovered = new Map<string, string | undefined>();

const cached =
  (recover: SignerRecovery['signerOf']): SignerRecovery['signerOf'] =>
  (digest, signature) => {
    const { r, s, v } = signature;
    const key = `${bytesToHex(digest)}/${r.toString(16)}/${s.toString(16)}/${v}`;
    if (recovered.has(key)) return recovered.get(key);
    const signer = recover(digest, signature);
    const [oldest] = recovered.keys();
    if (recovered.size >= CACHED && oldest !== undefined) recovered.delete(oldest);
    recovered.set(key, signer);
    return signer;
  };
