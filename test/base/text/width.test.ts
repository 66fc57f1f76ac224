import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simpleWidth } from '../../../src/base/text/cluster-width.ts';
import { sanitize } from '../../../src/base/text/safe-text.ts';
import {
  fitCells,
  truncateEnd,
  truncateMiddle,
  widthCells,
  wrapCells,
  wrapWords,
} from '../../../src/base/text/width.ts';
import { emulatorOf, feed } from '../../explorer/terminal/output/emulator.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { runs } from '../../support/runs.ts';
import { DISPUTED, WORDS } from '../../support/written-words.ts';

describe('`widthCells`', () => {
  it.each([
    ['abc', 3],
    ['流動性', 6],
    ['e\u0301', 1],
    ['😀', 2],
    ['─│┌', 3],
    ['Größe', 5],
  ])('`widthCells` counts %s as %d cells', (text, cells) => {
    expect(widthCells(sanitize(text))).toBe(cells);
  });
});

it.each([
  ['\u001f', 0],
  [' ', 1],
  ['~', 1],
  ['\u007f', 0],
  ['é', 1],
  ['流', 2],
  ['ケ', 2],
  ['\u0301', 0],
  ['\ud83d', 0],
])('The width of %j is %d cells without a Unicode lookup, or 0 if one is needed', (unit, cells) => {
  expect(simpleWidth(unit.charCodeAt(0))).toBe(cells);
});

describe('Width of words in any script', () => {
  it.each(WORDS)('The width of a word is that on terminals: %s', (_, text, cells) => {
    expect(widthCells(sanitize(text))).toBe(cells);
    const emulator = emulatorOf(40, 1);
    feed(emulator, sanitize(text));
    expect(emulator.buffer.active.cursorX).toBe(cells);
  });

  it.each(DISPUTED)('The width of a word is the largest of terminals that disagree: %s', (_, text, cells) => {
    expect(widthCells(sanitize(text))).toBe(cells);
  });

  it('The width of a word is never less than on a terminal that adds up its characters', () => {
    const emulator = emulatorOf(200, 1);
    const letters = fc.constantFrom(...WORDS.flatMap(([, text]) => [...text]));
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), characters => {
        const text = sanitize(characters.join(''));
        feed(emulator, `\u001b[H\u001b[2K${text}`);
        expect(widthCells(text)).toBeGreaterThanOrEqual(emulator.buffer.active.cursorX);
      }),
      { numRuns: runs(300, 3000) },
    );
  });
});

describe('Truncation', () => {
  it('Truncation keeps both ends of an id', () => {
    expect(truncateMiddle(sanitize('8a2f33334444555566667777888801be'), 10)).toBe('8a2f..01be');
  });

  it('Truncation keeps only the beginning if there is no room for both ends, or the text is wide', () => {
    const id = sanitize('8a2f33334444');
    expect([5, 4, 3, 1, 0].map(cells => truncateMiddle(id, cells))).toEqual(['8a..4', '8..4', '8a…', '…', '']);
    expect(truncateMiddle(sanitize('流動性流動性'), 6)).toBe('流動…');
  });

  it('Truncation leaves text that fits as it is, whatever the kind of cut', () => {
    for (const text of ['8a2f3333', '流動性e\u0301', '']) {
      const safe = sanitize(text);
      for (const cut of [truncateEnd, truncateMiddle, fitCells]) expect(cut(safe, widthCells(safe))).toBe(text);
    }
  });

  it('Truncation does not split a wide character', () => {
    expect(truncateEnd(sanitize('流動性'), 4)).toBe('流…');
    expect(fitCells(sanitize('流動性'), 4)).toBe('流… ');
  });

  it('Truncation aligns to the right on request', () => {
    expect(fitCells(sanitize('12'), 5, 'right')).toBe('   12');
  });

  it('Truncation always gives the exact width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, cells) => {
        expect(widthCells(fitCells(sanitize(text), cells))).toBe(cells);
      }),
    );
  });
});

// Letters and notes that join to clusters of any width.
const joining = fc.constantFrom('a', ' ', '流', '\u0301', '\u1100', '\u1161', '\u{1d158}', '\u{1d165}', '\u{1d16f}');

describe('Line wrapping', () => {
  it('Wrapping loses nothing and never exceeds the width', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: joining }));
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (text, cells) => {
        const safe = sanitize(text);
        const lines = wrapCells(safe, cells);
        expect(lines.join('')).toBe(safe);
        for (const line of lines) expect(widthCells(line)).toBeLessThanOrEqual(cells);
      }),
    );
  });

  it('Wrapping between words loses no word and never exceeds the width either', () => {
    const text = fc.oneof(fc.lorem({ maxCount: 30 }), fc.string({ unit: joining }));
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (text, cells) => {
        const lines = wrapWords(sanitize(text), cells);
        expect(lines.join('').replaceAll(' ', '')).toBe(sanitize(text).replaceAll(' ', ''));
        for (const line of lines) expect(widthCells(line)).toBeLessThanOrEqual(cells);
      }),
    );
  });

  it('Wrapping keeps a cluster together if it fits', () => {
    const thumb = '\u{1f44d}\u{1f3fd}';
    expect(wrapCells(sanitize(thumb), 4)).toEqual([thumb]);
    expect(wrapCells(sanitize(thumb.repeat(3)), 8)).toEqual([thumb.repeat(2), thumb]);
  });

  it('Wrapping breaks a cluster that is wider than the line', () => {
    expect(wrapCells(sanitize('ab'), 0)).toEqual(['a', 'b']);
    expect(wrapCells(sanitize('流流'), 1)).toEqual(['流', '流']);
    expect(wrapCells(sanitize('\u1100'.repeat(5)), 4).map(widthCells)).toEqual([4, 4, 2]);
    expect(wrapCells(sanitize('\u{1d158}\u{1d165}\u{1d16f}'), 2)).toHaveLength(2);
  });

  it.each(['流', '\u1100', 'a\u0301', '流 '])('Wrapping of 20,000 times %j ends in a moment', text => {
    const long = sanitize(text.repeat(20_000));
    const startedMs = cpuMs();
    expect(wrapCells(long, 80).length).toBeGreaterThan(200);
    expect(wrapWords(long, 80).length).toBeGreaterThan(200);
    expect(cpuMs() - startedMs).toBeLessThan(5000);
  });

  it('Wrapping breaks between words, and inside a word only if necessary', () => {
    expect(wrapWords(sanitize('one two three'), 8)).toEqual(['one two', 'three']);
    expect(wrapWords(sanitize('abcdefghij kl'), 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  });

  it('Wrapping keeps the groups of a number together', () => {
    expect(wrapWords(sanitize('1.2 % of 3 778 977.51 VEGA'), 14)).toEqual(['1.2 % of', '3 778 977.51', 'VEGA']);
    expect(wrapWords(sanitize('rank 23 of 30 in 2026 1234'), 10)).toEqual(['rank 23 of', '30 in 2026', '1234']);
  });

  it('Wrapping keeps a number and its unit together unless there is no room for both', () => {
    expect(wrapWords(sanitize('fee 0.5 %; 12 VEGA (9 min ago)'), 7)).toEqual([
      'fee',
      '0.5 %;',
      '12 VEGA',
      '(9 min',
      'ago)',
    ]);
    expect(wrapWords(sanitize('5 of 8 Gannet'), 7)).toEqual(['5 of 8', 'Gannet']);
    expect(wrapWords(sanitize('is 3 288 632.76 VEGA'), 13)).toEqual(['is', '3 288 632.76', 'VEGA']);
  });
});
