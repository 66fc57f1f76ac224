import { hexOf, type Keccak } from '../keccak.ts';
import { addressWord, dynamic, word } from './abi-word.ts';
import type { FunctionName } from './form.ts';
import type { Removal } from './payload.ts';

/** A contract call, as it is sent. */
export interface Call {
  /** `remove_signer(address,uint256,bytes)` */
  readonly signature: string;
  readonly calldata: string;
}

export interface CallParts {
  readonly functionName: FunctionName;
  readonly removal: Removal;
  /** All signatures, as hex digits. */
  readonly signatures: string;
}

export function callOf({ functionName, removal, signatures }: CallParts, keccak: Keccak): Call {
  const signature = `${functionName}(address,uint256,bytes)`;
  const selector = hexOf(keccak(Buffer.from(signature, 'latin1'))).slice(0, 8);
  const { oldSigner, nonce } = removal;
  const calldata = [selector, addressWord(oldSigner), word(nonce), word(0x60n), dynamic(signatures)].join('');
  return { signature, calldata: `0x${calldata}` };
}
