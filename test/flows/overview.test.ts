import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import { footer, openExplorer, selectedRow } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';

const isAnswered = (screen: string): boolean =>
  selectedRow(screen)?.startsWith('CRITICAL') === true && !screen.includes('asking the node');

describe('Overview tab', () => {
  it('The overview is what the program opens with, leads to a record, and is returned to', async () => {
    await using terminal = await openExplorer({ env: { BLOCKGLASS_START_TAB: undefined }, until: isAnswered });
    const first = terminal.screen();
    expect(first).toContain(openTab('overview'));
    expect(first.match(/in sync/g)).toHaveLength(1);
    expect(first).toMatch(/\n Trend {4}[\u2581-\u2588_]{10} {2}epochs 32 to 41, up to [\d.]+ USDC on /);
    expect(footer(first)).toMatch(/^ enter open/);
    await terminal.press('enter');
    const record = await terminal.waitFor(screen => screen.includes(openTab('bundles')) && screen.includes('calldata'));
    expect(record).toContain('remove_signer');
    await terminal.press('backspace');
    const again = await terminal.waitFor(openTab('overview'));
    expect(selectedRow(again)).toBe(selectedRow(first));
    await terminal.press('q');
    expect((await terminal.waitForExit()).exitCode).toBe(0);
  });

  it('The overview tells new users what it shows, at the first start only', async () => {
    await using node = await embedded.start();
    await using home = await temporaryFolder();
    const env = { HOME: home.path, XDG_STATE_HOME: join(home.path, 'state'), BLOCKGLASS_START_TAB: undefined };
    const start = async (): Promise<string> => {
      await using terminal = await openExplorer({ node: node.url, env, until: isAnswered });
      const screen = terminal.screen();
      await terminal.press('q');
      expect((await terminal.waitForExit()).exitCode).toBe(0);
      return screen;
    };
    expect(await start()).toContain('A data node of a Vega chain');
    expect(await start()).not.toContain('A data node of a Vega chain');
  });
});
