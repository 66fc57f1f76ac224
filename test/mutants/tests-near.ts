import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** More of them take long, and are further away. */
const MOST_TESTS = 8;

/** What needs the built program, or reads the sources, notices nothing in a copy. */
const ELSEWHERE = /^test\/(?:flows|build|structure|torture)\//;

/** The tests that import a file; where there are none, those of the files that import it, and so on. */
export function testsNear(path: string): readonly string[] {
  const seen = new Set([path]);
  for (let level = [path]; level.length > 0; ) {
    const next = level.flatMap(file => importers().get(file) ?? []).filter(file => !seen.has(file));
    for (const file of next) seen.add(file);
    const tests = [...new Set(next)].filter(file => /\.test\.tsx?$/.test(file) && !ELSEWHERE.test(file));
    if (tests.length > 0) return tests.toSorted(byNearness(path)).slice(0, MOST_TESTS);
    level = [...new Set(next)];
  }
  return [];
}

/** The test of the same name first, then those of the same folder. */
const byNearness =
  (path: string) =>
  (one: string, other: string): number =>
    farness(path, one) - farness(path, other) || (one < other ? -1 : 1);

function farness(path: string, test: string): number {
  const mirrored = path.replace(/^src/, 'test').replace(/\.tsx?$/, '');
  if (test.replace(/\.test\.tsx?$/, '') === mirrored) return 0;
  return dirname(test) === dirname(mirrored) ? 1 : 2;
}

/** Files by the file that they import. */
function importers(): ReadonlyMap<string, readonly string[]> {
  if (found.size > 0) return found;
  for (const folder of ['src', 'test'])
    for (const file of filesBelow(folder, /\.tsx?$/))
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
        const imported = join(dirname(file), name);
        found.set(imported, [...(found.get(imported) ?? []), file]);
      }
  return found;
}

const found = new Map<string, readonly string[]>();

export const filesBelow = (folder: string, name: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && name.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .toSorted();
