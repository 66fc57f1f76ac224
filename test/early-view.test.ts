import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { earlyView } from '../src/early-view.ts';
import { keepView } from '../src/session/keep-view.ts';

let home: string;
const state = () => join(home, '.local', 'state', 'blockglass');
const view = (words: readonly string[] = [], env = {}) => earlyView(words, { HOME: home, ...env });

async function settings(text: string): Promise<void> {
  await mkdir(join(home, '.config', 'blockglass'), { recursive: true });
  await writeFile(join(home, '.config', 'blockglass', 'config.json'), text);
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-early-'));
});

afterEach(() => rm(home, { recursive: true }));

describe('the first frame', () => {
  it('is of the tab that the node was left on, by whatever the node is named', async () => {
    await keepView(state(), {
      name: 'demo',
      view: { tab: 'fees', lists: { fees: { pageSize: 7 }, markets: { newestFirst: false } } },
    });
    await keepView(state(), { name: 'main', view: { tab: 'markets', lists: { markets: { filters: {} } } } });
    await keepView(state(), { name: 'http://127.0.0.1:3008/x', view: { tab: 'validators' } });
    expect(view()).toEqual({ tab: 'fees', changed: ['markets'] });
    expect(earlyView([], { HOME: relative('.', home) })).toEqual({ changed: [] });
    expect(view(['--node', 'main'])).toEqual({ tab: 'markets', changed: ['markets'] });
    expect(view(['--node=main', 'fees']).tab).toBe('markets');
    expect(view([], { BLOCKGLASS_NODE: 'main' }).tab).toBe('markets');
    expect(view(['--demo'], { BLOCKGLASS_NODE: 'main' }).tab).toBe('fees');
    expect(view(['--node', 'http://me:secret@127.0.0.1:3008/x/api/v2/']).tab).toBe('validators');
    expect(view(['--node', 'elsewhere'])).toEqual({ changed: [] });
    await settings('{"node":"main","profiles":{"main":"http://127.0.0.1:1"}}');
    expect(view().tab).toBe('markets');
    expect(view(['--demo']).tab).toBe('fees');
  });

  it('is the usual one where nothing is to come back', async () => {
    await keepView(state(), { name: 'demo', view: { tab: 'fees' } });
    expect(view(['--restore', 'off'])).toEqual({ changed: [] });
    expect(view(['--restore=off'])).toEqual({ changed: [] });
    expect(view([], { BLOCKGLASS_RESTORE: 'off' })).toEqual({ changed: [] });
    await settings('{"restore":"off"}');
    expect(view()).toEqual({ changed: [] });
    expect(view(['--restore', 'on']).tab).toBe('fees');
  });

  it.each(['', 'null', '[]', '{"views":7}', '{"views":{"demo":[1]}}', '{"views":{"demo":{"tab":7,"lists":"x"}}}'])(
    'is the usual one for a file of %j',
    async text => {
      await mkdir(state(), { recursive: true });
      await writeFile(join(state(), 'views.json'), text);
      expect(view()).toMatchObject({ changed: [] });
      expect(view().tab).toBe(undefined);
    },
  );

  it('waits for no pipe and for no settings that are none', async () => {
    await keepView(state(), { name: 'demo', view: { tab: 'fees' } });
    await settings('{');
    expect(view()).toEqual({ changed: [] });
    await rm(join(state(), 'views.json'));
    spawnSync('mkfifo', [join(state(), 'views.json')]);
    expect(view()).toEqual({ changed: [] });
    expect(earlyView([], {})).toEqual({ changed: [] });
  });
});
