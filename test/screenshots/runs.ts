import type { Cell } from '../support/terminal-frame.ts';
import { backdropOf, DARK, type Look, lookOf, type Palette } from './palette.ts';

/** Neighbouring cells of one row that are drawn in one go. */
export interface Run {
  readonly column: number;
  readonly cells: number;
}

export interface TextRun extends Run {
  readonly text: string;
  readonly look: Look;
}

export interface Backdrop extends Run {
  readonly colour: string;
}

/**
 * The text of a row, cut where the look changes, at gaps of two spaces and more, and around every character that a
 * viewer may take from another font: whatever widths a font has, what stands behind begins in its own column.
 */
export function textRuns(row: readonly Cell[], palette: Palette = DARK): readonly TextRun[] {
  const runs: TextRun[] = [];
  for (const [column, cell] of row.entries()) {
    if (cell.width === 0) continue;
    const look = lookOf(cell, palette);
    const last = runs.at(-1);
    if (last !== undefined && isOneRun(last, cell.char) && isSameLook(last.look, look))
      runs[runs.length - 1] = { ...last, cells: last.cells + cell.width, text: last.text + cell.char };
    else runs.push({ column, cells: cell.width, text: cell.char, look });
  }
  return runs.flatMap(withoutGaps);
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** A rule is many of one character, and stays one run. */
const isOneRun = ({ text }: TextRun, next: string): boolean =>
  isAscii(text) ? isAscii(next) : text.startsWith(next) && text === next.repeat(text.length / next.length);

const isSameLook = (one: Look, other: Look): boolean =>
  one.colour === other.colour && one.isBold === other.isBold && one.isUnderlined === other.isUnderlined;

/** A run without the gaps in it and around it. */
function withoutGaps(run: TextRun): readonly TextRun[] {
  // A line under a gap can be seen.
  if (run.look.isUnderlined || !isAscii(run.text)) return [run];
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
    ...run,
    column: run.column + index,
    cells: text.length,
    text,
  }));
}

/** What is behind the text where it is not the screen's own colour. */
export function backdrops(row: readonly Cell[], palette: Palette = DARK): readonly Backdrop[] {
  const runs: Backdrop[] = [];
  for (const [column, cell] of row.entries()) {
    const colour = backdropOf(cell, palette);
    const last = runs.at(-1);
    if (colour === undefined) continue;
    if (last?.colour === colour && last.column + last.cells === column)
      runs[runs.length - 1] = { ...last, cells: last.cells + 1 };
    else runs.push({ column, cells: 1, colour });
  }
  return runs;
}
