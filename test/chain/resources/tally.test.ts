import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { createSums, sumText, sumUnit } from '../../../src/chain/resources/amount-sums.ts';
import { frequencyForms, sumsForms } from '../../../src/chain/resources/figure-records.ts';
import { RESOURCES, resourceById } from '../../../src/chain/resources/registry.ts';
import type { Column, Row } from '../../../src/chain/resources/resource.ts';
import { createTally, frequentValueText } from '../../../src/chain/resources/tally.ts';
import { anyDirectory } from '../../support/any-directory.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { expectNoSlips } from '../../support/no-slips.ts';
import { textAs } from '../../support/serialised.ts';
import { asset, directoryWith, market } from '../directory/directories.ts';
import { FULL_RECORDS } from './full-records.ts';

function columnOf(list: string, id: string): Column {
  const column = resourceById(list)?.columns.find(candidate => candidate.id === id);
  if (column === undefined) throw new Error(`no column ${id}`);
  return column;
}

const among = (rows: readonly Row[]) => ({ rows, filters: {}, isWhole: false });

function tally(column: Column, rows: readonly Row[], directory: Directory = NO_NAMES) {
  const made = createTally(column, directory);
  for (const row of rows) made.add(row, among(rows));
  return made.result();
}

const directory = directoryWith({
  markets: [
    ['0a', market({ asset: 'c1' })],
    ['0b', market({ asset: 'c1' })],
    ['0c', market({ asset: 'c2' })],
    ['0d', market({ asset: 'c3' })],
  ],
  assets: [
    ['c1', asset({ symbol: 'HUSD', decimals: 2 })],
    ['c2', asset({ symbol: 'HUSD', decimals: 18 })],
    ['c3', asset({ symbol: 'NONE', decimals: null })],
  ],
});

const commits = (marketId: string, commitmentAmount: Json): JsonObject => ({ id: '1', marketId, commitmentAmount });

describe('Value frequency', () => {
  const status = columnOf('provisions', 'status');

  it('The frequency lists the most frequent value first, and counts rows without one', () => {
    const rows = ['STATUS_PENDING', undefined, 'STATUS_ACTIVE', 'STATUS_ACTIVE', null, 'STATUS_ACTIVE'].map(word => ({
      status: word ?? null,
    }));
    const { values, rows: count } = tally(status, rows);
    expect(count).toBe(6);
    expect(values.map(value => [frequentValueText(status, value, NO_NAMES), value.count])).toEqual([
      ['ACTIVE', 3],
      ['(none)', 2],
      ['PENDING', 1],
    ]);
  });

  it('The frequency counts times by day, and other texts separately', () => {
    const day = (text: string) => ({ updatedAt: text });
    const rows = ['1700000000000000000', '1700000000123456789', '1700100000000000000', '0', 'soon', ''].map(day);
    const { values } = tally(columnOf('provisions', 'updated'), rows);
    expect(values.map(({ value, count }) => [value, count])).toEqual([
      ['2023-11-14', 2],
      ['', 2],
      ['2023-11-16', 1],
      ['soon', 1],
    ]);
  });

  it('The frequency distinguishes the same digits of two assets', () => {
    const column = columnOf('provisions', 'commitment');
    const { values } = tally(column, [commits('0a', '500'), commits('0c', '500'), commits('0b', '500')], directory);
    expect(values.map(value => [frequentValueText(column, value, directory), value.count])).toEqual([
      ['5 HUSD c1', 2],
      ['0.0000000000000005 HUSD c2', 1],
    ]);
  });

  it('The frequency is empty if there are no rows', async () => {
    expect(tally(status, [])).toEqual({ rows: 0, values: [], sums: [], unsummed: 0 });
    expect(await textAs('csv', frequencyForms(status, tally(status, []), NO_NAMES))).toBe(
      'value,shown,count,share\r\n',
    );
  });

  it('The frequency counts each row once in every list, whatever its content and names', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FULL_RECORDS), { maxLength: 20 }), anyDirectory, (records, names) => {
        for (const resource of RESOURCES) {
          const rows = records.map(([, record]) => record);
          for (const column of resource.columns) {
            const made = tally(column, rows, names);
            expect(made.values.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
            expect(made.sums.reduce((sum, { count }) => sum + count, made.unsummed)).toBe(
              made.sums.length + made.unsummed === 0 ? 0 : rows.length,
            );
            const printed = [...(frequencyForms(column, made, names).document?.() ?? [])].join('');
            expectNoSlips(JSON.parse(printed), [column.id]);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('The frequency of 200,000 rows with as many values is counted within a moment', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => ({ key: `k${index % 150_000}`, value: '1' }));
    const column = columnOf('parameters', 'key');
    for (const row of rows) column.value(row);
    const start = cpuMs();
    const { values } = tally(column, rows);
    expect(cpuMs() - start).toBeLessThan(2000);
    expect([values.length, values[0]?.count, values.at(-1)?.count]).toEqual([150_000, 2, 1]);
  });
});

describe('Sums of amounts', () => {
  const column = columnOf('provisions', 'commitment');
  const shown = (rows: readonly Row[], names: Directory) => {
    const sums = createSums(column, names);
    for (const row of rows) sums.add(row);
    const made = sums.result();
    return [
      ...made.sums.map(sum => [
        sumUnit(sum, names),
        sum.count,
        ...[sum.sum, sum.least, sum.largest].map(value => sumText(sum, value)),
      ]),
      made.unsummed,
    ];
  };

  it('The sum of amounts is exact for each asset, also if two have the same name', () => {
    const rows = [
      commits('0a', '9007199254740993'),
      commits('0b', '1'),
      commits('0c', '1'),
      commits('0a', '-5'),
      commits('0C', '9'.repeat(80)),
    ];
    expect(shown(rows, directory)).toEqual([
      ['HUSD c1', 3, '90071992547409.89', '-0.05', '90071992547409.93'],
      ['HUSD c2', 2, `1${'0'.repeat(62)}`, '0.000000000000000001', `${'9'.repeat(62)}.${'9'.repeat(18)}`],
      0,
    ]);
  });

  it('The sum of amounts is in smallest units if the unit is unknown, for each asset or market', () => {
    const rows = [commits('0d', '7'), commits('0e', '1'), commits('0f', '2'), commits('0E', '3')];
    expect(shown(rows, directory)).toEqual([
      ['smallest unit, asset NONE', 1, '7', '7', '7'],
      ['smallest unit, market 0e', 2, '4', '1', '3'],
      ['smallest unit, market 0f', 1, '2', '2', '2'],
      0,
    ]);
  });

  it('The sum of amounts leaves out values that are not whole amounts or have no known asset, and counts them', async () => {
    const rows = [commits('0a', '1.5'), commits('0a', 'x'), commits('0a', null), commits('', '1'), commits('0a', {})];
    expect(shown(rows, directory)).toEqual([5]);
    const none = sumsForms(column, { sums: [], unsummed: 5 });
    expect(await textAs('csv', none)).toBe('of,id,symbol,count,sum,least,largest\r\n');
    expect(JSON.parse(await textAs('json', none))).toEqual({ column: 'commitment', sums: [], unsummed: 5 });
  });
});
