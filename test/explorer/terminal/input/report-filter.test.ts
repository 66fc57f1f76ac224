import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Report, ReportFilter } from '../../../../src/explorer/terminal/input/report-filter.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const ESC = '\u001b';
const PRESS: Report = { kind: 'mouse', what: 'press', row: 4, column: 11 };

/** What comes out of the filter when this comes in, chunk by chunk. */
function filtered(chunks: readonly string[], isExpecting = true) {
  const filter = new ReportFilter();
  const parts = chunks.flatMap(chunk => filter.push(chunk, isExpecting));
  return {
    filter,
    keys: parts.filter(part => typeof part === 'string').join(''),
    reports: parts.filter(part => typeof part !== 'string'),
  };
}

const REPORTS: readonly (readonly [sequence: string, report: Report | null])[] = [
  [`${ESC}[<0;12;5M`, PRESS],
  [`${ESC}[<0;12;5m`, null],
  [`${ESC}[<2;12;5M`, null],
  [`${ESC}[<32;12;5M`, null],
  [`${ESC}[<4;12;5M`, PRESS],
  [`${ESC}[<64;1;1M`, { kind: 'mouse', what: 'wheel-up', row: 0, column: 0 }],
  [`${ESC}[<81;300;99M`, { kind: 'mouse', what: 'wheel-down', row: 98, column: 299 }],
  [`${ESC}[M ,%`, PRESS],
  [`${ESC}[6;2R`, { kind: 'cursor', row: 6, column: 2 }],
  [`${ESC}[24;80R`, { kind: 'cursor', row: 24, column: 80 }],
];

const KEYS = [
  'j',
  'G',
  ' ',
  '\r',
  '\u0003',
  '\u007f',
  `${ESC}[A`,
  `${ESC}[1;5C`,
  `${ESC}[15~`,
  `${ESC}OP`,
  `${ESC}x`,
  '漢',
];
const PASTES = ['plain', `with ${ESC}[6;2R and ${ESC}[<0;1;1M in it`, ''].map(text => `${ESC}[200~${text}${ESC}[201~`);

describe('what a terminal sends', () => {
  it.each(REPORTS)('%j is no key', (sequence, report) => {
    const { keys, reports } = filtered([sequence]);
    expect(keys).toBe('');
    expect(reports).toEqual(report === null ? [] : [report]);
  });

  it('has the same keys and reports however it is cut', () => {
    const token = fc.oneof(
      fc.constantFrom(...KEYS, ...PASTES).map(text => ({ text, keys: text, reports: [] as readonly Report[] })),
      fc
        .constantFrom(...REPORTS)
        .map(([text, report]) => ({ text, keys: '', reports: report === null ? [] : [report] })),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fc.array(fc.nat(200)), (tokens, cuts) => {
        const text = tokens.map(each => each.text).join('');
        const places = [...new Set(cuts.map(cut => Math.min(cut, text.length)))].toSorted((a, b) => a - b);
        const chunks = [0, ...places].map((from, index) => text.slice(from, places[index]));
        const { keys, reports } = filtered(chunks);
        expect(keys).toBe(tokens.map(each => each.keys).join(''));
        expect(reports).toEqual(tokens.flatMap(each => each.reports));
      }),
      { numRuns: 2000 },
    );
  });

  it('is taken by whole characters: none is left in halves as a key', () => {
    for (const text of [`${ESC}[M \u{1f680}\u{1f680}j`, `${ESC}[M\u{1f680}\u{1f680}\u{1f680}j`]) {
      // A read ends between two characters: the stream keeps back the bytes of half of one.
      const characters = [...text];
      for (const cut of characters.keys()) {
        const chunks = [characters.slice(0, cut), characters.slice(cut)].map(part => part.join(''));
        expect(filtered(chunks).keys).toBe('j');
      }
    }
  });

  it('comes in its order', () => {
    const filter = new ReportFilter();
    expect(filter.push(`j${ESC}[<0;12;5Mk`, true)).toEqual(['j', PRESS, 'k']);
  });

  it('is not held back where nothing is expected: Esc is a key at once', () => {
    expect(filtered([ESC], false).keys).toBe(ESC);
    const { filter, keys } = filtered([ESC]);
    expect([keys, filter.mayBeKeys, filter.release(), filter.mayBeKeys]).toEqual(['', true, ESC, false]);
  });

  it('is no Esc where a flood of reports that nobody expects is cut behind one', () => {
    const flood = `${ESC}[<64;3;9M`.repeat(20);
    for (let cut = 12; cut < flood.length; cut++)
      expect(filtered([flood.slice(0, cut), flood.slice(cut)], false).keys).toBe('');
  });

  it('is no key when its rest comes long after', () => {
    for (const [sequence] of REPORTS)
      for (const end of [1, 2]) {
        const filter = new ReportFilter();
        const keys = [
          ...filter.push(sequence.slice(0, end), true),
          filter.release(),
          ...filter.push(sequence.slice(end), true),
        ];
        expect(keys.filter(part => typeof part === 'string').join('')).toBe(sequence.slice(0, end));
      }
  });

  it('is waited for without an end once it can be no key', () => {
    const { filter } = filtered([`${ESC}[<0;12`]);
    expect([filter.mayBeKeys, filter.release()]).toEqual([false, '']);
    expect(filter.push(';5Mj', true)).toEqual([PRESS, 'j']);
  });

  it('loses a report whose end never comes, and no key behind it', () => {
    expect(filtered([`${ESC}[<0;12`, 'j'])).toMatchObject({ keys: 'j', reports: [] });
    expect(filtered([`${ESC}[<0;12${ESC}[A`])).toMatchObject({ keys: `${ESC}[A`, reports: [] });
    expect(filtered([`${ESC}[<Mj`])).toMatchObject({ keys: 'j', reports: [] });
  });

  it('never throws, and makes up no key', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 3 }),
      fc.constantFrom(ESC, '[', '<', 'M', 'R', ';', '1', '200~'),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (chunks, isExpecting) => {
        const { filter, keys } = filtered(chunks, isExpecting);
        const left = [...chunks.join('')];
        for (const key of keys + filter.release()) {
          const at = left.indexOf(key);
          expect(at).toBeGreaterThanOrEqual(0);
          left.splice(0, at + 1);
        }
      }),
    );
  });
});
