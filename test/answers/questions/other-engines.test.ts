import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dataset, openDataset } from '../../../src/answers/dataset/open-dataset.ts';
import { tablesFromManifest } from '../../../src/answers/ddl/external-table.ts';
import { externalTablesSql } from '../../../src/answers/ddl/statements.ts';
import { AnswerError } from '../../../src/answers/engine/answer-error.ts';
import { DIALECT_NAMES, QUESTION_DIALECTS } from '../../../src/answers/questions/dialects/dialects.ts';
import type { QuestionContext, QuestionValues } from '../../../src/answers/questions/question.ts';
import { answerQuestion, buildQuestionSql } from '../../../src/answers/questions/questions.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { asset, market } from '../../chain/directory/directories.ts';
import { makeParquetFolder } from '../dataset/parquet-fixture.ts';
import { sharedEngine } from '../shared-engine.ts';
import { datasetOf, NONE_SAVED } from './table-dataset.ts';

const engine = sharedEngine();

const id = (label: string): string => createHash('sha256').update(label).digest('hex');
const [P, Q, A, M] = [id('party'), id('other'), id('asset'), id('market')];
const account = (party: string, kind: string, on = ''): string =>
  `unhex('${createHash('sha256').update(`${A}${party}${on}ACCOUNT_TYPE_${kind}`).digest('hex')}')`;

const names: Directory = {
  ...NO_NAMES,
  assets: new Map([[A, asset({ symbol: 'USDT', decimals: 6 })]]),
  markets: new Map([[M, market({ code: 'BTC', asset: A, decimalPlaces: 2, positionDecimalPlaces: 1 })]]),
};

const at = (day: string, second: number): string => `TIMESTAMP '2026-${day} 12:00:0${second}.000001'`;
const whole = (digits: string): string => `${digits}::DECIMAL(38,0)`;

/** From, to, quantity, type, transfer, time. */
const MOVES = [
  [account(Q, 'GENERAL'), account(P, 'GENERAL'), '9'.repeat(37), 'TRANSFER_FUNDS_DISTRIBUTE', id('t1'), at('10-01', 1)],
  [account(P, 'GENERAL'), account(P, 'MARGIN', M), '5', 'MARGIN_LOW', '', at('10-01', 2)],
  [account(P, 'GENERAL'), account(Q, 'GENERAL'), '7', 'TRANSFER_FUNDS_SEND', id('t2'), at('10-02', 1)],
  [account(Q, 'GENERAL'), account(P, 'GENERAL'), '7', 'TRANSFER_FUNDS_DISTRIBUTE', id('t2'), at('10-02', 1)],
  [account(Q, 'GENERAL'), account(P, 'LP_LIQUIDITY_FEES', M), '11', 'LIQUIDITY_FEE_ALLOCATE', '', at('10-03', 1)],
  [account(P, 'LP_LIQUIDITY_FEES', M), account(P, 'GENERAL'), '10', 'LIQUIDITY_FEE_NET_DISTRIBUTE', '', at('10-04', 1)],
] as const;

const ledger = MOVES.map(
  ([from, to, quantity, type, transfer, time], index) =>
    `SELECT ${time} + INTERVAL ${index} MICROSECOND AS ledger_entry_time, ${from} AS account_from_id, ${to} AS account_to_id,
    ${whole(quantity)} AS quantity, ${time} AS vega_time, ${whole('100')} AS account_from_balance, ${whole(`20${index}`)} AS account_to_balance,
    'TRANSFER_TYPE_${type}' AS type, unhex('${transfer}') AS transfer_id`,
).join(' UNION ALL ');

const FEES = ['buyer', 'seller'].flatMap(side =>
  ['maker', 'infrastructure', 'liquidity'].map(fee => `${side}_${fee}_fee`),
);
const trades = ['10-01', '10-01', '10-02']
  .map(
    (day, index) =>
      `SELECT ${at(day, index + 1)} AS synthetic_time, ${at(day, 1)} AS vega_time, unhex('${id(`trade ${index}`)}') AS id,
    unhex('${M}') AS market_id, ${whole(`12345${index}`)} AS price, ${index + 3}::BIGINT AS size, unhex('${index === 1 ? Q : P}') AS buyer,
    unhex('${index === 1 ? P : Q}') AS seller, ${index}::SMALLINT AS aggressor, ${index === 2 ? 3 : 1}::SMALLINT AS type,
    ${FEES.map((fee, place) => `${place === 3 ? 'NULL::DECIMAL(38,0)' : whole(`${place}${index}`)} AS ${fee}`).join(', ')}`,
  )
  .join(' UNION ALL ');

