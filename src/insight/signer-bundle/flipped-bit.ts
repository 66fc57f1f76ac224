import type { Recovery } from './recovery.ts';
import type { Signature } from './signatures.ts';

export interface Damage {
  readonly digest: Uint8Array;
  readonly signature: Signature;
  /** In lower case: who may have made it before it was damaged. */
  readonly signers: ReadonlySet<string>;
  readonly recovery: Recovery;
  readonly pause: () => Promise<void>;
}

/** Whose signature it is but for one bit, if it is anybody's; another's is that near by accident once in 2^140. */
export async function signerButForOneBit({ digest, signature, ...damage }: Damage): Promise<string | undefined> {
  for (const near of oneBitOff(signature)) {
    const signer = damage.recovery.signerOf(digest, near);
    if (signer !== undefined && damage.signers.has(signer)) return signer;
    await damage.pause();
  }
  return undefined;
}

/** All that differs in one of its 520 bits: v first, which is tried in no time. */
function* oneBitOff({ r, s, v }: Signature): Generator<Pick<Signature, 'r' | 's' | 'v'>> {
  for (let bit = 0; bit < 8; bit++) yield { r, s, v: v ^ (1 << bit) };
  for (let bit = 0n; bit < 256n; bit++) yield { r, s: s ^ (1n << bit), v };
  for (let bit = 0n; bit < 256n; bit++) yield { r: r ^ (1n << bit), s, v };
}
