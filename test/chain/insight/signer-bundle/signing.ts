import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Findings, findSigners } from '../../../../src/chain/insight/signer-bundle/findings.ts';
import { type PayloadForm, type Removal, signedPayload } from '../../../../src/chain/insight/signer-bundle/payload.ts';
import { loadRecovery, splitSignatures } from '../../../../src/chain/insight/signer-bundle/signatures.ts';

export const recovery = await loadRecovery();

export const REMOVAL: Removal = { oldSigner: `0x${'0a'.repeat(20)}`, submitter: `0x${'0b'.repeat(20)}`, nonce: 42n };
export const FORM: PayloadForm = { scheme: 'v1', functionName: 'remove_signer' };

const ORDER = secp256k1.Point.Fn.ORDER;

/** A key that exists in tests alone, and what it signs. */
export function keyNumber(number: number) {
  const secret = Buffer.from((BigInt(number) + 1n).toString(16).padStart(64, '0'), 'hex');
  const publicKey = secp256k1.getPublicKey(secret, false);
  const address = `0x${Buffer.from(recovery.keccak(publicKey.subarray(1)).subarray(12)).toString('hex')}`;
  return {
    address,
    /** With `more` of the same key and of the same, but another signature. */
    sign: (form: PayloadForm = FORM, removal: Removal = REMOVAL, more?: Uint8Array): string => {
      const digest = recovery.keccak(Buffer.from(signedPayload(removal, form), 'hex'));
      const extra = more === undefined ? {} : { extraEntropy: more };
      const bytes = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered', ...extra });
      return `${Buffer.from(bytes.subarray(1)).toString('hex')}0${bytes[0]}`;
    },
  };
}

/** The other signature that the same key can have made: it has a high s. */
export function highTwin(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(64, 128)}`);
  return `${signature.slice(0, 64)}${s.toString(16).padStart(64, '0')}${signature.endsWith('00') ? '01' : '00'}`;
}

export function flipped(signature: string, bit: number): string {
  const bytes = Buffer.from(signature, 'hex');
  const index = Math.floor(bit / 8);
  bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << (bit % 8)), index);
  return bytes.toString('hex');
}

/** What is found of signatures without 0x. */
export function found(signatures: readonly string[], known: readonly string[], chainIds: readonly string[] = []) {
  return findSigners({
    removal: REMOVAL,
    signatures: splitSignatures(signatures.join(''), 100),
    chainIds,
    known: new Set(known),
    recovery,
    pause: async () => {},
  });
}

export const problems = ({ signed }: Findings): readonly (string | undefined)[] => signed.map(({ problem }) => problem);
