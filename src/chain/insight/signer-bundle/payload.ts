import { readAddress } from '../../../base/text/ids.ts';

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

/** The removal, or its problem. */
export function readRemoval(text: RemovalText): Removal | { readonly problem: string } {
  const oldSigner = readAddress(text.oldSigner);
  const submitter = readAddress(text.submitter);
  const nonce = readWord(text.nonce);
  if (oldSigner === undefined) return { problem: 'the old signer is not an Ethereum address' };
  if (submitter === undefined) return { problem: 'the submitter is not an Ethereum address' };
  if (nonce === undefined) return { problem: 'the nonce is not a 256-bit number' };
  return { oldSigner, submitter, nonce };
}

/** The hex digits whose hash was signed (protocol.md section 3.3). */
export function signedPayload({ oldSigner, submitter, nonce }: Removal, form: PayloadForm): string {
  const inner = [addressWord(oldSigner), word(nonce), word(0x60n), dynamicBytes(asHex(form.functionName))].join('');
  const outer = [word(0x40n), addressWord(submitter), dynamicBytes(inner)].join('');
  return form.scheme === 'v1' ? outer : `19${word(BigInt(form.chainId))}${outer}`;
}

const asHex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** The contract function, whose name is part of the signed payload; it was renamed in a rewrite of the contract. */
export type FunctionName = 'remove_signer' | 'removeSigner';

/** A form of the signed payload; a bundle does not say which one it has (protocol.md section 3.3). */
export type PayloadForm =
  | { readonly scheme: 'v1'; readonly functionName: FunctionName }
  | { readonly scheme: 'v2'; readonly functionName: FunctionName; readonly chainId: string };

export const FUNCTION_NAMES: readonly FunctionName[] = ['remove_signer', 'removeSigner'];

/** The forms to try: two without a chain, and two for each chain id that is a number. */
export const formsFor = (chainIds: readonly string[]): readonly PayloadForm[] => [
  ...FUNCTION_NAMES.map(functionName => ({ scheme: 'v1', functionName }) as const),
  ...readChainNumbers(chainIds).flatMap(chainId =>
    FUNCTION_NAMES.map(functionName => ({ scheme: 'v2', functionName, chainId: String(chainId) }) as const),
  ),
];

const readChainNumbers = (chainIds: readonly string[]): readonly bigint[] => [
  ...new Set(chainIds.map(readWord).filter(chainId => chainId !== undefined)),
];

/** `v1 remove_signer`, `v2 removeSigner on chain 1`. */
export const formName = (form: PayloadForm): string =>
  form.scheme === 'v1' ? `v1 ${form.functionName}` : `v2 ${form.functionName} on chain ${form.chainId}`;

/** A decimal number that fits into a contract word. */
export function readWord(text: string): bigint | undefined {
  if (!/^\d{1,78}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number < 2n ** 256n ? number : undefined;
}

/** A contract word in hex digits: 32 bytes, right-aligned. */
export const word = (number: bigint): string => number.toString(16).padStart(64, '0');

export const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

/** Bytes of any length: their number, then the bytes, padded to whole words. */
export const dynamicBytes = (hex: string): string =>
  word(BigInt(Math.floor(hex.length / 2))) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
