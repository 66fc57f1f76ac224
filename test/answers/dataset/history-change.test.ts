import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withHistoryWhole } from '../../../src/answers/dataset/history-change.ts';
import { selectHistory } from '../../../src/answers/dataset/history-exports.ts';
import { openDataset } from '../../../src/answers/dataset/open-dataset.ts';
import { openHistory } from '../../../src/history/store/chain-history.ts';
import { forgetHistory } from '../../../src/history/store/check-history.ts';
import { writeHistory } from '../history-folder.ts';
import { type ExportCsv, inFolder, NEVER } from '../parquet/export-zip.ts';

const A = `\\x${'ab'.repeat(32)}`;

const balances = (from: number, amount: string): ExportCsv => ({
  ...{ table: 'balances', version: 93, from, to: from + 99 },
  rows: [[A, '2026-10-01 00:00:00+00', A, amount]],
});

const SUM = 'SELECT sum(balance)::VARCHAR FROM balances';
const GONE = 'the history of c on disk was deleted while it was read, so there is no answer';

/** A history of two slices, as it was selected for an answer. */
const inHistory = (
  act: (taken: {
    readonly folder: string;
    readonly selected: ReturnType<typeof selectHistory>;
    readonly opened: () => ReturnType<typeof openDataset>;
  }) => Promise<void>,
): Promise<void> =>
  inFolder(async root => {
    const folder = join(root, 'c');
    await writeHistory(folder, [balances(1, '3'), balances(101, '4')]);
    const selected = selectHistory(await openHistory(folder), { tables: ['balances'] });
    const opened = () => openDataset({ paths: selected.paths, history: selected.history, signal: NEVER });
    await act({ folder, selected, opened });
  });

describe('A history that is deleted while it is read', () => {
  test('A history deleted before it is opened is reported in one sentence', () =>
    inHistory(async ({ folder, opened }) => {
      await forgetHistory({ folder });
      await expect(opened()).rejects.toMatchObject({ message: GONE, because: 'untrusted' });
    }));

  test('A history deleted between two questions is reported by the second, or its sum is true, and the check reports it', () =>
    inHistory(async ({ folder, opened }) => {
      const dataset = await opened();
      try {
        expect((await dataset.database.all(SUM)).rows).toEqual([['7']]);
        await forgetHistory({ folder });
        const sum = await dataset.database.all(SUM).then(
          ({ rows }) => rows[0]?.[0],
          (error: Error) => error.message,
        );
        expect(['7', GONE]).toContain(sum);
        await expect(dataset.unchanged()).rejects.toThrow(GONE);
      } finally {
        await dataset.close();
      }
    }));

  test('A history deleted before the first question is reported by that question', () =>
    inHistory(async ({ folder, opened }) => {
      // The Parquet is there from now on, so that opening it reads only its ends.
      await (await opened()).close();
      const dataset = await opened();
      try {
        await forgetHistory({ folder });
        await expect(dataset.database.all('SELECT * FROM nothing')).rejects.toThrow(GONE);
      } finally {
        await dataset.close();
      }
    }));

  test('A history deleted while files are read without an engine is the error, never the result or another error', () =>
    inHistory(async ({ folder, selected: { history } }) => {
      expect(await withHistoryWhole(history, async () => 1)).toBe(1);
      const failing = withHistoryWhole(history, () => Promise.reject(new Error('own')));
      await expect(failing).rejects.toThrow('own');
      const losing = async () => void (await forgetHistory({ folder }));
      await expect(withHistoryWhole(history, losing)).rejects.toThrow(GONE);
      await expect(withHistoryWhole(history, () => Promise.reject(new Error('other')))).rejects.toThrow(GONE);
    }));

  test('A history whose Parquet alone is deleted is whole when asked again', () =>
    inHistory(async ({ folder, opened }) => {
      const dataset = await opened();
      try {
        await rm(join(folder, 'parquet'), { recursive: true });
        await expect(dataset.unchanged()).rejects.toThrow('the Parquet of the history of c was deleted or changed');
      } finally {
        await dataset.close();
      }
      const again = await opened();
      expect((await again.database.all(SUM)).rows).toEqual([['7']]);
      await again.close();
    }));
});
