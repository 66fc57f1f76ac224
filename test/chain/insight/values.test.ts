import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secondsInWords, shortDuration } from '../../../src/base/text/duration.ts';
import { relativeTime, timeAndAge, utcTime } from '../../../src/base/text/time.ts';
import { compareDecimals, groupDigits, percent } from '../../../src/chain/insight/decimal.ts';
import {
  KIND_FORMATS,
  kindFormat,
  longText,
  shortText,
  statusKind,
  valueTone,
  wholeText,
} from '../../../src/chain/insight/kind.ts';

/** A decimal number as sign, digits without a point, and places behind it. */
const decimal = fc
  .record({ negative: fc.boolean(), digits: fc.bigInt({ min: 0n, max: 10n ** 60n }), places: fc.nat(30) })
  .map(({ negative, digits, places }) => ({ value: negative ? -digits : digits, places }));

type Decimal = typeof decimal extends fc.Arbitrary<infer Value> ? Value : never;

function written({ value, places }: Decimal): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const integer = digits.slice(0, digits.length - places);
  return `${value < 0n ? '-' : ''}${integer}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** The text as a whole number of 10^-places. */
function read(text: string, places: number): bigint {
  const [, sign = '', integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return BigInt(`${sign}${integer}${fraction.padEnd(places, '0')}`);
}

describe('Decimal numbers', () => {
  it('Grouping keeps every digit of a number', () => {
    fc.assert(
      fc.property(decimal, number => {
        const grouped = groupDigits(written(number));
        expect(grouped.replaceAll(' ', '')).toBe(written(number));
        const [integer = ''] = grouped.replace('-', '').split('.');
        expect(integer).toMatch(/^\d{1,3}(?: \d{3})*$/);
      }),
    );
  });

  it('Numbers compare in the same order as BigInt values', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const difference = a.value * 10n ** BigInt(b.places) - b.value * 10n ** BigInt(a.places);
        expect(Math.sign(compareDecimals(written(a), written(b)))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  it('A number as a percentage is exactly a hundred times as large', () => {
    fc.assert(
      fc.property(decimal, number => {
        const text = percent(written(number));
        expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])? %$/);
        expect(read(text.slice(0, -2), 30)).toBe(number.value * 100n * 10n ** BigInt(30 - number.places));
      }),
    );
  });

  it.each(['', 'abc', '1e5', '0x1', '1,5', '--1', '.', '-', ' 1'])(
    'Text that is not a number stays as it is: %j',
    text => {
      expect(groupDigits(text)).toBe(text);
      expect(percent(text)).toBe(text);
    },
  );

  it.each([
    ['.5', '0.5', '50 %'],
    ['5.', '5', '500 %'],
    ['-.25', '-0.25', '-25 %'],
    ['0012', '0 012', '1200 %'],
    ['1234.5678', '1 234.5678', '123456.78 %'],
  ])('The incomplete number %s is read as %s', (text, grouped, percentage) => {
    expect(groupDigits(text)).toBe(grouped);
    expect(percent(text)).toBe(percentage);
    expect(compareDecimals(text, grouped.replaceAll(' ', ''))).toBe(0);
  });

  it('A number of more than 1,100 characters is treated as text, without counting its digits', () => {
    expect(groupDigits('1'.repeat(1100))).toMatch(/^11 111/);
    expect(groupDigits('1'.repeat(1101))).toBe('1'.repeat(1101));
    expect(compareDecimals('9'.repeat(1101), '1')).toBe(-1);
  });

  it('Text that is not a number sorts before all numbers, in a total order', () => {
    const values = fc.oneof(decimal.map(written), fc.constantFrom('', 'abc', '-', '1e5'));
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(Math.sign(compareDecimals(a, b))).toBe(-Math.sign(compareDecimals(b, a)) + 0);
        if (compareDecimals(a, b) <= 0 && compareDecimals(b, c) <= 0)
          expect(compareDecimals(a, c)).toBeLessThanOrEqual(0);
      }),
    );
    expect(['2', 'x', '-1', ''].toSorted(compareDecimals)).toEqual(['', 'x', '-1', '2']);
  });
});

describe('Times', () => {
  it('A time keeps every digit of its nanoseconds', () => {
    const latest = 2n ** 63n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: 1_000_000_000n, max: latest }), ns => {
        const [, date = '', fraction = ''] = /^(.{10} .{8})(?:\.(\d+))? UTC$/.exec(utcTime(String(ns))) ?? [];
        const seconds = BigInt(Date.parse(`${date.replace(' ', 'T')}Z`)) / 1000n;
        expect(seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toBe(ns);
      }),
    );
  });

  it.each([
    ['1700000000123456000', '2023-11-14 22:13:20.123456 UTC'],
    ['1700000000000000000', '2023-11-14 22:13:20 UTC'],
    ['0', '0'],
    ['', ''],
    ['soon', 'soon'],
    ['99999999999999999999', '5138-11-16 09:46:39.999999999 UTC'],
    ['100000000000000000000', '100000000000000000000'],
  ])('The time %s is written as %s', (ns, text) => expect(utcTime(ns)).toBe(text));

  // The third is what Go makes of a time that was never set.
  it.each(['0', '-0', '-1', '-6795364578871345152', '253402300800000000000', '9'.repeat(30)])(
    'The number %s is not a date, and no kind turns it into one',
    ns => {
      expect(utcTime(ns)).toBe(ns);
      for (const kind of ['time', 'unix-time'] as const)
        for (const text of [shortText(kind, ns, 1_700_000_000_000), longText(kind, ns, 1_700_000_000_000)])
          expect(text, kind).not.toMatch(/\d{4,}-\d\d-\d\d|\d{5,} d/);
    },
  );

  it('A time on its own line reports that it is not set or not a date', () => {
    expect(timeAndAge('1700000000000000000', 1_700_000_060_000)).toBe('2023-11-14 22:13:20 UTC  (1 min ago)');
    expect(timeAndAge('0', 0)).toBe('not set');
    expect(timeAndAge('-5', 0)).toBe('-5  (not a date)');
    expect(timeAndAge('', 0)).toBe('');
  });

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [7_199_999, '1 h'],
    [47 * 3_600_000, '47 h'],
    [48 * 3_600_000, '2 d'],
  ])('A duration of %d ms is written as %s', (ms, text) => expect(shortDuration(ms)).toBe(text));

  it('A relative time counts from now, into the past and the future', () => {
    const nowMs = 1_700_000_000_000;
    expect(relativeTime('1699999994000000000', nowMs)).toBe('6 s ago');
    expect(relativeTime('1700003600000000000', nowMs)).toBe('in 1 h');
    expect(relativeTime('1700000000000000000', nowMs)).toBe('0 ms ago');
    expect(relativeTime('0', nowMs)).toBe('never');
    expect(relativeTime('x', nowMs)).toBe('x');
  });

  it('A number of seconds in words adds up to the same number', () => {
    const sizes: { readonly [unit: string]: number } = { d: 86_400, h: 3600, min: 60, s: 1 };
    fc.assert(
      fc.property(fc.nat(10 ** 9), seconds => {
        const words = secondsInWords(String(seconds)).split(' ');
        const sum = words.reduce(
          (total, word, index) =>
            index % 2 === 0 ? total + Number(word) * (sizes[words[index + 1] ?? ''] ?? 0) : total,
          0,
        );
        expect(sum).toBe(seconds);
      }),
    );
    for (const none of ['forever', '60s', 's60', '-60', '', '1234567890123456'])
      expect(secondsInWords(none)).toBe(none);
  });
});

describe('Value kinds', () => {
  const status = statusKind('STATUS_', { REJECTED: 'bad' });

  it('A kind shortens the values that it knows, and leaves all others as they are', () => {
    expect(shortText(status, 'STATUS_ACTIVE', 0)).toBe('ACTIVE');
    expect(shortText(statusKind('PEGGED_REFERENCE_'), 'PEGGED_REFERENCE_BEST_BID', 0)).toBe('BEST_BID');
    expect(shortText(status, 'FROM_THE_FUTURE', 0)).toBe('FROM_THE_FUTURE');
    expect(longText('factor', '0.001', 0)).toBe('0.001  (0.1 %)');
    expect(longText('factor', 'x', 0)).toBe('x');
    expect(longText('seconds', '5400', 0)).toBe('5400 s  (1 h 30 min)');
    expect(longText('unix-time', '1700000000', 0)).toBe('1700000000  (2023-11-14 22:13:20 UTC)');
    expect(shortText(status, 'MY_STATUS_X', 0)).toBe('MY_STATUS_X');
    expect(shortText('json', '{\n  "a": 1\n}', 0)).toBe('{ "a": 1 }');
  });

  it('A value with a meaning has a tone, and an empty value a quiet one', () => {
    expect(valueTone(status, 'STATUS_REJECTED')).toBe('bad');
    for (const other of ['STATUS_FROM_THE_FUTURE', 'REJECTED', 'STATE_REJECTED', 'STATUS_toString', ''])
      expect(valueTone(status, other)).toBeUndefined();
    expect(valueTone('text', 'STATUS_REJECTED')).toBeUndefined();
    expect(valueTone('text', '')).toBe('quiet');
  });

  it('A time is shown with its age, and a time that was never set without one', () => {
    const nowMs = 1_700_000_060_000;
    const ns = '1700000000000000000';
    expect(shortText('time', ns, nowMs)).toBe('1 min ago');
    expect(longText('time', ns, nowMs)).toBe('2023-11-14 22:13:20 UTC  (1 min ago)');
    expect(['', '0'].map(none => longText('time', none, nowMs))).toEqual(['', '0']);
    expect(shortText('unix-time', '1700000000', nowMs)).toBe('1 min ago');
  });

  it.each([
    ['unix-time', 'at 1700000000'],
    ['unix-time', '1700000000 or so'],
    ['unix-time', '170000000012'],
    ['seconds', 'some 60'],
    ['seconds', '60 or so'],
    ['seconds', ''],
  ] as const)('The kind %s leaves %j as it is on its own line', (kind, value) => {
    expect(longText(kind, value, 0)).toBe(value);
  });

  it.each(['at 1700000000', '1700000000 or so', ''])('The cell of a Unix time leaves %j as it is', value =>
    expect(shortText('unix-time', value, 0)).toBe(value),
  );

  it('Amounts and times sort by value, texts alphabetically', () => {
    expect(['10', '9', '-1'].toSorted(kindFormat('amount').compare)).toEqual(['-1', '9', '10']);
    expect(['10', '9'].toSorted(kindFormat('text').compare)).toEqual(['10', '9']);
  });

  it('A cell does not read the whole of a value of several megabytes', () => {
    expect(shortText('amount', '9'.repeat(5_000_000), 0).length).toBeLessThan(2000);
    expect(shortText('json', `{${' '.repeat(5_000_000)}`, 0).length).toBeLessThan(2000);
    expect(shortText('text', 'x'.repeat(1024), 0)).toBe('x'.repeat(1024));
    expect(shortText('text', 'x'.repeat(1025), 0)).toBe(`${'x'.repeat(1024)}\u2026`);
  });
});

describe('Amounts', () => {
  it('An amount in a cell has every digit, or a mark for those left out', () => {
    const amounts = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 60n }),
      fc.bigInt({ min: 1n, max: 9999n }).map(value => value * 10n ** 40n),
    );
    fc.assert(
      fc.property(amounts, amount => {
        const shown = String(shortText('amount', String(amount), 0)).replaceAll(' ', '');
        const [, head = '', fraction = '', mark = '', power = '0'] =
          /^(\d+)(?:\.(\d+))?(\u2026?)(?:x10\^(\d+))?$/.exec(shown) ?? [];
        const read = BigInt(head + fraction.padEnd(Number(power), '0').slice(0, Math.max(Number(power), 0)));
        if (mark === '') expect(read).toBe(amount);
        else expect(String(amount).startsWith(head + fraction)).toBe(true);
      }),
    );
  });

  it.each([
    ['123456789012345678901234', '123 456 789 012 345 678 901 234'],
    ['3905000000000000000000000', '3.905 x 10^24'],
    ['1000000000000000000000000', '1 x 10^24'],
    ['1234567890123456789012345', '1.234567\u2026 x 10^24'],
    ['0000000000000000000000000', '0 000 000 000 000 000 000 000 000'],
  ])('The amount %s is shown as %s in a cell, and in full where nothing is left out', (amount, cell) => {
    expect(shortText('amount', amount, 0)).toBe(cell);
    expect(wholeText('amount', amount, 0).replaceAll(' ', '')).toBe(amount);
  });
});

it.each(['about 1234567890123456789012345', '1234567890123456789012345 or so'])(
  'Text in place of an amount stays as it is: %j',
  text => expect(shortText('amount', text, 0)).toBe(text),
);

describe('Ordinal numbers', () => {
  it('An ordinal number is shown without digit groups', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), number => {
        expect(shortText('ordinal', String(number), 0)).toBe(String(number));
        expect(longText('ordinal', String(number), 0)).toBe(String(number));
      }),
    );
  });
});

describe('Whole text of a cell', () => {
  const named = Object.keys(KIND_FORMATS).filter((kind): kind is keyof typeof KIND_FORMATS =>
    Object.hasOwn(KIND_FORMATS, kind),
  );
  const kinds = [...named, statusKind('a')];

  it('The whole text equals the short one unless that leaves something out', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.stringMatching(/^[0-9a-z.-]{0,40}$/), (kind, value) => {
        const short = shortText(kind, value, 0);
        const whole = wholeText(kind, value, 0);
        if (/\u2026|x 10\^/.test(short)) expect(whole.replaceAll(' ', '')).toBe(value);
        else expect(whole).toBe(short);
      }),
    );
  });

  it('The whole text has no maximum length', () => {
    for (const kind of ['text', 'id', 'json', 'amount'] as const)
      expect(wholeText(kind, '7'.repeat(5000), 0).replaceAll(' ', '').length, kind).toBe(5000);
  });
});
