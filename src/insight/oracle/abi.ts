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
export function functionIn(abiText: string, key: string): AbiFunction | { readonly problem: string } {
  const abi = parsed(abiText);
  if (abi === undefined) return { problem: abiText === '' ? 'the spec has no ABI' : 'its ABI is not JSON' };
  if (!Array.isArray(abi)) return { problem: 'its ABI is not a list of functions' };
  const names = new FunctionNames();
  for (const item of abi) {
    if (!isFunction(item)) continue;
    const name = textIn(item, 'name');
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
  const type = memberOf(item, 'type');
  return type === 'function' || (type === undefined && textIn(item, 'name') !== '');
}

function read(item: unknown, name: string): AbiFunction {
  return {
    name,
    inputs: valuesOf(memberOf(item, 'inputs'), 0),
    outputs: valuesOf(memberOf(item, 'outputs'), 0),
    mutability: textIn(item, 'stateMutability') || oldMutability(item),
  };
}

function oldMutability(item: unknown): string {
  if (memberOf(item, 'payable') === true) return 'payable';
  return memberOf(item, 'constant') === true ? 'view' : '';
}

function valuesOf(list: unknown, depth: number): readonly AbiValue[] {
  if (!Array.isArray(list) || depth > DEEPEST_TUPLE) return [];
  return list.map((value: unknown) => ({
    name: textIn(value, 'name'),
    type: textIn(value, 'type'),
    components: valuesOf(memberOf(value, 'components'), depth + 1),
  }));
}

function textIn(value: unknown, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : '';
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Limits the recursion; no contract nests this deep.
const DEEPEST_TUPLE = 32;
