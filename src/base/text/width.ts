import { clusterWidth } from './cluster-width.ts';
import { clusters } from './clusters.ts';
import { EMPTY, repeatSafe, type SafeText, safeText, sliceSafe } from './safe-text.ts';

const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2400-\u2421\u2500-\u25fc\ufffd]*$/;

/** Terminal cells of the text: wide characters count two, combining marks none. */
export function widthCells(text: SafeText): number {
  if (NARROW.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of clusters(text)) cells += clusterWidth(segment);
  return cells;
}

/** Exactly `cells` wide: padded with spaces, or cut with a mark at the end. */
export function fitCells(text: SafeText, cells: number, align: 'left' | 'right' = 'left'): SafeText {
  const cut = truncateEnd(text, cells);
  const gap = repeatSafe(safeText` `, cells - widthCells(cut));
  return align === 'left' ? safeText`${cut}${gap}` : safeText`${gap}${cut}`;
}

/** At most `cells` wide; ends in `…` if cut. */
export function truncateEnd(text: SafeText, cells: number): SafeText {
  if (cells <= 0) return EMPTY;
  return fits(text, cells) ? text : safeText`${leadingCells(text, cells - 1)}\u2026`;
}

/** At most `cells` wide; cut in the middle, so that both ends of an id stay: `8a2f..01be`. */
export function truncateMiddle(text: SafeText, cells: number): SafeText {
  if (fits(text, cells)) return text;
  if (cells < 4 || !NARROW.test(text)) return truncateEnd(text, cells);
  const head = Math.ceil((cells - 2) / 2);
  return safeText`${sliceSafe(text, 0, head)}..${sliceSafe(text, text.length - (cells - 2 - head))}`;
}

/** The text in lines of at most `cells` each, but at least one character; nothing is dropped. */
export function wrapCells(text: SafeText, cells: number): readonly SafeText[] {
  const lines: SafeText[] = [];
  let start = 0;
  if (NARROW.test(text)) {
    const step = Math.max(1, cells);
    for (; start + step < text.length; start += step) lines.push(sliceSafe(text, start, start + step));
    return [...lines, sliceSafe(text, start)];
  }
  let used = 0;
  for (const { piece, index } of pieces(text, cells)) {
    const width = clusterWidth(piece);
    if (used + width > cells && index > start) {
      lines.push(sliceSafe(text, start, index));
      start = index;
      used = 0;
    }
    used += width;
  }
  lines.push(sliceSafe(text, start));
  return lines;
}

/** The text in lines of at most `cells` each, broken between words; a longer word is broken anywhere. */
export function wrapWords(text: SafeText, cells: number): readonly SafeText[] {
  const lines: SafeText[] = [];
  let line = EMPTY;
  for (const {
    0: { length },
    index,
  } of text.matchAll(WORD)) {
    const word = sliceSafe(text, index, index + length);
    const longer = line === EMPTY ? word : safeText`${line} ${word}`;
    if (fits(longer, cells)) line = longer;
    else {
      if (line !== EMPTY) lines.push(line);
      const parts = (fits(word, cells) ? [word] : splitOffUnit(word)).flatMap(part => wrapCells(part, cells));
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1) ?? EMPTY;
    }
  }
  lines.push(line);
  return lines;
}

/** Cells that it takes for no word to be broken, nor a number from its unit. */
export const longestWordCells = (text: SafeText): number =>
  Math.max(
    0,
    ...Array.from(text.matchAll(WORD), ({ 0: { length }, index }) =>
      widthCells(sliceSafe(text, index, index + length)),
    ),
  );

// A space with a combining mark does not end a word, nor does one between groups of digits or before their unit.
const WORD = /(?:[^ ]| (?=\p{M}|(?<=\d )(?:\d{3}(?!\d)|(?:%|\p{Lu}{2,}|min|ms|[dhs])(?![\p{L}\d]))))+/gu;

/** Splits the unit off a word that is too long with it. */
function splitOffUnit(word: SafeText): readonly SafeText[] {
  const at = word.search(/ [^ \d\p{M}][^ ]*$/u);
  return at < 0 ? [word] : [sliceSafe(word, 0, at), sliceSafe(word, at + 1)];
}

function fits(text: SafeText, cells: number): boolean {
  return leadingCells(text, cells).length === text.length;
}

function leadingCells(text: SafeText, cells: number): SafeText {
  if (NARROW.test(text)) return sliceSafe(text, 0, Math.max(0, cells));
  let used = 0;
  for (const { segment, index } of clusters(text)) {
    used += clusterWidth(segment);
    if (used > cells) return sliceSafe(text, 0, index);
  }
  return text;
}

/** What stays together on a line: clusters, or single characters of a cluster wider than the line. */
function* pieces(text: string, cells: number) {
  for (const { segment, index } of clusters(text)) {
    if (clusterWidth(segment) <= cells) yield { piece: segment, index };
    else for (const match of segment.matchAll(/./gsu)) yield { piece: match[0], index: index + match.index };
  }
}
