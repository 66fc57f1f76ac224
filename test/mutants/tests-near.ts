import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which tests each run has, as `test/vitest.config.ts` has it; folders are in all. */
export const RUNS = {
  quick: (test: string): boolean => !/\.(?:full|nightly)\.test\.tsx?$/.test(test),
  full: (test: string): boolean => !/(?<!\.(?:full|nodes))\.test\.tsx?$/.test(test),
  nightly: (test: string): boolean => !/(?<!\.(?:nightly|property))\.test\.tsx?$/.test(test),
} as const;

/** What reads the sources or the built program imports nothing of it. */
const ELSEWHERE = /^test\/(?:flows|build|structure|torture|package|screenshots)\//;

/** Every test that reaches a file by imports: fewest steps away first, and of those the test of its name. */
export function testsNear(path: string): readonly string[] {
  const seen = new Set([path]);
  const near: string[] = [];
  for (let level: readonly string[] = [path]; level.length > 0; ) {
    level = [...new Set(level.flatMap(file => importers().get(file) ?? []))].filter(file => !seen.has(file));
    for (const file of level) seen.add(file);
    const tests = level.filter(file => /\.test\.tsx?$/.test(file) && !ELSEWHERE.test(file));
    near.push(...tests.toSorted(byNearness(path)));
  }
  return near;
}

/** The test of the same name first, then those of the same folder. */
const byNearness =
  (path: string) =>
  (one: string, other: string): number =>
    farness(path, one) - farness(path, other) || (one < other ? -1 : 1);

function farness(path: string, test: string): number {
  const mirrored = path.replace(/^src/, 'test').replace(/\.tsx?$/, '');
  if (test.replace(/(?:\.full|\.nightly|\.property)?\.test\.tsx?$/, '') === mirrored) return 0;
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
