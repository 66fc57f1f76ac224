import { anyJson } from '../../../base/text/any-json.ts';
import type { Normaliser } from './data-source.ts';

/** A function of a contract, as described by its ABI. */
export interface AbiFunction {
  readonly name: string;
  readonly inputs: readonly AbiValue[];
  readonly outputs: readonly AbiValue[];
  /** `view`; '' if not given. */
  readonly mutability: string;
}

export interface AbiValue {
  readonly name: string;
  /** `uint256`, `tuple[]`; '' if missing. */
  readonly type: string;
  /** The members of a tuple. */
  readonly components: readonly AbiValue[];
}

/**
 * The function a spec calls, or why it is unknown. Nodes name functions as go-ethereum does: of several with the same name,
 * the second gets a 0 appended, the third a 1.
 */
export function findFunction(abiText: string, key: string): AbiFunction | { readonly problem: string } {
  const abi = anyJson(abiText);
  if (abi === undefined) return { problem: abiText === '' ? 'the spec has no ABI' : 'its ABI is not JSON' };
  if (!Array.isArray(abi)) return { problem: 'its ABI is not a list of functions' };
  const names = new FunctionNames();
  for (const item of abi) {
    if (!isFunction(item)) continue;
    const name = memberText(item, 'name');
    if (names.keyFor(name) === key) return read(item, name);
  }
  return { problem: 'its ABI has no function with that name' };
}

class FunctionNames {
  readonly #used = new Set<string>();
  /** The last number given to a name; numbers are never reused. */
  readonly #numbers = new Map<string, number>();

  keyFor(name: string): string {
    let key = name;
    for (let number = this.#numbers.get(name) ?? 0; this.#used.has(key); number++) {
      key = `${name}${number}`;
      this.#numbers.set(name, number + 1);
    }
    this.#used.add(key);
    return key;
  }
}

// Old compilers give no type for functions, and `constant` and `payable` instead of the mutability.
function isFunction(item: unknown): boolean {
  const type = ownMember(item, 'type');
  return type === 'function' || (type === undefined && memberText(item, 'name') !== '');
}

function read(item: unknown, name: string): AbiFunction {
  return {
    name,
    inputs: readAbiValues(ownMember(item, 'inputs'), 0),
    outputs: readAbiValues(ownMember(item, 'outputs'), 0),
    mutability: memberText(item, 'stateMutability') || oldMutability(item),
  };
}

function oldMutability(item: unknown): string {
  if (ownMember(item, 'payable') === true) return 'payable';
  return ownMember(item, 'constant') === true ? 'view' : '';
}

function readAbiValues(list: unknown, depth: number): readonly AbiValue[] {
  if (!Array.isArray(list) || depth > DEEPEST_TUPLE) return [];
  return list.map((value: unknown) => ({
    name: memberText(value, 'name'),
    type: memberText(value, 'type'),
    components: readAbiValues(ownMember(value, 'components'), depth + 1),
  }));
}

function memberText(value: unknown, name: string): string {
  const text = ownMember(value, name);
  return typeof text === 'string' ? text : '';
}

const ownMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

// Limits the recursion; no contract nests this deep.
const DEEPEST_TUPLE = 32;

/** Where a value comes from: `$[0].price, the int64 price that is returned`, `always 66`. */
export function normaliserText({ expression }: Normaliser, method: AbiFunction | undefined): string {
  if (!expression.startsWith('$')) return expression === '' ? 'not given' : `always ${expression}`;
  const value = method === undefined ? undefined : outputAtPath(expression, method.outputs);
  return value === undefined ? expression : `${expression}, ${described(value)}`;
}

const described = ({ name, type }: AbiValue): string =>
  name === '' ? `the ${type} that is returned` : `the ${type} ${name} that is returned`;

/** The value a simple path leads to: `$[0]`, `$[1].price`; undefined for other paths. */
function outputAtPath(expression: string, outputs: readonly AbiValue[]): AbiValue | undefined {
  const [, index = '', names = ''] =
    /^\$\[(\d{1,3})\]((?:\.[A-Za-z_]\w*)*)$/.exec(expression.slice(0, MAX_PATH_LENGTH)) ?? [];
  if (index === '' || expression.length > MAX_PATH_LENGTH) return undefined;
  let value = outputs[Number(index)];
  for (const name of names.split('.').slice(1)) {
    if (value?.type !== 'tuple') return undefined;
    value = value.components.find(component => component.name === name);
  }
  return value;
}

const MAX_PATH_LENGTH = 300;

/** A call argument from its JSON text: strings without quotes, 32 bytes in base64 as hexadecimal. */
export function argumentText(json: string, type: string): string {
  const text = readJsonString(json);
  if (text === undefined) return json;
  return (type === 'bytes32' || type === 'bytes' ? decodeBase64Word(text) : undefined) ?? text;
}

/**
 * 32 bytes that a node sends as base64, as hexadecimal (node-behaviour.md section 5); undefined for other text. Other text
 * may look the same by chance, so check the type of the argument.
 */
export function decodeBase64Word(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? `0x${bytes.toString('hex')}` : undefined;
}

function readJsonString(json: string): string | undefined {
  if (!json.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
