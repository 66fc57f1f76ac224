import stringWidth from 'string-width';

/** What stands in a cell, as a number: a code point, or a number above them for a cluster of several. */
export const BLANK = 0x20;
/** The cells behind the first one of a wide character. */
export const TAIL = 0;

const FIRST_CLUSTER = 0x11_00_00;
const clusters: string[] = [];
const numbers = new Map<string, number>();
const widths = new Map<number, number>();

export function glyphOf(cluster: string): number {
  const code = cluster.codePointAt(0) ?? BLANK;
  if (cluster.length === (code > 0xffff ? 2 : 1)) return code;
  const known = numbers.get(cluster);
  if (known !== undefined) return known;
  const glyph = FIRST_CLUSTER + clusters.push(cluster) - 1;
  numbers.set(cluster, glyph);
  return glyph;
}

export const glyphText = (glyph: number): string =>
  glyph < FIRST_CLUSTER ? String.fromCodePoint(glyph) : (clusters[glyph - FIRST_CLUSTER] ?? '');

/** Cells it takes: as string-width has it, since Ink lays out by that. */
export function glyphWidth(glyph: number): number {
  const simple = simpleWidth(glyph);
  if (simple > 0) return simple;
  const known = widths.get(glyph);
  if (known !== undefined) return known;
  const width = stringWidth(glyphText(glyph));
  widths.set(glyph, width);
  return width;
}

/** In UTF-8. */
export function glyphBytes(glyph: number): number {
  if (glyph < 0x80) return 1;
  if (glyph < 0x8_00) return 2;
  if (glyph < 0x1_00_00) return 3;
  return glyph < FIRST_CLUSTER ? 4 : Buffer.byteLength(glyphText(glyph));
}

/**
 * Cells of a UTF-16 unit that is a character of its own and whose width no terminal disputes; 0 for all others. Two
 * of them side by side never join to one cluster.
 */
export const simpleWidth = (code: number): number => (code < 0x7f ? (code < 0x20 ? 0 : 1) : (SIMPLE[code] ?? 0));

const NARROW = [
  [0xa1, 0xac],
  [0xae, 0x2ff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x2190, 0x2193],
  [0x2200, 0x22ff],
  [0x2500, 0x25fc],
] as const;

// Kana without their combining marks, ideographs, Hangul syllables.
const WIDE = [
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
] as const;

const SIMPLE = simpleWidths();

function simpleWidths(): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const [first, last] of NARROW) table.fill(1, first, last + 1);
  for (const [first, last] of WIDE) table.fill(2, first, last + 1);
  return table;
}
