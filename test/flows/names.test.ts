import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTab } from '../support/tabs.ts';
import { goToTab, hasRows, openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { fetchAll } from './support/wire.ts';

/** Paths that were asked for, by the log of a run. */
const askedFor = async (log: string): Promise<readonly string[]> =>
  [...(await readFile(log, 'utf8')).matchAll(/GET https?:\/\/[^/]+\/([^ ?]+)/g)].map(([, path = '']) => path);

const NAMES = ['statistics', 'api/v2/markets', 'api/v2/assets', 'api/v2/nodes'];

describe('Names and units in the explorer', () => {
  it('The names replace IDs, amounts have units, and the next run has them without a request', async () => {
    await using node = await embedded.start();
    await using home = await temporaryFolder();
    const env = { HOME: home.path, XDG_CONFIG_HOME: home.path };
    const fees = await fetchAll(node.url, 'fees');
    const party = String(fees[0].feesPaidPerParty[0].party);
    await mkdir(join(home.path, 'blockglass'));
    await writeFile(
      join(home.path, 'blockglass', 'config.json'),
      JSON.stringify({ aliases: { [party]: 'my wallet' } }),
    );
    for (const [run, asked] of [NAMES, NAMES.slice(0, 1)].entries()) {
      const log = join(home.path, `run-${run}.log`);
      const args = ['fees', '--log', log];
      await using terminal = await openExplorer({ node: node.url, args, env, columns: 120 });
      const named = await terminal.waitFor(/[A-Z]+\/[A-Z]+-PERP .*\d\.\d+ USDT/);
      expect(named).toContain('TOTAL, rounded');
      await terminal.press('/', 'my wallet', 'enter');
      await terminal.waitFor(/\d+ of \d+ rows \u2500 find "my wallet"/);
      const paths = await askedFor(log);
      expect(paths[0]).toBe('api/v2/liquidity/paidfees');
      expect(paths.filter(path => NAMES.includes(path))).toEqual(asked);
    }
    const folder = join(home.path, '.cache', 'blockglass', 'names');
    const [file = '', ...others] = await readdir(folder);
    expect([others, (await stat(join(folder, file))).mode & 0o777]).toEqual([[], 0o600]);
  });

  it('The names of a node that has none cost three requests, and nothing changes on the screen', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url });
    await node.waitForRequest(({ path, outcome }) => path.endsWith('/nodes') && outcome === 'answered');
    await goToTab(terminal, 'fees');
    const shown = await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    expect(shown).toMatch(/TOTAL, raw/);
    await terminal.press('r');
    await terminal.waitFor(hasRows);
    const names = node.requests.filter(({ path }) => /\/(?:markets|assets|nodes)$/.test(path));
    expect(names.map(({ path }) => path)).toEqual(NAMES.slice(1).map(path => `/${path}`));
  });
});
