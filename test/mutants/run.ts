/*
 * Changes one guard of a copy of the sources at a time, runs the tests that are near it, and lists the changes that no
 * test noticed. The same seed makes the same changes: a run that was stopped, or a larger count, goes on where it was.
 *
 *   npm run mutants -- [--count 20] [--seed 1] [--src src/export] [--tests test/export,test/cli/verify.test.ts]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutation, mutationsOf } from './mutations.ts';
import { filesBelow, testsNear } from './tests-near.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    src: { type: 'string', default: 'src' },
    tests: { type: 'string' },
  },
});
const { seed } = values;
const count = Number(values.count);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--count wants a number of changes');

interface Mutant extends Mutation {
  readonly path: string;
}

/** `noticed`, `survived`, or why that cannot be said. */
type Verdict = 'noticed' | 'survived' | 'no test is near' | 'its tests fail without it';

/** A change may end no loop. */
const LONGEST_MS = 180_000;
const RESULTS = 'reports/mutants.json';

const given = values.tests?.split(',');
const mutants = drawn(
  filesBelow(values.src, /\.tsx?$/).flatMap(path =>
    mutationsOf(readFileSync(path, 'utf8')).map(mutation => ({ ...mutation, path })),
  ),
);
const copy = copied();
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const verdicts = new Map<string, Verdict>(Object.entries(earlier()));
const passes = new Map<string, boolean>();
const chosen = mutants.slice(0, count);
for (const mutant of chosen) {
  const id = idOf(mutant);
  const verdict = verdicts.get(id) ?? (await tried(mutant));
  verdicts.set(id, verdict);
  mkdirSync('reports', { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(verdicts), null, 2)}\n`);
  console.log(`${verdict}: ${mutant.path}:${mutant.line}\n  ${mutant.before}\n  ${mutant.after.trim()}`);
}
const having = (verdict: Verdict): readonly Mutant[] => chosen.filter(mutant => verdicts.get(idOf(mutant)) === verdict);
console.log(
  `\n${having('noticed').length} of ${chosen.length} noticed, seed ${seed}, of ${mutants.length} changes there are`,
);
for (const verdict of ['survived', 'no test is near', 'its tests fail without it'] as const)
  for (const { path, line, after } of having(verdict)) console.log(`${verdict}: ${path}:${line}  ${after.trim()}`);

/** In an order that only the seed and the mutant itself decide: other changes of the sources leave it as it is. */
function drawn(all: readonly Mutant[]): readonly Mutant[] {
  return all
    .map(mutant => ({ mutant, place: hashOf(`${seed} ${mutant.path} ${mutant.after}`) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ mutant }) => mutant);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** What was found holds for the same change, tested by the same. */
function idOf({ path, before, after }: Mutant): string {
  return `${path} | ${before} | ${after.trim()} | ${given?.join() ?? 'near'}`;
}

function earlier(): Readonly<Record<string, Verdict>> {
  try {
    return JSON.parse(readFileSync(RESULTS, 'utf8'));
  } catch {
    return {};
  }
}

function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const left = new Set(['node_modules', '.git', 'dist', 'reports'].map(name => resolve(name)));
  cpSync('.', folder, { recursive: true, filter: path => !left.has(resolve(path)) });
  symlinkSync(resolve('dist'), join(folder, 'dist'));
  // Each by itself: what test runs keep beside them is of this copy alone.
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules').filter(name => name === '.bin' || !name.startsWith('.')))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

async function tried({ path, line, after }: Mutant): Promise<Verdict> {
  const tests = given ?? testsNear(path);
  if (tests.length === 0) return 'no test is near';
  const place = join(copy, path);
  const source = readFileSync(place, 'utf8');
  writeFileSync(
    place,
    source
      .split('\n')
      .toSpliced(line - 1, 1, after)
      .join('\n'),
  );
  const isNoticed = !(await pass(tests));
  writeFileSync(place, source);
  if (!isNoticed) return 'survived';
  // Of tests that fail anyway it says nothing that they do.
  const key = tests.join();
  const doesPass = passes.get(key) ?? (await pass(tests));
  passes.set(key, doesPass);
  return doesPass ? 'noticed' : 'its tests fail without it';
}

async function pass(tests: readonly string[]): Promise<boolean> {
  const words = ['vitest', 'run', '--config', 'test/mutation.vitest.config.ts', '--root', '.', '--bail=1', ...tests];
  const [code] = await once(spawn('npx', words, { cwd: copy, stdio: 'ignore', timeout: LONGEST_MS }), 'exit');
  return code === 0;
}
