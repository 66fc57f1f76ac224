import { printJson } from '../api/json.ts';
import type { Row } from './resource.ts';

/** Identifies a page by its number of rows and its first and last row. */
export function pageMark(rows: readonly Row[]): string {
  const ends = [rows[0], rows.at(-1)].map(row => printJson(row ?? null));
  // node:crypto takes 3 ms to load, too long before the first frame.
  return process.getBuiltinModule('node:crypto').hash('sha1', [rows.length, ...ends].join('\n'), 'base64');
}
