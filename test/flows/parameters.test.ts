import { describe, expect, it } from 'vitest';
import { openExplorer, selectedRow } from './support/explorer.ts';
import { embedded } from './support/nodes.ts';
import { run } from './support/program.ts';

describe('Meaning of a network parameter', () => {
  it('The meaning of a parameter is on the screen two keys and its name after the start', async () => {
    await using node = await embedded.start();
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press('/', 'validators.epoch.length', 'enter');
    const screen = await terminal.waitFor(/^ epoch\.length: Length of an epoch\. 1 s to 10 d 15 h\.$/m);
    expect(selectedRow(screen)).toMatch(/^epoch\.length +10 min {2}10m0s$/);
  });

  it('The meaning of a parameter follows the selection when that stops moving', async () => {
    await using node = await embedded.start();
    await using terminal = await openExplorer({ node: node.url });
    await terminal.waitFor(/^ ethereumConfig: Primary Ethereum chain/m);
    await terminal.press('j', 'j');
    await terminal.waitFor(/^ oracles\.enabled: Whether market proposals may use data/m);
  });

  it('The meaning of a parameter is printed by a command', async () => {
    await using node = await embedded.start();
    const { code, stdout } = await run(['show', 'parameters', 'validators.epoch.length', '--node', node.url]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Length of an epoch\.\nvalue +10 min {2}\(10m0s\)\n/);
  });
});
