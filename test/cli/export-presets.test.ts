import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSettings } from '../../src/base/settings/settings-file.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

let node: RunningNode;
let folder = '';
beforeAll(async () => {
  node = await startNode({ provisions: 20 });
});
afterAll(() => node.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  await mkdir(join(folder, 'blockglass'));
  await writeFile(
    join(folder, 'blockglass', 'config.json'),
    JSON.stringify({ pageSize: 7, profiles: { mine: node.url } }),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const kept = async () => JSON.parse(await readFile(join(folder, 'blockglass', 'config.json'), 'utf8'));

function exporting(...words: readonly string[]) {
  const env = { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') };
  return run(['export', '--node', 'mine', '--plan', ...words], {
    env,
    settings: async () => openSettings(env).settings,
  });
}

describe('Export preset', () => {
  it('An export preset is saved with the profile, keeps everything else there, and repeats the export', async () => {
    const first = await exporting('--table', 'ledger', '--last', '3', '--out', folder, '--save-preset', 'daily');
    expect(first.code, first.err).toBe(0);
    expect(first.err).toContain('Saved with mine as daily. Use --preset daily to export it again.');
    const words = ['--table', 'ledger', '--last', '3', '--out', folder];
    expect(await kept()).toEqual({ pageSize: 7, profiles: { mine: { url: node.url, presets: { daily: words } } } });
    const again = await exporting('--preset', 'daily');
    expect([again.code, again.out]).toEqual([0, first.out]);
  });

  it('An export preset is overridden by other flags, and its range is replaced as a whole', async () => {
    await exporting('--table', 'ledger', '--last', '3', '--save-preset', 'daily');
    const other = await exporting('--preset', 'daily', '--table', 'blocks', '--from', '1', '--to', '1000');
    expect(other.code, other.err).toBe(0);
    expect(other.out).toContain('-blocks-000001-001000.zip');
    const renamed = await exporting('--preset', 'daily', '--range', 'all', '--save-preset', 'all-of-it');
    expect(renamed.code, renamed.err).toBe(0);
    expect((await kept()).profiles.mine.presets['all-of-it']).toEqual(['--table', 'ledger', '--range', 'all']);
  });

  it.each([
    [['--preset', 'dayly'], /mine has no preset "dayly": it has daily, broken, noise; did you mean "daily"\?/],
    [['--preset', 'daily', '--save-preset', 'a b'], /a preset name has at most 40 letters/],
    [
      ['--preset', 'broken'],
      /the preset mine broken in the settings cannot be used: unknown option --tabel; did you mean --table\?/,
    ],
    [['--preset', 'noise'], /the preset mine noise in the settings cannot be used: "ledger" is not a flag/],
  ])('An export preset with %j is a usage error', async (words, sentence) => {
    const presets = { daily: ['--table', 'ledger', '--last', '1'], broken: ['--tabel', 'ledger'], noise: ['ledger'] };
    await writeFile(
      join(folder, 'blockglass', 'config.json'),
      JSON.stringify({ profiles: { mine: { url: node.url, presets } } }),
    );
    const { code, err } = await exporting(...words);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
  });

  it('An export preset needs a profile, and the error says how to create one', async () => {
    for (const target of [['--node', node.url], ['--demo']]) {
      const { code, err } = await run(['export', ...target, '--preset', 'daily']);
      expect([code, err]).toEqual([
        2,
        'blockglass: a preset is saved with a profile. Add one with blockglass node add NAME URL, then use --node NAME\n',
      ]);
    }
  });
});
