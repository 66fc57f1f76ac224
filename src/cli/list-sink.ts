import { safeLine } from '../base/text/safe-text.ts';
import { NO_NAMES } from '../chain/directory/directory.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { columnsTitledFor, csvFormOf, hasNames } from '../chain/resources/columns.ts';
import type { FilterValues } from '../chain/resources/filter.ts';
import type { PageRequest } from '../chain/resources/page-request.ts';
import type { Column, Resource, Row, RowContext } from '../chain/resources/resource.ts';
import { sortedRows } from '../chain/resources/sorted-rows.ts';
import type { Connection, Context } from './context.ts';
import { fetchExplainedValues } from './explained-values.ts';
import type { Figure } from './figures.ts';
import { rowForms } from './list-rows.ts';
import { describeListScope, matchSentence, type RowsRead } from './list-scope.ts';
import { isAnythingMine, lazyNames } from './load-names.ts';
import { type Format, isJson, printer } from './output.ts';
import type { RowChoice } from './row-choice.ts';
import type { readSignerFlags } from './signer-flags.ts';

/** The order of the printed rows, by a column. */
export interface RowOrder {
  readonly column: Column;
  readonly isDescending: boolean;
}

interface ListOptions {
  readonly resource: Resource;
  readonly format: Format;
  readonly signers: Awaited<ReturnType<typeof readSignerFlags>>;
  readonly filters: FilterValues;
  readonly sort: RowOrder | undefined;
  readonly choice: RowChoice | undefined;
  readonly figure: Figure | undefined;
  readonly isExact: boolean;
}

/** Where the rows of a list go: those that match are printed, or counted. */
export interface RowSink {
  /** Whether all rows have to come at once. */
  readonly needsAll: boolean;
  /** Whether `end` prints a count. */
  readonly isCounted: boolean;
  readonly take: (came: RowContext) => Promise<void>;
  /** Prints the result, after a search or a count. */
  readonly end: (request: PageRequest, read: RowsRead) => Promise<void>;
}

export async function createRowSink(options: ListOptions, connection: Connection, context: Context): Promise<RowSink> {
  const { resource, sort, choice, figure, isExact } = options;
  const { stdout, stderr } = context;
  const names = lazyNames(connection, context, { isForReader: options.format === 'table' });
  const isSearched = choice !== undefined || figure !== undefined;
  const isNamed = !isExact && (choice?.isNamed === true || figure?.isNamed === true);
  const print = await rowPrinter(options, names, connection, context);
  let [seen, matches] = [0, 0];
  const take = async (came: RowContext): Promise<void> => {
    const directory = isNamed ? await names() : NO_NAMES;
    const wanted = choice?.of(came, directory) ?? came.rows;
    seen += came.rows.length;
    matches += wanted.length;
    if (isSearched) stderr.progress('');
    if (figure === undefined) await print.rows(came, wanted);
    else figure.add(came, wanted, directory);
    if (isSearched) stderr.progress(`${countOf(seen, 'row')} read`);
  };
  const end = async (request: PageRequest, read: RowsRead): Promise<void> => {
    if (isSearched) stderr.progress('');
    if (figure === undefined) await print.end();
    else await figure.print(options.format, stdout);
    const scope = describeListScope(resource, request, read);
    const rows = choice === undefined ? `${scope.rows}${scope.rest}` : `the ${countOf(matches, 'row')} that match`;
    const sentences = [
      ...(choice === undefined ? [] : [matchSentence(matches, scope), ...choice.uncompared()]),
      ...(figure === undefined ? [] : [`${figure.counted()} in ${rows}`, figure.unsummed()]),
    ];
    for (const sentence of sentences) if (sentence !== undefined) void stderr.safe(safeLine(sentence));
  };
  const needsAll = sort !== undefined || choice?.needsAll === true || figure?.needsAll === true;
  return { needsAll, isCounted: isSearched, take, end };
}

/** Prints rows in their format and order. */
async function rowPrinter(
  { resource, format, signers, filters, sort, figure, isExact }: ListOptions,
  names: ReturnType<typeof lazyNames>,
  connection: Connection,
  context: Context,
) {
  const needsExplained = format === 'csv' && figure === undefined;
  const explained = needsExplained
    ? await fetchExplainedValues({ resource, filters, signers }, connection, context)
    : undefined;
  const columns = columnsTitledFor(resource, filters);
  const csvForm = csvFormOf(resource);
  const isNamed = hasNames(format === 'csv' ? csvForm.columns.filter(({ unit }) => unit !== undefined) : columns);
  // A name in the row itself needs no names of the chain, but the user's own entities belong to a chain.
  const isMarked = format === 'table' && columns.some(({ nameOf }) => nameOf !== undefined) && isAnythingMine(context);
  const shownNames = (isNamed || isMarked) && !isExact && !isJson(format) ? names : null;
  const { stdout } = context;
  const options = { columns, csvForm, explained, names: shownNames, isExact, clock: connection.clock };
  const { write, end } = printer(format, rowForms(options, stdout), stdout);
  let isBegun = false;
  return {
    rows: async (came: RowContext, wanted: readonly Row[]): Promise<void> => {
      // The first rows that are written set the width of a table.
      if (wanted.length === 0 && !isBegun) return;
      isBegun = true;
      await write((await inOrder(came, wanted)).map(row => ({ row, among: came })));
    },
    end: async (): Promise<void> => {
      if (!isBegun) await write([]);
      await end();
    },
  };

  /** Sorts by what the table shows: names, and amounts in their units. */
  async function inOrder(among: RowContext, wanted: readonly Row[]): Promise<readonly Row[]> {
    if (sort === undefined) return wanted;
    const directory = (await shownNames?.()) ?? NO_NAMES;
    return sortedRows(sort.column, wanted, { directory, among }, sort.isDescending);
  }
}
