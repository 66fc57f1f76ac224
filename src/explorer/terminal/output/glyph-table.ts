import { clusterWidth, simpleWidth } from '../../../base/text/cluster-width.ts';

/** The content of a cell as a number: a code point, or a number above all code points for a cluster of several. */
export const SPACE = 0x20;
/** The cells behind the first one of a wide character. */
export const TAIL = 0;

const FIRST_CLUSTER = 0x11_00_00;
const FIRST_JAMO_THAT_JOINS = 0x11_60;
const LAST_JAMO = 0x11_ff;
const FIRST_EMOJI = 0x1_f0_00;
const FIRST_SYMBOL = 0x23_00;
const LAST_SYMBOL = 0x2b_ff;
/** Clusters come from any text that a node sends, so their number is unlimited. */
const MAX_GLYPHS = 10_000;

/** The numbers of clusters on one screen: equal ones have equal numbers there, and nowhere else. */
export class GlyphTable {
  readonly #clusters: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #widths = new Map<number, number>();

  /** A new table is needed, with only the content of the screen. */
  get isFull(): boolean {
    return this.#clusters.length > MAX_GLYPHS || this.#widths.size > MAX_GLYPHS;
  }

  glyphOf(cluster: string): number {
    const code = cluster.codePointAt(0) ?? SPACE;
    if (cluster.length === (code > 0xffff ? 2 : 1)) return code;
    const known = this.#numbers.get(cluster);
    if (known !== undefined) return known;
    const glyph = FIRST_CLUSTER + this.#clusters.push(cluster) - 1;
    this.#numbers.set(cluster, glyph);
    return glyph;
  }

  textOf(glyph: number): string {
    return glyph < FIRST_CLUSTER ? String.fromCodePoint(glyph) : (this.#clusters[glyph - FIRST_CLUSTER] ?? '');
  }

  /** Cells it takes. */
  widthOf(glyph: number): number {
    const simple = simpleWidth(glyph);
    if (simple > 0) return simple;
    const known = this.#widths.get(glyph);
    if (known !== undefined) return known;
    const width = clusterWidth(this.textOf(glyph));
    this.#widths.set(glyph, width);
    return width;
  }

  /** Some terminals take fewer cells for it: wide clusters, emoji that are newer than their tables, vowels of Hangul. */
  mayTakeFewer(glyph: number): boolean {
    if (glyph >= FIRST_JAMO_THAT_JOINS && glyph <= LAST_JAMO) return true;
    const isSymbol = glyph >= FIRST_EMOJI || (glyph >= FIRST_SYMBOL && glyph <= LAST_SYMBOL);
    return isSymbol && this.widthOf(glyph) > 1;
  }

  /** In UTF-8. */
  bytesOf(glyph: number): number {
    return glyph < FIRST_CLUSTER ? codeBytes(glyph) : Buffer.byteLength(this.textOf(glyph));
  }
}

/** Bytes of a code point in UTF-8. */
export function codeBytes(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}