const rewards = ['10-01', '10-02']
  .map(
    (day, index) =>
      `SELECT unhex('${P}') AS party_id, unhex('${A}') AS asset_id, ${20 + index}::BIGINT AS epoch_id, ${whole(`4${index}`)} AS amount,
    'ACCOUNT_TYPE_REWARD' AS reward_type, ${index === 0 ? 'NULL::BLOB' : `unhex('${id('game')}')`} AS game_id, ${at(day, 1)} AS vega_time`,
  )
  .join(' UNION ALL ');

const balances = ['10-01', '10-01', '10-02']
  .map(
    (day, index) =>
      `SELECT ${account(P, index === 2 ? 'MARGIN' : 'GENERAL', index === 2 ? M : '')} AS account_id, ${at(day, index + 1)} AS vega_time, ${whole(`30${index}`)} AS balance`,
  )
  .join(' UNION ALL ');

/** Each question in the forms that have a SQL of their own. */
const ASKED: readonly { readonly name: string; readonly values: QuestionValues; readonly of?: readonly string[] }[] = [
  { name: 'received', values: { parties: [P], types: true, from: '2026-10-02', to: '2026-10-04 12:00' } },
  { name: 'received', values: { parties: [P], asset: 'USDT', by: 'day' } },
  { name: 'balance', values: { parties: [P], to: '2026-10-01' } },
  { name: 'balance', values: { parties: [P], at: '2026-10-01' } },
  { name: 'balance', values: { parties: [P], at: '2026-10-02' }, of: ['ledger'] },
  { name: 'balance', values: { parties: [P], by: 'month' }, of: ['ledger'] },
  { name: 'rewards', values: { types: true, from: 'e20', to: '2026-10-01' } },
  { name: 'rewards', values: { parties: [P, Q], asset: 'USDT' } },
  { name: 'fills', values: { parties: [P], market: 'BTC', from: '2026-10-01' } },
  { name: 'fills', values: { parties: [P], by: 'day' } },
  { name: 'trades', values: { from: '2026-10-01', to: '2026-10-01' } },
  { name: 'trades', values: { by: 'month' } },
];

let folder = '';
let dataset: Dataset;
let ddl = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  const manifest = await makeParquetFolder(folder, [
    { name: 'ledger', sql: ledger },
    { name: 'trades', sql: trades },
    { name: 'rewards', sql: rewards },
    { name: 'balances', sql: balances },
  ]);
  dataset = await openDataset({ paths: [folder], signal: new AbortController().signal });
  ddl = externalTablesSql('duckdb', tablesFromManifest(manifest, { kind: 'folder', path: folder }));
});
afterAll(async () => {
  await dataset.close();
  await rm(folder, { recursive: true, force: true });
});

const asking = (values: QuestionValues, of: readonly string[] | undefined): QuestionContext => ({
  dataset: of === undefined ? dataset : { ...dataset, tables: dataset.tables.filter(({ name }) => of.includes(name)) },
  ...{ names, saved: NONE_SAVED, values, signal: new AbortController().signal },
});

