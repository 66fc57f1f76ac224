import stringWidth from 'string-width';
import { EMPTY, repeatSafe, type SafeText, safeText, sliceSafe } from './safe-text.ts';

const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u25fc]*$/;

/** Terminal cells that the text takes: wide characters count two, combining marks none. */
export function widthCells(text: SafeText): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Exactly `cells` wide: padded with spaces, or cut with a mark at the end. */
export function fitCells(text: SafeText, cells: number, align: 'left' | 'right' = 'left'): SafeText {
  const cut = truncateEnd(text, cells);
  const gap = repeatSafe(safeText` `, cells - widthCells(cut));
  return align === 'left' ? safeText`${cut}${gap}` : safeText`${gap}${cut}`;
}

/** At most `cells` wide; what is cut off shows as `…`. */
export function truncateEnd(text: SafeText, cells: number): SafeText {
  if (cells <= 0) return EMPTY;
  if (widthCells(text) <= cells) return text;
  return safeText`${takeCells(text, cells - 1)}\u2026`;
}

/** At most `cells` wide; the middle goes, so that both ends of an id can be compared: `8a2f..01be`. */
export function truncateMiddle(text: SafeText, cells: number): SafeText {
  if (widthCells(text) <= cells) return text;
  if (cells < 4 || !NARROW.test(text)) return truncateEnd(text, cells);
  const head = Math.ceil((cells - 2) / 2);
  return safeText`${sliceSafe(text, 0, head)}..${sliceSafe(text, text.length - (cells - 2 - head))}`;
}

/** The text in lines of at most `cells` each; nothing is dropped. */
export function wrapCells(text: SafeText, cells: number): readonly SafeText[] {
  const lines: SafeText[] = [];
  let rest = text;
  while (widthCells(rest) > cells) {
    const head = takeCells(rest, cells);
    const taken = head.length > 0 ? head : takeCells(rest, 2);
    lines.push(taken);
    rest = sliceSafe(rest, taken.length);
  }
  lines.push(rest);
  return lines;
}

/** The text in lines of at most `cells` each, broken between words; a longer word is broken where it must. */
export function wrapWords(text: SafeText, cells: number): readonly SafeText[] {
  const lines: SafeText[] = [];
  let rest = text;
  while (widthCells(rest) > cells) {
    const head = takeCells(rest, cells + 1);
    const space = head.lastIndexOf(' ');
    if (space <= 0) {
      const [first = EMPTY] = wrapCells(rest, cells);
      lines.push(first);
      rest = sliceSafe(rest, first.length);
      continue;
    }
    lines.push(sliceSafe(rest, 0, space));
    rest = sliceSafe(rest, space + 1);
  }
  lines.push(rest);
  return lines;
}

function takeCells(text: SafeText, cells: number): SafeText {
  if (NARROW.test(text)) return sliceSafe(text, 0, Math.max(0, cells));
  let used = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    used += stringWidth(segment);
    if (used > cells) break;
    end = index + segment.length;
  }
  return sliceSafe(text, 0, end);
}

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
