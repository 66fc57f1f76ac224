/**
 * What it means that nothing was found wrong in the rows of a table: a node may drop rows without a word
 * (export-behaviour.md section 1.7), and only of `blocks` is it known how many there have to be.
 */
export function whatWasChecked(table: string | undefined): string {
  if (table === 'blocks') return 'everything that can be checked is right, and there is one row for every block';
  return 'everything that can be checked is right; rows that a node dropped silently cannot be seen';
}
