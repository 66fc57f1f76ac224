import { UsageError } from '../usage-error.ts';
import type { ResultRow } from './result-row.ts';

/** Rows by so many at a time that what is written of them is one text; a single row may be longer than that. */
export function* inPieces(rows: readonly ResultRow[], most = MOST_LENGTH): Generator<readonly ResultRow[]> {
  let begin = 0;
  let length = 0;
  for (const [index, row] of rows.entries()) {
    const own = row.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (length + own > most && index > begin) {
      yield rows.slice(begin, index);
      begin = index;
      length = 0;
    }
    length += own;
  }
  yield rows.slice(begin);
}

const MOST_LENGTH = 16 * 1024 * 1024;

/** Whether what failed is that a text would have been longer than one can be here, whatever the engine may hold. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof RangeError && error.message === 'Invalid string length') ||
    ('code' in error && error.code === 'ERR_STRING_TOO_LONG'));

export const tooLong = (): UsageError =>
  new UsageError('a row is too long to be written: half a gigabyte of text is the most', [
    'ask for a part of what is long in it: column[1:1000]',
  ]);
