import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueCheck } from '../../../src/history/check/column-values.ts';
import { type DatabaseType, STORED_TYPES } from '../../../src/tables/table.ts';
import { balancesHeader, balancesName, csv, judge, summary } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

const can = (stored: DatabaseType, text: string | Buffer, mayBeNegative = true): boolean => {
  const bytes = Buffer.concat([Buffer.from(','), Buffer.from(text), Buffer.from(',')]);
  return valueCheck({ stored, mayBeNegative })?.isValue(viewOf(bytes), 1, bytes.length - 1) ?? true;
};

const VALUES: {
  readonly [stored in DatabaseType]?: { readonly good: readonly string[]; readonly bad: readonly string[] };
} = {
  bytea: { good: ['\\x', '\\x03', '\\xABcd'], bad: ['', 'ab', '\\xa', '\\xzz', '\\X00', ' \\x00'] },
  timestamp: {
    good: [
      ...[
        '2023-01-18 01:12:09.934225+00',
        '1970-01-01 00:00:00+00',
        '2024-02-29 23:59:59.9+00',
        '2000-02-29 00:00:00+00',
      ],
      ...[
        '2023-01-18 01:12:09+05:30',
        '2023-01-18 01:12:09-04:56:02',
        '2023-01-18 01:12:09.5+14',
        '0001-01-01 00:00:00+00',
      ],
    ],
    bad: [
      ...['2023-02-30 00:00:00+00', '2023-02-29 00:00:00+00', '1900-02-29 00:00:00+00', '2023-04-31 00:00:00+00'],
      ...['2023-13-01 00:00:00+00', '2023-00-01 00:00:00+00', '2023-01-00 00:00:00+00', '2023-01-18 24:00:00+00'],
      ...['2023-01-18 01:60:09+00', '2023-01-18 01:12:60+00', '2023-01-18 01:12:09', '2023-01-18 01:12:09Z'],
      ...['2023-01-18T01:12:09+00', '2023-01-18 01:12:09.+00', '2023-01-18 01:12:09.1234567+00', '2023-01-18'],
      ...['2023-01-18 01:12:09+0', '2023-01-18 01:12:09+05:60', '2023-01-18 01:12:09+05:30:', '2023-01-18 01:12:09+16'],
      ...[
        'infinity',
        '-infinity',
        '0044-03-15 00:00:00+00 BC',
        '0000-01-01 00:00:00+00',
        '12023-01-18 01:12:09+00',
        '',
      ],
    ],
  },
  hugeint: {
    good: ['0', '-5', '9'.repeat(1000)],
    bad: ['', '-', '1.5', '1e3', 'NaN', ' 1', '+1', '1_0', '9'.repeat(1001)],
  },
  numeric: {
    good: ['0', '-0.5', '0.3000000000000000'],
    bad: ['', 'NaN', '1e3', '.5', '5.', '1.2.3', '--1', 'Infinity'],
  },
  whole: { good: ['0', '100', '100.0'], bad: ['NaN', '1e3', '5.'] },
  double: { good: ['50', '0.5', '1e-07', '1.5e+20'], bad: ['NaN', '1e3', 'Infinity', '1,5', ''] },
  bigint: {
    good: ['9223372036854775807', '-9223372036854775808', '0'],
    bad: ['9223372036854775808', '-9223372036854775809', '1.0', ''],
  },
  integer: { good: ['2147483647', '-2147483648'], bad: ['2147483648', '99999999999'] },
  smallint: { good: ['32767', '-32768'], bad: ['32768', '-32769'] },
  boolean: { good: ['t', 'f'], bad: ['true', '1', 'T', ''] },
  jsonb: { good: ['null', '[]', '{"a": 1}', '1.5', '"x"', 'true'], bad: ['{', '{"a": 1', '[1}', 'nul', '', '"'] },
  label: { good: ['STATUS_OPEN', 'A1'], bad: ['', 'open', 'STATUS OPEN'] },
};

