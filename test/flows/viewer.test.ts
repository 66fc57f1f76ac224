import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExplorer } from './support/explorer.ts';
import { exportLedger } from './support/export-steps.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { run } from './support/program.ts';
import { fetchAll, type WireRecord } from './support/wire.ts';

/** A party that was paid, and so has moved money. */
async function partyOf(url: string): Promise<string> {
  const fees: readonly WireRecord[] = await fetchAll(url, 'fees', {});
  const [party] = fees.flatMap(({ feesPaidPerParty }) =>
    Array.isArray(feesPaidPerParty) ? feesPaidPerParty.map(paid => String(paid.party)) : [],
  );
  return party ?? '';
}

it('an export in the explorer tells in eight keys from the start what a party received, as the command does', async () => {
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

it('an export shows names and units, the values of its file with R, and goes where its ids lead', async () => {
  await using node = await embedded.start();
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'deposits.zip');
  const range = ['--table', 'deposits', '--from', '1', '--to', '1000'];
  await run(['export', '--node', node.url, ...range, '--out', file]);
  await using terminal = await openExplorer({ node: node.url, cwd: folder.path, columns: 80, rows: 24 });
  await terminal.waitFor(/in sync/);
  await terminal.press(':', ...`view ${file}`, 'enter');
  const named = await terminal.waitFor(/deposits.*[1-9]\d* rows[\s\S]*\d [A-Z]{3,5} {2,}[A-Z]{3,5} /);
  await terminal.press('R');
  const raw = await terminal.waitFor(/as in the file[\s\S]*STATUS_/);
  expect(raw).not.toMatch(/\d [A-Z]{3,5} {2,}/);
  await terminal.press('R');
  await terminal.waitFor(named.split('\n')[4] ?? '');
  await terminal.press('g');
  await terminal.waitFor(/provisions of this party/);
  await terminal.press('enter');
  await terminal.waitFor(/\[2/);
  await terminal.press('backspace');
  await terminal.waitFor(named.split('\n')[4] ?? '');
});

it('three keys on the result of an export write a page about a party beside it, and show what is on it', async () => {
  await using node = await embedded.start();
  await using folder = await temporaryFolder();
  await using terminal = await openExplorer({ node: node.url, cwd: folder.path, columns: 80, rows: 24 });
  await exportLedger(terminal);
  const party = await partyOf(node.url);
  await terminal.press('R');
  await terminal.waitFor('report on party');
  await terminal.paste(party);
  await terminal.waitFor(party.slice(-20));
  await terminal.press('enter');
  const screen = await terminal.waitFor(`report-${party.slice(0, 8)}.html`);
  expect(screen).toMatch(/Covered: ledger: blocks/);
  expect(screen).toMatch(/Not known, because a table is missing or cannot be used: Rewards, Trades/);
  const page = await readFile(join(folder.path, `report-${party.slice(0, 8)}.html`), 'utf8');
  expect(page).toContain(party);
  expect(page).toContain('blockglass export --table rewards');
});
