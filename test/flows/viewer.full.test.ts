import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../support/terminal.ts';
import { goToTab, openExplorer, selectedRow } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { run } from './support/program.ts';
import { fetchAll, type WireRecord } from './support/wire.ts';

/** Folders in which tables were made, and may be still. */
const madeIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter(name => name.startsWith('blockglass-answers-'));

/** The ledger of the epochs 20 to 25, from the start screen; resolves with how many keys it took beside the epochs. */
async function exportLedger(terminal: Terminal): Promise<number> {
  await goToTab(terminal, 'export');
  await terminal.waitFor('which table?');
  await terminal.press('enter');
  await terminal.waitFor(/> first block {2}\d/);
  await terminal.press('ctrl-u');
  await terminal.paste('e20..e25');
  await terminal.press('enter');
  await terminal.waitFor('epoch 25 ends with block');
  await terminal.press('enter');
  await terminal.waitFor('step 3 of 4');
  await terminal.press('enter');
  await terminal.waitFor('Ready to export');
  await terminal.press('enter');
  await terminal.waitFor('o looks at it, a asks it');
  return 7;
}

/** A party that was paid, and so has moved money. */
async function partyOf(url: string): Promise<string> {
  const fees: readonly WireRecord[] = await fetchAll(url, 'fees', {});
  const [party] = fees.flatMap(({ feesPaidPerParty }) =>
    Array.isArray(feesPaidPerParty) ? feesPaidPerParty.map(paid => String(paid.party)) : [],
  );
  return party ?? '';
}

describe('an export in the explorer', () => {
  it('tells in eight keys from the start what a party received, as the command does', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, columns: 80, rows: 24 });
    const keys = await exportLedger(terminal);
    const party = await partyOf(node.url);
    await terminal.paste(party);
    const screen = await terminal.waitFor(/what a party received and sent.*\n +asset +month.*\n> *[A-Z]/);
    expect(keys + 1).toBeLessThanOrEqual(8);
    const archive = (await folder.files()).find(name => name.endsWith('.zip')) ?? '';
    const { stdout } = await run(['answer', 'received', join(folder.path, archive), '--party', party, '-o', 'table']);
    const wanted = stdout
      .split('\n')
      .slice(1)
      .filter(line => line !== '');
    expect(wanted.length).toBeGreaterThan(0);
    for (const line of wanted) {
      const [asset = '', month = '', received = ''] = line.split(/ {2,}/);
      const row = screen.split('\n').find(shown => shown.slice(2).startsWith(`${asset} `)) ?? '';
      expect(row.slice(2).split(/ {2,}/).slice(0, 3)).toEqual([asset, month, received]);
    }
  });

  it('is looked at: sorted, narrowed, found in, drawn, and gone from the disk when it is closed', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await using temporary = await temporaryFolder();
    const env = { TMPDIR: temporary.path };
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, env, columns: 80, rows: 24 });
    await exportLedger(terminal);
    await terminal.press('o');
    await terminal.waitFor(/^ ledger {2}\d[\d ]* rows {2}blocks 10001-14500/m);
    await terminal.waitFor(/^> \d{4}-\d\d-\d\d /m);
    expect(await madeIn(temporary.path)).toHaveLength(1);
    await terminal.press('G');
    await terminal.waitFor(/^ \d[\d ]*-(\d[\d ]*) of \1 /m);
    await terminal.press('s', 'enter');
    await terminal.waitFor('sorted by ledger_entry_time');
    await terminal.press('F', 'down', 'enter');
    await terminal.waitFor(/type: \d+ values in \d/);
    await terminal.press('enter');
    await terminal.waitFor(/^ ledger {2}\d[\d ]* of \d[\d ]* rows {2}type /m);
    await terminal.press('/');
    await terminal.waitFor('find in all rows');
    await terminal.paste('nowhere at all');
    await terminal.press('enter');
    await terminal.waitFor('no row holds "nowhere at all"');
    await terminal.press('C', 'enter');
    const chart = await terminal.waitFor(/quantity, the sum in each/);
    expect(chart).toMatch(/[\u2581-\u2588#]/);
    await terminal.press('escape');
    await terminal.waitFor(/^ ledger {2}.*type /m);
    await terminal.press('enter');
    await terminal.waitFor('account that pays');
    await terminal.press('escape');
    await terminal.waitFor(/^> \d{4}-/m);
    await terminal.press('escape');
    await terminal.waitFor('the find is ended; Esc again closes the table');
    await terminal.press('escape');
    await terminal.waitFor('The export is complete');
    await expect.poll(() => madeIn(temporary.path), { timeout: 10_000 }).toEqual([]);
  });

  it('lies on the disk and is opened by its path; what is none says what it is not', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await run(['export', '--node', node.url, '--table', 'ledger', '--from', '1', '--to', '1000', '--out', folder.path]);
    const archive = (await folder.files()).find(name => name.endsWith('.zip')) ?? '';
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, columns: 60, rows: 16 });
    await terminal.waitFor(screen => selectedRow(screen) !== undefined);
    await terminal.press(':');
    await terminal.paste(`view ${archive}`);
    await terminal.press('enter');
    await terminal.waitFor(/^ ledger {2}\d[\d ]* rows/m);
    await terminal.press('escape');
    await terminal.waitFor('which table?');
    await terminal.press(':');
    await terminal.paste('view nowhere.zip');
    await terminal.press('enter');
    await terminal.waitFor('nowhere.zip');
    await terminal.waitFor('r opens it again, Esc goes back');
  });

  it('is opened by a command that asks no node and takes the tables it made away again', async () => {
    await using node = await embedded.start();
    await using folder = await temporaryFolder();
    await using temporary = await temporaryFolder();
    await run(['export', '--node', node.url, '--table', 'ledger', '--from', '1', '--to', '1000', '--out', folder.path]);
    const archive = (await folder.files()).find(name => name.endsWith('.zip')) ?? '';
    const args = ['view', archive, 'ledger', '--log', 'requests.log'];
    const env = { TMPDIR: temporary.path, BLOCKGLASS_NODE: node.url };
    await using terminal = await openExplorer({ args, cwd: folder.path, env, columns: 60, rows: 16 });
    await terminal.waitFor(/^ ledger {2}\d[\d ]* rows/m);
    await terminal.press(':');
    await terminal.paste('sort quantity');
    await terminal.press('enter');
    await terminal.waitFor('sorted by quantity, largest first');
    expect(await folder.files()).not.toContain('requests.log');
    await terminal.press('escape');
    await terminal.waitFor('the rows are there; Esc again quits');
    await terminal.press('escape');
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 0 });
    expect(await madeIn(temporary.path)).toEqual([]);
  });
});
