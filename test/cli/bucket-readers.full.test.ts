import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Database } from '../../src/answers/engine/database.ts';
import { readParquetManifest } from '../../src/answers/parquet/parquet-manifest.ts';
import { writeZip } from '../answers/parquet/export-zip.ts';
import { type Rows, readByDuckDb, readByHyparquet, readByRust } from '../answers/parquet/three-readers.ts';
import { BUCKET, type ObjectServer, startObjectServer } from '../objects/object-server.ts';
import { run } from './run-command.ts';

let folder = '';
let server: ObjectServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  server = await startObjectServer();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Above what a double tells apart, and the largest that a decimal of 38 digits holds. */
const AMOUNTS = ['0', String(2n ** 63n), String(2n ** 126n), '9'.repeat(38), `-${'9'.repeat(38)}`];

const ID = 'ab'.repeat(32);

const ledgerRow = (amount: string, index: number): readonly (string | null)[] => [
  `2026-10-0${1 + (index % 2)} 00:00:0${index}.5+00`,
  `\\x${ID}`,
  '\\x03',
  amount,
  '\\x',
  `2026-10-0${1 + (index % 2)} 00:00:0${index}+00`,
  `2026-10-0${1 + (index % 2)} 00:00:0${index}+00`,
  amount,
  '7',
  index === 0 ? null : index === 1 ? '' : `a "quoted",\ntext ${index}`,
];

/** What lies in the bucket now, and nothing else. */
async function fetched(prefix: string): Promise<string> {
  const out = join(folder, 'from-the-bucket');
  for (const key of await server.keys()) {
    const path = join(out, key.slice(prefix.length + 1));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, (await server.get(`/${key}`)) ?? '');
  }
  return out;
}

it('what convert put into a bucket is read there to the digit by three readers that share no code', async () => {
  const rows = AMOUNTS.map(ledgerRow);
  const zip = await writeZip(folder, [{ table: 'ledger', version: 68, from: 1, to: 100, rows }]);
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), ...server.env };
  const ran = await run(['convert', zip, '--out', `s3://${BUCKET}/ledger`], { env });
  expect(ran.code, ran.err).toBe(0);
  const out = await fetched('ledger');
  const table = (await readParquetManifest(out))?.tables[0];
  if (table === undefined) throw new Error('no table in the bucket');
  const database = await Database.open({ memoryMiB: 128 });
  const readers = await Promise.all([
    readByDuckDb(database, out, table),
    readByHyparquet(out, table),
    readByRust(out, table),
  ]).finally(() => database.close());
  const names = table.columns.map(({ name }) => name);
  const told = (found: Rows) =>
    found
      .map(row =>
        ['quantity', 'account_from_id', 'account_to_id', 'account_from_balance', 'type'].map(
          name => row[names.indexOf(name)],
        ),
      )
      .toSorted();
  const expected = AMOUNTS.map((amount, index) => [amount, ID, '03', amount, rows[index]?.[9] ?? null]).toSorted();
  for (const found of readers) expect(told(found)).toEqual(expected);
  expect(readers[1]?.toSorted()).toEqual(readers[0]?.toSorted());
  expect(readers[2]?.toSorted()).toEqual(readers[0]?.toSorted());
});
