import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page: its path in the repository, and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)) : [];

/** Every page but the change log, which is history. */
export const PAGES: readonly Page[] = [...readdirSync('.'), ...below('docs'), ...below('.github')]
  .filter(path => path.endsWith('.md') && path !== 'CHANGELOG.md')
  .toSorted()
  .map(path => ({ path, text: readFileSync(path, 'utf8') }));

/** Blocks of code between fences, with the word behind the first fence. */
export const blocksOf = (text: string): readonly { readonly language: string; readonly code: string }[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));
