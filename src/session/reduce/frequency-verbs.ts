import { isSummable } from '../../resources/amount-sums.ts';
import { columnNamed } from '../../resources/condition.ts';
import { resourceById } from '../../resources/registry.ts';
import type { SessionState } from '../model/state.ts';
import { noSuchColumn } from './misspelt.ts';
import type { CommandOutcome, Verb } from './verb.ts';
import { behindScreens, COUNT_IN_TABLE, ofRowsShown, SUM_IN_TABLE } from './viewer-verbs.ts';

/** What the rows at hand hold in a column. */
export const FREQUENCY_VERBS: { readonly [verb: string]: Verb } = {
  freq: ofRowsShown(
    {
      help: ['freq COLUMN', 'how often values occur in the loaded rows or a file'],
      read: (state, words) => counting(state, words.join(' '), 'values'),
      complete: (state, words) => (words.length > 1 ? [] : columnsOf(state).map(({ id }) => id)),
    },
    COUNT_IN_TABLE,
    behindScreens,
  ),
  sum: ofRowsShown(
    {
      help: ['sum COLUMN', 'its amounts in loaded rows, of each asset; or a file'],
      read: (state, words) => counting(state, words.join(' '), 'sums'),
      complete: (state, words) =>
        words.length > 1
          ? []
          : columnsOf(state)
              .filter(isSummable)
              .map(({ id }) => id),
    },
    SUM_IN_TABLE,
    behindScreens,
  ),
};

const columnsOf = ({ tab }: SessionState) => resourceById(tab)?.columns ?? [];

function counting(state: SessionState, name: string, shows: 'values' | 'sums'): CommandOutcome {
  const columns = columnsOf(state);
  const column = columnNamed(columns, name);
  if (columns.length === 0) return { problem: 'there are no rows to count here' };
  if (column === undefined) return { problem: noSuchColumn(columns, name) };
  if (shows === 'sums' && !isSummable(column)) {
    const ids = columns.filter(isSummable).map(({ id }) => id);
    return { problem: `${column.id} cannot be added up${ids.length === 0 ? '' : `: there are ${ids.join(', ')}`}` };
  }
  return { actions: [{ type: 'show-frequency', column: column.id, shows }] };
}
