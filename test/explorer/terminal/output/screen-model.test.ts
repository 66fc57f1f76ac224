import { describe, expect, it } from 'vitest';
import { TAIL } from '../../../../src/explorer/terminal/output/glyph-table.ts';
import { parseOutput } from '../../../../src/explorer/terminal/output/parse-output.ts';
import { ScreenModel } from '../../../../src/explorer/terminal/output/screen-model.ts';

/** The rows of a screen after the text; `_` stands for the further cells of a wide character. */
function rowsAfter(text: string, columns = 8, rows = 3) {
  const model = new ScreenModel(columns, rows);
  const unknown: string[] = [];
  const rest = parseOutput(text, {
    print: printed => model.print(printed),
    control: character => {
      if (!model.control(character)) unknown.push(character);
    },
    csi: (parameters, final, sequence) => {
      if (!model.csi(parameters, final)) unknown.push(sequence);
    },
    other: sequence => unknown.push(sequence),
  });
  const cells = [...model.grid.glyphs].map(glyph => (glyph === TAIL ? '_' : model.grid.table.textOf(glyph)));
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns).join(''));
  return { lines, place: [model.row, model.column], model, unknown, rest };
}

const linesAfter = (text: string) => rowsAfter(text).lines.map(line => line.trimEnd());

describe('Screen model', () => {
  it('The screen model wraps only when another character comes', () => {
    expect(rowsAfter('12345678').place).toEqual([0, 8]);
    expect(linesAfter('12345678\r\nx')).toEqual(['12345678', 'x', '']);
    expect(linesAfter('12345678x')).toEqual(['12345678', 'x', '']);
  });

  it('The screen model wraps nothing when wrapping is off', () => {
    expect(linesAfter('\u001b[?7l123456789\nx')).toEqual(['12345679', 'x', '']);
    expect(linesAfter('\u001b[?7l1234567世\nx')).toEqual(['1234567', 'x', '']);
  });

  it('The screen model scrolls at the last row', () => {
    expect(linesAfter('a\nb\nc\nd')).toEqual(['b', 'c', 'd']);
  });

  it('The screen model gives a wide character two cells and wraps it whole', () => {
    expect(rowsAfter('a世b').lines[0]).toBe('a世_b    ');
    expect(linesAfter('1234567世')).toEqual(['1234567', '世_', '']);
  });

  it('The screen model blanks the other half of a wide character that is overwritten', () => {
    expect(rowsAfter('a世b\u001b[3Gx').lines[0]).toBe('a xb    ');
    expect(rowsAfter('a世b\u001b[2Gx').lines[0]).toBe('ax b    ');
    expect(rowsAfter('世世\u001b[2G界').lines[0]).toBe(' 界_     ');
  });

  it('The screen model joins combining marks to the character before, also when they come late', () => {
    expect(rowsAfter('e\u0301x').lines[0]).toBe('e\u0301x      ');
    expect(rowsAfter('ab\u001b[1m\u0301').lines[0]).toBe('ab\u0301      ');
  });

  it.each([
    ['\u001b[1A', [0, 2]],
    ['\u001b[B', [2, 2]],
    ['\u001b[9C', [1, 7]],
    ['\u001b[D', [1, 1]],
    ['\u001b[E', [2, 0]],
    ['\u001b[F', [0, 0]],
    ['\u001b[G', [1, 0]],
    ['\u001b[5G', [1, 4]],
    ['\u001b[H', [0, 0]],
    ['\u001b[3;4H', [2, 3]],
    ['\u001b[2;9f', [1, 7]],
    ['\u001b[3d', [2, 2]],
    ['\b', [1, 1]],
    ['\t', [1, 7]],
  ])('The screen model moves the cursor by %j', (move, place) => {
    expect(rowsAfter(`\u001b[2;3H${move}`).place).toEqual(place);
  });

  it.each([
    ['\u001b[K', ['aaaa', 'bb', 'cccc']],
    ['\u001b[1K', ['aaaa', '   b', 'cccc']],
    ['\u001b[2K', ['aaaa', '', 'cccc']],
    ['\u001b[J', ['aaaa', 'bb', '']],
    ['\u001b[1J', ['', '   b', 'cccc']],
    ['\u001b[2J', ['', '', '']],
  ])('The screen model erases by %j', (erase, lines) => {
    expect(linesAfter(`aaaa\nbbbb\ncccc\u001b[2;3H${erase}`)).toEqual(lines);
  });

  it('The screen model reports unknown sequences', () => {
    const { unknown } = rowsAfter('a\u0007\u001b[?2004h\u001b[>1u\u001b]52;c;YQ==\u0007\u001b[3S\u001bM\u001b[0 q');
    expect(unknown).toEqual([
      '\u0007',
      '\u001b[?2004h',
      '\u001b[>1u',
      '\u001b]52;c;YQ==\u0007',
      '\u001b[3S',
      '\u001bM',
      '\u001b[0 q',
    ]);
  });

  it('The screen model returns a sequence that is not complete', () => {
    expect(rowsAfter('ab\u001b[3').rest).toBe('\u001b[3');
    expect(rowsAfter('ab\u001b]52;c;').rest).toBe('\u001b]52;c;');
  });

  it('The screen model keeps the upper left part in another size, without halves of wide characters', () => {
    const { model } = rowsAfter('ab世\nxyz');
    model.resize(3, 2);
    expect([...model.grid.glyphs].map(glyph => model.grid.table.textOf(glyph)).join('')).toBe('ab xyz');
  });
});
