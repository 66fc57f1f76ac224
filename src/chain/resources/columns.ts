import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { type Directory, isMine } from '../directory/directory.ts';
import { looksLikeOwnName } from '../directory/distinct-names.ts';
import { type FilterValues, isFilterActive } from './filter.ts';
import type { Column, CsvForm, Resource, Row, RowContext } from './resource.ts';

/** The columns with the titles they have under these filters. */
export const columnsTitledFor = ({ columns }: Resource, filters: FilterValues): readonly Column[] =>
  columns.map(column => {
    const { filtered } = column;
    return filtered !== undefined && isFilterActive(filters, filtered.by)
      ? { ...column, title: filtered.title }
      : column;
  });

/** What a sentence or a record calls the column. */
export const columnWords = ({ words, title }: Column): string => words ?? title.toLowerCase();

/** Whether the column answers the question a list with these filters is opened for. */
export const isAnswerColumn = ({ isAnswer }: Column, filters: FilterValues): boolean =>
  isAnswer === true || (isAnswer !== undefined && !isFilterActive(filters, isAnswer.until));

/** The columns and rows of a list in CSV, so that nothing in its rows is lost. */
export const csvFormOf = (resource: Resource): CsvForm =>
  resource.csv ?? {
    columns: resource.columns.filter(({ worked, named }) => worked === undefined && named === undefined),
    rowsOf: row => [row],
  };

/** Whether any of the columns shows names or units. */
export const hasNames = (columns: readonly Column[]): boolean =>
  columns.some(
    ({ entity, isOwn, unit, named }) =>
      unit !== undefined || named !== undefined || (isOwn !== true && NAMED.has(entity)),
  );

/** Whether anything in a record can be shown with a name or unit. */
export const isNameable = ({ columns, entities = {}, units = {} }: Resource): boolean =>
  hasNames(columns) || Object.keys(entities).length + Object.keys(units).length > 0;

const NAMED: ReadonlySet<Column['entity']> = new Set(['market', 'party', 'asset', 'submitter', 'node'] as const);

/** The ids in a cell. */
export const cellIds = (column: Column, row: Row): readonly string[] => column.ids?.(row) ?? [column.value(row)];

/** Whether a column is shown by default. */
export function isShownByDefault({ isExtra }: Column, filters: FilterValues): boolean {
  if (isExtra === undefined) return true;
  if (typeof isExtra === 'function') return !isExtra(filters);
  if (isExtra === true) return false;
  return 'until' in isExtra ? isFilterActive(filters, isExtra.until) : !isFilterActive(filters, isExtra.while);
}

/** Whether any row has a value for an optional column. */
export const hasValues = ({ isOptional, value }: Column, rows: readonly Row[]): boolean =>
  isOptional !== true || rows.some(row => value(row) !== '');

/** The value a cell shows. */
export const valueInContext = ({ worked, value }: Column, row: Row, among: RowContext): string =>
  worked === undefined ? value(row) : worked(row, among);

/** The text of a cell, with the words before and after it that depend on the other rows of its page. */
export function qualifyText(
  { qualifier, addition, nameOf }: Column,
  { row, rows, directory }: { readonly row: Row; readonly rows: readonly Row[]; readonly directory?: Directory },
  text: SafeText,
): SafeText {
  if (qualifier === undefined && addition === undefined && nameOf === undefined) return text;
  const whole = safeText`${sanitize(qualifier?.(row, rows) ?? '')}${text}${sanitize(addition?.(row, rows) ?? '')}`;
  if (nameOf === undefined || directory === undefined) return whole;
  // Several rows without a name are told apart.
  if (whole === '') return safeText`unnamed ${sanitize(nameOf.id(row).slice(0, FEW_DIGITS))}`;
  const name = looksLikeOwnName(whole) ? safeText`"${whole}"` : whole;
  return isMine(directory, nameOf.entity, nameOf.id(row)) ? safeText`${name}, you` : name;
}

const FEW_DIGITS = 4;

/** Whether another row of the page supersedes this one. */
export const isSuperseded = (columns: readonly Column[], row: Row, rows: readonly Row[]): boolean =>
  columns.some(({ qualifier }) => qualifier !== undefined && qualifier(row, rows) !== '');
