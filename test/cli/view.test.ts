import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { VIEW_FLAGS, whatToView } from '../../src/cli/view.ts';
import { contextWith, run } from './run-command.ts';

const given = (...words: readonly string[]) =>
  readFlags(words, [...VIEW_FLAGS, { name: 'demo', kind: 'switch', about: '' }]);

const { context } = contextWith({ env: { HOME: '/nowhere' } });

describe('`view` command', () => {
  it('`view` says in a sentence what to use when there is no terminal', async () => {
    expect(await run(['view', 'rewards.zip'])).toEqual({
      code: 2,
      out: '',
      err: 'blockglass: view needs a terminal. Use blockglass query or answer to read rewards.zip here.\n',
    });
  });

  it('`view` without a file needs history on disk, and accepts one table at most', async () => {
    for (const [words, said] of [
      [[], 'no history on disk'],
      [['ledger'], 'no history on disk'],
      [
        ['a.zip', 'ledger', 'rewards'],
        'unexpected argument "rewards". Usage: blockglass view [file or folder] [table]',
      ],
    ] as const) {
      await expect(whatToView(given(...words), context)).rejects.toThrow(said);
      expect(await run(['view', ...words])).toMatchObject({ code: 2, out: '' });
    }
  });

  it('`view` reports a missing file before it takes over the screen', async () => {
    await expect(whatToView(given('/nowhere/rewards.zip'), context)).rejects.toThrow(
      'no file or folder "/nowhere/rewards.zip"',
    );
  });

  it('`view` contacts no node that was not given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
    const path = join(folder, 'rewards.zip');
    await writeFile(path, '');
    const files = { paths: [path], isEvenIncomplete: false, question: null };
    expect(await whatToView(given(path), context)).toEqual({ files, isNodeUnasked: true });
    expect(await whatToView(given(path, 'rewards', '--even-incomplete', '--demo'), context)).toEqual({
      files: { ...files, isEvenIncomplete: true, table: 'rewards' },
      isNodeUnasked: false,
    });
    await rm(folder, { recursive: true });
  });
});
