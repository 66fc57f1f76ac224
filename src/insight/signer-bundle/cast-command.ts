import { shellWord } from '../../text/shell-word.ts';

/** What a command line sends; addresses spelt as they are to be read. */
export interface Sending {
  /** Undefined where it is not known: a word stands for it. */
  readonly contract: string | undefined;
  /** `remove_signer(address,uint256,bytes)` */
  readonly signature: string;
  readonly oldSigner: string;
  readonly nonce: bigint;
  readonly signatures: string;
  readonly submitter: string;
}

/** The command that sends the call; who signs it is for the person to add. */
export const sendCommand = (sending: Sending): string => commandLine('send', sending);

/** The same as a question, which sends and spends nothing: it fails where the transaction would. */
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
