import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationInWords, readDuration } from '../../../src/base/text/duration.ts';

const US = 1000n;
const MS = 1000n * US;
const SECOND = 1000n * MS;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

const UNITS = { ns: 1n, us: US, '\u00b5s': US, '\u03bcs': US, ms: MS, s: SECOND, m: MINUTE, h: HOUR };

describe('Go duration', () => {
  // The tests that Go has of time.ParseDuration.
  it.each<[string, bigint]>([
    ['0', 0n],
    ['5s', 5n * SECOND],
    ['30s', 30n * SECOND],
    ['1478s', 1478n * SECOND],
    ['-5s', -5n * SECOND],
    ['+5s', 5n * SECOND],
    ['-0', 0n],
    ['+0', 0n],
    ['5.0s', 5n * SECOND],
    ['5.6s', 5n * SECOND + 600n * MS],
    ['5.s', 5n * SECOND],
    ['.5s', 500n * MS],
    ['1.0s', SECOND],
    ['1.00s', SECOND],
    ['1.004s', SECOND + 4n * MS],
    ['1.0040s', SECOND + 4n * MS],
    ['100.00100s', 100n * SECOND + MS],
    ['10ns', 10n],
    ['11us', 11n * US],
    ['12\u00b5s', 12n * US],
    ['12\u03bcs', 12n * US],
    ['13ms', 13n * MS],
    ['14s', 14n * SECOND],
    ['15m', 15n * MINUTE],
    ['16h', 16n * HOUR],
    ['3h30m', 3n * HOUR + 30n * MINUTE],
    ['10.5s4m', 4n * MINUTE + 10n * SECOND + 500n * MS],
    ['-2m3.4s', -(2n * MINUTE + 3n * SECOND + 400n * MS)],
    ['1h2m3s4ms5us6ns', HOUR + 2n * MINUTE + 3n * SECOND + 4n * MS + 5n * US + 6n],
    ['39h9m14.425s', 39n * HOUR + 9n * MINUTE + 14n * SECOND + 425n * MS],
    ['52763797000ns', 52763797000n],
    ['0.3333333333333333333h', 20n * MINUTE],
    ['9007199254740993ns', (1n << 53n) + 1n],
    ['9223372036854775807ns', (1n << 63n) - 1n],
    ['9223372036854775.807us', (1n << 63n) - 1n],
    ['9223372036s854ms775us807ns', (1n << 63n) - 1n],
    ['-9223372036854775808ns', -(1n << 63n)],
    ['-9223372036854775.808us', -(1n << 63n)],
    ['-9223372036s854ms775us808ns', -(1n << 63n)],
    ['-2562047h47m16.854775808s', -(1n << 63n)],
    ['0.100000000000000000000h', 6n * MINUTE],
    ['0.830103483285477580700h', 49n * MINUTE + 48n * SECOND + 372539827n],
  ])('A Go duration %s is %i nanoseconds', (text, ns) => expect(readDuration(text)).toBe(ns));

  // What Go's tests have it refuse, and more.
  it.each([
    '',
    '3',
    '-',
    's',
    '.',
    '-.',
    '.s',
    '+.s',
    '1d',
    '\x85\x85',
    '\xffff',
    'hello \xffff world',
    '9223372036854775810ns',
    '9223372036854775808ns',
    '-9223372036854775809ns',
    '9223372036854776us',
    '3000000h',
    '9223372036854775.808us',
    '9223372036854ms775us808ns',
    '00',
    '-+1s',
    '1s-1s',
    '1 s',
    ' 1s',
    '1s ',
    '1s\n',
    '1H',
    '1.2.3s',
    '1e3s',
    '١s',
    '1s0',
    '5h5',
  ])('A text that is not a Go duration is refused: %j', text => {
    expect(readDuration(text)).toBeUndefined();
  });

  it('A Go duration is the sum of its parts, in any order and with any unit twice', () => {
    const part = fc.tuple(fc.bigInt({ min: 0n, max: 100_000n }), fc.constantFrom(...Object.entries(UNITS)));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), fc.constantFrom('', '-', '+'), (parts, sign) => {
        const sum = parts.reduce((all, [count, [, ns]]) => all + count * ns, 0n);
        const text = parts.map(([count, [unit]]) => `${count}${unit}`).join('');
        expect(readDuration(`${sign}${text}`)).toBe(sign === '-' ? -sum : sum);
      }),
    );
  });

  it('A Go duration of any length and with any junk is read at once', () => {
    for (const text of ['1'.repeat(1e6), '1h'.repeat(5e5), `1${'.1'.repeat(5e5)}h`, `${'0'.repeat(1e6)}s`])
      expect(readDuration(text)).toBeUndefined();
    fc.assert(fc.property(fc.string(), text => void readDuration(text)));
  });
});

describe('Duration in words', () => {
  it.each([
    ['8760h0m0s', '365 d'],
    ['24h1m', '1 d 1 min'],
    ['1.5h', '1 h 30 min'],
    ['-1h0m0s', '-1 h'],
    ['500ms', '500 ms'],
    ['0s', '0 s'],
    ['1500us', '1.5 ms'],
    ['1.5us', '1.5 us'],
    ['7ns', '7 ns'],
    ['61.25s', '1 min 1.25 s'],
    ['1m0.5s', '1 min 0.5 s'],
    ['-90s', '-1 min 30 s'],
  ])('A duration %s is shown as %s', (text, words) => expect(durationInWords(readDuration(text) ?? -1n)).toBe(words));

  it('A duration in words loses no nanosecond', () => {
    const sizes: { readonly [word: string]: bigint } = {
      d: 24n * HOUR,
      h: HOUR,
      min: MINUTE,
      s: SECOND,
      ms: MS,
      us: US,
      ns: 1n,
    };
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), fc.nat(18), (any, digits) => {
        const ns = any / 10n ** BigInt(digits);
        const words = durationInWords(ns);
        const parts = [...words.matchAll(/(\d+)(?:\.(\d+))? ([a-z]+)/g)];
        const sum = parts.reduce((all, [, whole = '', fraction = '', word = '']) => {
          const size = sizes[word] ?? 0n;
          return all + BigInt(whole) * size + (BigInt(fraction || 0) * size) / 10n ** BigInt(fraction.length);
        }, 0n);
        expect(words.startsWith('-') ? -sum : sum).toBe(ns);
      }),
    );
  });
});
