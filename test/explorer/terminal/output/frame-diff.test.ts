import { describe, expect, it } from 'vitest';
import { diffFrames } from '../../../../src/explorer/terminal/output/frame-diff.ts';
import { GlyphTable } from '../../../../src/explorer/terminal/output/glyph-table.ts';
import { parseOutput } from '../../../../src/explorer/terminal/output/parse-output.ts';
import { ScreenModel } from '../../../../src/explorer/terminal/output/screen-model.ts';

const COLUMNS = 30;

/** The screen after these lines. */
function screenOf(lines: readonly string[], table = new GlyphTable()): ScreenModel {
  const model = new ScreenModel(COLUMNS, lines.length, table);
  parseOutput(lines.join('\n'), {
    print: text => model.print(text),
    control: character => model.control(character),
    csi: (parameters, final) => model.csi(parameters, final),
    other: () => {},
  });
  return model;
}

function diff(before: readonly string[], after: readonly string[], canScroll = false) {
  const from = { row: 0, column: 0 };
  const table = new GlyphTable();
  return diffFrames(screenOf(before, table).grid, screenOf(after, table).grid, { canScroll, from, cursor: null });
}

describe('Frame difference', () => {
  it('The frame difference is empty when the frames are equal', () => {
    expect(diff(['abc', 'def'], ['abc', 'def']).text).toBe('');
  });

  it('The frame difference is the changed cells', () => {
    expect(diff(['', '', '', '', '     12345'], ['', '', '', '', '     12945']).text).toBe('\u001b[5;8H9');
  });

  it('The frame difference rewrites a short gap and jumps over a long one', () => {
    expect(diff(['abcdefghijklmn'], ['Abc.efghijklmN']).text).toBe('Abc.\u001b[9CN');
  });

  it('The frame difference changes only what differs in the style and ends plain', () => {
    expect(diff([''], ['\u001b[1ma\u001b[36mb\u001b[22mc\u001b[0md']).text).toBe(
      '\u001b[1ma\u001b[36mb\u001b[0;36mc\u001b[md',
    );
  });

  it('The frame difference erases a long rest of a row and overwrites a short one', () => {
    expect(diff(['abcdefghijklmn'], ['abcdef']).text).toBe('\u001b[6C\u001b[K');
    expect(diff(['abcd'], ['ab']).text).toBe('ab  ');
  });

  it('The frame difference erases in the plain style only', () => {
    expect(diff(['abcdefgh'], ['\u001b[7mx\u001b[0m']).text).toBe('\u001b[7mx\u001b[m\u001b[K');
  });

  it('The frame difference writes a wide character again when half of it comes into view', () => {
    expect(diff(['a世b'], ['世 b']).text).toBe('世 ');
  });

  it('The frame difference positions the text after a character whose width terminals dispute', () => {
    // First the cells are blanked: a terminal may draw fewer, and the others would keep what was there.
    expect(diff(['abc'], ['a👍🏽xyz']).text).toBe('a    \u001b[1;2H👍🏽\r\u001b[5Cxyz');
  });

  it('The frame difference goes to the next row by a line feed, counted as two bytes', () => {
    const { text, bytes } = diff(['a', 'b'], ['x', 'y']);
    expect(text).toBe('x\ny');
    expect(bytes).toBe(4);
  });

  it('The frame difference goes down in the column by vertical tabs, which the terminal driver leaves as they are', () => {
    expect(diff(['', '   a', '   b', '', '   c'], ['', '   x', '   y', '', '   z']).text).toBe('\v   x\v\by\v\v\bz');
  });

  it('The frame difference ends at the requested cursor position', () => {
    const [before, after] = [screenOf(['abc', 'def']).grid, screenOf(['abc', 'dXf']).grid];
    const options = { canScroll: false, from: { row: 1, column: 1 }, cursor: { row: 0, column: 0 } };
    expect(diffFrames(before, after, options).text).toBe('X\u001b[H');
  });

  it('The frame difference draws everything when there is no frame before', () => {
    const options = { canScroll: true, from: { row: 3, column: 3 }, cursor: null };
    expect(diffFrames(undefined, screenOf(['ab', '', '  c']).grid, options).text).toBe(
      '\u000f\u001b(B\u001b[r\u001b[m\u001b[H\u001b[Jab\v\vc',
    );
  });
});

describe('Scrolling of moved rows', () => {
  const rows = Array.from({ length: 9 }, (_, row) => `row ${row} ${'abcdefgh'.charAt(row % 8).repeat(20)}`);
  const [up, down] = [
    ['head', ...rows.slice(1, 8), 'foot'],
    ['head', ...rows.slice(0, 7), 'foot'],
  ] as const;
  const before = down;

  it('The moved rows scroll up in their region', () => {
    expect(diff(before, up, true).text).toBe(`\u001b[2;8r\u001b[8H\n\u001b[r\u001b[8H${rows[7]}`);
  });

  it('The moved rows scroll down in their region', () => {
    expect(diff(up, before, true).text).toBe(`\u001b[2;8r\u001b[2H\u001bM\u001b[r\u001b[2H${rows[0]}`);
  });

  it('The moved rows are written again when the terminal cannot scroll', () => {
    expect(diff(before, up, false).text).not.toContain('r\u001b');
  });

  it('The moved rows scroll together with the row that lost its mark', () => {
    const marked = [...before.slice(0, 7), `>${before[7]?.slice(1)}`, 'foot'];
    const after = ['head', ...rows.slice(1, 7), `>${rows[7]?.slice(1)}`, 'foot'];
    expect(diff(marked, after, true).text).toBe(`\u001b[2;8r\u001b[8H\n\u001b[r\u001b[7Hr\n>${rows[7]?.slice(1)}`);
  });

  it('The moved rows are rewritten in place when a scroll costs more', () => {
    expect(diff(['a', 'b', 'c'], ['b', 'c', 'd'], true).text).toBe('b\nc\nd');
  });
});
