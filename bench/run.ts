/**
 * Measures the built program against the goals and against every peer that is installed, in one run.
 *
 *   npm run bench -- [start|keys|names|list|decode|rules|export|fetch|parquet|questions|memory|whole|idle ...] [--full]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { withPart } from '../build/page-part.ts';
import { type Figure, type Section, type Settings, whileBusy } from './figure.ts';
import { percent, QuietRounds, readTicks, stolenSince, wasBusy } from './host.ts';
import { isInstalled } from './programs.ts';

const PEERS = ['vd', 'less', 'tig', 'mcview', 'lnav', 'curl', 'jq', 'unzip'];

/** It shows the last full run. */
const RESULTS_PAGE = 'docs/development/benchmark.md';

const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  start: async () => (await import('./sections/start.ts')).start,
  keys: async () => (await import('./sections/keys.ts')).keys,
  names: async () => (await import('./sections/names.ts')).names,
  list: async () => (await import('./sections/list.ts')).list,
  decode: async () => (await import('./sections/decode.ts')).decode,
  rules: async () => (await import('./sections/rules.ts')).rules,
  export: async () => (await import('./sections/export.ts')).exportSection,
  fetch: async () => (await import('./sections/fetch.ts')).fetchSection,
  parquet: async () => (await import('./sections/parquet.ts')).parquet,
  questions: async () => (await import('./sections/questions.ts')).questions,
  memory: async () => (await import('./sections/memory.ts')).memory,
  whole: async () => (await import('./sections/whole.ts')).whole,
  idle: async () => (await import('./sections/idle.ts')).idle,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
});
const unknown = positionals.find(name => !Object.hasOwn(SECTIONS, name));
if (unknown !== undefined)
  throw new Error(`there is no section "${unknown}": there are ${Object.keys(SECTIONS).join(', ')}`);

const wanted = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
const figures: Figure[] = [];
let repeated = 0;
const before = readTicks();
for (const name of wanted) {
  const section = await SECTIONS[name]?.();
  process.stderr.write(`${name} ...\n`);
  const quiet = new QuietRounds();
  const start = readTicks();
  const measured = (await section?.(settingsOf(quiet))) ?? [];
  // A full run has waited for quiet rounds already.
  const found = !values.full && (await wasBusy(start)) ? measured.map(whileBusy) : measured;
  for (const { what, ours, verdict } of found) process.stderr.write(`  ${verdict}: ${what}: ${ours}\n`);
  figures.push(...found);
  repeated += quiet.repeated;
}

const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
const stolen = `its host took ${percent(stolenSince(before))} of the processors, ${repeated} rounds were repeated`;
const rows = figures.map(({ section, what, ours, peer, ratio, goal, verdict }) => [
  section,
  what,
  ours,
  peer,
  ratio?.toFixed(2) ?? '',
  goal,
  verdict,
]);
const today = new Date().toISOString().slice(0, 10);
const report = `${machine}, ${today}; ${stolen}\n\n${table([
  ['section', 'what', 'ours', 'peer', 'ratio', 'goal', ''],
  ['---', '---', '---', '---', '---', '---', '---'],
  ...rows,
])}`;
console.log(report);
const missing = PEERS.filter(name => !isInstalled(name));
if (missing.length > 0) console.log(`not installed, so not in the comparison: ${missing.join(', ')}\n`);
writeFileSync(
  'bench-results.json',
  `${JSON.stringify({ machine, stolen, date: new Date().toISOString(), missing, figures }, null, 2)}\n`,
);
if (values.full && positionals.length === 0)
  writeFileSync(RESULTS_PAGE, withPart(readFileSync(RESULTS_PAGE, 'utf8'), 'bench', report));
const failed = figures.filter(({ verdict }) => verdict === 'fail').length;
const unjudged = figures.filter(({ verdict }) => verdict === 'not judged: host busy').length;
if (unjudged > 0) console.log(`${unjudged} not judged: the host was busy with other things`);
console.log(`${figures.length - failed - unjudged} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Only a full run is patient. */
function settingsOf(quiet: QuietRounds): Settings {
  if (values.full)
    return {
      isFull: true,
      rounds: 15,
      once: round => quiet.undisturbed(round),
      onceAtFullSpeed: round => quiet.atFullSpeed(round),
    };
  return {
    isFull: false,
    rounds: 5,
    once: async round => await round(),
    onceAtFullSpeed: async round => await round(),
  };
}

function table(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)));
  return lines
    .map(line => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`)
    .join('');
}
