import { clusterWidth, simpleWidth } from '../../text/cluster-width.ts';

/** What stands in a cell, as a number: a code point, or a number above them for a cluster of several. */
export const SPACE = 0x20;
/** The cells behind the first one of a wide character. */
export const TAIL = 0;

const FIRST_CLUSTER = 0x11_00_00;
const clusters: string[] = [];
const numbers = new Map<string, number>();
const widths = new Map<number, number>();

export function glyphOf(cluster: string): number {
  const code = cluster.codePointAt(0) ?? SPACE;
  if (cluster.length === (code > 0xffff ? 2 : 1)) return code;
  const known = numbers.get(cluster);
  if (known !== undefined) return known;
  const glyph = FIRST_CLUSTER + clusters.push(cluster) - 1;
  numbers.set(cluster, glyph);
  return glyph;
}

export const glyphText = (glyph: number): string =>
  glyph < FIRST_CLUSTER ? String.fromCodePoint(glyph) : (clusters[glyph - FIRST_CLUSTER] ?? '');

/** Cells it takes. */
export function glyphWidth(glyph: number): number {
  const simple = simpleWidth(glyph);
  if (simple > 0) return simple;
  const known = widths.get(glyph);
  if (known !== undefined) return known;
  const width = clusterWidth(glyphText(glyph));
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
