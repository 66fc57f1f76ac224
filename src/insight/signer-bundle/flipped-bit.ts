import type { Recovery } from './recovery.ts';
import type { Signature } from './signatures.ts';

export interface Damage {
  readonly digest: Uint8Array;
  readonly signature: Signature;
  /** Possible signers of the undamaged signature, in lower case. */
  readonly signers: ReadonlySet<string>;
  readonly recovery: Recovery;
  readonly pause: () => Promise<void>;
}

/** Whose signature it is except for one bit, if anyone's; a coincidence has a probability of about 2^-140. */
export async function signerButForOneBit({ digest, signature, ...damage }: Damage): Promise<string | undefined> {
  for (const near of oneBitOff(signature)) {
    const signer = damage.recovery.signerOf(digest, near);
    if (signer !== undefined && damage.signers.has(signer)) return signer;
    await damage.pause();
  }
  return undefined;
}

/** Every variant with one of the 520 bits flipped; v first, which is quick to try. */
function* oneBitOff({ r, s, v }: Signature): Generator<Pick<Signature, 'r' | 's' | 'v'>> {
  for (let bit = 0; bit < 8; bit++) yield { r, s, v: v ^ (1 << bit) };
  for (let bit = 0n; bit < 256n; bit++) yield { r, s: s ^ (1n << bit), v };
  for (let bit = 0n; bit < 256n; bit++) yield { r: r ^ (1n << bit), s, v };
}
