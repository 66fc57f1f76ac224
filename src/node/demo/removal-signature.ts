/** What validators sign to remove one of them from the signers of the contract. */
export interface Removal {
  readonly oldSigner: string;
  /** The only address that may submit it to the contract. */
  readonly submitter: string;
  readonly nonce: bigint;
}

/** The signature of a validator: r, s and v, of 32, 32 and 1 bytes. */
export type SignRemoval = (removal: Removal, key: string) => Buffer;

const CURVE_ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** Loads the curve and the hash only when bundles are requested. */
export async function removalSigner(): Promise<SignRemoval> {
  const [{ secp256k1 }, { keccak_256 }] = await Promise.all([
    import('@noble/curves/secp256k1.js'),
    import('@noble/hashes/sha3.js'),
  ]);
  return (removal, key) => {
    const digest = keccak_256(Buffer.from(payload(removal), 'hex'));
    const signature = secp256k1.sign(digest, Buffer.from(key, 'hex'), { prehash: false, format: 'recovered' });
    // The library puts v first.
    return Buffer.concat([signature.subarray(1), signature.subarray(0, 1)]);
  };
}

/** The same signature with the other s: it recovers to the same signer, but the contract refuses it. */
export function withHighS(signature: Buffer): Buffer {
  const s = BigInt(`0x${signature.toString('hex', 32, 64)}`);
  const v = signature[64] === 0 ? 1 : 0;
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(word(CURVE_ORDER - s), 'hex'), Buffer.of(v)]);
}

/** ABI encodings by hand: (bytes, address) around (address, uint256, string). */
function payload({ oldSigner, submitter, nonce }: Removal): string {
  const call = Buffer.from('remove_signer').toString('hex');
  const inner = [word(BigInt(oldSigner)), word(nonce), word(96n), word(BigInt(call.length / 2)), call.padEnd(64, '0')];
  return [word(64n), word(BigInt(submitter)), word(BigInt(32 * inner.length)), ...inner].join('');
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0');
