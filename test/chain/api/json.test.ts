import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isJsonArray,
  isJsonObject,
  isRawNumber,
  type Json,
  jsonText,
  member,
  NestingError,
  parseJson,
  printJson,
} from '../../../src/chain/api/json.ts';
import { type ExactValue, readExactJson } from '../../support/exact-reader.ts';
import { jsonText as anyJsonText } from '../../support/json-texts.ts';

/** A value as the reference reads it, its numbers to the digit. */
function exact(value: Json): ExactValue {
  if (typeof value === 'number' || isRawNumber(value)) return { number: jsonText(value) };
  if (isJsonArray(value)) return value.map(exact);
  if (isJsonObject(value)) return new Map(Object.entries(value).map(([name, item]) => [name, exact(item)]));
  return value;
}

/** The same for the same value, whatever the order of its members. */
function plain(value: ExactValue): unknown {
  if (value instanceof Map) {
    const members = [...value].map(([name, item]) => [name, plain(item)] as const);
    return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
  }
  return Array.isArray(value) ? value.map(plain) : value;
}

const nested = (levels: number, opening: string, innermost: string, closing: string): string =>
  opening.repeat(levels) + innermost + closing.repeat(levels);

describe('Exact JSON', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '{"n":18446744073709551615}',
    '[1.0,1e3,-0,0.1,3,12345678901234567890.5]',
    '{"args":[{"deep":[9223372036854775807]}],"s":"9007199254740993"}',
    '{"text":"has :1234567890123456 inside","n":1}',
    '{"text":":1234567890123456,","n":1}',
    '[":1234567890123456,",":1234567890123456}"]',
    '{"a,":1234567890123456789,":1234567890123456,":",-0"}',
    '{"text":"quoted \\":1234567890123456789,","n":1234567890123456789}',
    '{"ends with \\\\\\\\":1234567890123456789}',
    '{"a":1234567890123456789,"b":[1234567890123456789,2],"c":-9223372036854775808}',
    '[{"a":{"b":12345678901234567}}]',
    '{"__proto__":1.0,"digits":{"digits":"1.0"},"rawJSON":"1.0"}',
    `[${'9'.repeat(400)},1e400,-1e-400,0.1000]`,
  ])('`parseJson` and `printJson` reproduce %s exactly', text => {
    expect(printJson(parseJson(text))).toBe(text);
  });

  it('`parseJson` agrees with a character-by-character reference reader on any JSON, with exact numbers', () => {
    fc.assert(
      fc.property(anyJsonText, text => {
        expect(plain(exact(parseJson(text)))).toEqual(plain(readExactJson(text)));
      }),
      { numRuns: 3000 },
    );
  });

  it('`printJson` prints every value as JSON that parses to the same value, with and without indent', () => {
    fc.assert(
      fc.property(anyJsonText, fc.constantFrom(undefined, 2), (text, indent) => {
        const value = parseJson(text);
        expect(plain(readExactJson(printJson(value, indent)))).toEqual(plain(exact(value)));
      }),
      { numRuns: 1000 },
    );
  });

  it('`parseJson` refuses what the reference refuses, including malformed numbers', () => {
    const broken = fc
      .tuple(anyJsonText, fc.nat(), fc.constantFrom('0', '-', '.', 'e', '"', ',', '\\', ' ', '}', '1234567890123456'))
      .map(([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice(at % text.length));
    fc.assert(
      fc.property(broken, text => {
        const reads = (read: (text: string) => unknown): boolean => {
          try {
            read(text);
            return true;
          } catch {
            return false;
          }
        };
        expect(reads(parseJson)).toBe(reads(readExactJson));
      }),
      { numRuns: 3000 },
    );
  });

  it('`parseJson` keeps ordinary numbers as numbers and marks the others', () => {
    const value = parseJson('{"small":42,"large":9007199254740993}');
    expect(member(value, 'small')).toBe(42);
    expect(isRawNumber(member(value, 'large'))).toBe(true);
    expect(jsonText(member(value, 'large'))).toBe('9007199254740993');
  });

  it.each([
    ['"text"', 'text'],
    ['""', ''],
    ['null', ''],
    ['false', 'false'],
    ['0', '0'],
    ['1.0', '1.0'],
    ['["a",1.0]', '["a",1.0]'],
    ['{"a":null}', '{"a":null}'],
  ])('`jsonText` turns %s into %j', (json, text) => {
    expect(jsonText(parseJson(json))).toBe(text);
    expect(jsonText(undefined)).toBe('');
  });

  it('The JSON type guards tell objects, lists, numbers and null apart', () => {
    const values = ['{}', '[]', '1.0', '1', '"x"', 'null', 'true'].map(text => parseJson(text));
    expect(values.map(isJsonObject)).toEqual([true, ...Array(6).fill(false)]);
    expect(values.map(isJsonArray)).toEqual([false, true, ...Array(5).fill(false)]);
    expect(values.map(isRawNumber)).toEqual([false, false, true, ...Array(4).fill(false)]);
    for (const value of [...values, undefined]) expect(member(value, 'length')).toBeUndefined();
  });

  it('`member` does not return inherited members', () => {
    expect(member(parseJson('{}'), 'toString')).toBeUndefined();
  });

  it.each([
    ['lists', '[', '1.0', ']'],
    ['objects', '{"a":', '1.0', '}'],
    ['objects in lists', '[{"a":', '"x"', '}]'],
  ])(
    '`parseJson` accepts %s up to the nesting limit, prints them, and refuses one level more',
    (_, opening, innermost, closing) => {
      const levels = 1000 / (opening.length === 6 ? 2 : 1);
      const text = nested(levels, opening, innermost, closing);
      expect(printJson(parseJson(text))).toBe(text);
      expect(() => parseJson(`[${text}]`)).toThrow(NestingError);
      expect(new NestingError().name).toBe('NestingError');
    },
  );

  it('`parseJson` refuses a million levels with the same message', () => {
    for (const text of [nested(1e6, '[', '', ']'), nested(1e6, '{"a":', '1.0', '}')])
      expect(() => parseJson(text)).toThrow('more than 1000 levels deep');
  });
});
