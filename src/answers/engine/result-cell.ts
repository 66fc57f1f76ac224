import type { DuckDBValue } from '@duckdb/node-api';
import type { Engine } from './load-engine.ts';

/**
 * A value of a result as text, to the digit: bytes are lower-case hexadecimal, times are UTC, lists and what else has
 * parts are JSON in which whole numbers beyond 32 bits and decimals are text; null is NULL.
 */
export type ResultCell = string | null;

/** Makes cells of what the engine gives; its classes are known once it is loaded. */
export const resultCells = (engine: Engine): ((value: DuckDBValue) => ResultCell) => {
  const inParts = jsonOfParts(engine);
  const single = singleText(engine);
  return value => {
    if (value === null) return null;
    const parts = inParts(value);
    return parts === undefined ? single(value) : JSON.stringify(parts);
  };
};

const singleText =
  ({ DuckDBBlobValue, DuckDBTimestampTZValue, DuckDBTimestampValue }: Engine) =>
  (value: DuckDBValue): string => {
    if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
    // Its own text is in the time zone of this machine.
    if (value instanceof DuckDBTimestampTZValue) return `${new DuckDBTimestampValue(value.micros)}+00`;
    return String(value);
  };

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Undefined of a value that has no parts. */
function jsonOfParts(engine: Engine): (value: DuckDBValue) => Json | undefined {
  const { DuckDBListValue, DuckDBArrayValue, DuckDBStructValue, DuckDBMapValue, DuckDBUnionValue } = engine;
  const single = singleText(engine);
  const inParts = (value: DuckDBValue): Json | undefined => {
    if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(part);
    if (value instanceof DuckDBStructValue)
      return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, part(member)]));
    if (value instanceof DuckDBMapValue)
      return value.entries.map(({ key, value: member }) => ({ key: part(key), value: part(member) }));
    return value instanceof DuckDBUnionValue ? inParts(value.value) : undefined;
  };
  const part = (value: DuckDBValue): Json => {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return inParts(value) ?? single(value);
  };
  return inParts;
}
