import type { Directory } from '../chain/directory/directory.ts';
import { groupDigits } from '../chain/insight/decimal.ts';
import { columnForm, formatCell } from '../chain/resources/cell.ts';
import { columnsTitledFor, hasNames, isNameable, qualifyText } from '../chain/resources/columns.ts';
import { type ColumnCondition, readCondition } from '../chain/resources/condition.ts';
import type { Column, Resource, Row, RowContext } from '../chain/resources/resource.ts';
import { searchableText } from '../chain/resources/searchable-text.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const CHOICE_FLAGS: readonly Flag[] = [
  {
    name: 'find',
    kind: 'text',
    value: 'TEXT',
    about: 'only rows with this text in any value, as sent or as shown; searches the whole list',
  },
  {
    name: 'where',
    kind: 'text',
    value: 'COLUMN>VALUE',
    about:
      'only rows whose column matches; searches the whole list. Operators: = != > >= < <= and ~ (contains). Write amounts in units, times as dates or ages (updated<2h). Repeat it to combine conditions with "and"',
    repeats: true,
  },
];

/** Chooses rows of a list by their content. */
export interface RowChoice {
  /** The chosen rows of a page. */
  readonly of: (among: RowContext, directory: Directory) => readonly Row[];
  /** Whether it needs all rows at once. */
  readonly needsAll: boolean;
  /** Whether it uses names or units. */
  readonly isNamed: boolean;
  /** A sentence for each condition that could not be compared with some rows. */
  readonly uncompared: () => readonly string[];
}

/** Undefined when every row is wanted. */
export function readRowChoice(given: ParsedFlags, resource: Resource, nowMs: number): RowChoice | undefined {
  const find = given.text('find');
  if (find?.trim() === '') throw new UsageError('--find needs some text');
  const conditions = given.texts('where').map(text => parseCondition(text, resource, nowMs));
  if (find === undefined && conditions.length === 0) return undefined;
  const isExact = given.has('exact');
  const uncompared = new Map<ColumnCondition, number>();
  const matches = (row: Row, among: RowContext, directory: Directory): boolean => {
    const answers = conditions.map(condition => {
      const answer = condition.holds(row, { directory, among, isExact, nowMs });
      if (answer === undefined) uncompared.set(condition, (uncompared.get(condition) ?? 0) + 1);
      return answer === true;
    });
    return answers.every(Boolean);
  };
  return {
    isNamed: find === undefined ? hasNames(conditions.map(({ column }) => column)) : isNameable(resource),
    needsAll:
      conditions.some(({ column }) => saysOfAll(column)) || (find !== undefined && resource.columns.some(showsNames)),
    of: (among, directory) => {
      const holds = find === undefined ? () => true : textFinder(find, resource, { among, directory, nowMs });
      return among.rows.filter(row => matches(row, among, directory) && holds(row));
    },
    uncompared: () =>
      [...uncompared].map(
        ([condition, rows]) =>
          `skipped ${groupDigits(String(rows))} ${rows === 1 ? 'row' : 'rows'}: column "${condition.column.id}" is not ${condition.noun}${exactHint(condition, isExact)}`,
      ),
  };
}

function parseCondition(text: string, resource: Resource, nowMs: number): ColumnCondition {
  const condition = readCondition(text, resource.columns, nowMs);
  if ('problem' in condition) throw new UsageError(`--where: ${condition.problem}`);
  return condition;
}

// The name of a value may depend on a row of another page.
const showsNames = ({ named }: Column): boolean => named !== undefined;

const saysOfAll = (column: Column): boolean => column.worked !== undefined || showsNames(column);

const exactHint = ({ column }: ColumnCondition, isExact: boolean): string =>
  column.kind === 'amount' && !isExact ? '; --exact compares smallest units' : '';

interface SearchContext {
  readonly among: RowContext;
  readonly directory: Directory;
  readonly nowMs: number;
}

/** Whether a record holds the text: the search of the explorer. */
function textFinder(
  find: string,
  resource: Resource,
  { among, directory, nowMs }: SearchContext,
): (row: Row) => boolean {
  const wanted = find.toLowerCase();
  const columns = columnsTitledFor(resource, among.filters);
  const forms = new Map(
    columns.map(column => [column.id, columnForm(column, among.rows, { directory, isExact: false })]),
  );
  return row =>
    searchableText(resource, row, {
      among,
      directory,
      nowMs,
      cellText: column => {
        const form = forms.get(column.id) ?? columnForm(column, among.rows, { directory, isExact: false });
        const text = formatCell(column, row, { directory, among, form, nowMs });
        return qualifyText(column, { row, rows: among.rows }, text);
      },
    }).includes(wanted);
}
