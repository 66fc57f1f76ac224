import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '../../../src/answers/engine/database.ts';
import { sqlText } from '../../../src/answers/engine/sql-text.ts';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';
import { inFolder, NEVER } from './export-zip.ts';

const DAYS = 230;
const dayOf = (index: number): string => new Date(Date.UTC(2025, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);

/** Rows of many days in turn, of a table whose columns have the names that a reader of files might give to its own. */
function csvOf(rounds: number): string {
  const lines = Array.from({ length: DAYS * rounds }, (_, index) => {
    const day = (index * 7) % DAYS;
    return `${dayOf(day)} 12:00:00+00,${index},f${index},${day},"_"\n`;
  });
  return `vega_time,filename,file,block_day,_\n${lines.join('')}nothing,,,,\n`;
}

async function convertDays(folder: string, onWritten?: (path: string) => Promise<void>) {
  const path = join(folder, 'x.zip');
  await writeFile(path, zipOf([{ name: 'c-unheard-093-000001-000100.csv', content: csvOf(3) }]));
  const more = onWritten === undefined ? {} : { onWritten };
  return await convertToParquet({ paths: [path], out: join(folder, 'out'), signal: NEVER, ...more });
}

test('Each of many days has its own file with only its rows, and rows without a day share one', () =>
  inFolder(async folder => {
    const { tables } = await convertDays(folder);
    const days = Array.from({ length: DAYS }, (_, index) => `date=${dayOf(index)}`);
    const files = tables[0]?.files ?? [];
    expect(files.map(({ path, rows }) => [path.split('/')[1], rows])).toEqual([
      ...days.map(day => [day, 3]),
      ['date=__HIVE_DEFAULT_PARTITION__', 1],
    ]);
    expect(files[1]).toMatchObject({
      firstTime: '2025-01-02T12:00:00.000000Z',
      lastTime: '2025-01-02T12:00:00.000000Z',
    });
    const database = await Database.open({ memoryMiB: 128 });
    try {
      const found = `read_parquet(${sqlText(join(folder, 'out/*/*/*.parquet'))}, hive_types_autocast = false)`;
      const rows = `count(*), count(DISTINCT "filename"), count(*) FILTER (vega_time[:10] IS NOT DISTINCT FROM date)`;
      expect((await database.all(`SELECT ${rows} FROM ${found}`)).rows).toEqual([['691', '690', '690']]);
    } finally {
      database.close();
    }
  }));

test('One damaged file out of many is reported, and no file gets its final name', () =>
  inFolder(async folder => {
    let written = 0;
    const spoiled = convertDays(folder, async path => {
      if (++written === 150) await writeFile(path, 'PAR1');
    });
    await expect(spoiled).rejects.toMatchObject({
      name: 'AnswerError',
      because: 'untrusted',
      message: expect.stringContaining('differs from the written values'),
    });
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  }));
