import { readAddress } from '../address.ts';
import { addressWord, dynamic, readWord, word } from './abi-word.ts';
import type { Form } from './form.ts';

/** The signer a bundle removes and who may submit it, checked and in the form that is signed. */
export interface Removal {
  /** In lower case. */
  readonly oldSigner: string;
  readonly submitter: string;
  readonly nonce: bigint;
}

/** The signed members of a bundle, as the node sent them. */
export interface RemovalText {
  readonly oldSigner: string;
  readonly submitter: string;
  readonly nonce: string;
}

/** The removal, or what is wrong with it. */
export function readRemoval(text: RemovalText): Removal | { readonly problem: string } {
  const oldSigner = readAddress(text.oldSigner);
  const submitter = readAddress(text.submitter);
  const nonce = readWord(text.nonce);
  if (oldSigner === undefined) return { problem: 'the old signer is not an Ethereum address' };
  if (submitter === undefined) return { problem: 'the submitter is not an Ethereum address' };
  if (nonce === undefined) return { problem: 'the nonce is not a 256-bit number' };
  return { oldSigner, submitter, nonce };
}

/** The hex digits whose hash was signed (signer-bundles.md section 3). */
export function payloadOf({ oldSigner, submitter, nonce }: Removal, form: Form): string {
  const inner = [addressWord(oldSigner), word(nonce), word(0x60n), dynamic(asHex(form.functionName))].join('');
  const outer = [word(0x40n), addressWord(submitter), dynamic(inner)].join('');
  return form.scheme === 'v1' ? outer : `19${word(BigInt(form.chainId))}${outer}`;
}

const asHex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
