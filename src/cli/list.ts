import { type Directory, NO_NAMES } from '../directory/directory.ts';
import { csvFormOf, hasNames, titledColumns } from '../resources/columns.ts';
import { MAX_PAGE_SIZE, type PageRequest } from '../resources/page-request.ts';
import type { Among, Column, Resource, Row, RowPage } from '../resources/resource.ts';
import { sortedRows } from '../resources/sorted-rows.ts';
import { fetchSoundPage } from '../resources/walk.ts';
import { walkRows } from '../resources/walk-rows.ts';
import { didYouMean } from '../text/nearest.ts';
import { safeLine, safeText, sanitize } from '../text/safe-text.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Command } from './command.ts';
import { type Context, connect, targetOf } from './context.ts';
import { EXIT } from './exit-code.ts';
import { explainedValues } from './explained-values.ts';
import { namesOnce } from './names.ts';
import { ASKING, type Given } from './options.ts';
import { formatOf, isJson, rowWriter } from './output.ts';
import {
  EXACT,
  FILTER_FLAGS,
  PAGE_FLAGS,
  PAGE_SIZE,
  pageFrom,
  resourceNamed,
  WALK_PAGE_SIZE,
} from './resource-flags.ts';
import { NAMING_FLAGS, readSignersFor } from './signer-flags.ts';
import { UsageError } from './usage-error.ts';
import { progressOn } from './walk-progress.ts';

export const list: Command = {
  form: '<resource>',
  about: 'one page of a list, its first N rows, or all of it',
  examples: ['list fees --first 5', 'list parameters --all -o csv'],
  flags: [
    { name: 'first', kind: 'number', value: 'N', about: 'the first N rows, over as many pages as it takes' },
    { name: 'all', kind: 'switch', about: 'every row' },
    {
      name: 'sort',
      kind: 'text',
      value: 'COLUMN[:desc]',
      about: 'the rows that are printed, sorted by a column of the table',
    },
    ...PAGE_FLAGS,
    ...FILTER_FLAGS,
    ...NAMING_FLAGS,
    EXACT,
  ],
  uses: [...ASKING, 'output'],
  run: async (given, context) => {
    const resource = resourceNamed(given.words[0]);
    const format = formatOf(given);
    const signers = await readSignersFor(format, given, resource);
    const limit = rowLimit(given);
    const sort = sortFrom(given, resource);
    const usualSize = resource.paging.pageSize ?? (limit === undefined ? PAGE_SIZE : WALK_PAGE_SIZE);
    const page = pageFrom(given, resource, Math.min(limit ?? usualSize, usualSize));
    const request = given.has('page-size') || limit === undefined ? page : inOnePiece(page, resource, limit);
    if (limit !== undefined && request.position.kind !== 'first' && request.position.kind !== 'after') {
      throw new UsageError('--all and --first go forwards: not with --before or --last');
    }
    const connection = await connect(await targetOf(given, context), given, context);
    const options = { client: connection.client, resource, signal: context.signal, ...progressOn(context) };
    const { filters } = request;
    const explained =
      format === 'csv' ? await explainedValues({ resource, filters, signers }, connection, context) : undefined;
    const columns = titledColumns(resource, filters);
    const csvForm = csvFormOf(resource);
    const isNamed = hasNames(format === 'csv' ? csvForm.columns.filter(({ unit }) => unit !== undefined) : columns);
    const isExact = given.has('exact');
    const names = isNamed && !isExact && !isJson(format) ? namesOnce(connection, context) : null;
    const writer = rowWriter(format, { columns, csvForm, explained, names, isExact }, context.stdout);
    const sorted = (among: Among): Promise<Among> => sortedAs(among, sort, names);
    if (limit === undefined) {
      const shown = await fetchSoundPage(options, request);
      const isWhole = isWholeList(shown, request);
      await writer.write(await sorted({ rows: shown.rows, filters, isWhole }), Date.now());
      await writer.end();
      if (sort !== undefined && !isWhole) void context.stderr.safe(SORTED_ALONE);
      tellCursors(context, resource, shown, request);
      return EXIT.done;
    }
    if (sort === undefined && !(format === 'table' && resource.paging.rowsMove?.(filters) === true)) {
      for await (const { rows } of walkRows(options, request, limit))
        await writer.write({ rows, filters, isWhole: false }, Date.now());
    } else {
      // What is sorted, or worked out of all rows, is printed when all are there.
      const rows: Row[] = [];
      for await (const page of walkRows(options, request, limit)) rows.push(...page.rows);
      const isWhole = rows.length < limit && request.position.kind === 'first';
      await writer.write(await sorted({ rows, filters, isWhole }), Date.now());
      if (sort !== undefined && !isWhole) void context.stderr.safe(SORTED_ALONE);
    }
    await writer.end();
    tellCaveats(context, resource, request);
    return EXIT.done;
  },
};

