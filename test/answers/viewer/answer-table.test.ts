import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  assetPlaces,
  countColumn,
  createAnswer,
  textColumn,
  unitColumns,
} from '../../../src/answers/questions/answer-columns.ts';
import { toViewerColumns } from '../../../src/answers/viewer/answer-table.ts';
import { openViewerTables, type ViewerTables } from '../../../src/answers/viewer/viewer-tables.ts';
import { parseJson } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { parquetNamesPath, saveNamesFile } from '../../../src/chain/directory/names-file.ts';
import type { NodeRequester } from '../../../src/chain/range/epoch.ts';
import { createTableOpener } from '../../../src/explorer/services/tables.ts';
import { asset } from '../../chain/directory/directories.ts';
import { makeParquetFolder } from '../dataset/parquet-fixture.ts';

const id = (label: string): string => createHash('sha256').update(label).digest('hex');
const [PARTY, LARGE, SMALL, UNKNOWN] = [id('party'), id('large'), id('small'), id('unknown')];
const assets = new Map([
  [LARGE, asset({ symbol: 'LARGE', decimals: 6 })],
  [SMALL, asset({ symbol: 'SMALL', decimals: 18 })],
]);
const { signal } = new AbortController();
const PLAIN = { filters: [], sort: null };

const reward = (of: string, epoch: number, amount: string): string =>
  `SELECT unhex('${PARTY}') AS party_id, unhex('${of}') AS asset_id, ${epoch}::BIGINT AS epoch_id, '${amount}'::DECIMAL(38,0) AS amount, TIMESTAMP '2026-10-01 00:00:00' AS vega_time`;

const ACCOUNT = id(`${LARGE}${PARTY}ACCOUNT_TYPE_GENERAL`);

const balance = (hour: number, amount: string): string =>
  `SELECT unhex('${ACCOUNT}') AS account_id, '${amount}'::DECIMAL(38,0) AS balance, TIMESTAMP '2026-10-01 00:00:00' + INTERVAL ${hour} HOUR AS vega_time`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
  const rewards = [
    reward(LARGE, 1, '9677136364520783911'),
    reward(SMALL, 2, '1365666203059741388772'),
    reward(LARGE, 3, '2940943011'),
    reward(SMALL, 4, '367193380316254877819'),
  ];
  await makeParquetFolder(folder, [
    { name: 'rewards', sql: rewards.join(' UNION ALL ') },
    { name: 'balances', sql: [balance(1, '5000000'), balance(30, '7500000')].join(' UNION ALL ') },
  ]);
  await saveNamesFile(parquetNamesPath(folder), { chainId: 'demo-chain', names: { ...NO_NAMES, assets } });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function asked<T>(name: string, look: (tables: ViewerTables) => Promise<T>): Promise<T> {
  const values = name === 'balance' ? { parties: [PARTY] } : {};
  const source = await openViewerTables({ paths: [folder], signal, question: { name, values } });
  try {
    return await look(source);
  } finally {
    await source.close();
  }
}

describe('Amounts of an answer in the viewer', () => {
  const answer = { table: 'answer rewards', look: PLAIN };

  it('The amounts of an answer are sorted and added up as numbers, and copied without digit grouping', async () => {
    await asked('rewards', async source => {
      const names = source.tables[0]?.columns.map(({ name }) => name) ?? [];
      const at = names.indexOf('amount');
      const look = { ...PLAIN, sort: { column: 'amount', isDescending: true } };
      await source.arrange({ ...answer, look }, signal);
      const rows = await source.rows({ ...answer, look, from: 0, rows: 9 }, signal);
      const sorted = ['9677136364520.783911', '2940.943011', '1365.666203059741388772', '367.193380316254877819'];
      expect(rows.map(row => row[at])).toEqual(sorted);
      const { sums } = await source.count({ ...answer, column: 'amount' }, signal);
      expect(sums).toMatchObject({
        sum: '9677136369194.586505375996266591',
        count: 4,
        largest: sorted[0],
        least: sorted[3],
      });
      expect((await Array.fromAsync(source.stream(answer, signal))).flat().map(row => row[at])).toContain(sorted[0]);
    });
  });

  it('The amounts of an answer have a unit, which tells a sum over several assets', async () => {
    await asked('rewards', async source => {
      const units = Object.fromEntries(source.tables[0]?.columns.map(({ name, unit }) => [name, unit]) ?? []);
      expect(units).toMatchObject({ amount: 'units of the asset', payouts: '' });
    });
  });
});

