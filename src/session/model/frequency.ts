import type { Frequency } from '../../resources/tally.ts';

/** How often the values of a column occur, as a screen of its own over the list whose rows were counted. */
export type FrequencyView = {
  readonly resource: string;
  readonly column: string;
  /** What the lines are: values, or what the amounts of each asset come to. */
  readonly shows: 'values' | 'sums';
  /** The rows that were counted, as they were when it was opened. */
  readonly scope: CountedScope;
  /** The line that is selected, and the first one drawn. */
  readonly row: number;
  readonly top: number;
} & (
  | { readonly status: 'counting'; readonly ticket: number; readonly rowsCounted: number }
  | { readonly status: 'known'; readonly frequency: Frequency }
);

export interface CountedScope {
  readonly rows: number;
  readonly loaded: number;
  /** What is loaded is all of the list, with its filters. */
  readonly isWhole: boolean;
  /** What was searched for: then the rows are those that match. */
  readonly find: string;
}

/** Lines of the view. */
export function frequencyCount(view: FrequencyView): number {
  if (view.status === 'counting') return 0;
  return view.shows === 'sums' ? view.frequency.sums.length : view.frequency.values.length;
}
