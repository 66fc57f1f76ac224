/** The signatures of a bundle taken apart; the contract refuses all of them when the length is wrong. */
export type Signatures =
  | { readonly kind: 'none' }
  | { readonly kind: 'not-hex' }
  | { readonly kind: 'bad-length'; readonly bytes: number }
  | { readonly kind: 'list'; readonly list: readonly Signature[]; readonly hex: string };

export interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  /** As sent. */
  readonly v: number;
  readonly flaw: Flaw | undefined;
}

/** What is wrong with a signature by itself, whoever made it. */
export type Flaw = 'bad v' | 'bad r' | 'bad s' | 'high s' | 'duplicate';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The highest s that the contract takes (signer-bundles.md section 2). */
export const MAX_LOW_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const BYTES = 65;

/** Signatures of 65 bytes each (r, s, v), one behind the other. */
export function splitSignatures(text: string): Signatures {
  if (text === '') return { kind: 'none' };
  const hex = text.replace(/^0x/i, '').toLowerCase();
  if (hex === '') return { kind: 'none' };
  if (!/^(?:[0-9a-f]{2})+$/.test(hex)) return { kind: 'not-hex' };
  if (hex.length % (2 * BYTES) !== 0) return { kind: 'bad-length', bytes: hex.length / 2 };
  const seen = new Set<string>();
  const list = Array.from({ length: hex.length / (2 * BYTES) }, (_, index) =>
    readSignature(hex.slice(index * 2 * BYTES, (index + 1) * 2 * BYTES), seen),
  );
  return { kind: 'list', list, hex: `0x${hex}` };
}

/** Which of the two points with this r is meant; undefined for a v that the contract does not take. */
export const recoveryBit = (v: number): 0 | 1 | undefined =>
  v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : undefined;

function readSignature(hex: string, seen: Set<string>): Signature {
  const r = BigInt(`0x${hex.slice(0, 64)}`);
  const s = BigInt(`0x${hex.slice(64, 128)}`);
  const v = Number.parseInt(hex.slice(128), 16);
  const key = `${hex.slice(0, 128)}/${recoveryBit(v) ?? v}`;
  const flaw = flawOf({ r, s, v }) ?? (seen.has(key) ? 'duplicate' : undefined);
  seen.add(key);
  return { r, s, v, flaw };
}

function flawOf({ r, s, v }: Omit<Signature, 'flaw'>): Flaw | undefined {
  if (r === 0n || r >= ORDER) return 'bad r';
  if (s === 0n || s >= ORDER) return 'bad s';
  if (s > MAX_LOW_S) return 'high s';
  return recoveryBit(v) === undefined ? 'bad v' : undefined;
}
