import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendCommand, readHistory } from '../../../src/explorer/services/history/history-file.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'blockglass-history-')), 'state', 'blockglass');
});
afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

const path = () => join(folder, 'history');
const written = () => readFileSync(path(), 'utf8');
const put = (text: string | Uint8Array): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path(), text, { mode: 0o600 });
};
const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `size ${from + index}`);

describe('Command history file', () => {
  it('The command history is empty when nothing was saved, and reading it creates no file', async () => {
    expect(await readHistory(folder)).toEqual([]);
    expect(() => statSync(folder)).toThrow('ENOENT');
  });

  it('The command history keeps lines in order, in a folder and a file that are private to this user', async () => {
    await appendCommand(folder, 'fees');
    await appendCommand(folder, 'sort fee');
    expect(await readHistory(folder)).toEqual(['fees', 'sort fee']);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('The command history loses no line when explorers write at once, also while one shortens the file', async () => {
    put(
      numbered(600)
        .map(line => `${line}\n`)
        .join(''),
    );
    const lines = numbered(40, 1000);
    const reads = Array.from({ length: 6 }, () => readHistory(folder));
    await Promise.all([...reads, ...lines.map(line => appendCommand(folder, line))]);
    const kept = await readHistory(folder);
    expect(lines.filter(line => !kept.includes(line))).toEqual([]);
    expect(kept.length).toBeLessThanOrEqual(500);
  });

  it('The command history returns the last 500 lines, and shortens a file that has too many', async () => {
    put(
      numbered(1200)
        .map(line => `${line}\n`)
        .join(''),
    );
    expect(await readHistory(folder)).toEqual(numbered(500, 700));
    expect(written().split('\n')).toHaveLength(501);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('The command history returns a line entered several times in a row once', async () => {
    put('fees\nfees\nsort fee\nfees\n');
    expect(await readHistory(folder)).toEqual(['fees', 'sort fee', 'fees']);
  });

  it('The command history returns no line with a login, whoever wrote it', async () => {
    put(
      'node https://me:secret@node.example\nnode me:secret@node.example\nwhat party=me:secret@node\nfees\nwhat @cold\n',
    );
    expect(await readHistory(folder)).toEqual(['fees', 'what @cold']);
  });

  it.each([
    ['control sequences', '\u001b]52;c;aGk=\u0007fees\u001b[2J\n', [']52;c;aGk=fees[2J']],
    ['characters that are not seen', 'fe\u200be\u202es\n\n  \nso\u0000rt\n', ['fees', 'sort']],
    ['lines longer than any command', `${'x'.repeat(5000)}\nfees\n`, ['fees']],
    ['a last line that was torn', 'fees\nsor', ['fees', 'sor']],
  ])('The command history makes %s harmless', async (_, text, lines) => {
    put(text);
    expect(await readHistory(folder)).toEqual(lines);
  });

  it('The command history survives bytes that are not text', async () => {
    put(Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256));
    for (const line of await readHistory(folder)) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it.each<readonly [string, () => void]>([
    ['is larger than 1 MiB', () => put('fees\n'.repeat(220_000))],
    [
      'is a link',
      () => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'elsewhere'), 'fees\n', { mode: 0o600 });
        symlinkSync(join(folder, 'elsewhere'), path());
      },
    ],
    ['is a folder', () => void mkdirSync(path(), { recursive: true })],
    [
      'others may write to',
      () => {
        put('fees\n');
        chmodSync(path(), 0o666);
      },
    ],
    [
      'cannot be read',
      () => {
        mkdirSync(join(folder, '..'), { recursive: true });
        writeFileSync(folder, 'no folder');
      },
    ],
  ])('The command history is empty, and does not change, when its file %s', async (_, make) => {
    make();
    expect(await readHistory(folder)).toEqual([]);
    await appendCommand(folder, 'sort fee');
    expect(await readHistory(folder)).toEqual([]);
  });

  it('The command history still accepts lines when they are long: the oldest are dropped', async () => {
    const long = (index: number) => `what ${String(index).padStart(4, '0')}${'語'.repeat(900)}`;
    put(Array.from({ length: 380 }, (_, index) => `${long(index)}\n`).join(''));
    await readHistory(folder);
    await appendCommand(folder, 'fees');
    const kept = await readHistory(folder);
    expect(kept.slice(-2)).toEqual([long(379), 'fees']);
    expect(statSync(path()).size).toBeLessThan(600 * 1024);
  });

  it('The command history separates a new line from a torn one', async () => {
    put('fees\nsor');
    await appendCommand(folder, 'markets');
    expect(await readHistory(folder)).toEqual(['fees', 'sor', 'markets']);
    expect(written()).toBe('fees\nsor\nmarkets\n');
  });

  it('The command history is made private to this user, even if its file was readable by others', async () => {
    put('fees\n');
    chmodSync(path(), 0o644);
    expect(await readHistory(folder)).toEqual(['fees']);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('The command history file does not grow beyond 1 MiB', async () => {
    put(`${'x'.repeat(1023)}\n`.repeat(1024));
    await appendCommand(folder, 'fees');
    expect(statSync(path()).size).toBe(1024 * 1024);
  });

  it('The command history is shortened again after an explorer was killed while shortening it', async () => {
    put(
      numbered(600)
        .map(line => `${line}\n`)
        .join(''),
    );
    writeFileSync(join(folder, 'history.part'), 'size 1\n');
    await readHistory(folder);
    expect(written().split('\n')).toHaveLength(601);
    utimesSync(join(folder, 'history.part'), 0, 0);
    await readHistory(folder);
    expect(written().split('\n')).toHaveLength(501);
  });
});
