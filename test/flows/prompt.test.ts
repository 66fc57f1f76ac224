import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTab } from '../support/tabs.ts';
import { hasRows, openExplorer, statusLine } from './support/explorer.ts';
import { knownIds } from './support/wire.ts';

describe('Command prompt of the explorer', () => {
  it('The command prompt shows a completion after the cursor, and accepts it by Tab and by the right arrow', async () => {
    await using node = await startStrictNode();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press(':', 'prov');
    await terminal.waitFor(screen => statusLine(screen) === ' : provisions');
    await terminal.press('right');
    await terminal.waitFor(screen => statusLine(screen).trimEnd() === ' : provisions market=');
    await terminal.press('left', 'right', 'tab');
    await terminal.waitFor(screen => />market=/.test(screen) && / party= /.test(screen));
    await terminal.paste(market.slice(0, 60));
    await terminal.waitFor(screen => statusLine(screen).includes(market.slice(0, 60)));
    await terminal.paste(market.slice(60));
    await terminal.press('enter');
    await terminal.waitFor(screen => screen.includes(openTab('provisions')) && hasRows(screen));
  });

  it('The command prompt makes no request while a command is typed', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press(':');
    await terminal.waitFor('Commands');
    const before = node.requests.length;
    await terminal.press('prov', 'tab', 'tab', 'tab', 'up', 'down');
    await terminal.waitFor(screen => statusLine(screen).includes('provisions party='));
    // Names and the health of the node are asked for behind the first page, whatever is typed.
    const lists = node.requests.slice(before).filter(({ path }) => /liquidity|parameters|bundles|oracle/.test(path));
    expect(lists).toEqual([]);
  });

  it('The command prompt remembers entered commands after a restart, in a file for this user only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blockglass-state-'));
    try {
      await using node = await startStrictNode();
      const env = { XDG_STATE_HOME: folder };
      for (const line of ['fees', 'size 20']) {
        await using terminal = await openExplorer({ node: node.url, env });
        await terminal.press(':', line, 'enter');
        await terminal.waitFor(screen => !screen.includes('Commands') && hasRows(screen));
        await terminal.press('q');
        await terminal.waitForExit();
      }
      const path = join(folder, 'blockglass', 'history');
      expect(await readFile(path, 'utf8')).toBe('fees\nsize 20\n');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await using terminal = await openExplorer({ node: node.url, env });
      await terminal.press(':');
      await terminal.waitFor('Commands');
      await terminal.press('up');
      await terminal.waitFor(screen => statusLine(screen).trimEnd() === ' : size 20');
      await terminal.press('up');
      await terminal.waitFor(screen => statusLine(screen).trimEnd() === ' : fees');
      await terminal.press('down', 'down');
      await terminal.waitFor(screen => statusLine(screen).trimEnd() === ' :');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
