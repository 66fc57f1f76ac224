import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';

/** A source file: its path below `src`, with slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '../../src');

export async function sourceFiles(): Promise<readonly SourceFile[]> {
  const entries = await readdir(ROOT, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.toSorted().map(async path => ({
      path: relative(ROOT, path).replaceAll('\\', '/'),
      text: await readFile(path, 'utf8'),
    })),
  );
}

/** The text without comments and without what stands in quotes, line by line as it was. */
export function codeOf(text: string): string {
  return withoutComments(text)
    .replace(/`(?:\\.|[^`\\])*`/gs, quoted => `''${quoted.replace(/[^\n]/g, '')}`)
    .replace(/'(?:\\.|[^'\\\n])*'/g, "''")
    .replace(/"(?:\\.|[^"\\\n])*"/g, "''");
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/.*$/gm, '$1');

const STATIC = /(?:^|\n)\s*(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*['"]([^'"]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** What a file imports, in any way: statically, as a type, by re-export, by `import()`. */
export function importsOf({ text }: SourceFile): readonly string[] {
  const code = withoutComments(text);
  return [STATIC, DYNAMIC].flatMap(pattern => [...code.matchAll(pattern)].map(([, name = '']) => name));
}

/** What is loaded with a file: what it imports statically, and not as a type alone. */
export function loadedBy({ text }: SourceFile): readonly string[] {
  const code = withoutComments(text).replace(/(?:^|\n)\s*(?:import|export) type\b[^;]*;/g, '');
  return [...code.matchAll(STATIC)].map(([, name = '']) => name);
}

/** The path below `src` that a relative import means. */
export const resolved = (from: SourceFile, name: string): string => posix.join(posix.dirname(from.path), name);

/** The folder a file belongs to; the files on top are `main`. */
export function folderOf(path: string): string {
  const [folder = '', ...rest] = path.split('/');
  return rest.length === 0 ? 'main' : folder;
}
