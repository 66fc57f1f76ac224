import type { AbiFunction, AbiValue } from './abi.ts';
import type { Normaliser } from './data-source.ts';

/** Where a value comes from: `$[0].price, the int64 price that is returned`, `always 66`. */
export function normaliserText({ expression }: Normaliser, method: AbiFunction | undefined): string {
  if (!expression.startsWith('$')) return expression === '' ? 'not given' : `always ${expression}`;
  const value = method === undefined ? undefined : valueAt(expression, method.outputs);
  return value === undefined ? expression : `${expression}, ${described(value)}`;
}

const described = ({ name, type }: AbiValue): string =>
  name === '' ? `the ${type} that is returned` : `the ${type} ${name} that is returned`;

/** The value a simple path leads to: `$[0]`, `$[1].price`; undefined for other paths. */
function valueAt(expression: string, outputs: readonly AbiValue[]): AbiValue | undefined {
  const [, index = '', names = ''] =
    /^\$\[(\d{1,3})\]((?:\.[A-Za-z_]\w*)*)$/.exec(expression.slice(0, LONGEST_PATH)) ?? [];
  if (index === '' || expression.length > LONGEST_PATH) return undefined;
  let value = outputs[Number(index)];
  for (const name of names.split('.').slice(1)) {
    if (value?.type !== 'tuple') return undefined;
    value = value.components.find(component => component.name === name);
  }
  return value;
}

const LONGEST_PATH = 300;
