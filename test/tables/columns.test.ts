import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  columnSchema,
  columnsAtVersion,
  columnVersions,
  currentColumnName,
  TABLE_SCHEMAS,
} from '../../src/tables/columns.ts';
import { NEWEST_KNOWN_SCHEMA_VERSION } from '../../src/tables/exported-tables.ts';
import { mayBeAdded } from '../../src/tables/table.ts';
import columnFacts from '../fixtures/export-columns.json' with { type: 'json' };

const facts = Object.entries(columnFacts.tables);

test('The table definitions are those that nodes export', () => {
  expect([...TABLE_SCHEMAS.keys()].toSorted()).toEqual(facts.map(([table]) => table).toSorted());
});

test.each(facts)('The columns of %s are those of a node at every schema version', (table, { headers }) => {
  for (let version = 1; version <= NEWEST_KNOWN_SCHEMA_VERSION; version++) {
    const inForce = headers.filter(header => header.schema_version <= version).at(-1);
    expect(columnsAtVersion(table, version)).toEqual(inForce?.columns);
  }
});

test.each(facts)('The columns of %s have the types of the database of a node at schema 93', (table, { columns }) => {
  expect(TABLE_SCHEMAS.get(table)?.map(({ name }) => name)).toEqual(columnsAtVersion(table, 93));
  for (const { name, type, notNull } of columns) {
    const { stored, mayBeNull } = columnSchema(table, name) ?? {};
    expect([name, storedAs(type), !mayBeNull]).toEqual([name, expect.arrayContaining([stored]), notNull]);
  }
});

function storedAs(sqlType: string): readonly string[] {
  if (/_(?:type|status)$/.test(sqlType)) return ['label'];
  if (sqlType.startsWith('numeric')) return ['numeric', 'whole', 'average'];
  if (sqlType === 'timestamp with time zone') return ['timestamp'];
  return [sqlType === 'double precision' ? 'double' : sqlType];
}

interface SchemaFacts {
  readonly tables: {
    readonly [table: string]: {
      readonly columns: readonly {
        readonly name: string;
        readonly kind: string;
        readonly unit?: string;
        readonly enum?: Readonly<Record<string, string>>;
      }[];
    };
  };
}

const SCHEMA_FACTS = resolve('../shared/fixtures/export-schema.json');

test.skipIf(!existsSync(SCHEMA_FACTS))('The columns have the kinds, units and labels of a node at schema 93', () => {
  const { tables }: SchemaFacts = JSON.parse(readFileSync(SCHEMA_FACTS, 'utf8'));
  for (const [table, { columns }] of Object.entries(tables)) {
    const known = TABLE_SCHEMAS.get(table)?.map(({ name, kind, unit, values }) => [
      name,
      kind,
      unit?.text,
      labels(values),
    ]);
    // None of what the facts call a count says how many there are of something.
    const kindOf = (kind: string) => (kind === 'count' ? 'ordinal' : kind);
    expect(known).toEqual(
      columns.map(({ name, kind, unit, enum: values }) => [name, kindOf(kind), unit, labels(values)]),
    );
  }
});

const labels = (values: Readonly<Record<string, string>> | undefined) => Object.keys(values ?? {}).toSorted();

test('Amounts and sizes of exported tables may be added up, and no epoch, version, height, price or ratio', () => {
  const columns = [...TABLE_SCHEMAS].flatMap(([table, all]) => all.map(column => ({ ...column, table })));
  const [added, others] = [true, false].map(may => columns.filter(({ kind }) => mayBeAdded(kind) === may));
  expect(added?.map(({ unit, name }) => unit?.text ?? name)).not.toContain('market decimals (markets.decimal_places)');
  expect(added?.filter(({ unit }) => unit === undefined).map(({ name }) => name)).toEqual(['quantum_amount']);
  expect(added?.filter(({ name }) => /epoch|version|height|price|seq|batch|factor|percent|places/.test(name))).toEqual(
    [],
  );
  expect(others?.filter(({ name }) => /amount|fee$|quantity|balance|size$/.test(name)).map(({ name }) => name)).toEqual(
    ['fee'],
  );
});

test('A column is found by a former name, and an unknown column is not found', () => {
  expect(columnSchema('orders', 'initial_peak_size')).toBe(columnSchema('orders', 'peak_size'));
  expect(currentColumnName('orders', 'initial_peak_size')).toBe('peak_size');
  expect(columnSchema('markets', 'tick_size')).toBeUndefined();
  expect(columnSchema('unknown', 'id')).toBeUndefined();
  expect(columnSchema('constructor', 'x')).toBeUndefined();
  expect(currentColumnName('orders', 'constructor')).toBe('constructor');
});

test('The number of columns of every table grows as in the migrations of deployed nodes', () => {
  const counts = [...TABLE_SCHEMAS.keys()].map(table => {
    const versions = columnVersions(table).map(version => `${version}:${columnsAtVersion(table, version)?.length}`);
    return `${table} ${versions.join(' ')}`;
  });
  expect(counts).toEqual([
    'balances 1:4',
    'blocks 1:3',
    'checkpoints 1:6',
    'delegations 1:7',
    'deposits 1:10',
    'ledger 1:10 69:11',
    'liquidity_provisions 1:14',
    'margin_levels 1:8 77:12',
    'market_data 1:31 7:32 9:33 28:34 39:35 78:36 83:37 89:38 121:39',
    'markets 1:17 3:19 29:20 70:21 84:22 94:23 111:24 119:25 122:26',
    'orders 1:25 2:28 6:28',
    'positions 1:18 118:26',
    'rewards 1:11 51:12 73:13 74:14',
    'trades 1:22 31:34 116:40',
    'withdrawals 1:12',
  ]);
});

test('The columns between two schema changes are those of the earlier one', () => {
  expect(columnsAtVersion('ledger', 68)).toEqual(columnsAtVersion('ledger', 1));
  expect(columnsAtVersion('ledger', 93)?.at(-1)).toBe('transfer_id');
});

test('The only renamed column is known', () => {
  expect(columnsAtVersion('orders', 5)).toContain('initial_peak_size');
  expect(columnsAtVersion('orders', 6)).toContain('peak_size');
  expect(columnsAtVersion('orders', 6)).not.toContain('initial_peak_size');
});

test('A table that no node exports has no columns', () => {
  expect(columnsAtVersion('constructor', 93)).toBeUndefined();
});
