import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { openTab, tabKey } from '../support/tabs.ts';
import { counting } from './support/counting.ts';
import { hasRows, openExplorer, selectedRow, tableRows } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded, nodes } from './support/nodes.ts';
import { fetchAll, knownIds } from './support/wire.ts';

const SIZE = { columns: 80, rows: 24 };

/** `1 905 000.00` of a line, without its spaces and point. */
const amounts = (screen: string): readonly bigint[] =>
  tableRows(screen).map(row => BigInt((/ (\d[\d ]*\.\d+) /.exec(row.slice(20))?.[1] ?? '').replaceAll(/[ .]/g, '')));

describe('Key count of common questions', () => {
  it("The provisions tab shows a party's live provisions in three keys, all on the market by commitment in two more", async () => {
    await using node = await embedded.start();
    const { party } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, ...SIZE });
    const { counted, press, paste } = counting(terminal);
    await press(tabKey('provisions'));
    // The names tell what a pasted id is not.
    await terminal.waitFor(/only by market or party[\s\S]* ACTIVE /);
    await paste(party);
    await terminal.waitFor(party.slice(0, 20));
    await press('enter');
    // The field of the filter bar is marked like a selected row.
    const mine = await terminal.waitFor(
      screen => screen.includes(openTab('provisions')) && hasRows(screen) && !screen.includes('next field'),
    );
    expect(counted.keys).toBe(3);
    expect(mine).toMatch(/^─ Provisions .* party (?!any)\S+ .*live: current and pending/m);
    expect(mine).toMatch(/^ +MARKET +STATUS +~?COMMITMENT/m);
    expect(mine).toMatch(/ FEE /);
    await press('g');
    await terminal.waitFor('provisions of this market');
    await press('enter');
    const others = await terminal.waitFor(screen => / PARTY +STATUS /.test(screen) && hasRows(screen));
    expect(counted.keys).toBe(5);
    expect(others).toMatch(/^ +PARTY +STATUS +~?COMMITMENT.* \u25bc .*COMMIT %/m);
    const shown = amounts(others);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown).toEqual(shown.toSorted((one, other) => (one < other ? 1 : one > other ? -1 : 0)));
  });
});

describe.each(nodes)('Key count of oracle spec search on $name', ({ start }) => {
  it('The oracles tab finds the specs signed by a key in two keys and the paste', async () => {
    await using node = await start();
    const specs = await fetchAll(node.url, 'oracles');
    const signers = specs.flatMap(
      record => JSON.stringify(record).match(/"(?:key|address)":"[0-9a-zA-Z]{40,}"/g) ?? [],
    );
    const signer = signers[0]?.split('"')[3] ?? '';
    const holding = specs.filter(record => JSON.stringify(record).toLowerCase().includes(signer.toLowerCase()));
    expect([signer === '', holding.length > 0]).toEqual([false, true]);
    await using terminal = await openExplorer({ node: node.url, ...SIZE });
    const { counted, press, paste } = counting(terminal);
    await press(tabKey('oracles'));
    await terminal.waitFor(screen => screen.includes(openTab('oracles')) && hasRows(screen));
    await press('/');
    await terminal.waitFor('find in the loaded rows');
    await paste(signer);
    const screen = await terminal.waitFor(shown => /\d+ of \d+ rows.* find ".*"/.test(shown) && hasRows(shown));
    expect(counted.keys).toBe(3);
    expect(screen).toContain(` ${holding.length} of ${specs.length} rows `);
    expect(tableRows(screen).filter(row => row.trim() !== '')).toHaveLength(holding.length);
  });
});

describe('Key count of an export', () => {
  it('An export answers in 9 keys and the epochs what a party received; one more audits it, three make the page', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    const { party } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, ...SIZE });
    const { counted, press, paste } = counting(terminal);
    await press(tabKey('history'));
    await terminal.waitFor('w export');
    await press('w');
    await terminal.waitFor('which table?');
    await press('enter');
    await terminal.waitFor(/> first block {2}\d/);
    await press('ctrl-u');
    await terminal.paste('e20..e25');
    await terminal.waitFor('Enter finds both blocks');
    await press('enter');
    await terminal.waitFor(/on a boundary[\s\S]*on a boundary/);
    await press('enter');
    await terminal.waitFor('Where to?');
    await press('enter');
    await terminal.waitFor('Ready to export');
    await press('enter');
    // What can be asked of it is found out behind the result.
    await terminal.waitFor(/The export is complete[\s\S]*a ask/);
    await paste(party);
    await terminal.waitFor(/─ received ─ party [\s\S]* asset +month +received/);
    expect(counted.keys).toBe(9);
    await terminal.press('escape');
    await terminal.waitFor('The export is complete');
    await press('A');
    await terminal.waitFor(/cannot-be-judged: \d+ ok[\s\S]* balances\s+not\s+exported/);
    expect(counted.keys).toBe(10);
    await terminal.press('escape');
    await terminal.waitFor('The export is complete');
    await press('R');
    await terminal.waitFor('report on party');
    await paste(party);
    await terminal.waitFor(party.slice(-20));
    await press('enter');
    await terminal.waitFor(/report-[0-9a-f]{8}\.html/);
    expect(counted.keys).toBe(13);
  });
});

describe('Key count with a lagging second node', () => {
  it('The explorer shows the health, lag and version of its node in no key, and of the other in one', async () => {
    await using stack = new AsyncDisposableStack();
    const home = stack.use(await temporaryFolder());
    const late = await startNode({ clock: () => Date.now() - 3_600_000 });
    stack.defer(() => late.close());
    let sinceMs = 3_600_000;
    const front = await startNode({ clock: () => Date.now() - sinceMs });
    sinceMs = 0;
    stack.defer(() => front.close());
    await mkdir(join(home.path, 'blockglass'));
    const profiles = { front: front.url, late: late.url };
    await writeFile(join(home.path, 'blockglass', 'config.json'), JSON.stringify({ node: 'front', profiles }));
    await using terminal = await openExplorer({
      env: { HOME: home.path, XDG_CONFIG_HOME: home.path },
      ...SIZE,
      until: screen => hasRows(screen) && /^ blockglass +front .*in sync/.test(screen),
    });
    const told = await terminal.waitFor(
      shown => /(behind core|in sync) +block \d/.test(shown) && / {2}v0\.\d/.test(shown),
    );
    expect(selectedRow(told)).toBeDefined();
    await terminal.press('N');
    const screen = await terminal.waitFor(
      shown => /front +demo-chain-1 +\d+ .*v0/.test(shown) && /late +demo-chain-1 +\d+ +1 h .*v0/.test(shown),
    );
    expect(screen).toContain('Nodes: Enter switches');
  });
});
