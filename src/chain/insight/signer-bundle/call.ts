import { shellWord } from '../../../base/text/shell-word.ts';
import { bytesToHex, type Keccak } from '../keccak.ts';
import { addressWord, dynamicBytes, type FunctionName, type Removal, word } from './payload.ts';

/** A contract call in the form sent. */
export interface Call {
  /** `remove_signer(address,uint256,bytes)` */
  readonly signature: string;
  readonly calldata: string;
}

interface CallParts {
  readonly functionName: FunctionName;
  readonly removal: Removal;
  /** All signatures, as hex digits. */
  readonly signatures: string;
}

export function buildCall({ functionName, removal, signatures }: CallParts, keccak: Keccak): Call {
  const signature = `${functionName}(address,uint256,bytes)`;
  const selector = bytesToHex(keccak(Buffer.from(signature, 'latin1'))).slice(0, 8);
  const { oldSigner, nonce } = removal;
  const calldata = [selector, addressWord(oldSigner), word(nonce), word(0x60n), dynamicBytes(signatures)].join('');
  return { signature, calldata: `0x${calldata}` };
}

/** The parts of a cast command; addresses in checksum case. */
interface Sending {
  /** Undefined if unknown: a placeholder is shown. */
  readonly contract: string | undefined;
  /** `remove_signer(address,uint256,bytes)` */
  readonly signature: string;
  readonly oldSigner: string;
  readonly nonce: bigint;
  readonly signatures: string;
  readonly submitter: string;
}

/** The command that sends the call; the user adds the signing options. */
export const sendCommand = (sending: Sending): string => commandLine('send', sending);

/** A dry run that sends and spends nothing: it fails if the transaction would. */
export const dryRunCommand = (sending: Sending): string => commandLine('call', sending);

function commandLine(verb: 'send' | 'call', { contract, signature, oldSigner, nonce, ...rest }: Sending): string {
  const words = [
    contract ?? 'CONTRACT',
    signature,
    oldSigner,
    String(nonce),
    rest.signatures,
    '--from',
    rest.submitter,
  ];
  return ['cast', verb, ...words.map(shellWord)].join(' ');
}
