import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvFormOf } from '../../src/chain/resources/columns.ts';
import { resourceById } from '../../src/chain/resources/registry.ts';
import type { Row } from '../../src/chain/resources/resource.ts';
import { rowForms } from '../../src/cli/list-rows.ts';
import { type Format, printer } from '../../src/cli/output.ts';
import { createSink } from '../../src/cli/sink.ts';
import { objectOf } from '../chain/resources/full-records.ts';
import { anyCharacter } from '../support/any-character.ts';
import { TextStream } from './run-command.ts';

const NOW = 1_700_000_000_000;

async function written(format: Format, pages: readonly (readonly Row[])[], isTerminal = false, id = 'parameters') {
  const resource = resourceById(id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  const stdout = new TextStream(isTerminal);
  const sink = createSink(stdout);
  const options = {
    columns: resource.columns,
    csvForm: csvFormOf(resource),
    names: null,
    isExact: false,
    clock: { nowMs: () => NOW, hasEnded: () => false },
  };
  const writer = printer(format, rowForms(options, sink), sink);
  for (const rows of pages) {
    const among = { rows, filters: {}, isWhole: false };
    await writer.write(rows.map(row => ({ row, among })));
  }
  await writer.end();
  return stdout.text;
}

/** Reads RFC 4180: the other half of the writer, written from the RFC. */
function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`no CSV: ${text}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      records.push(record);
      record = [];
    }
  }
  return records;
}

describe('CSV output', () => {
  it('The CSV output reads back unchanged, whatever it contains', async () => {
    const text = fc.string({ unit: anyCharacter });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ key: text, value: text })), async rows => {
        const [head, ...records] = readCsv(await written('csv', [rows]));
        expect(head).toEqual(['key', 'value', 'type']);
        expect(records.map(([key, value]) => ({ key, value }))).toEqual(rows);
      }),
    );
  });

  it('The CSV output quotes only values that need it', async () => {
    const values = ['a b', 'a,b', 'a"b', 'a\nb', ''];
    const [, text] = (await written('csv', [values.map(value => ({ key: value, value: '|' }))])).split('type\r\n');
    expect(text).toBe('a b,|,text\r\n"a,b",|,text\r\n"a""b",|,text\r\n"a\nb",|,text\r\n,|,text\r\n');
  });

  it('The CSV output has one header over several pages, and also without rows', async () => {
    const rows = [{ key: 'a', value: '1' }];
    expect(await written('csv', [rows, rows])).toBe('key,value,type\r\na,1,integer\r\na,1,integer\r\n');
    expect(await written('csv', [])).toBe('key,value,type\r\n');
  });
});

describe('JSON and NDJSON output', () => {
  const rows = [objectOf('{"n":9007199254740993,"d":1.10,"s":"line\\nend"}'), objectOf('{"n":18446744073709551615}')];

  it('The NDJSON output has one record per line, with exact numbers', async () => {
    expect(await written('ndjson', [rows, rows])).toBe(
      '{"n":9007199254740993,"d":1.10,"s":"line\\nend"}\n{"n":18446744073709551615}\n'.repeat(2),
    );
  });

  it('The JSON output is one array over several pages', async () => {
    const text = await written('json', [rows, [], rows]);
    expect(JSON.parse(text).length).toBe(4);
    expect(text).toContain('9007199254740993');
    expect(await written('json', [])).toBe('[]\n');
    expect(await written('json', [[]])).toBe('[]\n');
  });
});

describe('Table output', () => {
  it('The table output takes its widths from the first page and keeps its columns on the others', async () => {
    const text = await written('table', [[{ key: 'a', value: '8760h0m0s' }], [{ key: 'a.longer.key', value: '1' }]]);
    expect(text.split('\n').map(line => line.trimEnd())).toEqual([
      'KEY  VALUE  RAW        TYPE',
      'a    365 d  8760h0m0s  duration',
      'a.longer.key      1  1          integer',
      '',
    ]);
  });

  it('The table output in a pipe has every value in full, whatever page it is on', async () => {
    const value = fc.oneof(
      fc.stringMatching(/^[a-z]{1,200}$/),
      fc.stringMatching(/^[1-9]\d{0,60}$/),
      fc.constant('x'.repeat(3000)),
    );
    const row = fc.record({ id: value, reference: value, commitmentAmount: value, status: value });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), async pages => {
        const lines = (await written('table', pages, false, 'provisions')).split('\n').slice(1, -1);
        for (const [index, { id, reference, commitmentAmount, status }] of pages.flat().entries()) {
          const line = lines[index] ?? '';
          for (const text of [id, reference, status]) expect(line).toContain(text);
          expect(line.replaceAll(' ', '')).toContain(commitmentAmount);
        }
      }),
    );
  });

  it('The table output never contains a control character from the node', async () => {
    const text = fc.string({ unit: anyCharacter });
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (key, value, isTerminal) => {
        const lines = await written('table', [[{ key, value }]], isTerminal);
        expect(lines.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(lines.split('\n').length).toBe(3);
      }),
    );
  });

  it('The table output shows full ids in a pipe and shortened ids on a terminal', async () => {
    const row = { id: 'ab'.repeat(32) };
    expect(await written('table', [[row]], false, 'provisions')).toContain('ab'.repeat(32));
    expect(await written('table', [[row]], true, 'provisions')).toContain('abab..abab');
  });
});
