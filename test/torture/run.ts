/**
 * Tries for three quarters of an hour on two cores to make the program say, show or accept something false. Any finding
 * ends it with 1.
 *
 *   npm run torture -- [section ...] [--seed N] [--share 0.01] [--only INDEX]
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runJob } from './job-process.ts';
import { buildTrials } from './program.ts';
import { type Section, shareOf, Tally } from './section.ts';
import { SECTIONS } from './sections.ts';

const MAX_SHOWN = 20;
const TOLD_EVERY_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, share: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const unknown = positionals.find(name => !Object.hasOwn(SECTIONS, name));
if (unknown !== undefined)
  throw new Error(`there is no section "${unknown}": there are ${Object.keys(SECTIONS).join(', ')}`);
const seed = number('seed', values.seed ?? String(Math.floor(Date.now() / 1000) % 1_000_000));
const share = number('share', values.share);
const only = values.only === undefined ? undefined : number('only', values.only);
if (only !== undefined && positionals.length !== 1) throw new Error('--only wants one section');

const startedMs = performance.now();
const sections = await Promise.all(
  (positionals.length > 0 ? positionals : Object.keys(SECTIONS)).flatMap(name => SECTIONS[name]?.() ?? []),
);
await using trials = await buildTrials();
const runs = sections.map(runOf);
const queue = runs.flatMap(run => run.jobs.map(indexes => ({ run, indexes })));
const told = setInterval(tellProgress, TOLD_EVERY_MS);
await Promise.all(Array.from({ length: availableParallelism() }, work));
for (const run of runs) await tryLateAgain(run);
clearInterval(told);
const findings = runs.reduce((sum, { tally }) => sum + tally.findings.length, 0);
console.log(`${findings} findings, ${secondsSince(startedMs)} s, seed ${seed}`);
process.exitCode = findings > 0 ? 1 : 0;

/** A section, its trials in portions for a process each, and what came of them so far. */
interface Run {
  readonly section: Section;
  readonly jobs: readonly (readonly number[])[];
  readonly tally: Tally;
  left: number;
  startedMs: number;
}

function runOf(section: Section): Run {
  const indexes = only === undefined ? shareOf(section.trials, share, seed) : [only];
  const jobs = Array.from({ length: Math.ceil(indexes.length / section.perProcess) }, (_, job) =>
    indexes.slice(job * section.perProcess, (job + 1) * section.perProcess),
  );
  return { section, jobs, tally: new Tally(), left: jobs.length, startedMs: 0 };
}

// The processors share one queue, so that none is idle while the last trials of a section are made.
async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { run, indexes } = next;
    const { name, patienceMs } = run.section;
    if (run.left === run.jobs.length && run.startedMs === 0) run.startedMs = performance.now();
    await runJob(trials.path, { section: name, seed, indexes }, patienceMs, run.tally);
    run.left--;
  }
}

// What took too long beside other trials is a finding only if it does so alone.
async function tryLateAgain(run: Run): Promise<void> {
  const { section, tally } = run;
  for (const index of only === undefined ? tally.takeLate() : []) {
    tally.counts('tried again alone, because it took too long beside others');
    await runJob(trials.path, { section: section.name, seed, indexes: [index] }, section.patienceMs, tally);
  }
  reportResult(run);
}

function tellProgress(): void {
  for (const { section, tally, left, startedMs: since } of runs)
    if (since > 0 && left > 0)
      process.stderr.write(`  ${section.name}: ${tally.tried} tried, ${tally.findings.length} findings so far\n`);
}

function reportResult({ section: { name, isOneCourse = false }, tally, startedMs: since }: Run): void {
  for (const { index, what } of tally.findings.slice(0, MAX_SHOWN))
    console.log(
      `  found: ${what}\n    again: npm run torture -- ${name} --seed ${seed} ${isOneCourse ? `--share ${share}` : `--only ${index}`}`,
    );
  const hidden = tally.findings.length - MAX_SHOWN;
  if (hidden > 0) console.log(`  and ${hidden} more`);
  for (const [kind, times] of [...tally.kinds].toSorted()) console.log(`  ${times} x ${kind}`);
  console.log(
    `${name}: ${tally.tried} tried, ${tally.findings.length} findings, ${secondsSince(since)} s, seed ${seed}`,
  );
}

function secondsSince(ms: number): string {
  return ((performance.now() - ms) / 1000).toFixed(0);
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`--${name} wants a number, not "${text}"`);
  return value;
}
