import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

import { openTab } from '../support/tabs.ts';
import { goToTab, hasRows, isAt, openExplorer, statusLine } from './support/explorer.ts';
import { holdExport, reviewExport, setRange } from './support/export-steps.ts';
import { type Folder, temporaryFolder } from './support/folder.ts';
import { startGate } from './support/gate.ts';
import { embedded, nodes } from './support/nodes.ts';

/** Asks a program that is not ours whether the archive is good; throws with its words if not. */
async function unzipTest(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)('unzip', ['-t', path]).catch(
    (error: { stdout?: string; message: string }) => {
      throw new Error(`unzip -t (install unzip if it is missing): ${error.message}\n${error.stdout ?? ''}`);
    },
  );
  return stdout;
}

/** What was exported, without the names that are kept beside it. */
const archivesIn = async (folder: Folder): Promise<readonly string[]> =>
  (await folder.files()).filter(name => !name.endsWith('.names.json'));

describe.each(nodes)('Export wizard on $name', ({ start }) => {
  it('The export wizard exports two segments to a ZIP in the folder it was started in', async () => {
    await using node = await start();
    await using folder = await temporaryFolder();
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path });
    await reviewExport(terminal, { table: node.exportTable, from: '1', to: '2000' });
    await terminal.press('enter');
    const result = await terminal.waitFor('The export is complete');
    const [name = '', ...others] = await archivesIn(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(new RegExp(`-${node.exportTable}-0*1-0*2000\\.zip$`));
    expect(result).toContain(name);
    expect(await unzipTest(join(folder.path, name))).toContain('No errors detected');
    const { stdout: csv } = await promisify(execFile)('unzip', ['-p', join(folder.path, name)], { maxBuffer: 1e9 });
    expect(csv.split('\n')[0]).toContain('vega_time');
  });
});

