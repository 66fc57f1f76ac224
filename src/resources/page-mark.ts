import { hash } from 'node:crypto';
import { printJson } from '../api/json.ts';
import type { Row } from './resource.ts';

/** Tells a page of rows from any other, by how many there are, the first and the last. */
export function pageMark(rows: readonly Row[]): string {
  const ends = [rows[0], rows.at(-1)].map(row => printJson(row ?? null));
  return hash('sha1', [rows.length, ...ends].join('\n'), 'base64');
}
