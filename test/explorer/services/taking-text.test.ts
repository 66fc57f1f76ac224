import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { FeeStatement } from '../../../src/chain/explain/statement/fee-statement.ts';
import { statementText } from '../../../src/chain/explain/statement/statement-table.ts';
import { createStatement } from '../../../src/chain/insight/statement.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Row } from '../../../src/chain/resources/resource.ts';
import type { CopyContent, ListContent, TableFormat } from '../../../src/explorer/services/copying/content.ts';
import { contentText } from '../../../src/explorer/services/copying/content-text.ts';
import { FULL_RECORDS } from '../../chain/resources/full-records.ts';
import { NO_TABLES } from '../support/fake-tables.ts';
import { textOf } from '../support/fake-world.ts';
import { provision } from '../support/provision-pages.ts';

const world = {
  explain: async () => undefined,
  screen: () => 'the screen\n',
  tables: NO_TABLES,
  signal: new AbortController().signal,
};

const text = (content: CopyContent): Promise<string> => textOf(contentText(content, world));

function listOf(rows: readonly Row[], id = 'provisions'): ListContent {
  const columns = RESOURCES.find(resource => resource.id === id)?.columns ?? [];
  const amongOf = () => ({ filters: {}, rows, isWhole: false });
  return { resource: id, rows, amongOf, columns, directory: NO_NAMES, nowMs: 1_800_000_000_000 };
}

const rowsAs = (form: TableFormat, list: ListContent): Promise<string> => text({ kind: 'rows', form, list });

/** Fields of a text of CSV, or with another separator, as a reader by RFC 4180 has them. */
function fieldsOf(written: string, separator: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < written.length; at++) {
    const character = written[at] ?? '';
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (written[at + 1] === '"') {
        field += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator || (character === '\r' && written[at + 1] === '\n')) {
      record.push(field);
      field = '';
      if (character === separator) continue;
      records.push(record);
      record = [];
      at++;
    } else field += character;
  }
  return records;
}

const HOSTILE = '=HYPERLINK("x")\t|`<img src=x>`\r\n\u001b[2J\u202e,*_[a](b)';

