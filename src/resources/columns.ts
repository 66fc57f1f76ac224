import { type SafeText, safeText, sanitize } from '../text/safe-text.ts';
import { type FilterValues, isInForce } from './filter.ts';
import type { Among, Column, CsvForm, Resource, Row } from './resource.ts';

/** The columns by the titles they have under these filters. */
export const titledColumns = ({ columns }: Resource, filters: FilterValues): readonly Column[] =>
  columns.map(column => {
    const { filtered } = column;
    return filtered !== undefined && isInForce(filters, filtered.by) ? { ...column, title: filtered.title } : column;
  });

/** Whether the column answers what a list with these filters is opened for. */
export const answers = ({ isAnswer }: Column, filters: FilterValues): boolean =>
  isAnswer === true || (isAnswer !== undefined && !isInForce(filters, isAnswer.until));

/** What CSV has of a list, so that nothing in its rows is lost. */
export const csvFormOf = (resource: Resource): CsvForm =>
  resource.csv ?? {
    columns: resource.columns.filter(({ worked, named }) => worked === undefined && named === undefined),
    rowsOf: row => [row],
  };

/** Whether names or units would stand in any of them. */
export const hasNames = (columns: readonly Column[]): boolean =>
  columns.some(
    ({ entity, isOwn, unit, named }) =>
      unit !== undefined || named !== undefined || (isOwn !== true && NAMED.has(entity)),
  );

/** Whether names or units would stand anywhere in a record. */
export const isNameable = ({ columns, entities = {}, units = {} }: Resource): boolean =>
  hasNames(columns) || Object.keys(entities).length + Object.keys(units).length > 0;

const NAMED: ReadonlySet<Column['entity']> = new Set(['market', 'party', 'asset', 'submitter', 'node'] as const);

/** The ids that a cell names. */
export const idsOf = (column: Column, row: Row): readonly string[] => column.ids?.(row) ?? [column.value(row)];

/** Whether a column is shown without being asked for. */
export function isUsual({ isExtra }: Column, filters: FilterValues): boolean {
  if (isExtra === undefined) return true;
  if (typeof isExtra === 'function') return !isExtra(filters);
  if (isExtra === true) return false;
  return 'until' in isExtra ? isInForce(filters, isExtra.until) : !isInForce(filters, isExtra.while);
}

/** Whether rows have what an optional column shows. */
export const hasValues = ({ isOptional, value }: Column, rows: readonly Row[]): boolean =>
  isOptional !== true || rows.some(row => value(row) !== '');

/** What a cell shows the text of. */
export const valueAmong = ({ worked, value }: Column, row: Row, among: Among): string =>
  worked === undefined ? value(row) : worked(row, among);

/** The text of a cell, between the words that the other rows of its page call for. */
export function qualified(
  { qualifier, addition }: Column,
  { row, rows }: { readonly row: Row; readonly rows: readonly Row[] },
  text: SafeText,
): SafeText {
  if (qualifier === undefined && addition === undefined) return text;
  return safeText`${sanitize(qualifier?.(row, rows) ?? '')}${text}${sanitize(addition?.(row, rows) ?? '')}`;
}

/** Whether a row is history beside the other rows of its page. */
export const isPast = (columns: readonly Column[], row: Row, rows: readonly Row[]): boolean =>
  columns.some(({ qualifier }) => qualifier !== undefined && qualifier(row, rows) !== '');
