/** Said wherever an export is called complete, with what it leaves open. */
export const ALL_IS_RIGHT = 'everything that can be checked is right';

/**
 * How far that goes for the rows of a table: a node may drop rows without a word (export-behaviour.md section 1.7),
 * and only of `blocks` is it known how many there have to be.
 */
export const howFarRowsGo = (table: string | undefined): string =>
  table === 'blocks' ? 'there is one row for every block' : 'rows that a node dropped silently cannot be seen';

export const whatWasChecked = (table: string | undefined): string => `${ALL_IS_RIGHT}; ${howFarRowsGo(table)}`;
