import type { TableLook, ViewerTable } from '../../../answers/index.ts';
import { type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { type Directory, nameOrEnds } from '../../../chain/directory/directory.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { type Line, span, textLine } from '../../core/line.ts';
import { fittingParts, type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { columnsRangeText, sortMark } from '../../core/table.ts';
import { standaloneCellText } from './cells.ts';
import { placedColumns } from './columns.ts';
import { isInSmallestUnits, mixedUnitsOf } from './mixed-units.ts';
import { currentRowFormat, tableNames } from './row-format.ts';
import { type OpenTable, openTableOf, type Viewer } from './state.ts';

/** Which table it is, and what narrows and orders its rows; in fewer words on a narrow screen. */
export function viewerHead(viewer: Viewer, context: ScreenContext): RuleParts {
  const { shared, area } = context;
  const known = openTableOf(viewer);
  const directory = known === undefined ? shared.directory : tableNames(known.tables, shared);
  const { question, paths } = viewer.opening;
  if (known === undefined) {
    const asked = question === null ? [ruleTitle('Table')] : asking(viewer, question.title, directory);
    return [...asked, textLine(paths.join(' '), 'quiet')];
  }
  const [long, short] = [question?.title ?? known.table.name, question?.name ?? known.table.name];
  const [whole = [], usual = [], ...others] = headEndings(known, directory);
  const columns = columnsPart(known, context);
  const full = [whole, usual].flatMap(tail => [[...tail, columns], tail]);
  // If the whole question takes too much room, its name is enough.
  const ways = [
    ...full.map(tail => [long, tail] as const),
    ...[...full, ...others].map(tail => [short, tail] as const),
  ].map(([title, tail]): RuleParts => [...tableSubject(known, title, directory), ...tail]);
  return fittingParts(ways, area.columns);
}

/** Which columns are shown, where some are hidden. */
const columnsPart = (open: OpenTable, { shared, area }: ScreenContext): Line =>
  textLine(columnsRangeText(placedColumns(open, currentRowFormat(open, shared), area.columns)), 'quiet');

/** The rows, in ever fewer words. */
function headEndings(open: OpenTable, directory: Directory): readonly RuleParts[] {
  const { table, view } = open;
  const { filters } = view.shown.look;
  const [rows, fewer] = rowTexts(open);
  const [widest = 0] = MAX_FILTER_CELLS;
  const usual = [rows, ...filterParts(open, directory, widest), findPart(open, widest), sortPart(open)];
  const narrow = [rows, fewer].flatMap(count =>
    MAX_FILTER_CELLS.map(cells => [
      ...[count, ...filterParts(open, directory, cells)],
      ...[findPart(open, cells), shortSort(open)],
    ]),
  );
  const counted = filters.length === 0 ? '' : countOf(filters.length, 'filter');
  return [
    [...usual, textLine(table.range, 'quiet')],
    usual,
    [rows, ...filterParts(open, directory, widest), findPart(open, widest), shortSort(open, sortUnitsNote(open))],
    ...narrow,
    [fewer, textLine(counted, 'accent'), findPart(open, 4), shortSort(open)],
  ];
}

function tableSubject({ viewer, table }: OpenTable, title: string, directory: Directory): RuleParts {
  return [
    ...asking(viewer, title, directory),
    textLine(table.isComplete ? '' : 'NOT COMPLETE', 'bad'),
    textLine(viewer.isRaw ? 'as in the file' : '', 'accent'),
  ];
}

/** The query, and its party. */
function asking({ opening }: Viewer, title: string, directory: Directory): RuleParts {
  const { party = '', range = '', isSplit = false } = opening.question ?? {};
  const how = [range === 'all' ? 'all in the files' : range, isSplit ? 'by reason' : ''].filter(Boolean);
  const ofParty = [span(safeText`party `, 'quiet'), span(nameOrEnds(directory, 'party', party), 'accent')];
  return [ruleTitle(title), ...(party === '' ? [] : [ofParty]), textLine(how.join(', '), 'accent')];
}

function rowTexts({ table, view }: OpenTable): readonly [Line, Line] {
  const all = countOf(table.rows, 'row');
  const { look, count } = view.shown;
  if (look.filters.length === 0) return [textLine(all), textLine(all)];
  return [textLine(`${countText(count)} of ${all}`), textLine(countOf(count, 'row'))];
}

function filterParts({ table, view }: OpenTable, directory: Directory, longest: number): RuleParts {
  return view.shown.look.filters.map(filter => [
    span(safeText`${truncateMiddle(sanitize(filter.column), longest)} `, 'quiet'),
    span(truncateMiddle(queryFilterText(table, filter, directory), longest), 'accent'),
  ]);
}

/** The value that a filter wants, with the names of now. */
export function queryFilterText(
  { name: table, columns }: ViewerTable,
  { column: wanted, value }: TableLook['filters'][number],
  directory: Directory,
): SafeText {
  const column = columns.find(({ name }) => name === wanted);
  return column === undefined ? sanitize(value ?? 'NULL') : standaloneCellText({ column, table }, value, directory);
}

/** What n and N look for, until Esc. */
const findPart = ({ view }: OpenTable, longest: number): Line =>
  view.find === '' ? [] : [span(safeText`/${truncateMiddle(sanitize(view.find), longest)}`, 'accent')];

/** Lengths to try for names of columns and values: the first one that fits and keeps the names distinct. */
const MAX_FILTER_CELLS = [20, 12, 8] as const;

function sortPart(open: OpenTable): Line {
  const { sort } = open.view.shown.look;
  if (sort === null) return [];
  const order = sort.isDescending ? ', largest first' : '';
  return textLine(`sorted by ${sort.column}${sortUnitsNote(open)}${order}`, 'accent');
}

/** Amounts of several assets are shown in units, and sorted as the file has them. */
function sortUnitsNote(open: OpenTable): string {
  const { sort } = open.view.shown.look;
  const isMixed =
    sort !== null && mixedUnitsOf(open, sort.column) !== undefined && isInSmallestUnits(open, sort.column);
  return isMixed ? ' in smallest units' : '';
}

/** As above the column. */
function shortSort({ view }: OpenTable, as = ''): Line {
  const { sort } = view.shown.look;
  if (sort === null) return [];
  const name = truncateMiddle(sanitize(sort.column), MAX_SORT_COLUMN_CELLS);
  return [span(safeText`${name}${sanitize(as)} ${sortMark(sort.isDescending)}`, 'accent')];
}

const MAX_SORT_COLUMN_CELLS = 12;
