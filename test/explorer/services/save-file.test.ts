import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveFile, saveUnderFreeName } from '../../../src/explorer/services/copying/save-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-save-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const USUAL = { mayReplace: false, mode: 0o644, signal: never };

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

const save = (name: string, text: string, options = {}) =>
  saveFile(join(folder, name), pieces(text), { ...USUAL, ...options });

const problem = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'saved',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe('Saved text file', () => {
  it('A saved file has the text to the letter, and can be read by others', async () => {
    const path = join(folder, 'a.csv');
    expect(await saveFile(path, pieces('\ufeff=1+1,"ä"\r\n', '\u001b[2J'), USUAL)).toEqual({ kind: 'saved', path });
    expect(await readFile(path, 'utf8')).toBe('\ufeff=1+1,"ä"\r\n\u001b[2J');
    expect((await stat(path)).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  it('A save leaves an existing file, and produces none of its content, until it may replace it', async () => {
    await writeFile(join(folder, 'a.csv'), 'old');
    let made = 0;
    async function* counted(): AsyncGenerator<string> {
      made++;
      yield 'new';
    }
    expect((await saveFile(join(folder, 'a.csv'), counted(), USUAL)).kind).toBe('exists');
    expect([await readFile(join(folder, 'a.csv'), 'utf8'), made]).toEqual(['old', 0]);
    expect((await save('a.csv', 'new', { mayReplace: true })).kind).toBe('saved');
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('new');
  });

  it('A save leaves a file that appeared while it was writing', async () => {
    const path = join(folder, 'a.csv');
    async function* late(): AsyncGenerator<string> {
      await writeFile(path, 'other');
      yield 'new';
    }
    expect((await saveFile(path, late(), USUAL)).kind).toBe('exists');
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['other', ['a.csv']]);
  });

  it('A save replaces a link, and does not write through it', async () => {
    await writeFile(join(folder, 'target'), 'kept');
    await symlink(join(folder, 'target'), join(folder, 'a.csv'));
    expect((await save('a.csv', 'new')).kind).toBe('exists');
    await save('a.csv', 'new', { mayReplace: true });
    expect([await readFile(join(folder, 'target'), 'utf8'), await readFile(join(folder, 'a.csv'), 'utf8')]).toEqual([
      'kept',
      'new',
    ]);
    await expect(readlink(join(folder, 'a.csv'))).rejects.toThrow();
  });

  it('A save that fails leaves nothing behind, and keeps the existing file', async () => {
    await writeFile(join(folder, 'a.csv'), 'old');
    async function* broken(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('the node is gone');
    }
    const failing = saveFile(join(folder, 'a.csv'), broken(), { ...USUAL, mayReplace: true });
    expect(await problem(failing)).toBe('the node is gone');
    const abort = new AbortController();
    async function* given(): AsyncGenerator<string> {
      yield 'half';
      abort.abort(new Error('enough'));
      yield 'more';
    }
    const aborted = saveFile(join(folder, 'b.csv'), given(), { ...USUAL, signal: abort.signal });
    expect(await problem(aborted)).toBe('enough');
    expect([await readFile(join(folder, 'a.csv'), 'utf8'), await readdir(folder)]).toEqual(['old', ['a.csv']]);
  });

  it('A save reports why a path cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const said = async (name: string): Promise<string> =>
      (await problem(save(name, 'x', { mayReplace: true }))).replaceAll(folder, 'F');
    expect(await said('none/a.csv')).toBe('the folder of F/none/a.csv does not exist: create it or choose another');
    expect(await said('.')).toBe('F is a folder: choose a file in it');
    await mkdir(join(folder, 'folder'));
    await symlink(join(folder, 'folder'), join(folder, 'link.csv'));
    expect(await said('link.csv')).toBe('F/link.csv leads to a folder: choose a file in it');
    await symlink('/dev/full', join(folder, 'full.csv'));
    expect(await problem(saveFile('/dev/full', pieces('x'), { ...USUAL, mayReplace: true }))).toBe(
      '/dev/full is not a regular file: choose another name',
    );
    expect(await said('file/a.csv')).toMatch(/^F\/file\/a\.csv cannot be written: ENOTDIR/);
    expect(await said('pipe')).toBe('F/pipe is not a regular file: choose another name');
    expect(await said(`${'x'.repeat(300)}.csv`)).toMatch(/cannot be written: the name is too long/);
    expect((await readdir(folder)).toSorted()).toEqual(['file', 'folder', 'full.csv', 'link.csv', 'pipe']);
  });

  it.skipIf(process.getuid?.() === 0)('A save reports a folder without write permission', async () => {
    await chmod(folder, 0o500);
    expect(await problem(save('a.csv', 'x'))).toContain('no permission to write');
    await chmod(folder, 0o700);
  });

  it('A save accepts a name as long as the file system does', async () => {
    const name = `${'x'.repeat(251)}.csv`;
    await save(name, 'x');
    expect(await readdir(folder)).toEqual([name]);
  });
});

describe('Save after the working folder was removed', () => {
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  it('A save to a name without a folder is refused, and a large copy goes to the next folder, which is created', async () => {
    const gone = await mkdtemp(join(folder, 'gone-'));
    process.chdir(gone);
    await rm(gone, { recursive: true });
    expect(await problem(saveFile('a.csv', pieces('x'), USUAL))).toContain('a.csv');
    const made = join(folder, 'state', 'blockglass');
    expect(await saveUnderFreeName('a.csv', ['.', made], () => pieces('x'), never)).toBe(join(made, 'a.csv'));
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });
});

describe('Text too large for the clipboard', () => {
  const aside = (folders: readonly string[], text = 'text') =>
    saveUnderFreeName('table.csv', folders, () => pieces(text), never);

  it('A text too large for the clipboard is saved privately, by the first name that is free', async () => {
    await writeFile(join(folder, 'table.csv'), 'other');
    expect(await aside([folder])).toBe(join(folder, 'table-2.csv'));
    expect(await aside([folder], 'more')).toBe(join(folder, 'table-3.csv'));
    expect((await stat(join(folder, 'table-2.csv'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'table.csv'), 'utf8')).toBe('other');
    expect(await readFile(join(folder, 'table-3.csv'), 'utf8')).toBe('more');
  });

  it('A text too large for the clipboard is saved to the next folder when one fails, or else nowhere', async () => {
    await writeFile(join(folder, 'file'), '');
    const none = join(folder, 'file', 'none');
    expect(await aside([none, folder])).toBe(join(folder, 'table.csv'));
    expect(await problem(aside([none]))).toMatch(/^too large for the clipboard, and not saved: ENOTDIR/);
    expect(await problem(aside([]))).toBe('too large for the clipboard, and not saved: no folder to save it in');
  });
});
