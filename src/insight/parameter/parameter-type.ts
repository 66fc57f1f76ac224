import { readDuration } from '../duration.ts';

/** The type a parameter value looks like, since the node sends only text. */
export type ParameterType =
  | 'integer'
  | 'decimal'
  | 'duration'
  | 'time'
  | 'json'
  | 'boolean'
  | 'id'
  | 'address'
  | 'text'
  | 'empty';

export function parameterType(value: string): ParameterType {
  if (value === '') return 'empty';
  for (const [type, pattern] of PATTERNS)
    if (pattern.test(value)) return type === 'json' && !isJson(value) ? 'text' : type;
  return readDuration(value) === undefined ? 'text' : 'duration';
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

const PATTERNS: readonly (readonly [ParameterType, RegExp])[] = [
  ['integer', /^-?\d+$/],
  ['decimal', /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/],
  ['boolean', /^(?:true|false)$/i],
  ['address', /^0x[0-9a-fA-F]{40}$/],
  ['id', /^[0-9a-fA-F]{64}$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/],
  ['json', /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/],
];
