import { shellWord } from '../../text/shell-word.ts';

/** The parts of a cast command; addresses in checksum case. */
export interface Sending {
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
