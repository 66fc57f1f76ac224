import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
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

/** An editor that does this with the file. */
const editor = (deed: string): string => `sh -c '${deed}' sh`;

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

describe('config edit', () => {
  it('`config edit` prints the location of the settings if no editor is set', async () => {
    for (const env of [{}, { VISUAL: ' ', EDITOR: '' }])
      expect(await config(['edit'], env)).toMatchObject({ code: 2, err: expect.stringContaining(file()) });
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it('`config edit` offers every preference with its default, and saves nothing if nothing was changed', async () => {
    const seen = join(home, 'seen');
    const { code, out } = await config(['edit'], { EDITOR: editor(`cp "$1" ${seen}`) });
    expect([code, out]).toEqual([0, 'Nothing was changed\n']);
    await expect(stat(file())).rejects.toThrow('ENOENT');
    await write(await readFile(seen, 'utf8'));
    const { out: shown, err } = await config(['show']);
    expect(err).toBe('');
    expect(shown.match(/ file /g)).toHaveLength(PREFERENCES.length);
  });

  it('`config edit` keeps the text of an existing file, whatever it says', async () => {
    const seen = join(home, 'seen');
    await config(['edit'], { EDITOR: editor(`cp "$1" ${seen}`) });
    const usual = await readFile(seen, 'utf8');
    await write(usual);
    expect((await config(['edit'], { EDITOR: 'true' })).out).toBe(`${file()} is valid\n`);
    expect(await readFile(file(), 'utf8')).toBe(usual);
  });

  it('`config edit` saves the changes with access only for the owner', async () => {
    const VISUAL = editor('printf "%s" "{\\"theme\\":\\"dark\\"}" > "$1"');
    const { code, out } = await config(['edit'], { VISUAL, EDITOR: 'false' });
    expect([code, out]).toEqual([0, `${file()} is valid\n`]);
    expect(await readFile(file(), 'utf8')).toBe('{"theme":"dark"}');
    expect((await stat(file())).mode & 0o077).toBe(0);
  });

  it('names each mistake by its member, and leaves it', async () => {
    await write('{}');
    const text = '{\n"theme":"pink",\n"pageSize":0}';
    await writeFile(join(home, 'wrong'), text);
    const { code, err } = await config(['edit'], { EDITOR: `cp ${join(home, 'wrong')}` });
    expect(code).toBe(2);
    expect(err.split('\n').toSorted()).toEqual([
      '',
      `${file()}: pageSize: must be a whole number from 1 to 5000`,
      `${file()}: theme: must be one of auto, dark, light, contrast, mono`,
    ]);
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it('`config edit` opens a malformed file', async () => {
    await write('{"theme":');
    expect(await config(['edit'], { EDITOR: editor('echo {} > "$1"') })).toMatchObject({ code: 0 });
  });

  it('`config edit` leaves nothing behind if the editor fails, but keeps what it has written', async () => {
    const { code, err } = await config(['edit'], { EDITOR: 'false' });
    expect([code, err]).toEqual([2, expect.stringContaining('the editor ended with 1; nothing was changed')]);
    await expect(stat(file())).rejects.toThrow('ENOENT');
    await config(['edit'], { EDITOR: editor('echo "{}" > "$1"; exit 1') });
    expect(await readFile(file(), 'utf8')).toBe('{}\n');
  });

  it('`config edit` refuses a path that cannot be a settings file, and says what it is', async () => {
    await mkdir(dirname(file()), { recursive: true });
    const seen = join(home, 'seen');
    for (const [make, why] of [
      [() => symlink(join(home, 'nowhere'), file()), 'it links to a missing file'],
      [() => symlink('config.json', file()), 'it cannot be read (ELOOP)'],
      [() => mkdir(file()), 'it is not a regular file'],
      [() => symlink('/dev/zero', file()), 'it is not a regular file'],
    ] as const) {
      await make();
      const { code, err } = await config(['edit'], { EDITOR: editor(`touch ${seen}`) });
      expect([code, err]).toEqual([2, expect.stringContaining(`${file()} cannot be edited: ${why}`)]);
      await rm(file(), { recursive: true });
    }
    expect(await readdir(home)).toEqual(['blockglass']);
  });

  it('`config edit` reports what another program has put in place of the file meanwhile', async () => {
    await write('{}');
    const { code, err } = await config(['edit'], { EDITOR: editor('rm "$1"; mkdir "$1"') });
    expect([code, err]).toEqual([2, `${file()}: it is not a regular file\n`]);
  });

  it.each([
    ['false', 'the editor ended with 1'],
    ['no-such-editor-here 2>/dev/null', 'the editor cannot be run'],
  ])('`config edit` reports that the editor %j failed', async (EDITOR, sentence) => {
    expect(await config(['edit'], { EDITOR })).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  });
});

it.each([
  [[], 'missing argument. Usage: blockglass config path|show|edit'],
  [['edti'], 'did you mean "edit"?'],
  [['path', '-o', 'json'], 'config path does not accept --output. Only config show does.'],
  [['edit', '--theme', 'dark'], 'config edit does not accept --theme. Only config show does.'],
  [['show', '-o', 'csv'], 'this command does not print csv. Use -o table or -o json'],
])('`config` rejects %j: %s', async (words, sentence) => {
  expect(await config(words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
});
