import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openExplorer, selectedRow } from './support/explorer.ts';
import { exportLedger } from './support/export-steps.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { run } from './support/program.ts';

/** Folders in which tables were made, and may be still. */
const madeIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter(name => name.startsWith('blockglass-answers-'));

const COUNTED = /^\u2500 Frequency \u2500 type \u2500 \d+ values of all \d[\d ]* rows \u2500 table ledger/m;

describe('Export viewer', () => {
  it('The viewer sorts, filters, searches and draws an export, and leaves nothing on disk when it closes', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await using temporary = await temporaryFolder();
    const env = { TMPDIR: temporary.path };
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, env, columns: 80, rows: 24 });
    await exportLedger(terminal);
    await terminal.press('o');
    await terminal.waitFor(/^\u2500 ledger \u2500 \d[\d ]* rows \u2500 blocks 10001-14500/m);
    await terminal.waitFor(/^> \d{4}-\d\d-\d\d /m);
    expect(await madeIn(temporary.path)).toHaveLength(1);
    await terminal.press('G');
    await terminal.waitFor(/^ \d[\d ]*-(\d[\d ]*) of \1 /m);
    await terminal.press('s', 'enter');
    await terminal.waitFor('sorted by ledger_entry_time');
    await terminal.press('F', 'down', 'enter');
    await terminal.waitFor(COUNTED);
    await terminal.press('enter');
    await terminal.waitFor(/^\u2500 ledger \u2500 \d[\d ]* of \d[\d ]* rows \u2500 type /m);
    await terminal.press('/');
    await terminal.waitFor('find in all rows');
    await terminal.paste('nowhere at all');
    await terminal.press('enter');
    await terminal.waitFor('no row has "nowhere at all"');
    await terminal.press('enter');
    await terminal.waitFor('account that pays');
    await terminal.press('escape');
    await terminal.waitFor(/^> \d{4}-/m);
    await terminal.press('escape');
    await terminal.waitFor('the search is over; Esc again leads to the counts');
    await terminal.press('escape');
    await terminal.waitFor(COUNTED);
    await terminal.press('escape');
    await terminal.waitFor(/^\u2500 ledger \u2500 \d[\d ]* rows \u2500 sorted by /m);
    await terminal.press('down', 'escape');
    await terminal.waitFor('The export is complete');
    await expect.poll(() => madeIn(temporary.path)).toEqual([]);
  });

  it('The viewer opens an export on disk by its path, and says of another file why it is not an export', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await run(['export', '--node', node.url, '--table', 'ledger', '--from', '1', '--to', '1000', '--out', folder.path]);
    const archive = (await folder.files()).find(name => name.endsWith('.zip')) ?? '';
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, columns: 60, rows: 16 });
    await terminal.waitFor(screen => selectedRow(screen) !== undefined);
    await terminal.press(':');
    await terminal.paste(`view ${archive}`);
    await terminal.press('enter');
    await terminal.waitFor(/^\u2500 ledger \u2500 \d[\d ]* rows/m);
    await terminal.press('escape');
    await terminal.waitFor(/^ {2}TABLE +ON DISK/m);
    await terminal.press(':');
    await terminal.paste('view nowhere.zip');
    await terminal.press('enter');
    await terminal.waitFor('nowhere.zip');
    await terminal.waitFor('r opens it again, Esc goes back');
  });

  it('The viewer opened by a command makes no request, and removes the tables it made', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await using temporary = await temporaryFolder();
    await run(['export', '--node', node.url, '--table', 'ledger', '--from', '1', '--to', '1000', '--out', folder.path]);
    const archive = (await folder.files()).find(name => name.endsWith('.zip')) ?? '';
    const args = ['view', archive, 'ledger', '--log', 'requests.log'];
    const env = { TMPDIR: temporary.path, BLOCKGLASS_NODE: node.url };
    await using terminal = await openExplorer({ args, cwd: folder.path, env, columns: 60, rows: 16 });
    await terminal.waitFor(/^\u2500 ledger \u2500 \d[\d ]* rows/m);
    await terminal.press(':');
    await terminal.paste('sort quantity');
    await terminal.press('enter');
    await terminal.waitFor('quantity in smallest units \u25bc');
    expect(await folder.files()).not.toContain('requests.log');
    await terminal.press('escape');
    await terminal.waitFor('the rows have arrived; Esc again quits');
    await terminal.press('escape');
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 0 });
    expect(await madeIn(temporary.path)).toEqual([]);
  });
});
