import type { Counts } from '../../core/counts.ts';
import type { CountsOpening } from '../../openings.ts';

/** How often the values of a column occur, over the rows that were counted. */
export interface ShownCounts {
  readonly opening: CountsOpening;
  /** Null while they are counted. */
  readonly counts: Counts | null;
  readonly rowsCounted: number;
  /** The line that is selected, and the first one drawn. */
  readonly row: number;
  readonly top: number;
}

export function countLines({ opening, counts }: ShownCounts): number {
  if (counts === null) return 0;
  return opening.shows === 'sums' ? counts.sums.length : counts.values.length;
}