const amounts = fc.array(
  fc.record({
    asset: fc.constantFrom(LARGE, SMALL, UNKNOWN),
    amount: fc.option(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }).map(String)),
    day: fc.constantFrom('2026-10-01', '2026-10-02'),
    moves: fc.nat().map(String),
  }),
);

describe('Answer table', () => {
  it('An answer table has only plain numbers in its number columns and loses no amount', () => {
    fc.assert(
      fc.property(amounts, given => {
        const columns = ['asset', 'amount', 'day', 'moves'] as const;
        const rows = given.map(row => columns.map(name => row[name]));
        const shown = [
          textColumn('day', 'day'),
          ...unitColumns('amount', 'amount', assetPlaces({ ...NO_NAMES, assets })),
          countColumn('moves', 'moves'),
        ];
        const raw = { columns: columns.map(name => ({ name })), rows };
        const answer = { ...createAnswer('', raw, shown), notes: [] };
        const made = toViewerColumns(answer);
        const numbers = made.filter(({ kind }) => kind === 'decimal');
        const told = answer.rows.map(row => numbers.map(({ place }) => row[place] ?? null));
        for (const cell of told.flat()) expect(cell ?? '0').toMatch(/^-?\d+(?:\.\d+)?$/);
        const isThere = (cells: readonly (string | null)[]): boolean => cells.slice(0, -1).some(cell => cell !== null);
        expect(told.map(isThere)).toEqual(given.map(({ amount }) => amount !== null));
        const names = made.map(({ name }) => name);
        const unknown = given.filter(({ asset: of, amount }) => of === UNKNOWN && amount !== null);
        expect(names.includes('amount smallest')).toBe(unknown.length > 0);
        expect(made[0]?.type).toBe(given.length === 0 ? 'VARCHAR' : 'DATE');
      }),
    );
  });
});

describe('Epoch range without saved times', () => {
  const question = { name: 'balance', title: '', party: PARTY, range: 'e22' };
  const request = { paths: [], isEvenIncomplete: false, question };
  const epoch = `{"epoch":{"seq":"22","timestamps":{"startTime":"1790812800000000000","expiryTime":"1790816400000000000","endTime":"1790816400000000000","firstBlock":"1","lastBlock":"9"}}}`;
  const nodeOf = (chainId: string, body: string): NodeRequester => ({
    get: async ({ path }) => ({
      json: parseJson(path === 'statistics' ? `{"statistics":{"chainId":"${chainId}"}}` : body),
      facts: { rate: {} },
      bytes: 1,
      elapsedMs: 1,
    }),
  });
  const opened = (node: NodeRequester | undefined) =>
    createTableOpener(
      () => node,
      () => ({ program: 'blockglass', maxParquetGiB: undefined }),
    )({ ...request, paths: [folder] }, () => {}, signal);

  it('An epoch range without saved times takes them from the connected node on the same chain', async () => {
    const tables = await opened(nodeOf('demo-chain', epoch));
    expect(tables.notes[0]).toContain(
      'range: from e22 to e22 (from 2026-10-01 00:00:00 until 2026-10-01 01:00:00 UTC)',
    );
    await tables.close();
  });

  it.each([
    ['another-chain', epoch, 'and the connected node is on another chain (another-chain)'],
    ['demo-chain', epoch.replace('"22"', '"23"'), 'and the connected node does not know them'],
  ])(
    'An epoch range is refused, without suggesting flags, if the connected node is on %s',
    async (chainId, body, words) => {
      await expect(opened(nodeOf(chainId, body))).rejects.toThrow(`the times of epoch 22 are not saved, ${words}`);
      await expect(opened(nodeOf(chainId, body))).rejects.toMatchObject({
        hint: expect.stringContaining('give a date or time instead of the epoch'),
      });
    },
  );
});
