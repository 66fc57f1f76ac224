import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseColumnType } from '../../../src/answers/ddl/column-type.ts';
import { type ExternalTable, tableBySchema, tablesFromManifest } from '../../../src/answers/ddl/external-table.ts';
import { DIALECTS, externalTablesSql } from '../../../src/answers/ddl/statements.ts';
import { AnswerError } from '../../../src/answers/engine/answer-error.ts';
import { Database } from '../../../src/answers/engine/database.ts';
import { TABLE_SCHEMAS } from '../../../src/tables/columns.ts';
import { makeParquetFolder } from '../dataset/parquet-fixture.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const IN_BUCKET: ExternalTable = {
  name: 'ledger',
  columns: [
    { name: 'account_from_id', type: parseColumnType('BLOB'), note: '' },
    { name: 'quantity', type: parseColumnType('DECIMAL(38,0)'), note: '' },
    { name: 'type', type: parseColumnType('VARCHAR'), note: 'a note;\n DROP TABLE ledger' },
    { name: 'vega_time', type: parseColumnType('TIMESTAMP'), note: '' },
    { name: 'labels', type: parseColumnType('VARCHAR[]'), note: '' },
  ],
  where: { kind: 'bucket', bucket: 'history', prefix: "it's here" },
  notes: ['Blocks 1 to 2000 of demo-chain.'],
};

const engines = Object.keys(DIALECTS);

/** What of a text an engine runs. */
const statementsIn = (text: string): string =>
  text
    .split('\n')
    .filter(line => !line.startsWith('--'))
    .join('\n');

describe('External table statements', () => {
  it.each(engines)('The external table statement for %s matches its golden file', async engine => {
    await expect(externalTablesSql(engine, [IN_BUCKET])).toMatchFileSnapshot(`golden/${engine}.sql`);
  });

  it.each(engines)('The external table statements for %s have every column of every table, with a type', engine => {
    for (const [name, columns] of TABLE_SCHEMAS) {
      const text = externalTablesSql(engine, [tableBySchema(name)]);
      expect(text).not.toMatch(/undefined|NaN|\[object/);
      for (const column of columns) {
        const said = text.split('\n').filter(line => new RegExp(`(?:["\`]|^-- +)${column.name}\\b`).test(line));
        expect([name, column.name, said.length > 0]).toEqual([name, column.name, true]);
      }
    }
  });

  it.each(engines)('The external table statement for %s contains no SQL injected by a folder', engine => {
    const text = externalTablesSql(engine, [IN_BUCKET]);
    expect(text).toContain('-- type: a note; DROP TABLE ledger\n');
    expect(statementsIn(text)).not.toContain('DROP');
    const manifest = {
      format: 1 as const,
      program: '',
      chainId: 'x',
      finished: '',
      tables: [{ name: 'ledger', fromBlock: '1', toBlock: '2', isComplete: true, notes: [], files: [] }],
    };
    const hostile = [
      { name: 'a', type: 'VARCHAR); DROP TABLE ledger; --' },
      { name: 'a', type: 'STRUCT(a INT)' },
      { name: 'a', type: 'DECIMAL(39,0)' },
      { name: 'a', type: 'constructor' },
      { name: 'a", "b', type: 'VARCHAR' },
      { name: 'a\n', type: 'VARCHAR' },
      { name: '', type: 'VARCHAR' },
    ];
    for (const column of hostile) {
      const given = { ...manifest, tables: manifest.tables.map(table => ({ ...table, columns: [column] })) };
      expect(() => tablesFromManifest(given, { kind: 'folder', path: '/x' })).toThrow(AnswerError);
    }
  });
});

describe('DuckDB table statement', () => {
  const LEDGER = {
    name: 'ledger',
    sql: `SELECT '\\xAA'::BLOB AS account_from_id, (i::DECIMAL(38,0) * 99999999999999999999999999999) AS quantity,
      TIMESTAMP '2026-10-01 23:59:59.999999' + INTERVAL (i) SECOND AS vega_time FROM range(3) t(i)`,
  };

  it.each(['plain', "it's [1] *? {a}", 'ünï=code'])(
    'The DuckDB statement reads exactly the folder with this name: %s',
    async name => {
      const path = join(folder, name);
      await mkdir(path);
      const manifest = await makeParquetFolder(path, [LEDGER]);
      const sql = externalTablesSql('duckdb', tablesFromManifest(manifest, { kind: 'folder', path }));
      const database = await Database.open();
      try {
        await database.run(sql);
        const { columns, rows } = await database.all('FROM ledger ORDER BY vega_time');
        const told = manifest.tables[0]?.columns.map(({ name, type }) => ({ name, type })) ?? [];
        expect(columns).toEqual([...told, { name: 'date', type: 'DATE' }]);
        expect(rows).toEqual([
          ['aa', '0', '2026-10-01 23:59:59.999999', '2026-10-01'],
          ['aa', '99999999999999999999999999999', '2026-10-02 00:00:00.999999', '2026-10-02'],
          ['aa', '199999999999999999999999999998', '2026-10-02 00:00:01.999999', '2026-10-02'],
        ]);
      } finally {
        database.close();
      }
    },
  );
});
