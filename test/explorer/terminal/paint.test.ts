import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeText, sanitize } from '../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../src/base/text/width.ts';
import {
  cutLine,
  fillLine,
  fillRows,
  justifyLine,
  type Line,
  lineWidth,
  span,
  textLine,
} from '../../../src/explorer/core/line.ts';
import { paint } from '../../../src/explorer/terminal/paint.ts';
import { THEMES } from '../../../src/explorer/terminal/theme.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { plain } from '../support/frame.ts';

describe('Painting', () => {
  const line: Line = [
    span(safeText`a`),
    span(safeText`b`, 'bad'),
    span(safeText`c…─`, 'selected'),
    span(safeText``, 'good'),
  ];

  it('Painting gives each style its sequence and resets it', () => {
    expect(paint(line, THEMES.auto.utf8)).toBe('a\u001b[38;5;231;48;5;124mb\u001b[0m\u001b[1mc…─\u001b[0m');
  });

  it('Painting without colour uses only bold, faint, underline and reverse', () => {
    expect(paint(line, THEMES.mono.utf8)).toBe('a\u001b[1mb\u001b[0m\u001b[1mc…─\u001b[0m');
  });

  it('Painting underlines words, and not the space around them', () => {
    const cell = [span(safeText`  not yet  `, 'pending')];
    expect(paint(cell, THEMES.mono.utf8)).toBe('  \u001b[4mnot yet\u001b[0m  ');
  });

  it('Painting gives blanks no text colour, but the background of their row and of a tab', () => {
    const blanks = (style: 'quiet' | 'tab-edge', background?: 'selection'): string =>
      paint([{ ...span(safeText`  `, style), ...(background && { background }) }], THEMES.auto.utf8);
    const inBar = paint([{ ...span(safeText`  `), background: 'selection' }], THEMES.auto.utf8);
    expect([blanks('quiet'), blanks('quiet', 'selection')]).toEqual(['  ', inBar]);
    expect(blanks('tab-edge')).toContain('\u001b[');
  });

  it.each(['contrast', 'mono'] as const)(
    'Painting in %s leaves the blanks around words unstyled, except on a bar',
    name => {
      const words = ['good', 'pending', 'bad', 'accent', 'selected'] as const;
      for (const style of words) {
        const [before = '', after = ''] = paint([span(safeText`  a b  `, style)], THEMES[name].utf8).split('a b');
        expect([before.slice(0, 2), after.slice(-2)], style).toEqual(['  ', '  ']);
        expect(paint([span(safeText`   `, style)], THEMES[name].utf8), style).toBe('   ');
      }
      expect(paint([span(safeText`  `, 'mark')], THEMES[name].utf8)).toContain('\u001b[');
    },
  );

  it('Painting replaces line art by ASCII', () => {
    expect(plain(paint(line, THEMES.mono.ascii))).toBe('abc~-');
  });

  it('Painting in ASCII draws a comparison sign whole or not at all, in the same number of cells', () => {
    const ascii = (text: string): string => paint([span(sanitize(text))], THEMES.mono.ascii);
    expect(['\u2265 17', 'a \u2264 b', 'x\u22655', '\u2265\u2026', '> 1'].map(ascii)).toEqual([
      '>=17',
      'a <=b',
      'x?5',
      '?~',
      '> 1',
    ]);
  });

  it('Painting in ASCII never draws a mathematical sign as a different ASCII sign', () => {
    const ascii = (text: string): string => paint([span(sanitize(text))], THEMES.mono.ascii);
    const signs = Array.from({ length: 0x2400 - 0x2200 }, (_, index) => String.fromCharCode(0x2200 + index));
    expect(signs.filter(sign => !/^[?\x20]+$/.test(ascii(sign)))).toEqual([]);
  });

  it('Painting in ASCII replaces any text by ASCII only', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), text => {
        expect(paint(textLine(text), THEMES.mono.ascii)).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });

  it.each(['漢字', 'e\u0301e\u0301', '👩‍👩‍👧'])(
    'Painting in ASCII keeps the width of %s, so that columns stay aligned',
    text => {
      const safe = sanitize(text);
      expect(paint([span(safe)], THEMES.mono.ascii).length).toBe(widthCells(safe));
    },
  );
});

describe('Line layout', () => {
  const texts = fc.array(
    fc.string({ unit: 'grapheme' }).map(text => span(sanitize(text))),
    { maxLength: 5 },
  );

  it('A line is cut to a width, and padded to exactly one', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (spans, cells) => {
        expect(lineWidth(cutLine(spans, cells))).toBeLessThanOrEqual(cells);
        expect(lineWidth(fillLine(spans, cells))).toBeLessThanOrEqual(cells);
        if (lineWidth(spans) <= cells) expect(lineWidth(fillLine(spans, cells))).toBe(cells);
      }),
    );
  });

  it('A line drops its right part when there is no room for both', () => {
    expect(lineWidth(justifyLine(textLine('left'), textLine('right'), 20))).toBe(20);
    expect(justifyLine(textLine('left'), textLine('right'), 9)).toEqual(textLine('left'));
    expect(justifyLine(textLine('left'), textLine('right'), 2).map(({ text }) => text)).toEqual(['l…']);
  });

  it('A list of lines is cut or padded to a number of rows', () => {
    expect(fillRows([textLine('a')], 3).length).toBe(3);
    expect(fillRows([textLine('a'), textLine('b')], 1)).toEqual([textLine('a')]);
  });
});
