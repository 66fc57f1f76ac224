import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { tour } from '../test/package/tour.ts';
import { buildProgram } from './program.ts';

// Makes the executable for Linux x64 of what is built, with the Node 26 that is named or on the PATH, and tries it
// (npm run executable -- PATH_OF_NODE).

const EXECUTABLE = resolve('dist/blockglass-linux-x64');
const SETTINGS = 'dist/executable.json';

/** The program with all its libraries: an executable has no files beside it. */
const WHOLE = 'dist/executable.js';
const ROUNDS = 15;

/** The first Node that can make executables by itself. */
const LEAST_MAJOR = 26;

const node = nodeFor(process.argv.slice(2));
await makeExecutable(node);
console.log(`${EXECUTABLE}: ${((await stat(EXECUTABLE)).size / 1e6).toFixed(1)} MB`);
const isGood = await tour({ command: EXECUTABLE, args: [], path: '/usr/bin:/bin' }, console.log);
const [ours, theirs] = startsOf([EXECUTABLE], [process.execPath, 'dist/start.js']);
console.log(
  `--version, fastest and median of ${ROUNDS}: ${ours}; node dist/start.js, with its compiled code kept: ${theirs}`,
);
process.exitCode = isGood ? 0 : 1;

function nodeFor([named]: readonly string[]): string {
  const onPath = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'node'));
  const found = (named === undefined ? onPath : [named]).find(path => existsSync(path) && majorOf(path) >= LEAST_MAJOR);
  if (found !== undefined) return found;
  throw new Error(`no Node ${LEAST_MAJOR} ${named ?? 'on the PATH'}: npm run executable -- PATH_OF_NODE`);
}

function majorOf(path: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]);
}

/** The program is the main script, and an asset too: its threads are made of that (executable-thread.mjs). */
async function makeExecutable(path: string): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await buildProgram(version, WHOLE);
  const settings = {
    main: WHOLE,
    output: EXECUTABLE,
    disableExperimentalSEAWarning: true,
    // What V8 compiled of it: it starts in less than half the time.
    useCodeCache: true,
    assets: { 'blockglass.js': WHOLE },
  };
  await writeFile(SETTINGS, JSON.stringify(settings));
  execFileSync(path, ['--build-sea', SETTINGS], { stdio: ['ignore', 'ignore', 'inherit'] });
  await Promise.all([SETTINGS, WHOLE, `${WHOLE}.map`].map(file => rm(file)));
}

/** How long each takes to say its version, in turn, so that a busy machine is as busy for all. */
function startsOf(...programs: readonly (readonly string[])[]): readonly string[] {
  const times = Array.from({ length: ROUNDS }, () => programs.map(startOf));
  return programs.map((_, index) => {
    const sorted = times.map(round => round[index] ?? 0).toSorted((one, other) => one - other);
    return `${sorted[0]?.toFixed(0)} and ${sorted[Math.floor(ROUNDS / 2)]?.toFixed(0)} ms`;
  });
}

function startOf([command = '', ...words]: readonly string[]): number {
  const fromMs = performance.now();
  execFileSync(command, [...words, '--version'], { stdio: 'ignore' });
  return performance.now() - fromMs;
}
