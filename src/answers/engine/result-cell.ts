import type { DuckDBValue } from '@duckdb/node-api';
import type { Engine } from './load-engine.ts';

/** A value of a result as text, to the digit: bytes are lower-case hexadecimal, times are UTC; null is NULL. */
export type ResultCell = string | null;

/** Makes cells of what the engine gives; its classes are known once it is loaded. */
export const resultCells =
  ({ DuckDBBlobValue }: Engine) =>
  (value: DuckDBValue): ResultCell => {
    if (value === null) return null;
    if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
    return String(value);
  };
