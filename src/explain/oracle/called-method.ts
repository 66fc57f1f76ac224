import { checksumAddress, readAddress } from '../../insight/address.ts';
import { type Keccak, loadKeccak } from '../../insight/keccak.ts';
import { type AbiFunction, functionIn } from '../../insight/oracle/abi.ts';
import { argumentText } from '../../insight/oracle/argument.ts';
import type { ContractCall } from '../../insight/oracle/data-source.ts';

/** The method a spec calls, as described by its ABI. */
export type CalledMethod =
  | { readonly problem: string }
  | {
      readonly method: AbiFunction;
      /** `getPrice(bytes32 feed) view returns (int256)` */
      readonly declaration: string;
      /** `getPrice(bytes32)` and its four-byte selector; undefined if nodes do not accept one of its types. */
      readonly signature: string | undefined;
      readonly selector: string | undefined;
    };

export async function calledMethod({ abi, method: key }: ContractCall): Promise<CalledMethod> {
  const method = functionIn(abi, key);
  if ('problem' in method) return method;
  const { canonicalSignature, declarationOf, selectorOf } = await import('../../insight/oracle/signature.ts');
  const signature = canonicalSignature(method);
  const selector = signature === undefined ? undefined : selectorOf(signature, await loadKeccak());
  return { method, declaration: declarationOf(method), signature, selector };
}

export interface NamedArgument {
  /** '' if the ABI has none. */
  readonly name: string;
  readonly type: string;
  /** JSON text, as sent. */
  readonly raw: string;
  readonly value: string;
}

/** The arguments with their names and types from the ABI. */
export const argumentsOf = ({ args }: ContractCall, called: CalledMethod): readonly NamedArgument[] =>
  args.map((raw, index) => {
    const { name, type } = ('problem' in called ? undefined : called.method.inputs[index]) ?? { name: '', type: '' };
    return { name, type, raw, value: argumentText(raw, type) };
  });

/** An address in EIP-55 checksum case; other text as it is. */
export const spelt = (address: string, keccak: Keccak): string =>
  readAddress(address) === undefined ? address : checksumAddress(address, keccak);
