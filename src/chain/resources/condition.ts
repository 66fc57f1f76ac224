import { didYouMean } from '../../base/text/nearest-word.ts';
import type { Directory } from '../directory/directory.ts';
import { type Comparison, createComparison, exampleValue } from '../insight/comparison.ts';
import { longText, shortText } from '../insight/kind.ts';
import { cellUnit } from './amount-column.ts';
import { nameInCell, sortValue } from './cell.ts';
import { valueInContext } from './columns.ts';
import type { Column, Row, RowContext } from './resource.ts';

/** A condition on a column that each row meets or not: `commitment>1000`, `status=ACTIVE`, `party~8a2f`. */
export interface ColumnCondition {
  /** As written. */
  readonly text: string;
  readonly column: Column;
  /** What a value must be to be compared: `a number`. */
  readonly noun: string;
  /** Undefined if the value of the row cannot be compared. */
  readonly holds: (row: Row, place: ConditionContext) => boolean | undefined;
}

/** The input of a comparison, in addition to the row. */
interface ConditionContext {
  readonly directory: Directory;
  readonly among: RowContext;
  /** Compare amounts in the form sent by the node. */
  readonly isExact: boolean;
  readonly nowMs: number;
}

const OPERATORS = ['!=', '>=', '<=', '=', '>', '<', '~'] as const;

type Operator = (typeof OPERATORS)[number];

/** The condition written in the text, or its problem: a sentence with an example. */
export function readCondition(
  text: string,
  columns: readonly Column[],
  nowMs: number,
): ColumnCondition | { readonly problem: string } {
  const [, name = '', operator = '', value = ''] = WRITTEN.exec(text) ?? [];
  const written = OPERATORS.find(one => one === operator) ?? (operator === '==' ? '=' : undefined);
  if (written === undefined) return { problem: `"${text}" is not a condition: write ${conditionExample(columns)}` };
  const column = findColumn(columns, name);
  if (column === undefined) return { problem: unknownColumnText(columns, name) };
  if (written === '~') return contains(text, column, value);
  if (value === '') return isThere(text, column, written);
  const comparison = createComparison(column.kind, value, nowMs);
  if (comparison === undefined)
    return { problem: `${column.id} cannot be compared with "${value}": ${exampleIn(column)}` };
  const problem = conditionProblem(column, written, value, comparison);
  if (problem !== undefined) return { problem };
  return {
    text,
    column,
    noun: comparison.noun,
    holds: (row, place) => holds(column, written, comparison, comparedCell(column, row, place)),
  };
}

const WRITTEN = /^\s*([\p{L}\p{N}][\p{L}\p{N} _-]*?)\s*(!=|>=|<=|==|=|>|<|~)\s*(.*?)\s*$/su;

/** Finds a column by id, or by title in any case. */
export function findColumn(columns: readonly Column[], name: string): Column | undefined {
  const wanted = name.trim().toLowerCase();
  return columns.find(({ id }) => id === wanted) ?? columns.find(({ title }) => title.toLowerCase() === wanted);
}

export function unknownColumnText(columns: readonly Column[], name: string): string {
  const ids = columns.map(({ id }) => id);
  return `unknown column "${name}". Columns: ${ids.join(', ')}${didYouMean(name, ids)}`;
}

function conditionExample(columns: readonly Column[]): string {
  const [column] = columns.filter(({ kind }) => kind === 'amount').concat(columns);
  const example = column === undefined ? '' : `, ${exampleIn(column)}`;
  return `a column, one of ${OPERATORS.join(' ')} and a value${example}`;
}

const exampleIn = ({ id, kind }: Column): string => `${id}${exampleValue(kind)} for example`;

function conditionProblem(
  column: Column,
  operator: Operator,
  value: string,
  { supports }: Comparison,
): string | undefined {
  const { id, kind } = column;
  const isSame = operator === '=' || operator === '!=';
  if (supports === 'sameness' && !isSame)
    return `"${value}" cannot be ordered among values of ${id}: use = != or ~, ${exampleIn(column)}`;
  if (supports === 'order' && isSame)
    return `an age such as "${value}" is never exact: use < or >, ${id}<2h for example`;
  if (typeof kind === 'string') return undefined;
  const words = Object.keys(kind.tones).map(word => kind.short(word, 0));
  if (words.length === 0 || words.includes(kind.short(value.toUpperCase(), 0))) return undefined;
  return `no ${id} is "${value}": use one of ${words.join(', ')}, or ~ to find any text${didYouMean(value, words)}`;
}

interface Cell {
  /** The value to compare. */
  readonly value: string;
  /** The name of the id, if it has one. */
  readonly name: string | undefined;
  /** Undefined if the amount needs a unit and it is unknown. */
  readonly unit: string | undefined;
}

function comparedCell(column: Column, row: Row, { directory, among, isExact }: ConditionContext): Cell {
  if (column.kind !== 'amount') {
    const value = column.named?.(row, { directory, among }) ?? valueInContext(column, row, among);
    return { value, name: nameInCell(column, row, directory), unit: '' };
  }
  if (isExact || column.unit === undefined) return { value: column.value(row), name: undefined, unit: '' };
  const value = sortValue(column, row, { directory, among });
  return { value, name: undefined, unit: cellUnit(column, row, directory)?.symbol };
}

function holds(
  { kind }: Column,
  operator: Exclude<Operator, '~'>,
  { placeOf, unit }: Comparison,
  cell: Cell,
): boolean | undefined {
  if (cell.unit === undefined) return undefined;
  if (unit !== '' && cell.unit !== unit) return false;
  const place = cell.value === '' && kind !== 'text' ? undefined : placeOf(cell.value);
  if (place === undefined) return undefined;
  const isSame = place === 0 || (cell.name !== undefined && placeOf(cell.name) === 0);
  switch (operator) {
    case '=':
      return isSame;
    case '!=':
      return !isSame;
    case '>':
      return place > 0;
    case '>=':
      return place >= 0;
    case '<':
      return place < 0;
    case '<=':
      return place <= 0;
  }
}

/** `reference=` finds rows without a reference, `reference!=` rows with one. */
function isThere(text: string, column: Column, operator: Operator): ColumnCondition | { readonly problem: string } {
  if (operator !== '=' && operator !== '!=') return { problem: `"${text}" has no value: ${exampleIn(column)}` };
  const isEmpty = (row: Row, among: RowContext): boolean => ['', '-'].includes(valueInContext(column, row, among));
  return {
    text,
    column,
    noun: 'a value',
    holds: (row, { among }) => isEmpty(row, among) === (operator === '='),
  };
}

/** Searches every form of the value: as sent, in the table, in the inspector, and its name. */
function contains(text: string, column: Column, value: string): ColumnCondition | { readonly problem: string } {
  if (value === '') return { problem: `"${text}" has nothing to look for: ${column.id}~word for example` };
  const wanted = value.toLowerCase();
  return {
    text,
    column,
    noun: 'a text',
    holds: (row, { directory, among, nowMs }) => {
      const raw = valueInContext(column, row, among);
      return [
        raw,
        sortValue(column, row, { directory, among }),
        shortText(column.kind, raw, nowMs),
        longText(column.kind, raw, nowMs),
        ...(column.ids?.(row) ?? []),
      ].some(written => written.toLowerCase().includes(wanted));
    },
  };
}
