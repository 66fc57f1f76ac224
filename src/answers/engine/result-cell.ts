import type { DuckDBValue } from '@duckdb/node-api';
import type { Engine } from './load-engine.ts';

/**
 * A value of a result as exact text: bytes are lower-case hexadecimal, times are UTC, lists and other nested values are
 * JSON with decimals and integers beyond 32 bits as text; null is NULL.
 */
export type ResultCell = string | null;

/** Converts the engine's values to cells; the classes are known once the engine is loaded. */
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
  (engine: Engine) =>
  (value: DuckDBValue): string => {
    if (value instanceof engine.DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
    if (Object.is(value, -0)) return '-0';
    return infinityText(engine, value) ?? timeText(engine, value) ?? String(value);
  };

/** The engine's own text would be in the time zone of this machine. */
const timeText = ({ DuckDBTimestampTZValue, DuckDBTimestampValue }: Engine, value: DuckDBValue): string | undefined =>
  value instanceof DuckDBTimestampTZValue ? `${new DuckDBTimestampValue(value.micros)}+00` : undefined;

/** Infinite times: the binding writes most as a day or second in a distant year. */
function infinityText(engine: Engine, value: DuckDBValue): string | undefined {
  const end = typeof value === 'object' ? rawTimeValue(engine, value) : undefined;
  if (end === undefined || (end !== MAX_INT64 && end !== -MAX_INT64 && end !== MAX_DAYS && end !== -MAX_DAYS))
    return undefined;
  return end > 0 ? 'infinity' : '-infinity';
}

function rawTimeValue(engine: Engine, value: DuckDBValue): bigint | number | undefined {
  if (value instanceof engine.DuckDBDateValue) return value.days;
  if (value instanceof engine.DuckDBTimestampValue || value instanceof engine.DuckDBTimestampTZValue)
    return value.micros;
  if (value instanceof engine.DuckDBTimestampSecondsValue) return value.seconds;
  if (value instanceof engine.DuckDBTimestampMillisecondsValue) return value.millis;
  return value instanceof engine.DuckDBTimestampNanosecondsValue ? value.nanos : undefined;
}

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_DAYS = 2 ** 31 - 1;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Undefined for a value that is not nested. */
function jsonOfParts(engine: Engine): (value: DuckDBValue) => Json | undefined {
  const { DuckDBListValue, DuckDBArrayValue, DuckDBStructValue, DuckDBMapValue, DuckDBUnionValue } = engine;
  const single = singleText(engine);
  const inParts = (value: DuckDBValue): Json | undefined => {
    if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(part);
    if (value instanceof DuckDBStructValue)
      return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, part(member)]));
    if (value instanceof DuckDBMapValue)
      return value.entries.map(({ key, value: member }) => ({ key: part(key), value: part(member) }));
    // The type tag is part of a union value.
    return value instanceof DuckDBUnionValue ? Object.fromEntries([[value.tag, part(value.value)]]) : undefined;
  };
  const part = (value: DuckDBValue): Json => {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return value;
    return inParts(value) ?? single(value);
  };
  return inParts;
}
