import { readWord } from './abi-word.ts';

/** The function of the contract, whose name is signed too; contracts before and after a rewrite call it differently. */
export type FunctionName = 'remove_signer' | 'removeSigner';

/** A way in which nodes have made what is signed; nothing in a bundle names it (signer-bundles.md section 3). */
export type Form =
  | { readonly scheme: 'v1'; readonly functionName: FunctionName }
  | { readonly scheme: 'v2'; readonly functionName: FunctionName; readonly chainId: string };

export const FUNCTION_NAMES: readonly FunctionName[] = ['remove_signer', 'removeSigner'];

/** The forms to try: two without a chain, and two for each chain that is named by a number. */
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
