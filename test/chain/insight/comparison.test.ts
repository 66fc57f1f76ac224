import { describe, expect, it } from 'vitest';
import { readDuration } from '../../../src/base/text/duration.ts';
import { createComparison } from '../../../src/chain/insight/comparison.ts';
import type { Kind } from '../../../src/chain/insight/kind.ts';
import { statusKind } from '../../../src/chain/insight/kind.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const ns = (written: string): string => `${Date.parse(written)}000000`;
const status = statusKind('STATUS_', { ACTIVE: 'good' });

describe('Comparison of a value', () => {
  it.each<[what: string, kind: Kind, wanted: string, value: string, place: number | undefined]>([
    ['lies above a smaller number, to the digit', 'integer', '9007199254740992', '9007199254740993', 1],
    ['is the same number with other zeros', 'amount', '1 905 000.50', '1905000.5', 0],
    ['of 77 digits is compared whole', 'amount', '9'.repeat(77), `${'9'.repeat(76)}8`, -1],
    ['that is no number lies nowhere', 'count', '1', 'twelve', undefined],
    ['that is missing lies nowhere', 'integer', '0', '', undefined],
    ['below 0 lies below it', 'integer', '-1', '-2', -1],
    ['is a part of one, also in percent', 'factor', '0.1%', '0.001', 0],
    ['is a part of one, as it was sent', 'factor', '0.001', '0.0011', 1],
    ['in percent already is so with the sign and without it', 'share', '12.5 %', '12.5', 0],
    ['in percent that nobody worked out lies nowhere', 'share', '1', '-', undefined],
    ['of a day is on the day from its first moment', 'time', '2026-11-20', ns('2026-11-20T00:00:00Z'), 0],
    ['of a day is on the day to its last', 'time', '2026-11-20', String(BigInt(ns('2026-11-21T00:00:00Z')) - 1n), 0],
    ['after a day lies above it', 'time', '2026-11-20', ns('2026-11-21T00:00:00Z'), 1],
    ['of a month is in it', 'time', '2026-12', ns('2026-12-31T23:59:59Z'), 0],
    ['of a minute is in it', 'time', '2026-11-20 15:00', ns('2026-11-20T15:00:59Z'), 0],
    ['of a second is in it', 'time', '2026-11-20T15:00:03Z', ns('2026-11-20T15:00:03Z'), 0],
    ['to the nanosecond is compared so', 'time', '1789382398000000001', '1789382398000000000', -1],
    ['that is older has the greater age', 'time', '2h', ns('2026-11-22T09:59:59Z'), 1],
    ['that is younger has the smaller age', 'time', '2 h ago', ns('2026-11-22T10:00:01Z'), -1],
    ['that stands for never lies nowhere', 'time', '2h', '0', undefined],
    ['in seconds is a time, too', 'unix-time', '2023-11-14', '1700000000', 0],
    ['in seconds is a duration, too', 'seconds', '1h', '3600', 0],
    ['of a duration is compared with one', 'quantity', '24h', '365 d', 1],
    ['as the node writes lengths is compared with one', 'json', '1 d', '24h0m0s', 0],
    ['of no length of time is not', 'json', '24h', '86400', undefined],
    ['in a unit is compared in it', 'quantity', '60 %', '66 %', 1],
    ['in another unit is not', 'quantity', '60 %', '66 VEGA', undefined],
    ['with a unit is compared without one', 'quantity', '9999', '10 000 VEGA', 1],
    ['is a word without what all of them begin with', status, 'active', 'STATUS_ACTIVE', 0],
    ['is a word that the program does not know', status, 'active', 'STATUS_NEW', 1],
    ['is an id in either case', 'id', 'AB01', 'ab01', 0],
  ])('A compared value %s', (_, kind, wanted, value, place) => {
    expect(createComparison(kind, wanted, NOW)?.placeOf(value)).toBe(place);
  });

  it.each<[kind: Kind, wanted: string]>([
    ['integer', 'many'],
    ['amount', '1,000'],
    ['amount', 'HUSD'],
    ['factor', '%'],
    ['time', 'yesterday'],
    ['time', '2026-02-30'],
    ['time', '5'],
    ['seconds', 'soon'],
  ])('A compared value of kind %s is not compared with "%s"', (kind, wanted) => {
    expect(createComparison(kind, wanted, NOW)).toBeUndefined();
  });

  it('A value compared with an amount in a unit must be in that unit', () => {
    expect(createComparison('amount', '1000.5 HUSD', NOW)?.unit).toBe('HUSD');
    expect(createComparison('amount', '1000.5', NOW)?.unit).toBe('');
  });
});

it('A duration is read as people and nodes write it, and nothing else is read as one', () => {
  const hour = 3_600_000_000_000n;
  const texts = ['1h', '1 h', '60min', '60m', '0.5h 30min', '1h0m0s', '3600 s', '-1h', '1w', '1', 'h', '1 hour', ''];
  const none = undefined;
  expect(texts.map(text => readDuration(text, 'typed'))).toEqual([
    ...[hour, hour, hour, hour, hour, hour, hour, -hour, 168n * hour],
    ...[none, none, none, none],
  ]);
});
