/** Cells filled from the left by eighths: `█`, then seven narrower ones down to `▏`. */
const EIGHTHS = ['', '\u258f', '\u258e', '\u258d', '\u258c', '\u258b', '\u258a', '\u2589'];
const FULL = '\u2588';

/**
 * A bar of at most `cells` for a part of a maximum. A part above 0 has at least an eighth of a cell; 0, and a maximum of 0,
 * have no bar.
 */
export function bar(part: bigint, maximum: bigint, cells: number): string {
  if (part <= 0n || maximum <= 0n || cells <= 0) return '';
  const all = BigInt(Math.floor(cells)) * 8n;
  const rounded = (2n * (part > maximum ? maximum : part) * all + maximum) / (2n * maximum);
  const eighths = Number(rounded === 0n ? 1n : rounded);
  return FULL.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
