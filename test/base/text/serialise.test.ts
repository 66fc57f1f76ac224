import { describe, expect, it } from 'vitest';
import type { CellText, RecordsToSerialise } from '../../../src/base/text/serialise.ts';
import { createSerialiser, serialiseAll } from '../../../src/base/text/serialise.ts';
import { textAs } from '../../support/serialised.ts';

type Pair = readonly [CellText, CellText];

const pairs = (records: readonly Pair[], hasNulls = false): RecordsToSerialise<Pair> => ({
  records,
  head: () => ['a', 'b|c'],
  aligns: () => ['left', 'right'],
  cells: record => [record],
  hasNulls,
  json: record => JSON.stringify(record),
});

const HOSTILE = 'x,"y"\t|<b>\r\nz';

describe('Serialised records', () => {
  it('Records are written in each format with nothing lost', async () => {
    const all = pairs([[HOSTILE, '1']]);
    expect(await textAs('csv', all)).toBe('a,b|c\r\n"x,""y""\t|<b>\r\nz",1\r\n');
    expect(await textAs('tsv', all)).toBe('a\tb|c\r\n"x,""y""\t|<b>\r\nz"\t1\r\n');
    expect(await textAs('md', all)).toBe('| a | b\\|c |\n| --- | ---: |\n| x,"y"\t\\|\\<b\\> z | 1 |\n');
    expect(await textAs('ndjson', all)).toBe(`${JSON.stringify([HOSTILE, '1'])}\n`);
    expect(await textAs('json', all)).toBe(`[\n${JSON.stringify([HOSTILE, '1'])}\n]\n`);
  });

  it('Records distinguish NULL from empty text where both occur', async () => {
    const records: readonly Pair[] = [[null, '']];
    expect(await textAs('csv', pairs(records, true))).toBe('a,b|c\r\n,""\r\n');
    expect(await textAs('md', pairs(records, true))).toContain('| NULL |  |\n');
    expect(await textAs('csv', pairs(records))).toBe('a,b|c\r\n,\r\n');
    expect(await textAs('md', pairs(records))).toContain('|  |  |\n');
  });

  it('Records have their heading even if there are none', async () => {
    const text = async (form: 'csv' | 'tsv' | 'md' | 'json' | 'ndjson') => textAs(form, pairs([]));
    expect([await text('csv'), await text('tsv'), await text('json'), await text('ndjson')]).toEqual([
      'a,b|c\r\n',
      'a\tb|c\r\n',
      '[]\n',
      '',
    ]);
    expect(await text('md')).toBe('| a | b\\|c |\n| --- | ---: |\n');
  });

  it('Records give the same text in one part and in several', async () => {
    const records: readonly Pair[] = [
      ['1', '2'],
      ['3', '4'],
    ];
    for (const form of ['csv', 'tsv', 'md', 'json', 'ndjson'] as const) {
      const text = createSerialiser(form, pairs(records));
      let written = '';
      for (const record of records) written += (await text.next([record])).exact;
      written += (await text.next([])).exact;
      for (const { exact } of text.end()) written += exact;
      expect(written).toBe(await textAs(form, pairs(records)));
    }
  });

  it('Records never reach a terminal as a control sequence', async () => {
    for (const form of ['csv', 'tsv', 'md', 'json', 'ndjson'] as const)
      for await (const { shown } of serialiseAll(form, pairs([['\u001b[2J\u202e', '\u0007']])))
        expect(shown()).not.toMatch(/[\u001b\u202e\u0007]/);
  });
});