interface Sort {
  readonly column: Column;
  readonly isDescending: boolean;
}

function sortFrom(given: Given, { id, columns }: Resource): Sort | undefined {
  const text = given.text('sort');
  if (text === undefined) return undefined;
  const [, name = '', order = 'asc'] = /^(.*?)(?::(asc|desc))?$/.exec(text) ?? [];
  const column = columns.find(candidate => candidate.id === name);
  if (column !== undefined) return { column, isDescending: order === 'desc' };
  const ids = columns.map(candidate => candidate.id);
  throw new UsageError(
    `${id} has no column "${text}": there are ${ids.join(', ')}, each also with :desc behind it${didYouMean(name, ids)}`,
  );
}

/** By what the table shows: names where there are any, and amounts in their units. */
async function sortedAs(
  among: Among,
  sort: Sort | undefined,
  names: (() => Promise<Directory>) | null,
): Promise<Among> {
  if (sort === undefined) return among;
  const directory = (await names?.()) ?? NO_NAMES;
  return { ...among, rows: sortedRows(sort.column, among.rows, { directory, among }, sort.isDescending) };
}

const SORTED_ALONE = safeText`sorted: these rows alone, and there may be others; --all sorts the whole list\n`;

const isWholeList = ({ hasNextPage, hasPreviousPage }: RowPage, { position }: PageRequest): boolean =>
  position.kind === 'first' && !hasNextPage && !hasPreviousPage;

/** A list whose rows move is asked for whole where it can be: within one page nothing can be lost. */
function inOnePiece(request: PageRequest, { paging }: Resource, limit: number): PageRequest {
  if (paging.rowsMove?.(request.filters) !== true) return request;
  return { ...request, size: Math.min(limit, MAX_PAGE_SIZE) };
}

/** Rows wanted over several pages; undefined for one page as it comes. */
function rowLimit(given: Given): number | undefined {
  const first = given.number('first', 1, Number.MAX_SAFE_INTEGER);
  if (given.has('all') && first !== undefined) throw new UsageError('--all and --first exclude each other');
  return given.has('all') ? Number.POSITIVE_INFINITY : first;
}

// On stderr, so that a script can go on from here without parsing the rows.
function tellCursors(context: Context, resource: Resource, page: RowPage, request: PageRequest): void {
  const say = (text: string): void => void context.stderr.safe(safeLine(text));
  const { rows, hasNextPage, hasPreviousPage } = page;
  say(`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${scopeOf(resource, page, request)}`);
  const { byCursor } = resource.paging;
  if (hasNextPage && byCursor !== true) say(`there are more: --all has them; ${byCursor}`);
  else if (hasNextPage)
    say(isWritable(page.endCursor) ? `next page: --after ${shellWord(page.endCursor)}` : UNWRITABLE);
  if (hasPreviousPage && byCursor === true && page.startCursor !== '' && isWritable(page.startCursor))
    say(`previous page: --before ${shellWord(page.startCursor)}`);
  tellCaveats(context, resource, request);
}

// All that the node has, or all that it has for these filters, as far as it says itself.
function scopeOf(resource: Resource, page: RowPage, request: PageRequest): string {
  if (!isWholeList(page, request)) return '';
  const isNarrowed = Object.keys(request.filters).length > 0 || (resource.caveats?.(request.filters) ?? []).length > 0;
  return isNarrowed ? ', all that match' : ', all of them';
}

function tellCaveats({ stderr }: Context, resource: Resource, { filters }: PageRequest): void {
  for (const caveat of resource.caveats?.(filters) ?? []) void stderr.safe(safeLine(`note: ${caveat}`));
}

const UNWRITABLE = 'there are more: --all has them; the cursor holds characters that cannot be shown and pasted';

// A cursor is the node's: it must harm neither the terminal nor the shell it is pasted into, and what is harmless of another one leads nowhere.
const isWritable = (cursor: string): boolean => sanitize(cursor) === cursor;
