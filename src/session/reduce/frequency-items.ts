import { printJson } from '../../api/json.ts';
import { isSummable } from '../../resources/amount-sums.ts';
import { frequencyCsv, frequencyJson, sumsCsv, sumsJson } from '../../resources/figure-records.ts';
import { resourceById } from '../../resources/registry.ts';
import { frequentText, isByDay } from '../../resources/tally.ts';
import { csvRecord } from '../../text/csv-field.ts';
import { shellWord } from '../../text/shell-word.ts';
import { countableColumns, countedColumn } from '../model/counted-columns.ts';
import { listCommand, loginHint } from '../model/equivalent.ts';
import type { FrequencyView } from '../model/frequency.ts';
import type { SessionState } from '../model/state.ts';
import type { MenuItem } from './menu-item.ts';

/** The columns to choose from, the last used one first. */
export function frequencyItems(state: SessionState): readonly MenuItem[] {
  const browser = state.browsers[state.tab];
  if (browser === undefined) return [];
  return countableColumns(state, browser).map(column => ({
    mark: column.id === state.countedLast[browser.resource] ? '*' : '',
    label: column.title,
    detail: isByDay(column) ? 'by day, UTC' : isSummable(column) ? 'with sums, of each asset' : '',
    action: { type: 'show-frequency', column: column.id, shows: 'values' },
  }));
}

/** What can be taken along from the view. */
export function frequencyCopies(state: SessionState, view: FrequencyView): readonly MenuItem[] {
  const item = (label: string, text: string): MenuItem => ({
    mark: '',
    label,
    detail: text,
    action: { type: 'copy', what: label, text },
  });
  const column = countedColumn(state, view);
  const { directory, node } = state;
  const command = item(`equal command${loginHint(node)}`, frequencyCommand(state, view));
  if (view.status === 'counting' || column === undefined) return [command];
  const { frequency, shows } = view;
  const value = shows === 'values' ? frequency.values[view.row] : undefined;
  const csv = shows === 'values' ? frequencyCsv(column, frequency, directory) : sumsCsv(frequency);
  const json = shows === 'values' ? frequencyJson(column, frequency, directory) : sumsJson(frequency);
  return [
    ...(value === undefined || value.value === ''
      ? []
      : [item('value', value.value), item('value as shown', frequentText(column, value, directory))]),
    item('table as CSV', csv.map(csvRecord).join('')),
    item('table as JSON', printJson(json, 2)),
    command,
  ];
}

/** The command that counts the same rows. */
function frequencyCommand(state: SessionState, { resource: id, column, shows, scope }: FrequencyView): string {
  const resource = resourceById(id);
  const page = state.browsers[id]?.page;
  if (resource === undefined || !page) return '';
  const command = listCommand(state.node, resource, page.request);
  const rows = scope.isWhole ? command.replace(/ --page-size \d+/, '') : command;
  const find = scope.find === '' ? '' : ` --find ${shellWord(scope.find)}`;
  return `${rows}${find} --${shows === 'values' ? 'freq' : 'sum'} ${column}`;
}