describe('Copied or saved table', () => {
  it.each([
    ['csv', ','],
    ['tsv', '\t'],
  ] as const)('A copied table has each value to the letter as %s, including formulas', async (form, separator) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), async texts => {
        const all = [...texts, HOSTILE];
        const list = listOf(all.map((reference, index) => provision(index, { reference })));
        const [head = [], ...records] = fieldsOf(await rowsAs(form, list), separator);
        const place = head.indexOf('reference');
        expect(records.map(record => record[place])).toEqual(all);
      }),
      { numRuns: 40 },
    );
  });

  it('A copied Markdown table is nothing but a table, whatever it holds', async () => {
    const list = listOf([provision(1, { reference: HOSTILE }), provision(2, { reference: 'b' })]);
    const lines = (await rowsAs('md', list)).trimEnd().split('\n');
    expect(lines.length).toBe(4);
    const cells = lines.map(line => line.split(/(?<!\\)\|/).length);
    expect(new Set(cells).size).toBe(1);
    expect(lines[2]).not.toMatch(/(?<!\\)[`<>*[\]]|[\u0000-\u001f\u007f-\u009f\u202e]/);
  });

  it('A copied table is cut and rounded nowhere', async () => {
    const amount = '123456789012345678901234567890';
    const list = listOf([provision(1, { commitmentAmount: amount, reference: 'x'.repeat(500) })]);
    for (const form of ['csv', 'tsv', 'md', 'json', 'ndjson'] as const) {
      const written = (await rowsAs(form, list)).replaceAll(' ', '');
      expect(written).toContain('x'.repeat(500));
      expect(written.replaceAll('\\_', '')).toContain(amount);
    }
  });

  it('A copied JSON table has every row as it was sent, in pieces that let other work run in between', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) =>
      provision(index, { version: parseJson('9007199254740993') }),
    );
    const written = await rowsAs('json', listOf(rows));
    expect(JSON.parse(written).length).toBe(1000);
    expect(written.match(/9007199254740993/g)?.length).toBe(1000);
    const lines = (await rowsAs('ndjson', listOf(rows))).trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line).id)).toEqual(rows.map(({ id }) => id));
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    const pieces = contentText({ kind: 'rows', form: 'csv', list: listOf(rows) }, world);
    let count = 0;
    for await (const _ of pieces) count++;
    clearInterval(turn);
    expect(count).toBeGreaterThan(2);
    expect(turns).toBeGreaterThan(0);
  });

  it('A copied table lets other work run when rows take long, however few they are', async () => {
    const amongOf = () => {
      const until = performance.now() + 1;
      while (performance.now() < until);
      return { filters: {}, rows: [], isWhole: false };
    };
    for (const form of ['md', 'csv'] as const) {
      let turns = 0;
      let isDone = false;
      const turn = (): void => {
        turns++;
        if (!isDone) setImmediate(turn);
      };
      turn();
      const rows = Array.from({ length: 60 }, (_, index) => provision(index));
      await rowsAs(form, { ...listOf(rows), amongOf });
      isDone = true;
      expect(turns).toBeGreaterThan(15);
    }
  });

  it('A copied table without rows is a heading, or an empty list', async () => {
    expect(fieldsOf(await rowsAs('csv', listOf([])), ',').length).toBe(1);
    expect(await rowsAs('json', listOf([]))).toBe('[]\n');
    expect(await rowsAs('ndjson', listOf([]))).toBe('');
  });

  it.each(FULL_RECORDS)(
    'A copied table of %s has the same number of columns in each line, in each format',
    async (id, record) => {
      const list = listOf([record, {}], id);
      for (const [form, separator] of [
        ['csv', ','],
        ['tsv', '\t'],
      ] as const) {
        const records = fieldsOf(await rowsAs(form, list), separator);
        expect(new Set(records.map(({ length }) => length)).size).toBe(1);
      }
      expect((await rowsAs('md', list)).trimEnd().split('\n').length).toBe(4);
    },
  );

  it('A copied table accepts anything as a record', async () => {
    const anything = fc.jsonValue().map(value => parseJson(JSON.stringify(value)));
    const record = fc.dictionary(fc.constantFrom('id', 'fee', 'buys', 'market', 'key', 'value', 'x'), anything);
    await fc.assert(
      fc.asyncProperty(record, fc.constantFrom(...RESOURCES.map(({ id }) => id)), async (members, id) => {
        const row: JsonObject = isJsonObject(members) ? members : {};
        const list = listOf([row], id);
        for (const form of ['csv', 'tsv', 'md', 'json', 'ndjson'] as const) await rowsAs(form, list);
        const taken = {
          resource: id,
          row,
          around: { filters: {}, rows: [row] },
          directory: NO_NAMES,
          explanation: null,
        };
        await text({ kind: 'record', record: taken });
      }),
      { numRuns: 60 },
    );
  });
});

describe('Copied or saved record', () => {
  it('A copied record is its explanation and its fields, or its JSON', async () => {
    const row = provision(1);
    const around = { filters: {}, rows: [row] };
    const explanation = {
      parts: [{ title: '', lines: [{ label: '', text: 'It provides\u001b[2J' }] }],
      json: {},
      copies: [],
    };
    const record = { resource: 'provisions', row, around, directory: NO_NAMES, explanation };
    const words = await text({ kind: 'record', record });
    expect(words).toMatch(/^It provides␛\[2J\n\n/);
    expect(words).toContain('reference-1');
    expect(JSON.parse(await text({ kind: 'json', value: row, isIndented: true }))).toEqual(row);
  });
});

it('The copied request log has the requests as they were reported', async () => {
  const { requestsTold } = await import('../support/requests-told.ts');
  const requests = requestsTold(3);
  expect(JSON.parse(await text({ kind: 'requests', form: 'json', requests }))).toEqual(requests);
  expect(await text({ kind: 'screen' })).toBe('the screen\n');
});

const STATEMENT: FeeStatement = {
  ...createStatement({
    ...{ party: 'aa11', market: '', asset: '' },
    spans: [{ kind: 'known', from: 7n, to: 7n }],
    rows: [
      {
        ...{ market: 'm1', asset: 'a1', epochSeq: '7', totalFeesPaid: '40' },
        feesPaidPerParty: [{ party: 'aa11', amount: '10' }],
      },
    ],
  }),
  query: { party: 'aa11', market: '', asset: '', epochs: { kind: 'last', count: 1 } },
  epochs: { from: 7n, to: 7n },
  ...{ span: 'epoch 7', basis: 'allocated', ammIncome: 'included', requests: 2, notes: [] },
};

it('A copied statement is text as the command prints it, or a table', async () => {
  const taken = (form: 'txt' | TableFormat) =>
    text({ kind: 'statement', form, statement: STATEMENT, directory: NO_NAMES });
  expect(await taken('txt')).toBe(statementText(STATEMENT, NO_NAMES));
  expect(await taken('csv')).toMatch(/^kind,epoch,/);
});
