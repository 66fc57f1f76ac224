import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '../../../src/answers/engine/database.ts';
import { sqlText } from '../../../src/answers/engine/sql-text.ts';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { inFolder, NEVER, writeZip } from './export-zip.ts';

const idOf = (index: number): string => createHash('sha256').update(String(index)).digest('hex');

// Ids that come again and again are kept in dictionaries, beside which an engine may keep filters.
test.each(['bytes', 'hex'] as const)(
  'A lookup in Parquet finds each id stored as %s by its value, in all its rows',
  ids =>
    inFolder(async folder => {
      const time = '2026-10-01 00:00:01+00';
      const rows = Array.from({ length: 3000 }, (_, index) => {
        const [from, to] = [index % 60, index % 7].map(number => `\\x${idOf(number)}`);
        return [time, from ?? '', to ?? '', String(index), '\\x', time, time, '0', '0', 'TRANSFER_TYPE_WIN'];
      });
      const zip = await writeZip(folder, [{ table: 'ledger', version: 68, from: 1, to: 100, rows }]);
      await convertToParquet({ paths: [zip], out: join(folder, 'out'), ids, signal: NEVER });
      const database = await Database.open({ memoryMiB: 128 });
      const files = sqlText(join(folder, 'out', 'table=ledger/*/*.parquet'));
      const found = async (column: string, index: number) => {
        const id = ids === 'bytes' ? `unhex(${sqlText(idOf(index))})` : sqlText(idOf(index));
        return (await database.all(`SELECT count(*) FROM read_parquet(${files}) WHERE ${column} = ${id}`)).rows[0]?.[0];
      };
      for (let index = 0; index < 60; index++) expect(await found('account_from_id', index)).toBe('50');
      for (let index = 0; index < 7; index++) expect(Number(await found('account_to_id', index))).toBeGreaterThan(427);
      expect(await found('account_from_id', 60)).toBe('0');
      database.close();
    }),
);
