import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExplorer } from './support/explorer.ts';
import { exportLedger } from './support/export-steps.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { paidParty } from './support/paid-party.ts';
import { run } from './support/program.ts';

it('The viewer shows what a party received in nine keys from the start, the same as the command', async () => {
  await using node = await embedded.start();
  await using folder = await temporaryFolder();
  await using terminal = await openExplorer({ node: node.url, cwd: folder.path, columns: 80, rows: 24 });
  const keys = await exportLedger(terminal);
  const party = await paidParty(node.url);
  await terminal.paste(party);
  const screen = await terminal.waitFor(/\u2500 received \u2500 party .*\n +asset +month.*\n> *[A-Z]/);
  expect(keys + 1).toBeLessThanOrEqual(9);
  const archive = (await folder.files()).find(name => name.endsWith('.zip')) ?? '';
  const { stdout } = await run(['answer', 'received', join(folder.path, archive), '--party', party, '-o', 'table']);
  const wanted = stdout
    .split('\n')
    .slice(1)
    .filter(line => line !== '' && !line.startsWith('Owner unknown: '));
  expect(wanted.length).toBeGreaterThan(0);
  for (const line of wanted) {
    const [asset = '', month = '', received = ''] = line.split(/ {2,}/);
    const row = screen.split('\n').find(shown => shown.slice(2).startsWith(`${asset} `)) ?? '';
    expect(row.slice(2).split(/ {2,}/).slice(0, 3)).toEqual([asset, month, received]);
  }
});
