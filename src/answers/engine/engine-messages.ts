import { AnswerError, isStringTooLong, newRowTooLongError } from './answer-error.ts';
import type { EngineLimits } from './engine-connection.ts';
import type { ResultCell } from './result-cell.ts';
import type { ResultColumn } from './result-columns.ts';

/** A request to the process of the engine. Connections are numbered from 0. */
export type EngineRequest =
  /** `temporary`: a folder to remove if the program is killed. */
  | { readonly act: 'open'; readonly limits: EngineLimits; readonly temporary: string }
  | { readonly act: 'beside'; readonly connection: number }
  | { readonly act: 'close'; readonly connection: number }
  | { readonly act: 'run' | 'all' | 'stream' | 'parse'; readonly connection: number; readonly sql: string }
  /** Fetches more rows of the result that the request `result` began. */
  | { readonly act: 'next'; readonly connection: number; readonly result: number };

export type MessageToEngine =
  | (EngineRequest & { readonly id: number })
  /** Ends the request `id` and its result. */
  | { readonly act: 'interrupt'; readonly id: number };

export interface EngineReply {
  /** The columns of a new result. */
  readonly columns?: readonly ResultColumn[];
  readonly rows?: PackedRows;
  readonly isLast?: boolean;
}

export type MessageFromEngine =
  | { readonly id: number; readonly reply: EngineReply }
  | { readonly id: number; readonly error: SerialisedError };

/** The cells of some rows joined into one text, which is ten times faster to send. */
interface PackedRows {
  readonly text: string;
  /** The length of each cell; -1 for NULL. */
  readonly lengths: Int32Array;
  readonly columns: number;
}

export const NO_ROWS: PackedRows = { text: '', lengths: new Int32Array(), columns: 0 };

export function packRows(rows: readonly (readonly ResultCell[])[], columns: number): PackedRows {
  const lengths = new Int32Array(rows.length * columns);
  const cells: string[] = [];
  let at = 0;
  for (const row of rows)
    for (const cell of row) {
      lengths[at++] = cell === null ? -1 : cell.length;
      if (cell !== null) cells.push(cell);
    }
  return { text: cells.join(''), lengths, columns };
}

export function unpackRows({ text, lengths, columns }: PackedRows): readonly (readonly ResultCell[])[] {
  const rows: (readonly ResultCell[])[] = [];
  let from = 0;
  for (let at = 0; at < lengths.length; at += columns) {
    const row: ResultCell[] = [];
    for (let column = 0; column < columns; column++) {
      const length = lengths[at + column] ?? -1;
      row.push(length < 0 ? null : text.slice(from, from + length));
      if (length > 0) from += length;
    }
    rows.push(row);
  }
  return rows;
}

/** An error loses its class on the way between processes. */
type SerialisedError =
  | {
      readonly kind: 'answer';
      readonly message: string;
      readonly hint: string;
      readonly because: AnswerError['because'];
    }
  | { readonly kind: 'fault'; readonly message: string };

export function serialiseError(error: unknown): SerialisedError {
  if (error instanceof AnswerError) {
    const { message, hint, because } = error;
    return { kind: 'answer', message, hint, because };
  }
  if (isStringTooLong(error)) return serialiseError(newRowTooLongError());
  return { kind: 'fault', message: error instanceof Error ? error.message : String(error) };
}

export const restoreError = (sent: SerialisedError): Error =>
  sent.kind === 'answer' ? new AnswerError(sent.message, sent.hint, sent.because) : new Error(sent.message);
