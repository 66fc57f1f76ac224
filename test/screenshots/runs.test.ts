import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../support/terminal-frame.ts';
import { cell, row } from './cells.ts';
import { DARK } from './palette.ts';
import { backdrops, textRuns } from './runs.ts';

const styles = fc.record({
  fg: fc.constantFrom('default' as const, 'ansi-1' as const, 'ansi-14' as const, '#102030' as const),
  bg: fc.constantFrom('default' as const, 'ansi-4' as const, '#405060' as const),
  bold: fc.boolean(),
  dim: fc.boolean(),
  inverse: fc.boolean(),
  underline: fc.boolean(),
});
const narrow = fc.tuple(fc.constantFrom(...'ab<&> …─│▸é'), styles).map(([char, style]) => [cell(char, style)]);
const wide = styles.map(style => [cell('界', { ...style, width: 2 }), cell('', { ...style, width: 0 })]);
const rows = fc.array(fc.oneof({ weight: 5, arbitrary: narrow }, wide), { maxLength: 30 }).map(cells => cells.flat());

/** What stands in each cell, by the runs alone. */
function textAgain(runs: ReturnType<typeof textRuns>, length: number): string {
  const places = Array.from({ length }, () => ' ');
  for (const { column, cells, text } of runs) {
    const width = cells / Array.from(text).length;
    for (const [index, char] of Array.from(text).entries())
      for (let at = 0; at < width; at++) places[column + index * width + at] = at === 0 ? char : '';
  }
  return places.join('');
}

describe('Text runs of a row', () => {
  it('The runs put every character into its own cell, with its own style', () => {
    fc.assert(
      fc.property(rows, cells => {
        expect(textAgain(textRuns(cells), cells.length)).toBe(cells.map(({ char }) => char).join(''));
        for (const { column, cells: width, look } of textRuns(cells))
          for (const inside of cells.slice(column, column + width))
            if (inside.width > 0) expect([look.isBold, look.isUnderlined]).toEqual([inside.bold, inside.underline]);
      }),
    );
  });

  it('The runs are cut before and after what may come from another font, but not inside a rule', () => {
    const texts = (cells: readonly Cell[]) => textRuns(cells).map(({ column, text }) => [column, text]);
    expect(texts(row('ab…cd'))).toEqual([
      [0, 'ab'],
      [2, '…'],
      [3, 'cd'],
    ]);
    expect(texts(row('▸▾'))).toHaveLength(2);
    expect(texts(row('────'))).toEqual([[0, '────']]);
  });

  it('The runs leave out gaps, unless they are underlined', () => {
    expect(textRuns(row('  a b   c '))).toMatchObject([
      { column: 2, cells: 3, text: 'a b' },
      { column: 8, cells: 1, text: 'c' },
    ]);
    expect(textRuns(row('    '))).toEqual([]);
    expect(textRuns(row('  a  b ', { underline: true }))).toMatchObject([{ column: 0, cells: 7, text: '  a  b ' }]);
  });

  it('The runs swap the colours of inverse cells, and dim towards the background', () => {
    const [inverse] = textRuns(row('x', { inverse: true }));
    expect(inverse?.look.colour).toBe(DARK.background);
    expect(backdrops(row(' x ', { inverse: true }))).toEqual([{ column: 0, cells: 3, colour: DARK.foreground }]);
    const [dim] = textRuns(row('x', { dim: true, fg: '#ffffff', bg: '#000000' }));
    expect(dim?.look.colour).toBe('#9e9e9e');
  });

  it('The runs have a background only if it differs from the colour of the screen', () => {
    const painted = [...row('ab'), ...row('cd', { bg: '#405060' }), cell('e', { bg: 'ansi-1' }), cell('f')];
    expect(backdrops(painted)).toMatchObject([
      { column: 2, cells: 2, colour: '#405060' },
      { column: 4, cells: 1 },
    ]);
  });

  it('The runs know the 256 colours of a terminal and no other', () => {
    for (let index = 0; index < 256; index++)
      expect(textRuns([cell('x', { fg: `ansi-${index}` })])[0]?.look.colour).toMatch(/^#[0-9a-f]{6}$/);
    expect(() => textRuns([cell('x', { fg: 'ansi-256' })])).toThrow('the palette of pictures has no ansi-256');
    const [red, grey] = ['ansi-196', 'ansi-238'] as const;
    expect([red, grey].map(fg => textRuns([cell('x', { fg })])[0]?.look.colour)).toEqual(['#ff0000', '#444444']);
  });
});
