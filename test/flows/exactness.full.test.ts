import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTab } from '../support/tabs.ts';
import { command, downTo, goToTab, hasRows, openExplorer, openFields, tableRows } from './support/explorer.ts';
import { embedded } from './support/nodes.ts';
import { fetchAll, fetchPage } from './support/wire.ts';

/** What the terminal would have obeyed, were it printed as it is. */
const isObeyed = (raw: string): boolean =>
  raw.includes('\u001b]0;') || raw.includes('\u001b[31m') || raw.includes('\u0007');

describe('Exact digits in the explorer', () => {
  it('The explorer shows 9007199254740993 sent as a bare number, in the tree, as a value and as JSON', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, columns: 100, rows: 60 });
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasRows(screen));
    await openFields(terminal);
    const tree = await downTo(terminal, '▾ Commitment');
    const digits = tree.replaceAll(/(?<=\d) (?=\d)/g, '');
    expect(digits).toMatch(/version +9007199254740993\b/);
    expect(digits).toMatch(/commitmentAmount +340282366920938463463374607431768211455\b/);
    expect(digits).toMatch(/fee +0\.000000000000000001\b/);
    await terminal.press('R');
    await terminal.waitFor('"version": 9007199254740993,');
    await terminal.press('R', '/', 'version', 'enter', 'end', 'enter');
    await terminal.waitFor(/^ version\n {2}9007199254740993$/m);
  });

  it('The explorer shows a time sent as a bare number in words, as it does for one sent as text', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, rows: 60 });
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasRows(screen));
    await openFields(terminal);
    const tree = await downTo(terminal, '▾ Times');
    expect(tree).toMatch(/createdAt +2023-11-14 22:13:20\.123456789 UTC/);
  });
});

describe('Text from a hostile node', () => {
  it('Hostile text is shown as marks, changes no title and clears no screen', async () => {
    await using node = await startStrictNode();
    const size = { columns: 200, rows: 60 };
    await using terminal = await openExplorer({ node: node.url, args: ['--preview', 'off'], ...size });
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasRows(screen));
    const second = tableRows(terminal.screen())[1] ?? '';
    expect(second).toContain('␛]0;owned␇');
    await terminal.press('down');
    await openFields(terminal);
    await terminal.waitFor(/reference +␛\]0;owned␇␛\[2Jtwo␍␊lines\ufffd/);
    await terminal.press('R');
    await terminal.waitFor('"reference": "');
    expect(terminal.title).toBe('');
    expect(isObeyed(terminal.raw)).toBe(false);
  });

  it('Hostile text is also harmless from the embedded node, whose references have line ends and tabs', async () => {
    await using node = await embedded.start();
    const { found, reference } = await oddProvision(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 200, rows: 60 });
    await command(terminal, `provisions market=${found.marketId} party=${found.partyId} live=`);
    const marks = reference.replaceAll(/\p{Cc}/gu, control => String.fromCharCode(0x2400 + control.charCodeAt(0)));
    const screen = await terminal.waitFor(marks);
    expect(hasRows(screen)).toBe(true);
    expect(terminal.raw).not.toContain(reference);
    expect(isObeyed(terminal.raw)).toBe(false);
  });
});

/** A provision whose reference would move the cursor. */
async function oddProvision(node: string) {
  const fees = await fetchAll(node, 'fees');
  for (const market of new Set(fees.map(fee => String(fee.market)))) {
    const { records } = await fetchPage(node, 'provisions', { marketId: market, 'pagination.first': '5000' });
    const found = records.find(record => /\p{Cc}/u.test(record.reference ?? ''));
    if (found !== undefined) return { found, reference: String(found.reference) };
  }
  throw new Error('no reference with a control character among the provisions');
}
