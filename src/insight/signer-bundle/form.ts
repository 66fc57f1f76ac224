import { readWord } from './abi-word.ts';

/** The contract function, whose name is part of what is signed; it was renamed in a rewrite of the contract. */
export type FunctionName = 'remove_signer' | 'removeSigner';

/** A form of the signed payload; a bundle does not say which one it has (signer-bundles.md section 3). */
export type Form =
  | { readonly scheme: 'v1'; readonly functionName: FunctionName }
  | { readonly scheme: 'v2'; readonly functionName: FunctionName; readonly chainId: string };

export const FUNCTION_NAMES: readonly FunctionName[] = ['remove_signer', 'removeSigner'];

/** The forms to try: two without a chain, and two for each chain id that is a number. */
export const formsFor = (chainIds: readonly string[]): readonly Form[] => [
  ...FUNCTION_NAMES.map(functionName => ({ scheme: 'v1', functionName }) as const),
  ...numbersOf(chainIds).flatMap(chainId =>
    FUNCTION_NAMES.map(functionName => ({ scheme: 'v2', functionName, chainId: String(chainId) }) as const),
  ),
];

const numbersOf = (chainIds: readonly string[]): readonly bigint[] => [
  ...new Set(chainIds.map(readWord).filter(chainId => chainId !== undefined)),
];

/** `v1 remove_signer`, `v2 removeSigner on chain 1`. */
export const formName = (form: Form): string =>
  form.scheme === 'v1' ? `v1 ${form.functionName}` : `v2 ${form.functionName} on chain ${form.chainId}`;
