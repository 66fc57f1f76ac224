/*
 * Changes one guard of a copy of the sources at a time and looks who notices: the tests near it that `npm test` runs,
 * then its other tests that reach the guard by imports, then those of `npm run test:full` and `npm run test:nightly`. The first that fails ends
 * it. The same seed makes the same changes: a run that was stopped, or a larger count, goes on where it was.
 *
 *   npm run mutants -- [--count 100] [--from 1] [--seed 1] [--src src/history] [--tests test/history,test/cli/verify.test.ts] [--flows]
 *
 * With --flows the program is built anew for each change that nothing else noticed, and the flows run against it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { type Mutation, mutationsOf } from './mutations.ts';
import { filesBelow, RUNS, testsNear } from './tests-near.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    src: { type: 'string', default: 'src' },
    tests: { type: 'string' },
    flows: { type: 'boolean', default: false },
  },
});
const { seed } = values;
const count = Number(values.count);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--count wants a number of changes');
const from = Number(values.from);
if (!Number.isSafeInteger(from) || from < 1) throw new Error('--from wants the number of the first change');

interface Mutant extends Mutation {
  readonly path: string;
}

const VERDICTS = [
  'noticed by the quick run',
  'noticed by the full run',
  'noticed by the nightly run',
  'survived',
] as const;
type Verdict = (typeof VERDICTS)[number];

/** A verdict, and the test file that noticed. */
const outcomeSchema = v.object({ verdict: v.picklist(VERDICTS), by: v.optional(v.string()) });
type Outcome = v.InferOutput<typeof outcomeSchema>;

/** What vitest reports of each file. */
const result = v.object({ status: v.string() });
const report = v.object({ testResults: v.array(v.object({ name: v.string(), assertionResults: v.array(result) })) });
const LATE = 'tests that do not end';
const RESULTS = 'reports/mutants.json';
/** Most changes are noticed by one of these, which take seconds. */
const NEAREST = 8;
/** A change may make a loop endless; no tests of a stage take this long. */
const MAX_MS = 400_000;
const MAX_NEAR_MS = 180_000;

