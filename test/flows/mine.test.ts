import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ExplorerStart, goToTab, hasRows, openExplorer as open, statusLine } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';

const openExplorer = (start: ExplorerStart) =>
  open({ ...start, env: { BLOCKGLASS_START_TAB: 'validators', ...start.env } });

it('The explorer keeps what is marked as yours for the next session, and limits its lists to it with one key', async () => {
  await using node = await embedded.start();
  await using home = await temporaryFolder();
  const env = { HOME: home.path, XDG_CONFIG_HOME: home.path };
  {
    await using terminal = await openExplorer({ node: node.url, env });
    // What is yours is so on a chain: before the node has named it, M says so.
    await terminal.waitFor(screen => hasRows(screen) && screen.includes('demo-chain-1'));
    await terminal.press('M');
    await terminal.waitFor(screen => screen.includes('is yours now') && screen.includes('Ashgrove, you'));
    await terminal.press('q');
    await terminal.waitForExit();
  }
  const written = JSON.parse(await readFile(join(home.path, 'blockglass', 'mine.json'), 'utf8'));
  expect(written).toEqual({ 'demo-chain-1': { validators: [expect.stringMatching(/^[0-9a-f]{64}$/)] } });
  {
    await using terminal = await openExplorer({ node: node.url, env });
    await terminal.waitFor(screen => screen.includes(' you '));
    await goToTab(terminal, 'bundles');
    await terminal.waitFor(screen => hasRows(screen) && screen.includes(', you'));
    await terminal.press('m');
    await terminal.waitFor(screen => statusLine(screen).includes('filtered by the node; m shows all'));
    await terminal.press('q');
    await terminal.waitForExit();
  }
});
