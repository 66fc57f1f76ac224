import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import {
  command,
  type ExplorerStart,
  goToTab,
  hasRows,
  openExplorer as open,
  statusLine,
  withoutHeader,
} from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';

/** It opens with the tab that was shown last. */
const openExplorer = (start: ExplorerStart) =>
  open({
    until: screen => hasRows(screen) && !screen.includes('not answered yet'),
    ...start,
    env: { BLOCKGLASS_START_TAB: 'last', ...start.env },
  });

async function quit(terminal: Terminal): Promise<void> {
  await terminal.press('q');
  await terminal.waitForExit();
}

const pathsIn = async (log: string): Promise<readonly string[]> =>
  [...(await readFile(log, 'utf8')).matchAll(/GET https?:\/\/[^/]+\/([^ ]+)/g)].map(([, path = '']) => path);

describe('Saved view of the explorer', () => {
  it('The explorer reopens as it was left: tab, filters, order, and the first request asks for just that', async () => {
    await using node = await embedded.start();
    await using home = await temporaryFolder();
    const env = { HOME: home.path };
    {
      await using terminal = await openExplorer({ node: node.url, env });
      await command(terminal, 'fees epoch=40');
      await terminal.waitFor(screen => screen.includes('epoch 40') && hasRows(screen));
      await command(terminal, 'sort total');
      await terminal.waitFor('sorted by total');
      await quit(terminal);
    }
    const file = join(home.path, '.local', 'state', 'blockglass', 'views.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const kept = await readFile(file, 'utf8');
    const log = join(home.path, 'requests.log');
    {
      await using terminal = await openExplorer({ node: node.url, env, args: ['--log', log] });
      const screen = await terminal.waitFor(openTab('fees'));
      expect(screen).toContain('rows, sorted by total, largest first ─ epoch 40');
      expect(statusLine(screen)).toContain('as you left it: epoch=40; x clears');
      expect((await pathsIn(log))[0]).toMatch(/^api\/v2\/liquidity\/paidfees\?epochSeq=40/);
      // No frame was of another tab.
      expect(terminal.raw).not.toMatch(/1 Parameters(?:\u001b\[[\d;]*m)*\]/);
      await quit(terminal);
    }
    expect(await readFile(file, 'utf8')).toBe(kept);
    {
      await using terminal = await openExplorer({ node: node.url, env, args: ['markets'] });
      await terminal.waitFor(openTab('markets'));
      await goToTab(terminal, 'fees');
      const screen = await terminal.waitFor('as you left it: epoch=40; x clears');
      expect(screen).toContain('sorted by total');
    }
    await using terminal = await openExplorer({ node: node.url, env, args: ['--restore', 'off'] });
    expect(terminal.screen()).toContain(openTab('overview'));
  });

  it('The explorer keeps a view for each node by its own name, including the embedded one', async () => {
    await using node = await embedded.start();
    await using home = await temporaryFolder();
    const env = { HOME: home.path, XDG_CONFIG_HOME: home.path, XDG_STATE_HOME: join(home.path, 'state') };
    await mkdir(join(home.path, 'blockglass'));
    await writeFile(join(home.path, 'blockglass', 'config.json'), JSON.stringify({ profiles: { main: node.url } }));
    {
      await using terminal = await openExplorer({ env, args: ['markets'] });
      await terminal.press('o');
      await command(terminal, 'node main');
      await terminal.waitFor(screen => /^ blockglass +main /.test(screen) && hasRows(screen));
      await goToTab(terminal, 'validators');
      await quit(terminal);
    }
    await using main = await openExplorer({ env, args: ['--node', 'main'] });
    expect(main.screen()).toContain(openTab('validators'));
    await using demo = await openExplorer({ env });
    expect(demo.screen()).toContain(openTab('markets'));
  });

  it.each(['SIGHUP', 'SIGTERM'] as const)(
    'The explorer also reopens as it was left when it was ended by %s',
    async signal => {
      await using home = await temporaryFolder();
      const env = { HOME: home.path };
      {
        await using terminal = await openExplorer({ env });
        await goToTab(terminal, 'bundles');
        await terminal.waitFor(hasRows);
        terminal.kill(signal);
        await terminal.waitForExit();
      }
      await using terminal = await openExplorer({ env });
      expect(terminal.screen()).toContain(openTab('bundles'));
    },
  );

  it('The explorer opens whatever the view file contains, and says in a sentence that it is not usable', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, '.local', 'state', 'blockglass');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'views.json'), '{"format":1,"views":');
    await using terminal = await openExplorer({ env: { HOME: home.path }, columns: 160 });
    const screen = await terminal.waitFor('views.json is not used: it is not valid JSON');
    expect(withoutHeader(screen)[0]).toContain(openTab('overview'));
  });
});
