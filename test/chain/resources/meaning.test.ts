import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';
import { KIND_FORMATS } from '../../../src/chain/insight/kind.ts';
import { isSameJson, isSameValue } from '../../../src/chain/resources/meaning.ts';

type NamedKind = keyof typeof KIND_FORMATS;
const KINDS = Object.keys(KIND_FORMATS).filter((kind): kind is NamedKind => Object.hasOwn(KIND_FORMATS, kind));

describe('Comparison of values by meaning', () => {
  it.each<readonly [NamedKind, string, string]>([
    ['json', '24h', '24h0m0s'],
    ['json', '1.5h', '90m'],
    ['json', '0.5', '0.50'],
    ['json', '1e2', '100'],
    ['json', '{"a":1,"b":[1,2]}', '{ "b": [1, 2.0], "a": 1.00 }'],
    ['json', '{"a":123456789012345678901234567890}', '{"a": 123456789012345678901234567890.0}'],
    ['json', '{"a":null}', '{}'],
    ['json', '{"a":1}', '{"a":"1"}'],
    ['amount', '000100', '100'],
    ['factor', '0.5', '.50'],
    ['factor', '1', '1.000'],
    ['time', '1800000000000000000', '01800000000000000000'],
    ['address', '0xaAbB', '0xaabb'],
    ['text', 'a', 'a'],
  ])('Two values of kind %s mean the same: %s and %s', (kind, one, other) => {
    expect(isSameValue(kind, one, other)).toBe(true);
    expect(isSameValue(kind, other, one)).toBe(true);
  });

  it.each<readonly [NamedKind, string, string]>([
    ['json', '24h', '24h0m1s'],
    ['json', '1', '1s'],
    ['json', '0.5', '0.500000000000000000001'],
    ['json', '[1,2]', '[2,1]'],
    ['json', '{"a":123456789012345678901234567890}', '{"a":123456789012345678901234567891}'],
    ['json', '{"a":1', '{"a":1.0'],
    ['amount', '100', '100 '],
    ['amount', '', '0'],
    ['text', '0.5', '0.50'],
    ['text', '24h', '24h0m0s'],
    ['name', 'a', 'A'],
    ['id', 'ab', 'AB'],
    ['boolean', 'true', 'false'],
  ])('Two values of kind %s differ: %s and %s', (kind, one, other) => {
    expect(isSameValue(kind, one, other)).toBe(false);
    expect(isSameValue(kind, other, one)).toBe(false);
  });

  it('Two values of any kind with the same text mean the same, in either order, and never throw', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.float().map(String),
      fc.constantFrom('constructor', '__proto__', '1h', '-0'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), text, text, (kind, one, other) => {
        expect(isSameValue(kind, one, one)).toBe(true);
        expect(isSameValue(kind, one, other)).toBe(isSameValue(kind, other, one));
      }),
    );
  });

  it('Two documents mean the same whatever their order and spacing', () => {
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, item]) => [name, turned(item)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const parsed = (of: unknown): Json => parseJson(JSON.stringify(of, null, 2));
        expect(isSameJson(parsed(value), parsed(turned(value)))).toBe(true);
        expect(isSameJson(parsed([value]), parsed([value, other]))).toBe(false);
      }),
    );
  });
});
