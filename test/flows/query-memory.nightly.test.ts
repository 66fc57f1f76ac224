import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerSql, makeParquetFolder } from '../answers/dataset/parquet-fixture.ts';
import { type Folder, temporaryFolder } from './support/folder.ts';
import { type Measured, measured } from './support/sql-program.ts';

const DATA = 'data';

let folder: Folder;
beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of [DATA, 'tmp']) await mkdir(join(folder.path, name));
  await makeParquetFolder(join(folder.path, DATA), [{ name: 'ledger', sql: ledgerSql(4) }]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const run = (words: readonly string[], read?: Measured['read']) =>
  measured(words, { cwd: folder.path, temporary: join(folder.path, 'tmp'), ...(read !== undefined && { read }) });

describe('Large answers of a SQL query', () => {
  it('A SQL query ends with a sentence if bytes are longer than a text can be', async () => {
    const sql = "SELECT repeat('x', 268435500)::BLOB";
    const { code, stderr } = await run([sql, DATA, '--memory', '4096', '-o', 'ndjson']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^blockglass: a row is too long: [^\n]*\n {2}try: select/),
    ]);
  });

  it('A SQL query uses no more memory for half a gigabyte than for a tenth of it, and waits for its reader', async () => {
    const rows = (count: number): string =>
      `SELECT range AS n, lpad(range::VARCHAR, 240, '9') AS text FROM range(1000000, ${1_000_000 + count})`;
    const fewer = await run([rows(200_000), DATA, '-o', 'csv']);
    let bytes = 0;
    const { code, peak } = await run([rows(2_000_000), DATA, '-o', 'csv', '--timeout', '600'], child => {
      child.stdout?.on('data', (data: Buffer) => {
        bytes += data.length;
      });
    });
    expect([code, bytes]).toEqual([0, 'n,text\r\n'.length + 2_000_000 * (7 + 240 + 3)]);
    // The highest of both processes, the program's and the engine's, in MiB. The rows alone are 477, and what a collector
    // of garbage leaves for later differs by half of that from run to run.
    expect(peak).toBeLessThan(fewer.peak + 250);
  });
});
