import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeText, sanitize } from '../../src/text/safe-text.ts';
import { widthCells } from '../../src/text/width.ts';
import { cutLine, fillLine, fillRows, type Line, lineWidth, span, spread, textLine } from '../../src/ui/line.ts';
import { paint, themeFrom } from '../../src/ui/paint.ts';
import { plain } from './frame.ts';

const UTF8 = { LANG: 'en_GB.UTF-8', TERM: 'xterm-256color' };

describe('the theme', () => {
  it.each([
    [UTF8, { hasColour: true, isAscii: false }],
    [
      { ...UTF8, NO_COLOR: '1' },
      { hasColour: false, isAscii: false },
    ],
    [
      { ...UTF8, NO_COLOR: '' },
      { hasColour: true, isAscii: false },
    ],
    [
      { ...UTF8, TERM: 'dumb' },
      { hasColour: false, isAscii: false },
    ],
    [
      { ...UTF8, TERM: 'vt100' },
      { hasColour: false, isAscii: true },
    ],
    [{ LANG: 'C' }, { hasColour: true, isAscii: true }],
    [{}, { hasColour: true, isAscii: true }],
    [
      { LANG: 'en_GB.utf8', LC_ALL: 'POSIX' },
      { hasColour: true, isAscii: true },
    ],
    [
      { LANG: 'C', LC_CTYPE: 'C.UTF-8' },
      { hasColour: true, isAscii: false },
    ],
  ])('of %j is %j', (env, theme) => expect(themeFrom(env)).toEqual(theme));

  it('has no colour when none is wanted', () => {
    expect(themeFrom(UTF8, false).hasColour).toBe(false);
  });
});

describe('painting', () => {
  const line: Line = [
    span(safeText`a`),
    span(safeText`b`, 'bad'),
    span(safeText`c…─`, 'selected'),
    span(safeText``, 'good'),
  ];

  it('gives each style its sequence and takes it back', () => {
    expect(paint(line, { hasColour: true, isAscii: false })).toBe('a\u001b[31mb\u001b[0m\u001b[1;35mc…─\u001b[0m');
  });

  it('has no colour but bold and faint without colour', () => {
    expect(paint(line, { hasColour: false, isAscii: false })).toBe('a\u001b[1mb\u001b[0m\u001b[1mc…─\u001b[0m');
    const styles = ['plain', 'strong', 'quiet', 'good', 'pending', 'bad', 'accent', 'selected'] as const;
    const painted = styles
      .map(style => paint([span(safeText`x`, style)], { hasColour: false, isAscii: true }))
      .join('');
    expect(painted).not.toMatch(/\u001b\[(?![012]m)/);
  });

  it('puts ASCII in the place of line art', () => {
    expect(plain(paint(line, { hasColour: false, isAscii: true }))).toBe('abc~-');
  });

  it('draws a comparison whole or not at all, in as many cells', () => {
    const ascii = (text: string): string => paint([span(sanitize(text))], { hasColour: false, isAscii: true });
    expect(['\u2265 17', 'a \u2264 b', 'x\u22655', '\u2265\u2026', '> 1'].map(ascii)).toEqual([
      '>=17',
      'a <=b',
      'x?5',
      '?~',
      '> 1',
    ]);
  });

  it('never draws a sign as another one that is ASCII', () => {
    const ascii = (text: string): string => paint([span(sanitize(text))], { hasColour: false, isAscii: true });
    const signs = Array.from({ length: 0x2400 - 0x2200 }, (_, index) => String.fromCharCode(0x2200 + index));
    expect(signs.filter(sign => !/^[?\x20]+$/.test(ascii(sign)))).toEqual([]);
  });

  it('puts nothing but ASCII in the place of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(paint(textLine(text), { hasColour: false, isAscii: true })).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });

  it.each(['漢字', 'e\u0301e\u0301', '👩‍👩‍👧'])(
    'keeps the width of %s in ASCII, so that columns stay in line',
    text => {
      const safe = sanitize(text);
      expect(paint([span(safe)], { hasColour: false, isAscii: true }).length).toBe(widthCells(safe));
    },
  );
});

describe('lines', () => {
  const texts = fc.array(
    fc.string({ unit: 'grapheme' }).map(text => span(sanitize(text))),
    { maxLength: 5 },
  );

  it('are cut to a width, and filled to exactly one', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (spans, cells) => {
        expect(lineWidth(cutLine(spans, cells))).toBeLessThanOrEqual(cells);
        expect(lineWidth(fillLine(spans, cells))).toBeLessThanOrEqual(cells);
        if (lineWidth(spans) <= cells) expect(lineWidth(fillLine(spans, cells))).toBe(cells);
      }),
    );
  });

  it('give their right part up when there is no room for both', () => {
    expect(lineWidth(spread(textLine('left'), textLine('right'), 20))).toBe(20);
    expect(spread(textLine('left'), textLine('right'), 9)).toEqual(textLine('left'));
    expect(spread(textLine('left'), textLine('right'), 2).map(({ text }) => text)).toEqual(['l…']);
  });

  it('are cut or filled to a number of rows', () => {
    expect(fillRows([textLine('a')], 3).length).toBe(3);
    expect(fillRows([textLine('a'), textLine('b')], 1)).toEqual([textLine('a')]);
  });
});
