import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { HISTORY_TABLES } from '../../src/node/history/export-plan.ts';
import { columnsAtVersion } from '../../src/tables/columns.ts';
import columnFacts from '../fixtures/export-columns.json' with { type: 'json' };
import { parseCsv } from './csv-rows.ts';
import { ask, withNode } from './wire.ts';

const node = withNode();
const facts = new Map(Object.entries(columnFacts.tables));

async function exported(table: string, fromBlock: number, toBlock: number) {
  const range = `fromBlock=${fromBlock}&toBlock=${toBlock}`;
  const path = `/api/v2/networkhistory/export?${range}&table=TABLE_${table.toUpperCase()}`;
  const files = Object.entries(unzipSync((await ask(node.url + path)).bytes));
  return files.map(([file, content]) => ({ file, rows: parseCsv(Buffer.from(content).toString('utf8')) }));
}

describe('Columns of exported tables', () => {
  it.each(HISTORY_TABLES)(
    'The columns of %s head each file once, and every row has as many fields, valid for their types',
    async table => {
      const [before, after, ...more] = await exported(table, 13_001, 17_500);
      expect(more).toEqual([]);
      expect(before?.rows[0]?.map(text)).toEqual(columnsAtVersion(table, 68));
      expect(after?.rows[0]?.map(text)).toEqual(columnsAtVersion(table, 93));
      for (const { rows } of [before, after].flatMap(file => file ?? [])) {
        const [header = [], ...records] = rows;
        expect(records.length).toBeGreaterThan(0);
        for (const record of records) {
          expect(record).toHaveLength(header.length);
          for (const [index, name] of header.entries()) checkCell(table, name ?? '', record[index] ?? null);
        }
      }
    },
  );

  it('The columns of exported tables change with the schema for five tables only', () => {
    const changed = HISTORY_TABLES.filter(
      table => columnsAtVersion(table, 68)?.length !== columnsAtVersion(table, 93)?.length,
    );
    expect(changed.toSorted()).toEqual(['ledger', 'margin_levels', 'market_data', 'markets', 'rewards']);
  });
});

describe('Rows of exported tables', () => {
  it('The blocks table has one row per height', async () => {
    const files = await exported('blocks', 13_001, 15_500);
    const heights = files.flatMap(({ rows }) => rows.slice(1).map(row => Number(row[1])));
    expect(heights).toEqual(Array.from({ length: 2500 }, (_, index) => 13_001 + index));
  });

  it.each(['balances', 'ledger', 'orders', 'trades', 'market_data', 'margin_levels', 'positions', 'rewards'])(
    'The rows of %s are ordered by time',
    async table => {
      const [file] = await exported(table, 1, 4000);
      const at = file?.rows[0]?.indexOf('vega_time') ?? -1;
      const times = file?.rows.slice(1).map(row => timeUs(row[at] ?? '')) ?? [];
      expect(times.length).toBeGreaterThan(50);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    },
  );

  it.each(['deposits', 'withdrawals', 'liquidity_provisions', 'markets'])(
    'The rows of %s are ordered by id within a segment',
    async table => {
      const ids = (await exported(table, 1, 1000)).flatMap(({ rows }) => rows.slice(1).map(row => row[0] ?? ''));
      expect(ids.length).toBeGreaterThan(2);
      expect(ids).toEqual(ids.toSorted());
    },
  );

  it('The exported provisions are the versions in the list, except for those of the last blocks', async () => {
    const files = await exported('liquidity_provisions', 1, 23_500);
    const records = files.flatMap(({ rows }) => rows.slice(1));
    expect(records.length).toBeLessThan(3000);
    expect(records.length).toBeGreaterThan(2900);
    expect(new Set(records.map(row => `${row[0]} ${row[13]}`)).size).toBe(records.length);
    const orders = files[0]?.rows.slice(1).find(row => row[7] !== '[]')?.[7] ?? '';
    expect(JSON.parse(orders)[0]).toHaveProperty('liquidityOrder.proportion');
    expect(orders).toMatch(/^\[\{"orderId": ".*", "liquidityOrder": \{"offset": "/);
  });

  it('The rows of exported tables distinguish NULL from empty text, and keep quotes, commas and line breaks in fields', async () => {
    const [file] = await exported('orders', 1, 14_500);
    const at = file?.rows[0]?.indexOf('reference') ?? -1;
    const references = new Set(file?.rows.slice(1).map(row => row[at] ?? null));
    for (const wanted of [null, '', 'a "quoted" reference', 'line one\nline two\n\nline four', 'lone\rreturn', '\\.']) {
      expect(references).toContain(wanted);
    }
  });

  it('The rows of exported tables contain integers beyond 64 bits, empty ids and the placeholder of 1970', async () => {
    const [ledger] = await exported('ledger', 1, 14_500);
    expect(ledger?.rows.slice(1).some(row => BigInt(row[3] ?? '') > 2n ** 64n)).toBe(true);
    const [rewards] = await exported('rewards', 1, 14_500);
    expect(rewards?.rows.some(row => row[2] === '\\x')).toBe(true);
    const [deposits] = await exported('deposits', 1, 1000);
    expect(deposits?.rows.some(row => row[6] === '1970-01-01 00:00:00+00')).toBe(true);
  });
});

function text(cell: string | null): string {
  return cell ?? '';
}

function timeUs(text: string): number {
  const [seconds = '', fraction = ''] = text.replace('+00', '').split('.');
  return Date.parse(`${seconds.replace(' ', 'T')}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
}

const forms: Readonly<Record<string, RegExp>> = {
  bytea: /^\\x([0-9a-f]{2})*$/,
  'timestamp with time zone': /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{0,5}[1-9])?\+00$/,
  hugeint: /^-?\d+$/,
  bigint: /^-?\d+$/,
  integer: /^-?\d+$/,
  smallint: /^\d+$/,
  boolean: /^[tf]$/,
  numeric: /^-?\d+(\.\d+)?$/,
  'numeric(1000,16)': /^\d+\.\d{16}$/,
  'double precision': /^\d+(\.\d+)?$/,
  jsonb: /^[[{]/,
  text: /^[\s\S]*$/,
};

function checkCell(table: string, name: string, cell: string | null): void {
  const column = facts.get(table)?.columns.find(candidate => candidate.name === name);
  if (!column) throw new Error(`${table} has no column ${name}`);
  if (cell === null) {
    expect(column.notNull, `${table}.${name} is NULL`).toBe(false);
    return;
  }
  expect(cell, `${table}.${name}`).toMatch(forms[column.type] ?? /^[A-Z_]+$/);
  if (column.type === 'jsonb') JSON.parse(cell);
}
