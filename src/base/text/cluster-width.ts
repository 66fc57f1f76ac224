import stringWidth from 'string-width';

/**
 * The most cells that a terminal uses for one grapheme cluster. Most terminals do not support clusters and add up
 * characters: a Thai vowel, the second letter of a conjunct and a skin tone have cells of their own. A terminal that uses
 * fewer cells shows a gap; if they were not counted, text next to the cluster would be drawn over.
 */
export function clusterWidth(cluster: string): number {
  const simple = cluster.length === 1 ? simpleWidth(cluster.charCodeAt(0)) : 0;
  if (simple > 0) return simple;
  const together = stringWidth(cluster);
  const [, ...others] = cluster;
  return others.length === 0 || together === 0 ? together : Math.max(together, sumCharacterWidths(cluster));
}

function sumCharacterWidths(cluster: string): number {
  let cells = 0;
  for (const character of cluster) if (!ZERO_WIDTH.test(character)) cells += stringWidth(character);
  return cells;
}

/** Marks, and vowels and finals of Hangul, which join the consonant before them. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/**
 * Cells of a UTF-16 unit that is a character with the same width in every terminal; 0 for all others. Two such characters
 * never form one cluster.
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
