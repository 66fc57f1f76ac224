import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREFERENCES } from '../../src/base/settings/preferences.ts';
import { run } from './run-command.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = (): string => join(home, 'blockglass', 'config.json');
const config = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(['config', ...words], { env: { XDG_CONFIG_HOME: home, ...env } });

async function write(text: string): Promise<void> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
}

describe('config path', () => {
  it('`config path` prints the location of the settings, whether the file exists or not', async () => {
    expect(await config(['path'])).toEqual({ code: 0, out: `${file()}\n`, err: '' });
  });
});

describe('config show', () => {
  const rows = async (words: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
    JSON.parse((await config(['show', '-o', 'json', ...words], env)).out);

  it('`config show` prints every preference with its default if nothing is set', async () => {
    const [node, ...others] = await rows();
    expect(node).toMatchObject({ name: 'node', value: 'the embedded node', from: 'default' });
    expect(others.map(({ name }: { readonly name: string }) => name)).toEqual(PREFERENCES.map(({ name }) => name));
    for (const { name, value, from, flag, variable } of others) {
      expect([name, from]).toEqual([name, 'default']);
      // What it is said to be usually is what can be said.
      expect((await rows([flag, String(value)])).find((row: { readonly name: string }) => row.name === name)).toEqual({
        ...{ name, value, flag, variable },
        from: 'flag',
      });
    }
  });

  it('`config show` prints the source of each value: a flag before a variable, and a variable before the file', async () => {
    await write('{"node":"main","profiles":{"main":"http://u:secret@n"},"theme":"dark","pageSize":7,"times":"clock"}');
    const env = { BLOCKGLASS_THEME: 'light', BLOCKGLASS_PAGE_SIZE: '8', BLOCKGLASS_TIMES: '' };
    const { out, err } = await config(['show', '--page-size', '9'], env);
    expect(err).toBe('');
    expect(out.split('\n').slice(0, 3).join('\n')).toBe(
      [
        'NAME           VALUE     FROM      FLAG          VARIABLE',
        'node           main      file      --node        BLOCKGLASS_NODE',
        'theme          light     variable  --theme       BLOCKGLASS_THEME',
      ].join('\n'),
    );
    expect(out).toMatch(/^pageSize +9 +flag /m);
    expect(out).toMatch(/^times +clock +file /m);
    expect(out).toMatch(/^maxLagSeconds +60 +default /m);
  });

  it('`config show` lists the mistakes in the file and the values used instead', async () => {
    await write('{\n"theme":"pink",\n"tehme":"dark"}');
    const { code, out, err } = await config(['show']);
    expect(code).toBe(0);
    expect(out).toMatch(/^theme +auto +default /m);
    expect(err).toBe(
      `${file()}: theme: must be one of auto, dark, light, contrast, mono\n${file()}: tehme: is not a setting\n`,
    );
  });

  it('`config show` hides logins', async () => {
    await write('{"node":"http://user:secret@n"}');
    for (const env of [{}, { BLOCKGLASS_NODE: 'https://user:secret@h' }, { BLOCKGLASS_NODE: 'user:secret@h' }]) {
      const { out, err } = await config(['show'], env);
      expect(out).toContain('***@');
      expect(`${out}${err}`).not.toMatch(/user|secret/);
    }
  });

  it('`config show` refuses an invalid variable', async () => {
    expect(await config(['show'], { BLOCKGLASS_PREVIEW: 'yes' })).toMatchObject({
      code: 2,
      err: 'blockglass: BLOCKGLASS_PREVIEW must be one of on, off, not "yes"\n',
    });
  });
});

it.each([
  [[], 'missing argument. Usage: blockglass config path|show'],
  [['shwo'], 'did you mean "show"?'],
  [['path', '-o', 'json'], 'config path does not accept --output. Only config show does.'],
  [['path', '--theme', 'dark'], 'config path does not accept --theme. Only config show does.'],
  [['show', '-o', 'csv'], 'this command does not print csv. Use -o table or -o json'],
])('`config` rejects %j: %s', async (words, sentence) => {
  expect(await config(words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
});
