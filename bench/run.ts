/**
 * Measures the built program against the goals and against every peer that is installed, in one run.
 *
 *   npm run bench -- [start|keys|list|decode|export|memory|idle ...] [--full]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Figure, Section, Settings } from './figure.ts';
import { atFullSpeed, percent, readTicks, stolenSince, undisturbed } from './host.ts';
import { isInstalled } from './programs.ts';

const PEERS = ['vd', 'less', 'tig', 'mcview', 'lnav', 'curl', 'jq', 'unzip'];

const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  start: async () => (await import('./sections/start.ts')).start,
  keys: async () => (await import('./sections/keys.ts')).keys,
  list: async () => (await import('./sections/list.ts')).list,
  decode: async () => (await import('./sections/decode.ts')).decode,
  export: async () => (await import('./sections/export.ts')).exportSection,
  memory: async () => (await import('./sections/memory.ts')).memory,
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
const settings: Settings = {
  isFull: values.full,
  rounds: values.full ? 15 : 5,
  once: values.full ? undisturbed : async round => await round(),
  onceAtFullSpeed: values.full ? atFullSpeed : async round => await round(),
};
const figures: Figure[] = [];
const before = readTicks();
for (const name of wanted) {
  const section = await SECTIONS[name]?.();
  process.stderr.write(`${name} ...\n`);
  figures.push(...((await section?.(settings)) ?? []));
}

const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
const stolen = `its host took ${percent(stolenSince(before))} of the processors meanwhile`;
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
if (values.full && positionals.length === 0) putIntoReadme(report);
const failed = figures.filter(({ verdict }) => verdict === 'fail').length;
console.log(`${figures.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** The README shows the last full run. */
function putIntoReadme(text: string): void {
  const page = readFileSync('README.md', 'utf8');
  writeFileSync(
    'README.md',
    page.replace(/(<!-- bench -->\n)[\s\S]*?(<!-- end -->)/, (_, start, end) => `${start}${text}${end}`),
  );
}

function table(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)));
  return lines
    .map(line => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`)
    .join('');
}
