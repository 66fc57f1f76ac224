import type { Frequency } from '../../../chain/resources/tally.ts';
import type { CountsOpening } from '../../openings.ts';

/** How often the values of a column occur, over the list whose rows were counted. */
export interface ShownCounts {
  readonly opening: CountsOpening;
  /** Null while they are counted. */
  readonly frequency: Frequency | null;
  readonly rowsCounted: number;
  /** The line that is selected, and the first one drawn. */
  readonly row: number;
  readonly top: number;
}

export function countLines({ opening, frequency }: ShownCounts): number {
  if (frequency === null) return 0;
  return opening.shows === 'sums' ? frequency.sums.length : frequency.values.length;
}
