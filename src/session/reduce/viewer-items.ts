import type { TableForm } from '../../explorer/services/copying/taking.ts';
import { FORM_NAMES } from '../../explorer/services/copying/taking.ts';
import { countOf } from '../../insight/count-of.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { MenuId } from '../model/menu-id.ts';
import type { SessionState } from '../model/state.ts';
import type { AnswerRequest } from '../model/table-requests.ts';
import { type OpenTable, rowAt } from '../model/viewer.ts';
import type { ViewerChoice } from '../model/viewer-action.ts';
import { viewedText, wholeCell } from '../model/viewer-cells.ts';
import { drawnColumns, drawnOrder } from '../model/viewer-order.ts';
import { chartRecords, countsRecords, viewedTaking } from '../model/viewer-takings.ts';
import { copyItem, laterItem } from './copy-item.ts';
import type { MenuItem } from './menu-item.ts';
import { chartable, usualMeasure } from './viewer-look.ts';
import { tableHere } from './viewer-state.ts';

export type ViewerMenu = Extract<MenuId, `viewer-${string}`>;

export const VIEWER_TITLES: { readonly [id in ViewerMenu]: string } = {
  'viewer-sort': 'Sort all rows by',
  'viewer-filter': 'The rows that have, as this one',
  'viewer-count': 'Count the values of',
  'viewer-chart': 'Draw over time',
  'viewer-tables': 'Another table',
};

/** What can be chosen for the table that is looked at. */
export function viewerItems(state: SessionState, id: ViewerMenu): readonly MenuItem[] {
  const open = tableHere(state);
  if (open === undefined) return [];
  switch (id) {
    case 'viewer-sort':
      return sortItems(open);
    case 'viewer-filter':
      return filterItems(state, open);
    case 'viewer-count':
      return columnsOf(open).map(column =>
        item('', column.name, column.shape === 'number' ? 'with its sum' : column.about, {
          kind: 'count',
          column: column.name,
        }),
      );
    case 'viewer-chart':
      return chartable(open.table).map(column => {
        const measure = usualMeasure(column);
        return item('', column.name, column.unit, { kind: 'chart', column: column.name, measure });
      });
    case 'viewer-tables':
      return open.files.tables.map(({ name, rows, range }, table) =>
        item(table === open.view.table ? '*' : '', name, `${countOf(rows, 'row')}${range && `, ${range}`}`, {
          kind: 'table',
          table,
        }),
      );
  }
}

const item = (mark: string, label: string, detail: string, choice: ViewerChoice): MenuItem => ({
  mark,
  label,
  detail,
  action: { type: 'in-viewer', choice },
});

/** Columns as they are drawn. */
const columnsOf = ({ table }: OpenTable) => drawnColumns(table.columns);

function sortItems(open: OpenTable): readonly MenuItem[] {
  const { sort } = open.view.shown.look;
  const items = columnsOf(open).map(({ name }) => {
    const isSorted = sort?.column === name;
    const detail = isSorted ? `again: ${sort.isDescending ? 'smallest' : 'largest'} first` : '';
    return item(isSorted ? (sort.isDescending ? 'v' : '^') : '', name, detail, { kind: 'sort', column: name });
  });
  return [...items, item(sort === null ? '*' : '', 'the order of the file', '', { kind: 'sort', column: '' })];
}

function filterItems({ directory }: SessionState, { table, view }: OpenTable): readonly MenuItem[] {
  const row = rowAt(view, view.row);
  if (row === undefined) return [];
  return drawnOrder(table.columns).flatMap(index => {
    const column = table.columns[index];
    const value = row[index] ?? null;
    if (column === undefined) return [];
    return [
      item('', column.name, viewedText(column, value, directory), { kind: 'filter', column: column.name, value }),
    ];
  });
}

/** What can be taken along from tables on the disk. */
export function viewerCopies(state: SessionState): readonly MenuItem[] {
  const open = tableHere(state);
  if (open === undefined) return [];
  const { table, view, files, viewer } = open;
  const { over, shown } = view;
  const { question, paths } = viewer.asked;
  if (over !== null) {
    const made = over.kind === 'counts' ? countsRecords(over) : chartRecords(open, over);
    if (made === undefined) return [];
    const lines = countOf(made.records.length, 'line');
    const value = over.kind === 'counts' ? made.records[over.row]?.[0] : made.records[over.at]?.[1];
    return [
      ...(value === undefined || value === null ? [] : [copyItem('value', value)]),
      ...forms(form => laterItem(`table as ${nameOf(form)}`, lines, { kind: 'records', form, ...made })),
    ];
  }
  const row = rowAt(view, view.row);
  const cells = drawnOrder(table.columns).flatMap(index => {
    const [column, value] = [table.columns[index], row?.[index]];
    return column === undefined || value === undefined || value === null ? [] : [copyItem(column.name, value)];
  });
  const whole = table.columns.map(
    (column, index) => `${column.name}: ${wholeCell(column, row?.[index] ?? null, state.directory)}`,
  );
  return [
    ...(files.sql === null ? [] : [copyItem('SQL that answers it', files.sql)]),
    ...(question === null ? [] : [copyItem('equal command', answerCommand(question, paths))]),
    ...(files.notes.length === 0 ? [] : [copyItem('notes', files.notes.join('\n'))]),
    ...cells,
    ...(row === undefined
      ? []
      : [laterItem('the whole row', countOf(whole.length, 'line'), { kind: 'text', text: whole.join('\n') })]),
    ...forms(form => laterItem(`rows as ${nameOf(form)}`, countOf(shown.count, 'row'), viewedTaking(open, form))),
  ];
}

function answerCommand({ name, party, range = '', isSplit = false }: AnswerRequest, paths: readonly string[]): string {
  const [from = '', to = from] = range.split('..');
  const ends = range === 'all' ? ['--whole'] : [`--from ${shellWord(from)}`, `--to ${shellWord(to)}`];
  return [
    ...['blockglass answer', name, ...paths.map(shellWord), ...(party === '' ? [] : [`--party ${party}`])],
    ...(range === '' ? [] : ends),
    ...(isSplit ? ['--types'] : []),
  ].join(' ');
}

const forms = (made: (form: 'csv' | 'tsv' | 'md' | 'json') => MenuItem): readonly MenuItem[] =>
  (['csv', 'tsv', 'md', 'json'] as const).map(made);

const nameOf = (form: Exclude<TableForm, 'ndjson'>): string => (form === 'json' ? 'JSON' : FORM_NAMES[form]);