describe.each([embedded])('Export wizard', ({ start }) => {
  it('The export wizard exports to a typed file, and to a typed folder', async () => {
    await using node = await start();
    await using folder = await temporaryFolder();
    await using terminal = await openExplorer({ node: node.url });
    const file = join(folder.path, 'mine.zip');
    await reviewExport(terminal, { table: node.exportTable, from: '1', to: '1000', destination: file });
    await terminal.press('enter');
    await terminal.waitFor('The export is complete');
    expect(await archivesIn(folder)).toEqual(['mine.zip']);
    expect(await unzipTest(file)).toContain('No errors detected');
    await terminal.press('enter');
    await terminal.waitFor('What to do with it');
    await terminal.press('end', 'enter');
    await terminal.waitFor('which table?');
    await reviewExport(terminal, { table: node.exportTable, from: '1001', to: '2000', destination: folder.path });
    await terminal.press('enter');
    await terminal.waitFor('The export is complete');
    expect(await archivesIn(folder)).toHaveLength(2);
  });

  it('The export wizard asks before it replaces a file; n keeps it, y replaces it', async () => {
    await using node = await start();
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'kept.zip');
    await writeFile(file, 'precious');
    await using terminal = await openExplorer({ node: node.url });
    await setRange(terminal, { table: node.exportTable, from: '1', to: '1000' });
    await terminal.press('enter');
    await terminal.waitFor('Where to?');
    await terminal.press('ctrl-u');
    await terminal.paste(file);
    await terminal.press('enter');
    await terminal.waitFor(/kept\.zip exists\. Replace it/);
    await terminal.press('n');
    await terminal.waitFor(screen => screen.includes('Where to?') && !screen.includes('Replace it'));
    expect(await readFile(file, 'utf8')).toBe('precious');
    await terminal.press('enter');
    await terminal.waitFor('Replace it');
    await terminal.press('y');
    await terminal.waitFor('(replaces the one there)');
    expect(await readFile(file, 'utf8')).toBe('precious');
    await terminal.press('enter');
    await terminal.waitFor('The export is complete');
    expect(await archivesIn(folder)).toEqual(['kept.zip']);
    expect(await unzipTest(file)).toContain('No errors detected');
  });

  it('The export wizard shows the boundaries next to a wrong bound, and applies them on an arrow', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await setRange(terminal, { table: node.exportTable, from: '1500', to: '2500' });
    await terminal.waitFor('segments begin at 1001 and 2001');
    await terminal.waitFor('segments end at 2000 and 3000');
    await terminal.press('enter');
    await terminal.waitFor(/^ {2}segments begin at 1001 and 2001, not at 1500$/m);
    expect(terminal.screen()).toContain('step 2 of 4');
    await terminal.press('down');
    await terminal.waitFor(/> first block {2}1001 +on a boundary/);
    await terminal.press('tab', 'up');
    await terminal.waitFor(/> last block {3}3000 +on a boundary/);
    await terminal.waitFor('2 000 blocks in 2 segments');
  });

  it('The export wizard shows both boundaries next to a wrong bound at once in 80 columns', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await setRange(terminal, { table: node.exportTable, from: '1500', to: '2500' });
    const screen = terminal.screen();
    for (const boundary of ['1001', '2001', '2000', '3000']) expect(screen).toContain(boundary);
  });

  it('The export wizard never continues with a range that runs backwards', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await setRange(terminal, { table: node.exportTable, from: '3001', to: '2000' });
    await terminal.waitFor('the first block 3001 is above the last block 2000');
    await terminal.press('enter', 'enter');
    await terminal.waitFor('step 2 of 4');
  });

  it('The export continues to download while another tab is used, and the status line shows it', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { folder, terminal } = held;
    expect((await archivesIn(folder)).map(name => name.slice(-9))).toEqual(['.zip.part']);
    await goToTab(terminal, 'fees');
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    await goToTab(terminal, 'bundles');
    await terminal.waitFor(screen => screen.includes(openTab('bundles')) && hasRows(screen));
    await terminal.press('down', 'enter');
    await terminal.waitFor('▾ Signed by');
    const busy = await terminal.waitFor(screen => statusLine(screen).includes(`export ${node.exportTable}: 1.0 kB`));
    expect(busy).toContain(openTab('bundles'));
    await goToTab(terminal, 'history');
    await terminal.waitFor('Other tabs stay usable.');
    await goToTab(terminal, 'parameters');
    await terminal.waitFor(isAt('1-'));
    held.gate.open();
    await terminal.waitFor('the export is complete');
    await goToTab(terminal, 'history');
    await terminal.waitFor('The export is complete');
    expect((await archivesIn(folder)).map(name => name.slice(-4))).toEqual(['.zip']);
  });

  it('The export can be cancelled, and keeps what arrived under a name that says so', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { folder, terminal } = held;
    await terminal.press('x');
    await terminal.waitFor('Cancel the export?');
    await terminal.press('n');
    await terminal.waitFor(screen => !screen.includes('Cancel the export?') && screen.includes('Received'));
    await terminal.press('x', 'y');
    await terminal.waitFor('The export was cancelled');
    const [name = ''] = await archivesIn(folder);
    expect(name.endsWith('.zip.part')).toBe(true);
  });

  it('The export wizard shows the whole path of what it kept in 80 columns', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { folder, terminal } = held;
    await terminal.press('x', 'y');
    const result = await terminal.waitFor('The export was cancelled');
    const [name = ''] = await archivesIn(folder);
    expect(result.replaceAll(/\s/g, '')).toContain(join(folder.path, name));
  });
});

const words = 'failed to copy table: connection to the database lost';
const tail = JSON.stringify({
  error: {
    code: 13,
    message: 'Internal error',
    details: [{ '@type': 'type.googleapis.com/vega.ErrorDetail', code: 10_000, message: 'export', inner: words }],
  },
});

describe.each(nodes)('Error after the archive on $name', ({ start }) => {
  it.each(['zip', 'json'] as const)(
    'An error after the archive is quoted from the node, and the %s export is not reported as complete',
    async framing => {
      await using node = await start({ framing });
      await using gate = await startGate(node.url, { tail });
      await using folder = await temporaryFolder();
      await using terminal = await openExplorer({ node: gate.url, cwd: folder.path });
      await reviewExport(terminal, { table: node.exportTable, from: '1', to: '1000' });
      await terminal.press('enter');
      const result = await terminal.waitFor('do not use it as a complete export');
      expect(result.replaceAll(/\s+/g, ' ')).toContain(words);
      expect(result).toContain('Internal error');
      expect(result).not.toContain('The export is complete');
      expect((await archivesIn(folder)).map(name => name.slice(-9))).toEqual(['.zip.part']);
    },
  );

  it('An export without the error after the archive is complete in the JSON framing', async () => {
    await using node = await start({ framing: 'json' });
    await using folder = await temporaryFolder();
    await using terminal = await openExplorer({ node: node.url, cwd: folder.path });
    await reviewExport(terminal, { table: node.exportTable, from: '1', to: '1000' });
    await terminal.press('enter');
    await terminal.waitFor('The export is complete');
    const [name = ''] = await archivesIn(folder);
    expect(await unzipTest(join(folder.path, name))).toContain('No errors detected');
  });
});
