import { isSummable } from '../../resources/amount-sums.ts';
import { resourceById } from '../../resources/registry.ts';
import { frequentText, isByDay } from '../../resources/tally.ts';
import { countableColumns } from '../model/counted-columns.ts';
import { findFlag, listCommand, loginHint, wholeListCommand } from '../model/equivalent.ts';
import { type FrequencyView, frequencyCount } from '../model/frequency.ts';
import type { SessionState } from '../model/state.ts';
import type { TableForm } from '../model/taking.ts';
import { FORM_NAMES, takenFigures } from '../model/takings-here.ts';
import { copyItem, laterItem } from './copy-item.ts';
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
  const { node, directory } = state;
  const counting = frequencyCommand(state, view);
  const command = copyItem(`equal command${loginHint(node, counting)}`, counting);
  const figures = takenFigures(state, view);
  if (figures === undefined) return [command];
  const { column, frequency, shows } = figures;
  const value = shows === 'values' ? frequency.values[view.row] : undefined;
  const lines = `${frequencyCount(view)} lines`;
  const table = (name: string, form: TableForm): MenuItem =>
    laterItem(`table as ${name}`, lines, { kind: 'figures', form, figures });
  return [
    ...(value === undefined || value.value === ''
      ? []
      : [copyItem('value', value.value), copyItem('value as shown', frequentText(column, value, directory))]),
    ...(['csv', 'tsv', 'md'] as const).map(form => table(FORM_NAMES[form], form)),
    table('JSON', 'json'),
    command,
  ];
}

/** The command that counts the same rows. */
function frequencyCommand(state: SessionState, { resource: id, column, shows, scope }: FrequencyView): string {
  const resource = resourceById(id);
  const page = state.browsers[id]?.page;
  if (resource === undefined || !page) return '';
  const isOfAll = scope.isWhole || page.whole !== undefined;
  const rows = (isOfAll ? wholeListCommand : listCommand)(state.node, resource, page.request);
  return `${rows}${findFlag(scope.find)} --${shows === 'values' ? 'freq' : 'sum'} ${column}`;
}
