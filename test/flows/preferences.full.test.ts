import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

it('The page size flag overrides the variable, the variable the settings, and the settings the default', async () => {
  await using home = await temporaryFolder();
  const log = join(home.path, 'requests.log');
  const sizeAskedFor = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    await writeFile(log, '');
    await using terminal = await openExplorer({
      args: ['oracles', '--demo', '--log', log, ...args],
      env: { XDG_CONFIG_HOME: home.path, ...env },
    });
    await terminal.press('q');
    await terminal.waitForExit();
    return /pagination\.first=(\d+)/.exec(await readFile(log, 'utf8'))?.[1];
  };
  expect(await sizeAskedFor([], {})).toBe('50');
  await mkdir(join(home.path, 'blockglass'));
  await writeFile(join(home.path, 'blockglass', 'config.json'), '{"pageSize":7}');
  expect(await sizeAskedFor([], {})).toBe('7');
  expect(await sizeAskedFor([], { BLOCKGLASS_PAGE_SIZE: '8' })).toBe('8');
  expect(await sizeAskedFor(['--page-size', '9'], { BLOCKGLASS_PAGE_SIZE: '8' })).toBe('9');
});
