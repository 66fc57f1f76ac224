/** A function of a contract, as far as its ABI says it. */
export interface AbiFunction {
  readonly name: string;
  readonly inputs: readonly AbiValue[];
  readonly outputs: readonly AbiValue[];
  /** `view`; '' when nothing is said. */
  readonly mutability: string;
}

export interface AbiValue {
  readonly name: string;
  /** `uint256`, `tuple[]`; '' when there is none. */
  readonly type: string;
  /** Of a tuple. */
  readonly components: readonly AbiValue[];
}

/**
 * The function that a spec calls, or in words why there is none to be told of. Nodes name functions as go-ethereum does:
 * of several with a name the second has a 0 behind it, the third a 1.
 */
export function functionIn(abiText: string, key: string): AbiFunction | { readonly problem: string } {
  const abi = parsed(abiText);
  if (abi === undefined) return { problem: abiText === '' ? 'the spec has no ABI' : 'its ABI is no JSON' };
  if (!Array.isArray(abi)) return { problem: 'its ABI is no list of functions' };
  const names = new FunctionNames();
  for (const item of abi) {
    if (!isFunction(item)) continue;
    const name = textIn(item, 'name');
    if (names.keyFor(name) === key) return read(item, name);
  }
  return { problem: 'its ABI has no function of that name' };
}

class FunctionNames {
  readonly #taken = new Set<string>();
  /** The number that a name was given last: numbers are never free again. */
  readonly #numbers = new Map<string, number>();

  keyFor(name: string): string {
    let key = name;
    for (let number = this.#numbers.get(name) ?? 0; this.#taken.has(key); number++) {
      key = `${name}${number}`;
      this.#numbers.set(name, number + 1);
    }
    this.#taken.add(key);
    return key;
  }
}

// Text of old compilers has no type for functions, and says `constant` and `payable` in place of the mutability.
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

// Whoever calls himself for each level has his stack to spare, and no contract nests like this.
const DEEPEST_TUPLE = 32;
