import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { hasRealNode, recordedNode } from '../support/recorded-node.ts';
import { openTab, tabKey } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import { counting } from './support/counting.ts';
import { command, downTo, goToTab, hasRows, openExplorer, statusLine } from './support/explorer.ts';
import { type Folder, temporaryFolder } from './support/folder.ts';
import { startGate } from './support/gate.ts';
import { Held } from './support/held.ts';
import { run } from './support/program.ts';
import { knownIds } from './support/wire.ts';

/** A chain whose history is fetched, and one of its parties with what it can be asked. */
interface AskedNode extends AsyncDisposable {
  readonly url: string;
  readonly party: string;
  /** Epochs in which the party received something. */
  readonly epochs: string;
  readonly year: string;
}

const CHAINS: readonly { readonly name: string; readonly start: () => Promise<AskedNode> }[] = [
  {
    name: 'the embedded node',
    start: async () => {
      const node = await startNode({ provisions: 100, historyScale: 0.05 });
      const { party } = await knownIds(node.url);
      const year = String(new Date().getUTCFullYear());
      return {
        url: node.url,
        party,
        epochs: 'e20..e25',
        year,
        [Symbol.asyncDispose]: () => node.close(),
      };
    },
  },
  ...(hasRealNode
    ? [
        {
          name: 'the recorded node',
          start: async () => {
            const node = await recordedNode();
            const party = 'c75946d940020ad8df9dd0ece42ba5d533166cc6ecf237e7779f1021c42499de';
            return {
              ...{ url: node.url, party, epochs: 'e40..e80', year: '2023' },
              [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
            };
          },
        },
      ]
    : []),
];

/** A fetch of some megabytes, and a question to them, on a machine that is busy with other tests. */
const LONG = { deadlineMs: 120_000 };
const TEST_MS = 300_000;

const envOf = ({ path }: Folder) => ({
  HOME: path,
  XDG_DATA_HOME: path,
  XDG_STATE_HOME: path,
  XDG_CONFIG_HOME: path,
  XDG_CACHE_HOME: path,
});

const start = (node: string, home: Folder): Promise<Terminal> =>
  openExplorer({ node, cwd: home.path, env: envOf(home), columns: 80, rows: 24, until: /0 Home/ });

/** The lines of the tables of a report say that all of it is on disk and verified. */
const REPORT_IS_ON_DISK = /ledger .* verified\n.*balances .* verified\n.*rewards .* verified\n.*trades .* verified/;

/** A node, and a home that the report tables of its chain were fetched to by another program. */
async function fetchForReport({ start: startChain }: (typeof CHAINS)[number]) {
  await using held = new Held();
  const home = held.use(await temporaryFolder());
  const node = held.use(await startChain());
  const fetched = await run(['fetch', '--for', 'report', '--node', node.url], { env: envOf(home) });
  expect([fetched.code, fetched.code === 0 ? '' : fetched.stderr]).toEqual([0, '']);
  const kept = held.move();
  return { home, node, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

/** From the History tab: what a report needs is fetched. */
async function fetchTables(terminal: Terminal): Promise<void> {
  await terminal.press('f');
  await terminal.waitFor(/^> a report +\d+ segments/m);
  await terminal.press('enter');
}

/** A provision of the party is selected. */
async function selectParty(terminal: Terminal, party: string): Promise<void> {
  await command(terminal, `provisions party=${party} live=`);
  await terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasRows(screen));
}

/** From a selected row in two keys: what its party earned, when it is known. */
async function openEarned(terminal: Terminal, press: (key: string) => Promise<void>): Promise<void> {
  await press('g');
  await terminal.waitFor(/^[> ] E +what it earned/m);
  await press('E');
  await terminal.waitFor('What it earned');
  await terminal.waitFor('Received and sent', LONG);
}

describe.each(CHAINS)('The history of $name', chain => {
  let fetched: Awaited<ReturnType<typeof fetchForReport>>;
  beforeAll(async () => {
    fetched = await fetchForReport(chain);
  }, TEST_MS);
  afterAll(() => fetched[Symbol.asyncDispose]());

  it(
    'A party leads in four keys and the epochs to what it received in those, and in four to a page about a year',
    async () => {
      const { node, home } = fetched;
      await using terminal = await start(node.url, home);
      const { counted, press } = counting(terminal);
      await selectParty(terminal, node.party);
      await openEarned(terminal, press);
      await press('e');
      await terminal.waitFor('range (all, 2026');
      await terminal.paste(node.epochs);
      await terminal.waitFor(`days): ${node.epochs}`);
      await press('enter');
      const [from, to] = node.epochs.split('..');
      await terminal.waitFor(
        screen => screen.includes(`range: from ${from} to ${to}`) && /Received and sent\n.*\n +Asset /.test(screen),
        LONG,
      );
      expect(counted.keys).toBe(4);
      await terminal.press('escape');
      await terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasRows(screen));
      counted.keys = 0;
      await openEarned(terminal, press);
      await press('R');
      await terminal.waitFor('range (all, 2026');
      await terminal.paste(node.year);
      await terminal.waitFor(`days): ${node.year}`);
      await press('enter');
      const page = `report-${node.party.slice(0, 8)}-${node.year}.html`;
      await terminal.waitFor(page, LONG);
      expect(counted.keys).toBe(4);
      expect(await readFile(join(home.path, page), 'utf8')).toContain(node.party);
    },
    TEST_MS,
  );

  it(
    'The history is audited in two keys, and its answers and pages are there when the node has gone',
    async () => {
      const { node, home } = fetched;
      await using held = new Held();
      const gate = held.use(await startGate(node.url, {}));
      await using terminal = await start(gate.url, home);
      const { counted, press } = counting(terminal);
      await press(tabKey('history'));
      await terminal.waitFor(REPORT_IS_ON_DISK);
      await press('A');
      await terminal.waitFor(/ Audit +lines 1-\d+ of \d+\n +(adds-up|cannot-be-judged): /, LONG);
      expect(counted.keys).toBe(2);
      expect(await downTo(terminal, 'balance-steps: balances move')).toMatch(/^ +ok +\d[\d ]* +balance-steps: /m);
      await terminal.press('escape');
      await terminal.waitFor(REPORT_IS_ON_DISK);
      await held[Symbol.asyncDispose]();
      await goToTab(terminal, 'bundles');
      await terminal.waitFor(/offline since/);
      await goToTab(terminal, 'history');
      await terminal.waitFor(REPORT_IS_ON_DISK);
      await terminal.press('a');
      await terminal.waitFor(/^> received +what a party received and sent/m);
      await terminal.press('enter');
      await terminal.waitFor('party (64 digits, paste it):');
      await terminal.paste(node.party);
      await terminal.waitFor(node.party.slice(-20));
      await terminal.press('enter');
      await terminal.waitFor(/─ received ─ party .*[\s\S]*asset +month +received[\s\S]*\n> \S/, LONG);
      await terminal.press('escape');
      await terminal.waitFor(REPORT_IS_ON_DISK);
      await terminal.press('enter');
      await terminal.waitFor(/─ ledger.* rows/, LONG);
      await terminal.press('escape');
      await terminal.waitFor(REPORT_IS_ON_DISK);
      expect(await readdir(join(home.path, 'blockglass', 'history'))).toHaveLength(1);
    },
    TEST_MS,
  );
});

describe('The fetch of the History tab', () => {
  it(
    'The History tab fetches for a report behind other tabs, asks before it quits, and the next one continues',
    async () => {
      await using home = await temporaryFolder();
      await using held = new Held();
      const node = await startNode({ provisions: 100, historyScale: 0.05 });
      held.use({ [Symbol.asyncDispose]: () => node.close() });
      await using gate = await startGate(node.url, { holdAfter: 100 });
      await using terminal = await start(gate.url, home);
      await goToTab(terminal, 'history');
      await terminal.waitFor(/nothing on disk yet[\s\S]*^> ledger /m);
      await fetchTables(terminal);
      await terminal.waitFor(/Fetching for a report[\s\S]*now ledger/);
      await goToTab(terminal, 'parameters');
      await terminal.waitFor(screen => hasRows(screen) && statusLine(screen).includes('fetch ledger: '));
      await terminal.press('q');
      await terminal.waitFor('A fetch is running. Quit and cancel it?');
      await terminal.press('n');
      await terminal.waitFor(screen => !screen.includes('Quit and cancel it?'));
      await goToTab(terminal, 'history');
      await terminal.waitFor('Fetching for a report');
      await terminal.press('f');
      await terminal.waitFor('a fetch is running already');
      await terminal.press('escape');
      await terminal.press('q');
      await terminal.waitFor('A fetch is running. Quit and cancel it?');
      await terminal.press('y');
      expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
      gate.open();
      await using next = await start(gate.url, home);
      await goToTab(next, 'history');
      await fetchTables(next);
      await next.waitFor(/Complete: \d+ segments fetched/, LONG);
      await next.waitFor(REPORT_IS_ON_DISK);
      await next.press('q');
      expect(await next.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
      await using again = await start(gate.url, home);
      await goToTab(again, 'history');
      await again.waitFor(REPORT_IS_ON_DISK);
    },
    TEST_MS,
  );
});
