import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goToTab, hasUnits, openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { nodes } from './support/nodes.ts';
import { run } from './support/program.ts';

describe.each(nodes)('Saving a list on $name', ({ start }) => {
  it('The explorer saves a list as the command prints it, and asks before it replaces an existing file', async () => {
    await using node = await start();
    await using folder = await temporaryFolder();
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path });
    await goToTab(terminal, 'fees');
    await terminal.waitFor(hasUnits(node));
    await writeFile(join(folder.path, 'fees.csv'), 'mine');
    await terminal.press('W');
    await terminal.waitFor(/save as: fees-\d{8}T\d{6}Z\.csv/);
    await terminal.press('ctrl-u');
    await terminal.paste('fees.csv');
    await terminal.press('enter');
    await terminal.waitFor('fees.csv exists. Replace it?');
    expect(await readFile(join(folder.path, 'fees.csv'), 'utf8')).toBe('mine');
    await terminal.press('y');
    await terminal.waitFor(/saved \d+ rows to \.\/fees\.csv/);
    const { stdout } = await run(['list', 'fees', '--node', node.url, '-o', 'csv']);
    expect(await readFile(join(folder.path, 'fees.csv'), 'utf8')).toBe(stdout);
    await terminal.press('W', 'ctrl-u');
    await terminal.paste('none/x.txt');
    await terminal.press('enter');
    await terminal.waitFor('does not exist');
    await terminal.press('ctrl-u');
    await terminal.paste('screen.txt');
    await terminal.press('enter');
    await terminal.waitFor('saved the screen to ./screen.txt');
    expect(await readFile(join(folder.path, 'screen.txt'), 'utf8')).toContain('EPOCH');
    expect(await folder.files()).toEqual(['fees.csv', 'screen.txt']);
  });

  it('The explorer saves what is too large for the clipboard in a file of its owner, given in the notice', async () => {
    await using node = await start();
    await using folder = await temporaryFolder();
    // Beyond ssh, where a multiplexer takes one small piece.
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path, env: { TERM: 'screen-256color' } });
    await goToTab(terminal, 'fees');
    await terminal.waitFor(hasUnits(node));
    await terminal.press('y', '/');
    await terminal.paste('table as CSV');
    await terminal.waitFor(/> table as CSV/);
    await terminal.press('enter');
    await terminal.waitFor(/saved to \.\/fees-\d{8}T\d{6}Z\.csv: too large for the clipboard/);
    const [name = ''] = await folder.files();
    expect((await stat(join(folder.path, name))).mode & 0o777).toBe(0o600);
    const { stdout } = await run(['list', 'fees', '--node', node.url, '-o', 'csv']);
    expect(await readFile(join(folder.path, name), 'utf8')).toBe(stdout);
    expect(terminal.raw).not.toContain(']52;');
  });
});
