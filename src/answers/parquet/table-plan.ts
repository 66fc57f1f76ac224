import { currentColumnName, TABLE_SCHEMAS } from '../../tables/columns.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { Archive } from './archives.ts';
import { isExactNumber, type TableColumn, usualColumn } from './table-column.ts';

/** The wanted columns. */
export interface ColumnChoice {
  readonly ids?: 'bytes' | 'hex';
  readonly columns?: readonly string[];
  readonly exclude?: readonly string[];
  readonly withF64?: boolean;
}

/** A table and its archives, sorted by blocks. */
export interface TablePlan {
  readonly name: string;
  readonly chainId: string;
  readonly archives: readonly Archive[];
  readonly columns: readonly TableColumn[];
  readonly nameOf: (csvColumn: string) => string;
}

/** Throws AnswerError if the archives of a table do not go together. */
export function planTables(archives: readonly Archive[], choice: ColumnChoice): readonly TablePlan[] {
  const [first] = archives;
  const other = archives.find(({ chainId }) => chainId !== first?.chainId);
  if (other !== undefined)
    throw new AnswerError(
      `${other.path} is from chain ${other.chainId}, ${first?.path} from chain ${first?.chainId}`,
      'convert each chain into a folder of its own',
    );
  for (const name of [...(choice.columns ?? []), ...(choice.exclude ?? [])]) {
    if (
      !archives.some(({ table, csvs }) =>
        csvs.some(({ columns }) => columns.some(is => currentColumnName(table, is) === name)),
      )
    )
      throw new AnswerError(`column ${name} not found`, 'list the columns with --dry');
  }
  return [...Map.groupBy(archives, ({ table }) => table)].map(([name, of]) => planTable(name, of, choice));
}

function planTable(name: string, given: readonly Archive[], choice: ColumnChoice): TablePlan {
  const archives = given.toSorted((a, b) => (a.fromBlock < b.fromBlock ? -1 : a.fromBlock > b.fromBlock ? 1 : 0));
  for (const [index, archive] of archives.entries()) {
    const before = archives[index - 1];
    if (before !== undefined && archive.fromBlock <= before.toBlock)
      throw new AnswerError(
        `${before.path} and ${archive.path} both have block ${archive.fromBlock} of ${name}: its rows would be counted twice`,
        'give each block once',
      );
  }
  const nameOf = (column: string) => currentColumnName(name, column);
  refuseDoubles(name, archives, choice);
  const found = new Set(archives.flatMap(({ csvs }) => csvs.flatMap(({ columns }) => columns.map(nameOf))));
  const known = TABLE_SCHEMAS.get(name)?.map(column => column.name) ?? [];
  const inOrder = [
    ...known.filter(column => found.has(column)),
    ...[...found].filter(column => !known.includes(column)),
  ];
  const columns = inOrder
    .filter(column => choice.columns?.includes(column) ?? true)
    .filter(column => !choice.exclude?.includes(column))
    .map(column => usualColumn(name, column, choice.ids === 'hex'))
    .flatMap(column => (choice.withF64 && isExactNumber(column) ? [column, doubleColumn(column)] : [column]));
  if (columns.length === 0)
    throw new AnswerError(`no column of ${name} would be converted`, 'choose at least one column');
  refuseTwins(name, columns);
  return { name, chainId: archives[0]?.chainId ?? '', archives, columns, nameOf };
}

const doubleColumn = (column: TableColumn): TableColumn => ({
  ...column,
  name: `${column.name}_f64`,
  besides: column.name,
});

/** A renamed column in a CSV that also has a column with the new name: only one could be converted. */
function refuseDoubles(table: string, archives: readonly Archive[], { columns, exclude }: ColumnChoice): void {
  for (const { path, csvs } of archives)
    for (const csv of csvs) {
      const names = csv.columns.map(column => currentColumnName(table, column));
      const double = names.find((name, index) => names.indexOf(name) !== index);
      if (double === undefined || exclude?.includes(double) || columns?.includes(double) === false) continue;
      throw new AnswerError(
        `${path} has two columns called ${double}`,
        `leave both out: --exclude ${double}`,
        'untrusted',
      );
    }
}

/** Engines ignore the case of columns, and read the folders `table=` and `date=` as columns. */
function refuseTwins(table: string, columns: readonly TableColumn[]): void {
  const seen = new Set(['table', 'date']);
  for (const { name } of columns) {
    const folded = name.toLowerCase();
    if (seen.has(folded))
      throw new AnswerError(
        `${table} has a column ${name}, which is a reserved name`,
        `leave it out: --exclude ${name}`,
      );
    seen.add(folded);
  }
}
