import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendCommand, readHistory } from '../../../src/explorer/services/history/history-file.ts';
import { saveView } from '../../../src/explorer/services/views/save-view.ts';
import { readView } from '../../../src/explorer/services/views/views-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-killed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const urlOf = (name: string) =>
  JSON.stringify(new URL(`../../../src/explorer/services/${name}.ts`, import.meta.url).href);

/** A process that saves a view and a command again and again, each larger or smaller than the one before. */
async function keeper(name: string): Promise<ChildProcess> {
  const script = `
    const { saveView } = await import(${urlOf('views/save-view')});
    const { appendCommand, readHistory } = await import(${urlOf('history/history-file')});
    const [folder, name] = process.argv.slice(1);
    console.log('ready');
    for (let n = 0; ; n++) {
      const market = Array.from({ length: n % 40 }, () => 'x'.repeat(500));
      await saveView(folder, { name, view: { tab: name, lists: { fees: { filters: { market } } } } }).catch(() => {});
      for (let line = 0; line < 20; line++) await appendCommand(folder, name + ' ' + n + ' ' + line);
      await readHistory(folder);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('Explorers killed while saving', () => {
  it('Explorers killed while saving leave readable files with the data of others, and block nobody', async () => {
    await saveView(folder, { name: 'left before', view: { tab: 'fees' } });
    await appendCommand(folder, 'left before');
    for (const afterMs of [40, 90, 160]) {
      const keepers = await Promise.all(['one', 'two'].map(keeper));
      const ended = keepers.map(child => once(child, 'close'));
      await wait(afterMs);
      for (const child of keepers) child.kill('SIGKILL');
      await Promise.all(ended);
      expect(readView(folder, 'left before')).toEqual({ view: { tab: 'fees' } });
      for (const name of ['one', 'two']) expect(readView(folder, name).problem).toBeUndefined();
      for (const line of await readHistory(folder)) expect(line).toMatch(/^(?:left before|(?:one|two) \d+ \d+)$/);
    }
    // One that was killed before it stood in its lock holds others up for as long as a lock may be old.
    const isKept = () =>
      saveView(folder, { name: 'left after', view: {} }).then(
        () => true,
        () => false,
      );
    await expect.poll(isKept).toBe(true);
    await appendCommand(folder, 'left after');
    expect((await readHistory(folder)).at(-1)).toBe('left after');
    const left = (await readdir(folder)).filter(name => name !== 'history.part');
    expect(left.toSorted()).toEqual(['history', 'views.json']);
    expect(await readFile(join(folder, 'views.json'), 'utf8')).toContain('left before');
  });
});
