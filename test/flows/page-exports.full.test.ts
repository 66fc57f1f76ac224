import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { unlimited } from '../node/wire.ts';
import { callsIn, commandsOf, type PageCommand } from '../support/page-commands.ts';
import { PAGES } from '../support/pages.ts';
import { openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { paidParty } from './support/paid-party.ts';
import { runShell } from './support/program.ts';

/** Commands that write or read exports. */
const OF_EXPORTS = ['export', 'fetch', 'verify', 'answer', 'audit', 'report', 'convert', 'query', 'view'];

/** Noon of a day in the middle of last month: what a page exports of last month is the history of the node. */
const NOW = new Date();
const THEN = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1, 15, 12));

/** What stands for things of a reader, and what the small node has in its place. */
const replacements = (url: string, party: string): readonly (readonly [RegExp, string])[] => [
  [/\bID\b/g, party],
  [/\bURL\b|http:\/\/(?:127\.0\.0\.1|localhost):3008/g, url],
  [/-000001-500000\b/g, '-000001-023500'],
  [/\b500000\b/g, '23500'],
  [/--from 1 --to 23500/g, '--from 1 --to 2000'],
  [/\$table --range all/g, '$table --last 2'],
  [/\b2026\b/g, String(THEN.getUTCFullYear())],
];

/** Exports that a page reads and another page, or nobody, made: the command that makes each, in the order of making. */
const STOCK: Readonly<Record<string, string>> = {
  'ledger.zip': 'export --table ledger --last 3 --out ledger.zip',
  'rewards.zip': 'export --table rewards --last 3 --out rewards.zip',
  'trades.zip': 'export --table trades --last 3 --out trades.zip',
  'x.zip': 'export --table ledger --from 1 --to 5000 --out x.zip',
  'demo-chain-1-ledger-020501-023500.zip': 'export --table ledger --last 3',
  'exports/demo-chain-1-ledger-000001-023500':
    'mkdir exports && blockglass export --table ledger --range all --slice 10 --out exports',
  'ledger-parquet': 'convert ledger.zip --parquet --out ledger-parquet',
  history: 'convert ledger.zip trades.zip --parquet --out history',
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: RunningNode;
let party = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  node = await startNode({ rateLimit: unlimited, provisions: 100, historyScale: 0.05, clock: () => THEN.getTime() });
  party = await paidParty(node.url);
  await shell('stock', `node add main ${node.url}`);
  for (const made of Object.values(STOCK)) await shell('stock', made);
});
afterAll(async () => {
  await node.close();
  await folder[Symbol.asyncDispose]();
});

/** Pages that fetch share one history, and the later ones fetch what it lacks: `fetch` has tests of its own. */
const fetching = new Set(
  PAGES.filter(({ text }) => /blockglass (?:.*--fetch|fetch)/.test(text)).map(({ path }) => path),
);

function homeOf(page: string) {
  const cwd = join(folder.path, page);
  return {
    HOME: cwd,
    XDG_DATA_HOME: fetching.has(page) ? join(folder.path, 'shared-data') : cwd,
    XDG_CONFIG_HOME: join(folder.path, 'config'),
    XDG_STATE_HOME: cwd,
    BLOCKGLASS_NODE: node.url,
  };
}

/** Runs a line of a page in its folder, which is also its home; other programs only pass on bytes. */
async function shell(page: string, line: string, code = 0) {
  const cwd = join(folder.path, page);
  await mkdir(cwd, { recursive: true });
  const env = homeOf(page);
  const words = line.startsWith('blockglass') || line.includes(' blockglass ') ? line : `blockglass ${line}`;
  const others = 'aws() { cat x.zip; }; duckdb() { cat > /dev/null; }';
  const ran = await runShell(`(set -e -o pipefail; ${others}; ${words}\n)`, { cwd, env });
  expect(ran.code, `${line}\n${ran.stderr}`).toBe(code);
  return ran;
}

const here = (line: string): string =>
  replacements(node.url, party).reduce((text, [from, to]) => text.replace(from, to), line);

const isOfExports = ({ line, shown }: PageCommand): boolean =>
  shown === undefined && !line.includes('--demo') && callsIn(line).some(([name = '']) => OF_EXPORTS.includes(name));

/** Puts what a line reads into the folder of the page, unless a line before it or itself makes it. */
async function stockUp(page: string, line: string): Promise<void> {
  const [read = ''] = line.split(' #');
  for (const name of Object.keys(STOCK)) {
    const isRead = new RegExp(`(?<!--out )(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`).test(read);
    if (!isRead) continue;
    for (const file of [name, name.replace(/\.zip$/, '.names.json')])
      await cp(join(folder.path, 'stock', file), join(folder.path, page, file), { recursive: true, force: false });
  }
}

async function view(page: string, line: string): Promise<void> {
  const args = callsIn(line)[0] ?? [];
  const cwd = join(folder.path, page);
  await using _ = await openExplorer({
    node: node.url,
    args,
    cwd,
    env: homeOf(page),
    until: /^\u2500 \w+ \u2500 [\d ]+ rows \u2500 blocks /m,
  });
}

/** What anyone would ask next of the history that the README fetched; some tables alone cannot be judged. */
const NEXT: readonly (readonly [line: string, code: number])[] = [
  ['audit', 0],
  ['answer received --party ID', 0],
  ['convert --parquet --out history', 0],
  ['answer received history --party ID', 0],
];

// One after another in a folder for each page: what an export writes is what the next command reads.
describe('Exports in the documentation', () => {
  // The examples of the generated pages are those of the help, which have a test of their own.
  const pages = PAGES.filter(({ path }) => !path.startsWith('docs/generated/'))
    .map(page => ({ path: page.path, commands: commandsOf(page).filter(isOfExports) }))
    .filter(({ commands }) => commands.length > 0);

  it.each(pages)(
    'The exports of $path do what the page says',
    async ({ path, commands }) => {
      for (const line of commands.map(command => here(command.line))) {
        await stockUp(path, line);
        if (callsIn(line).some(([name]) => name === 'view')) await view(path, line);
        else await shell(path, line);
      }
      if (path === 'README.md')
        for (const [line, code] of NEXT)
          expect((await shell(path, here(line), code)).stderr, line).not.toMatch(/download|no export/i);
      const isExporting = commands.some(({ line }) => line.includes('blockglass export '));
      if (isExporting)
        expect((await shell(path, 'cd exports || true; blockglass verify .')).stdout).toContain('complete');
    },
    300_000,
  );
});
