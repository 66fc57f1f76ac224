import { shellWord } from '../../../base/text/shell-word.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import type { FileName } from '../../core/file-name.ts';
import { type CopyItem, copyText, type ScreenContext } from '../../core/screen.ts';
import { type CopyContent, FORM_NAMES, type TableFormat } from '../../services/copying/content.ts';
import { ENDINGS, type Saveable } from '../../services/copying/saveable.ts';
import type { AnswerRequest } from '../../services/tables.ts';
import { fullCellText } from './cells.ts';
import { columnOrder } from './column-order.ts';
import { currentRowFormat } from './row-format.ts';
import { type OpenTable, openTableOf, rowAt, type Viewer } from './state.ts';

/** All rows that are shown. */
export function saveableTable(viewer: Viewer): Saveable | string {
  const known = openTableOf(viewer);
  if (known === undefined) return 'the table is not open';
  const { count } = known.view.shown;
  if (count === 0) return 'no rows to save';
  return {
    what: countOf(count, 'row'),
    endings: ENDINGS,
    content: ending => (ending === 'txt' ? { kind: 'screen' } : allRows(known, ending)),
  };
}

/** As the file has them. */
const allRows = ({ tables, view, table }: OpenTable, form: TableFormat): CopyContent => ({
  kind: 'table-rows',
  form,
  tables,
  request: { table: table.name, look: view.shown.look },
  head: table.columns.map(({ name }) => name),
});

export function viewerFileName(viewer: Viewer): FileName {
  const known = openTableOf(viewer);
  if (known === undefined) return { parts: ['table'] };
  const filters = known.view.shown.look.filters.map(({ value }) => (value ?? 'NULL').slice(0, 24));
  return { parts: [known.table.name, ...filters] };
}

export function viewerCopies(viewer: Viewer, { shared }: ScreenContext): readonly CopyItem[] {
  const known = openTableOf(viewer);
  if (known === undefined) return [];
  const { table, tables, view } = known;
  const { shown } = view;
  const { question, paths } = viewer.opening;
  const row = rowAt(view, view.row);
  const cells = columnOrder(table.columns).flatMap(index => {
    const [column, value] = [table.columns[index], row?.[index]];
    return column === undefined || value === undefined || value === null ? [] : [copyText(column.name, value)];
  });
  const rowFormat = currentRowFormat(known, shared);
  const whole = table.columns.map(
    ({ name }, index) =>
      `${name}: ${fullCellText({ table: table.name, columns: table.columns, row: row ?? [], index }, rowFormat)}`,
  );
  return [
    ...(tables.sql === null ? [] : [copyText('SQL that answers it', tables.sql)]),
    ...(question === null ? [] : [copyText('equal command', answerCommand(question, paths))]),
    ...(tables.notes.length === 0 ? [] : [copyText('notes', tables.notes.join('\n'))]),
    ...cells,
    ...(row === undefined
      ? []
      : [{ ...copyText('the whole row', whole.join('\n')), detail: countOf(whole.length, 'line') }]),
    ...inForms('rows', countOf(shown.count, 'row'), form => allRows(known, form)),
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

const inForms = (what: string, detail: string, made: (form: TableFormat) => CopyContent): readonly CopyItem[] =>
  (['csv', 'tsv', 'md', 'json'] as const).map(form => ({
    label: `${what} as ${form === 'json' ? 'JSON' : FORM_NAMES[form]}`,
    detail,
    content: made(form),
  }));