describe('Column values of a type', () => {
  test.each(Object.entries(VALUES))(
    'The good and bad values of a column are distinguished for type %s',
    (name, { good, bad }) => {
      const stored = STORED_TYPES.find(type => type === name) ?? 'text';
      expect(good.filter(text => !can(stored, text))).toEqual([]);
      expect(bad.filter(text => can(stored, text))).toEqual([]);
    },
  );

  test('An integer is judged as BigInt judges it, near its limits and with zeros before it', () => {
    const bits = { smallint: 16, integer: 32, bigint: 64 } as const;
    const nearLimit = fc
      .tuple(fc.constantFrom(15n, 31n, 63n), fc.bigInt(-3n, 3n), fc.boolean())
      .map(([power, more, isNegative]) => String((2n ** power + more) * (isNegative ? -1n : 1n)));
    const text = fc.oneof(
      fc.tuple(nearLimit, fc.nat(3)).map(([number, zeros]) => number.replace(/(?=\d)/, '0'.repeat(zeros))),
      fc.string({ unit: fc.constantFrom(...'-0189'), maxLength: 21 }),
    );
    const isInteger = (each: string, size: number): boolean =>
      /^-?\d{1,19}$/.test(each) && BigInt.asIntN(size, BigInt(each)) === BigInt(each);
    fc.assert(
      fc.property(fc.constantFrom('smallint' as const, 'integer' as const, 'bigint' as const), text, (type, each) => {
        expect(can(type, each)).toBe(isInteger(each, bits[type]));
      }),
      { numRuns: 2000 },
    );
  });

  test('An id is judged by each of its bytes, however long it is', () => {
    for (let length = 0; length <= 66; length++) {
      for (let place = 0; place < length; place++) {
        const id = Buffer.from(`\\x${'0123456789abcdefABCDEF'.repeat(3)}`.slice(0, length));
        for (let byte = 0; byte < 256; byte++) {
          id[place] = byte;
          if (can('bytea', id) !== /^\\x(?:[\da-fA-F]{2})*$/.test(id.toString('latin1')))
            expect.fail(`byte ${byte} at ${place} of ${length}`);
        }
      }
    }
  });

  test('A value ends where its check says so exactly when it is a value, whatever follows it', () => {
    const good = Object.entries(VALUES).flatMap(([type, values]) => values.good.map(text => ({ type, text })));
    const change = fc.record({ at: fc.nat(30), to: fc.constantFrom(...'0189-+.:eE abfgxX\\TtA_é') });
    const changed = fc
      .tuple(fc.constantFrom(...good), fc.array(change, { maxLength: 2 }))
      .map(([{ type, text }, changes]) => ({
        type: STORED_TYPES.find(stored => stored === type) ?? 'text',
        text: changes.reduce((each, { at, to }) => each.slice(0, at) + to + each.slice(at + 1), text),
      }));
    const next = fc.constantFrom(',', '\n', '\r\n', '"', '\0').chain(mark => fc.string().map(more => mark + more));
    fc.assert(
      fc.property(changed, next, fc.boolean(), ({ type, text }, more, mayBeNegative) => {
        fc.pre(!/[,"\0\r\n]/.test(text));
        const end = valueCheck({ stored: type, mayBeNegative })?.endOf?.(
          viewOf(Buffer.from(`${text}${more}`)),
          0,
          Buffer.byteLength(`${text}${more}`),
        );
        fc.pre(end !== undefined);
        // The exponent of a number is only looked for when the number has not been recognised.
        const isEnded =
          type === 'double' ? can(type, text, mayBeNegative) && !text.includes('e') : can(type, text, mayBeNegative);
        expect(end === Buffer.byteLength(text)).toBe(isEnded);
      }),
      { numRuns: 5000 },
    );
  });

  test('A number below 0 is refused in a column where it has no meaning', () => {
    for (const stored of ['hugeint', 'numeric', 'whole', 'average', 'double', 'bigint', 'integer', 'smallint'] as const)
      expect([can(stored, '-1', false), can(stored, '1', false)]).toEqual([false, true]);
  });
});

describe('Value check of an export', () => {
  const rows = (...values: readonly string[]): string =>
    csv(balancesHeader, ...values.map(value => `\\x01,2023-01-18 01:12:09+00,\\x02,${value}`));
  const judged = (content: string, sizes?: readonly number[]) =>
    judge(zipOf([{ name: balancesName, content, method: 0, descriptor: 0 }]), undefined, sizes);

  test('The value check reports the first wrong value, its row and how many there are', async () => {
    expect(summary(await judged(rows('5', 'NaN', '7', '-1')))).toBe(
      `damaged value: ${balancesName} has balance "NaN" in row 2, which is not a whole number from 0 up. 1 more like it.`,
    );
    const wrongTime = rows('5').replace('2023-01-18', '2023-02-30');
    expect(summary(await judged(wrongTime))).toContain(
      'has vega_time "2023-02-30 01:12:09+00" in row 1, which is not a time',
    );
  });

  test('The value check works wherever the pieces are cut, with or without quotes, with LF or CRLF', async () => {
    for (const content of [rows('5', '"12"', '7'), rows('5', '77').replaceAll('\n', '\r\n')])
      for (let size = 1; size < 40; size++) expect((await judged(content, [size])).kind).toBe('complete');
    for (const content of [rows('5', '1e3'), rows('5', '"x"'), rows('1e3').replaceAll('\n', '\r\n')])
      for (let size = 1; size < 40; size++) expect((await judged(content, [size])).kind).toBe('damaged');
  });

  test('The value check finds the same faults in a CSV in one piece and in pieces of a byte', async () => {
    const value = fc.constantFrom('5', '"5"', '', '""', '-5', '5\0', '5"', '5\r', '\r', '\\x', '5é', '1.5');
    const id = fc.constantFrom(
      '\\x01',
      '"\\x01"',
      '',
      '\\x0',
      '\\x0g',
      '\\x01,',
      `\\x${'ab'.repeat(32)}`,
      '\\X01',
      '\\x01\n',
    );
    const time = fc.constantFrom('2023-01-18 01:12:09+00', '2023-01-18 01:12:09.5', '2023-01-18 01:12:09.5+05:3', '');
    const row = fc.tuple(id, time, id, value).map(each => each.join(','));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('\n', '\r\n'),
        async (lines, end) => {
          const content = [balancesHeader, ...lines, ''].join(end);
          expect((await judged(content, [1])).findings).toEqual((await judged(content)).findings);
        },
      ),
      { numRuns: 500 },
    );
  });
});