const given = values.tests?.split(',');
const mutants = drawn(
  filesBelow(values.src, /\.tsx?$/).flatMap(path =>
    mutationsOf(readFileSync(path, 'utf8')).map(mutation => ({ ...mutation, path })),
  ),
);
const copy = copied();
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const outcomes = new Map(Object.entries(earlier()));
const passes = new Map<string, boolean>();
const chosen = mutants.slice(from - 1, from - 1 + count);
for (const mutant of chosen) {
  const id = idOf(mutant);
  const outcome = outcomes.get(id) ?? (await tried(mutant));
  outcomes.set(id, outcome);
  mkdirSync('reports', { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(outcomes), null, 2)}\n`);
  const by = outcome.by === undefined ? '' : ` (${outcome.by})`;
  console.log(`${outcome.verdict}${by}: ${mutant.path}:${mutant.line}\n  ${mutant.before}\n  ${mutant.after.trim()}`);
}
const having = (verdict: Verdict): readonly Mutant[] =>
  chosen.filter(mutant => outcomes.get(idOf(mutant))?.verdict === verdict);
const [quick = [], full = [], nightly = [], survived = []] = VERDICTS.map(having);
console.log(`\nOf ${chosen.length} changes from number ${from} on (seed ${seed}, ${mutants.length} possible):`);
console.log(
  `  the quick run notices ${quick.length}, with the full run ${quick.length + full.length}, with the nightly run ${quick.length + full.length + nightly.length}`,
);
for (const { path, line, after } of survived) console.log(`  survived: ${path}:${line}  ${after.trim()}`);

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
  const tests = given?.join() ?? (values.flows ? 'all and flows' : 'all');
  return `${path} | ${before} | ${after.trim()} | ${tests}`;
}

function earlier(): Readonly<Record<string, Outcome>> {
  try {
    return v.parse(v.record(v.string(), outcomeSchema), JSON.parse(readFileSync(RESULTS, 'utf8')));
  } catch {
    return {};
  }
}

function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const left = new Set(['node_modules', '.git', 'reports'].map(name => resolve(name)));
  cpSync('.', folder, { recursive: true, filter: path => !left.has(resolve(path)) });
  // Each by itself: what test runs keep beside them is of this copy alone.
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules').filter(name => name === '.bin' || !name.startsWith('.')))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

async function tried({ path, line, after }: Mutant): Promise<Outcome> {
  const place = join(copy, path);
  const source = readFileSync(place, 'utf8');
  const mutated = source
    .split('\n')
    .toSpliced(line - 1, 1, after)
    .join('\n');
  // A test that fails anyway says nothing: it is left out, and the others are asked.
  for (const stage of stagesFor(path)) {
    const { run, tests, isBuilt } = stage;
    const isLeft = (test: string): boolean => passes.get(`${run} ${test}`) !== false;
    for (let asked = tests.filter(isLeft); asked.length > 0; asked = asked.filter(isLeft)) {
      writeFileSync(place, mutated);
      if (isBuilt) await build();
      const by = await failing(asked, stage);
      writeFileSync(place, source);
      if (by === undefined) break;
      if (isBuilt) await build();
      if (by === LATE ? await endsAsItIs(asked, stage) : await passesAsItIs(by, stage))
        return { verdict: `noticed by the ${run} run`, by };
      if (by === LATE) break;
    }
  }
  return { verdict: 'survived' };
}

interface Stage {
  readonly run: keyof typeof RUNS;
  readonly tests: readonly string[];
  readonly longestMs: number;
  readonly isBuilt: boolean;
}

function stagesFor(path: string): readonly Stage[] {
  const near = given ?? testsNear(path);
  const flows = values.flows ? filesBelow('test/flows', /\.test\.ts$/) : [];
  return (['quick', 'full', 'nightly'] as const).flatMap((run): readonly Stage[] => {
    const tests = near.filter(RUNS[run]);
    return [
      { run, tests: tests.slice(0, NEAREST), longestMs: MAX_NEAR_MS, isBuilt: false },
      { run, tests: tests.slice(NEAREST), longestMs: MAX_MS, isBuilt: false },
      { run, tests: flows.filter(RUNS[run]), longestMs: MAX_MS, isBuilt: true },
    ];
  });
}

async function passesAsItIs(test: string, stage: Stage): Promise<boolean> {
  const key = `${stage.run} ${test}`;
  const known = passes.get(key) ?? (await failing([test], stage)) === undefined;
  passes.set(key, known);
  return known;
}

/** On a slow machine the tests of a stage may take too long without any change: then that proves nothing. */
async function endsAsItIs(tests: readonly string[], stage: Stage): Promise<boolean> {
  return (await failing(tests, stage)) !== LATE;
}

/** The first test file that fails; undefined where none does. */
async function failing(tests: readonly string[], { run, longestMs }: Stage): Promise<string | undefined> {
  const file = join(copy, 'mutants-report.json');
  rmSync(file, { force: true });
  const words = ['run', '--config', 'test/vitest.config.ts', '--root', '.', '--project', run];
  const more = ['--bail=1', '--passWithNoTests', '--reporter=json', `--outputFile=${file}`];
  const child = spawn('node_modules/.bin/vitest', [...words, ...more, ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: longestMs,
  });
  const [code] = await once(child, 'exit');
  if (code === 0) return undefined;
  if (code === null) return LATE;
  // Without a report the run itself broke down.
  if (!existsSync(file)) return tests[0];
  const { testResults } = v.parse(report, JSON.parse(readFileSync(file, 'utf8')));
  const hasFailed = (tests: readonly { readonly status: string }[]) => tests.some(({ status }) => status === 'failed');
  const failed = testResults.find(({ assertionResults }) => hasFailed(assertionResults))?.name;
  return failed === undefined ? tests[0] : relative(copy, failed);
}

async function build(): Promise<void> {
  await once(spawn('node', ['build/bundle.ts'], { cwd: copy, stdio: 'ignore' }), 'exit');
}