describe('Question SQL for other engines', () => {
  test.each(ASKED)(
    'The DuckDB SQL of a question, on the tables of ddl, answers like the program: $name $values',
    async ({ name, values, of }) => {
      const context = asking(values, of);
      const { sql } = await buildQuestionSql('duckdb', name, context);
      const own = await answerQuestion(name, context);
      const expected = await dataset.database.all(own.sql);
      await engine().run(ddl);
      const found = await engine().all(sql);
      for (const { name: table } of dataset.tables) await engine().run(`DROP VIEW ${table}`);
      expect(found.rows.length).toBeGreaterThan(0);
      expect(found).toEqual(expected);
      expect(sql).toContain(Object.keys(values).some(key => key === 'from' || key === 'to') ? '"date"' : 'SELECT');
    },
  );

  test.each(DIALECT_NAMES)('The question SQL for %s matches its golden file', async name => {
    const texts: string[] = [];
    for (const { name: question, values, of } of ASKED) {
      const { sql } = await buildQuestionSql(name, question, asking(values, of));
      texts.push(`-- ${question} ${JSON.stringify(values)}\n${sql};\n`);
    }
    expect(texts.join('\n')).not.toMatch(/undefined|NaN|\[object/);
    await expect(texts.join('\n')).toMatchFileSnapshot(`golden/${name}.sql`);
  });

  test.each(DIALECT_NAMES.filter(name => name !== 'duckdb'))(
    'The question SQL for %s has no floating point and nothing specific to DuckDB',
    async name => {
      for (const { name: question, values, of } of ASKED) {
        const { sql } = await buildQuestionSql(name, question, asking(values, of));
        expect(sql).not.toMatch(/DOUBLE|FLOAT|BIGNUM|HUGEINT|::|GROUP BY ALL|arg_max|strftime/i);
      }
    },
  );

  test('The question SQL reads ids and amounts stored as text, and refuses text that is not a whole number', async () => {
    const given = await datasetOf(
      [
        {
          name: 'rewards',
          columns: [
            ['party_id', 'VARCHAR'],
            ['asset_id', 'VARCHAR'],
            ['epoch_id', 'BIGINT'],
            ['amount', 'VARCHAR'],
            ['vega_time', 'TIMESTAMP'],
          ],
          rows: [[P, A, '20', '9'.repeat(60), '2026-10-01 00:00:00']],
        },
      ],
      engine(),
    );
    const context = { ...asking({ parties: [P] }, undefined), dataset: given };
    const sql = async (name: (typeof DIALECT_NAMES)[number]) => (await buildQuestionSql(name, 'rewards', context)).sql;
    expect((await engine().all(await sql('duckdb'))).rows).toEqual([[P, A, '20', '9'.repeat(60), '1']]);
    expect(await sql('spark')).toContain("unhex(replace(`party_id`, '\\\\x', ''))");
    expect(await sql('spark')).toContain("RLIKE '^-?[0-9]+$' THEN CAST(`amount` AS DECIMAL(38,0)) ELSE raise_error(");
    expect(await sql('trino')).toContain("from_hex(replace(\"party_id\", '\\x', ''))");
    expect(await sql('trino')).toContain("'not a whole number: ' ||");
    expect(await sql('clickhouse')).toContain("throwIf(coalesce(NOT match(`amount`, '^-?[0-9]{1,38}$'), false)");
    await given.close();
  });

  test('The question SQL for another engine refuses times that only DuckDB can read', async () => {
    const columns = [['vega_time', 'VARCHAR'] as const];
    const given = await datasetOf([{ name: 'trades', columns, rows: [] }], engine());
    const context = { ...asking({ from: '2026-10-01' }, undefined), dataset: given };
    await expect(buildQuestionSql('spark', 'trades', context)).rejects.toThrow(AnswerError);
    await given.close();
  });

  test.each(['fills', 'trades'])('The question SQL refuses to multiply sizes stored as text: %s', async name => {
    const trades = dataset.tables.flatMap(table => (table.name === 'trades' ? [table] : []));
    const asText = trades.map(table => ({
      ...table,
      columns: table.columns.map(column => (column.name === 'size' ? { ...column, type: 'VARCHAR' } : column)),
    }));
    const context = asking({ by: 'day', ...(name === 'fills' && { parties: [P] }) }, undefined);
    const of = { ...context, dataset: { ...dataset, tables: asText } };
    await expect(buildQuestionSql('clickhouse', name, of)).rejects.toThrow(/size is text/);
  });

  test.each(DIALECT_NAMES)('The SQL dialect for %s can write constants without rows', name => {
    expect(QUESTION_DIALECTS[name].constants('none', ['a', 'b'], [])).toMatch(/^none.* AS \(SELECT ''.*WHERE false\)$/);
  });
});
