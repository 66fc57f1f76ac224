import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import {
  command,
  goToTab,
  hasRows,
  isAt,
  openExplorer,
  openProvisions,
  statusLine,
  tableRows,
} from './support/explorer.ts';
import { embedded } from './support/nodes.ts';
import { fetchPage, knownIds } from './support/wire.ts';

/** What was last put on the clipboard with OSC 52. */
function clipboard(terminal: Terminal): string {
  const encoded = [...terminal.raw.matchAll(/\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g)].at(-1)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8');
}

describe.each([embedded])('Explorer overlays on $name', ({ start }) => {
  it('The help lists the keys, filters them, and runs the chosen one', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('?');
    const help = await terminal.waitFor('Keys: type / to filter, Enter runs');
    expect(help).toMatch(/enter +inspect the record/);
    expect(help).toMatch(/n \] +next page/);
    expect(help).toMatch(/p \[ +previous page +this is the first page/);
    await terminal.press('/');
    await terminal.waitFor('filter:');
    await terminal.press('newest or');
    const filtered = await terminal.waitFor(
      screen => screen.includes('filter: newest or') && !screen.includes('next page'),
    );
    expect(filtered).toMatch(/> o +newest or oldest first/);
    await terminal.press('enter');
    await terminal.waitFor(screen => screen.includes('oldest first') && hasRows(screen) && isAt('rows 1-50')(screen));
    await terminal.press('?', 'escape');
    await terminal.waitFor(screen => hasRows(screen) && !screen.includes('Keys:'));
  });

  it('The help says why a key does nothing now', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press('?', '/', 'previous page', 'enter');
    await terminal.waitFor(screen => screen.includes('this is the first page'));
  });

  it('The command prompt accepts commands, and shows a sentence for a wrong one', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 120 });
    await openProvisions(terminal, node, market);
    await command(terminal, 'size 100');
    await terminal.waitFor(isAt('rows 1-100'));
    await command(terminal, 'sort commitment');
    await terminal.waitFor(/sorted by commitment[\s\S]*COMMITMENT \w+ ▼/);
    await command(terminal, 'sort commitment');
    await terminal.waitFor(/sorted by commitment[\s\S]*COMMITMENT \w+ ▲/);
    await command(terminal, 'next page');
    await terminal.waitFor(isAt('rows 101-200'));
    for (const [wrong, sentence] of [
      ['relaod', 'no command "relaod": did you mean reload?'],
      ['size 0', 'a page has 1 to 5000 rows, not "0"'],
      ['sort sideways', 'no column "sideways"'],
      ['fees colour=red', 'fees has no filter "colour"'],
      ['provisions market=xyz', 'market must be a market ID'],
    ] as const) {
      await command(terminal, wrong);
      await terminal.waitFor(sentence);
      await terminal.press('escape');
      await terminal.waitFor(screen => !screen.includes('Commands'));
    }
    await command(terminal, 'oracles');
    await terminal.waitFor(screen => screen.includes(openTab('oracles')) && hasRows(screen));
  });

  it('The command prompt accepts a text and Enter that arrive in one read, as on a slow connection', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    terminal.send('/maker\r');
    await terminal.waitFor(
      screen => /\d+ of \d+ rows \u2500 find "maker"/.test(screen) && !screen.includes('find in the loaded rows'),
    );
    terminal.send(':fees\r');
    await terminal.waitFor(openTab('fees'));
  });

  it('The command prompt accepts a text and Tab that arrive in one read', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await goToTab(terminal, 'fees');
    await terminal.press('f');
    await terminal.waitFor(/^> market/m);
    terminal.send('ab\tcd\u0015ef');
    await terminal.waitFor(screen => /^ {2}market +ab\b/m.test(screen) && /^> asset +ef\b/m.test(screen));
  });

  it('A field shows the end of a text that is longer than the field', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press(':');
    await terminal.waitFor('Commands');
    await terminal.paste(`provisions market=${market}`);
    await terminal.waitFor(screen => statusLine(screen).includes(market.slice(-12)));
  });

  it('The filter line shows the sort and marks its column in 80 columns', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await command(terminal, 'sort commitment');
    const sorted = await terminal.waitFor('sorted by commitment');
    expect(sorted.split('\n')[3]).toMatch(/COMMITMENT \S+ \u25bc/);
  });

  it('The find field searches the loaded rows at each letter, and Esc undoes it', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    const { records } = await fetchPage(node.url, 'parameters', { 'pagination.first': '5000' });
    const matching = records.filter(record => `${record.key}`.toLowerCase().includes('maker'));
    expect(matching.length).toBeGreaterThan(0);
    await terminal.press('/', 'maker');
    await terminal.waitFor(/\d+ of \d+ rows \u2500 find "maker"/);
    await terminal.press('enter');
    const found = await terminal.waitFor(screen => !screen.includes('find in the loaded rows'));
    expect(found).toContain(`${matching.length} of ${records.length} rows ─ find "maker"`);
    expect(tableRows(found)).toHaveLength(matching.length);
    await terminal.press('escape');
    await terminal.waitFor(screen => !screen.includes('find "maker"') && tableRows(screen).length > matching.length);
    await terminal.press('/', 'zzzz', 'enter');
    await terminal.waitFor(`none of ${records.length} loaded holds "zzzz" in any value`);
    await terminal.press('x');
    await terminal.waitFor(hasRows);
  });

  it('The sort menu sorts by a column, with the largest amounts first', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 200, rows: 60 });
    await openProvisions(terminal, node, market);
    await terminal.press('s');
    await terminal.waitFor('Sort the loaded rows by');
    await terminal.press('/', 'COMMIT');
    await terminal.waitFor(/^> +COMMITMENT/m);
    await terminal.press('enter');
    const sorted = await terminal.waitFor('sorted by commitment');
    const amounts = tableRows(sorted).map(row => / (<?)(\d{1,3}(?: \d{3})*(?:\.\d+)?) {2,}/.exec(row) ?? []);
    const shown = amounts.map(([, isLess, digits = '']) => (isLess === '' ? Number(digits.replaceAll(' ', '')) : 1e-9));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual(shown.toSorted((one, other) => other - one));
    expect(shown.some(Number.isNaN)).toBe(false);
  });

  it('The columns menu hides and shows columns', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 200, rows: 60 });
    await openProvisions(terminal, node, market);
    await terminal.press('c');
    await terminal.waitFor(/^> \[x\] PARTY +always shown/m);
    await terminal.press('down', 'down');
    await terminal.waitFor(/^> \[x\] STATUS/m);
    await terminal.press('enter');
    await terminal.waitFor(/^> \[ \] STATUS/m);
    await terminal.press('up');
    await terminal.waitFor(/^> \[ \] MARKET/m);
    await terminal.press('enter');
    await terminal.waitFor(/^> \[x\] MARKET/m);
    await terminal.press('escape');
    const changed = await terminal.waitFor(screen => hasRows(screen) && !screen.includes('[x]'));
    expect(changed.split('\n')[3]).toContain('MARKET');
    expect(changed.split('\n')[3]).not.toContain('STATUS');
  });

  it('The copy menu copies a value, a record and the equal command to the terminal clipboard', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    const { records } = await fetchPage(node.url, 'provisions', { marketId: market, 'pagination.first': '1' });
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('y');
    await terminal.waitFor(/^> party +[0-9a-f]{20}/m);
    await terminal.press('enter');
    await terminal.waitFor("party sent to your terminal's clipboard");
    expect(clipboard(terminal)).toBe(records[0].partyId);
    await terminal.press('y', '/', 'as JSON', 'enter');
    await terminal.waitFor("record as JSON sent to your terminal's clipboard");
    expect(JSON.parse(clipboard(terminal))).toEqual(records[0]);
    await terminal.press('y', '/', 'command for this page', 'enter');
    await terminal.waitFor("command for this page sent to your terminal's clipboard");
    expect(clipboard(terminal)).toContain('list provisions');
    expect(clipboard(terminal)).toContain(`--market-id ${market}`);
  });
});
