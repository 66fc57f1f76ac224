import { EMPTY, joinSafe, type SafeText, safeText, sanitize, trimEndSafe } from '../text/safe-text.ts';
import { fitCells, widthCells } from '../text/width.ts';

/** A table whose rows are all there: columns as wide as they need, nothing cut. */
export function smallTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[] = [],
): SafeText {
  const lines = [titles, ...rows].map(cells => cells.map(sanitize));
  const widths = titles.map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, widthCells(cells[column] ?? EMPTY)), 0),
  );
  return joinSafe(
    lines.map(cells => {
      const fitted = cells.map((cell, column) => fitCells(cell, widths[column] ?? 0, aligns[column]));
      return safeText`${trimEndSafe(joinSafe(fitted, safeText`  `))}\n`;
    }),
  );
}
