import { type AbiFunction as Formatted, formatAbiItem } from 'abitype';
import type { AbiFunction, AbiValue } from './abi.ts';

/** The hash that Ethereum uses, of bytes. */
type Hash = (bytes: Uint8Array) => Uint8Array;

/** The text to hash, without argument names: `getPrice(bytes32,(uint256,bool))`; undefined if a type is invalid. */
export function canonicalSignature({ name, inputs }: AbiFunction): string | undefined {
  const types = canonicalTypes(inputs);
  return types === undefined ? undefined : `${name}${types}`;
}

/** The four bytes a call begins with. */
export const functionSelector = (signature: string, keccak: Hash): string =>
  `0x${Buffer.from(keccak(Buffer.from(signature))).toString('hex', 0, 4)}`;

/** The function as people write it: `getPrice(bytes32 feed) view returns (int256)`, without control characters. */
export function functionDeclaration({ name, inputs, outputs, mutability }: AbiFunction): string {
  const [stateMutability = 'nonpayable'] = MUTABILITIES.filter(known => known === mutability);
  try {
    const values = { inputs: inputs.map(shown), outputs: outputs.map(shown) };
    const item: Formatted = { type: 'function', name: visible(name), stateMutability, ...values };
    return formatAbiItem(item).replace(/^function /, '');
  } catch {
    return `${visible(name)}(...)`;
  }
}

const MUTABILITIES = ['pure', 'view', 'nonpayable', 'payable'] as const;

interface Shown {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly Shown[];
}

const shown = ({ name, type, components }: AbiValue): Shown => ({
  name: visible(name),
  type: visible(type) || '?',
  ...(components.length > 0 && { components: components.map(shown) }),
});

const visible = (text: string): string => text.replace(/\p{C}/gu, '');

function canonicalTypes(values: readonly AbiValue[]): string | undefined {
  const types = values.map(canonicalType);
  return types.includes(undefined) ? undefined : `(${types.join(',')})`;
}

function canonicalType({ type, components }: AbiValue): string | undefined {
  const [, base = '', arrays = ''] = (type.length > MAX_TYPE_LENGTH ? null : TYPE.exec(type)) ?? [];
  if (base === 'tuple') {
    const members = components.length === 0 ? undefined : canonicalTypes(components);
    return members === undefined ? undefined : `${members}${arrays}`;
  }
  return isBaseType(base) ? type : undefined;
}

// Nodes reject omitted sizes and fractions of a byte.
function isBaseType(base: string): boolean {
  const [, kind = '', size = ''] = /^(u?int|bytes)(\d{1,3})$/.exec(base) ?? [];
  if (kind === '') return ['address', 'bool', 'string', 'bytes', 'function'].includes(base);
  const bits = Number(size) * (kind === 'bytes' ? 8 : 1);
  return size === String(Number(size)) && bits % 8 === 0 && bits > 0 && bits <= 256;
}

const TYPE = /^([a-z]+\d*)((?:\[\d*\])*)$/;

const MAX_TYPE_LENGTH = 200;
