import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRawNumber, jsonText, member, parseJson, printJson } from '../../src/api/json.ts';

describe('exact JSON', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '{"n":18446744073709551615}',
    '[1.0,1e3,-0,0.1,3,12345678901234567890.5]',
    '{"args":[{"deep":[9223372036854775807]}],"s":"9007199254740993"}',
    '{"text":"has :1234567890123456 inside","n":1}',
    '{"text":"quoted \\":1234567890123456789,","n":1234567890123456789}',
    '{"ends with \\\\\\\\":1234567890123456789}',
    '{"a":1234567890123456789,"b":[1234567890123456789,2],"c":-9223372036854775808}',
    '[{"a":{"b":12345678901234567}}]',
  ])('gives %s back to the digit', text => {
    expect(printJson(parseJson(text))).toBe(text);
  });

  it('keeps ordinary numbers ordinary and tells the others apart', () => {
    const value = parseJson('{"small":42,"large":9007199254740993}');
    expect(member(value, 'small')).toBe(42);
    expect(isRawNumber(member(value, 'large'))).toBe(true);
    expect(jsonText(member(value, 'large'))).toBe('9007199254740993');
  });

  it('returns every JSON text it prints unchanged', () => {
    fc.assert(
      fc.property(fc.json(), fc.bigInt(), (text, integer) => {
        const wrapped = `{"v":${printJson(parseJson(text))},"i":${integer}}`;
        expect(printJson(parseJson(wrapped))).toBe(wrapped);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not mistake inherited members for the answer', () => {
    expect(member(parseJson('{}'), 'toString')).toBeUndefined();
  });
});
