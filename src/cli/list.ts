import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLine, safeText, sanitize } from '../base/text/safe-text.ts';
import { shellWord } from '../base/text/shell-word.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { lengthWarnings } from '../chain/resources/filter.ts';
import { MAX_PAGE_SIZE, type PageRequest } from '../chain/resources/page-request.ts';
import type { Resource, Row, RowPage } from '../chain/resources/resource.ts';
import { assertNoFlaws, fetchAnyPage, type WalkOptions } from '../chain/resources/walk-pages.ts';
import { walkRows } from '../chain/resources/walk-rows.ts';
import type { Command } from './command.ts';
import { lazyConnection } from './connect-to-node.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { FIGURE_FLAGS, readFigure } from './figures.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS, type ParsedFlags } from './flags.ts';
import { asksForPart } from './list-scope.ts';
import { createRowSink, type RowOrder, type RowSink } from './list-sink.ts';
import { FORMATS, readFormat } from './output.ts';
import { nodeNamesSource, resolveIdFlags } from './resolve-id-flags.ts';
import {
  EXACT_FLAG,
  exampleList,
  FILTER_FLAGS,
  listIdFlags,
  PAGE_FLAGS,
  PAGE_SIZE,
  readPageRequest,
  requireListResource,
  WALK_PAGE_SIZE,
  withListFlagNames,
} from './resource-flags.ts';
import { CHOICE_FLAGS, readRowChoice } from './row-choice.ts';
import { NAMING_FLAGS, readSignerFlags, refuseFlags } from './signer-flags.ts';
import { UsageError } from './usage-error.ts';
import { createWalkProgress } from './walk-progress.ts';

export const list: Command = {
  group: 'Look at a chain',
  form: '<resource>',
  about: 'print one page of a list, its first rows, or the whole list',
  examples: ['list fees --first 5', 'list parameters --where "words>30d" -o csv'],
  examplesOf: name => [`list ${exampleList(name)} --first 5`, `list ${exampleList(name)} -o csv`],
  flags: [
    {
      name: 'first',
      kind: 'number',
      group: 'Rows and pages',
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
      value: 'ROWS',
      about: 'the first rows, over as many pages as needed',
    },
    { name: 'all', kind: 'switch', group: 'Rows and pages', about: 'every row' },
    {
      name: 'sort',
      kind: 'text',
      value: 'COLUMN[:desc]',
      about: 'sort the printed rows by a column of the table',
    },
    ...CHOICE_FLAGS,
    ...FIGURE_FLAGS,
    ...PAGE_FLAGS,
    ...FILTER_FLAGS,
    ...NAMING_FLAGS,
    EXACT_FLAG,
  ],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  run: async (typed, context) => {
    const resource = requireListResource(typed.words[0]);
    const format = readFormat(typed, FORMATS);
    if (format !== 'csv')
      refuseFlags(
        typed,
        NAMING_FLAGS,
        'needs -o csv, which has columns for who signed. For people, use blockglass show.',
      );
    const signers = await readSignerFlags(typed, resource);
    const connected = lazyConnection(typed, context);
    const given = await resolveIdFlags(
      withListFlagNames(resource, typed),
      listIdFlags(resource),
      nodeNamesSource(connected, context),
    );
    const sort = readSort(given, resource);
    const [choice, figure] = [readRowChoice(given, resource, context.nowMs()), readFigure(given, resource)];
    // A search or a count means the whole list, unless a part is named.
    const isAll = (choice !== undefined || figure !== undefined) && !asksForPart(given);
    const limit = isAll ? Number.POSITIVE_INFINITY : rowLimit(given);
    const usualSize = resource.paging.pageSize ?? (limit === undefined ? PAGE_SIZE : WALK_PAGE_SIZE);
    const asked = readPageRequest(given, resource, Math.min(limit ?? usualSize, usualSize));
    const request = given.has('page-size') || limit === undefined ? asked : asSinglePage(asked, resource, limit);
    if (limit !== undefined && request.position.kind !== 'first' && request.position.kind !== 'after') {
      throw new UsageError('--all and --first cannot be used with --before or --last');
    }
    const connection = await connected();
    const options = { client: connection.client, resource, signal: context.signal, ...createWalkProgress(context) };
    const { filters } = request;
    const printed = { resource, format, signers, filters, sort, choice, figure, isExact: given.has('exact') };
    const sink = await createRowSink(printed, connection, context);
    const reading =
      limit === undefined
        ? readPage(sink, options, request)
        : readPages(sink, options, { request, limit, isTable: format === 'table' });
    const { isWhole, page, isEmpty } = await reading.finally(() => sink.isCounted && context.stderr.progress(''));
    if (sort !== undefined && !isWhole) void context.stderr.safe(PARTIAL_SORT_NOTE);
    if (page !== null) printCursors(context, resource, { page, request, isCounted: sink.isCounted });
    printCaveats(context, resource, request);
    if (isEmpty) printLengthWarnings(context, resource, request);
    return EXIT.done;
  },
};

interface ReadList {
  /** The node reports that this is the whole list. */
  readonly isWhole: boolean;
  /** The page, if only one was requested. */
  readonly page: RowPage | null;
  /** The node gave no rows. */
  readonly isEmpty: boolean;
}

async function readPage(sink: RowSink, options: WalkOptions, request: PageRequest): Promise<ReadList> {
  const page = await fetchAnyPage(options, request);
  const isSound = page.flaws.length === 0;
  const isWhole = isSound && isWholeList(page, request);
  const isTaken = isSound || !sink.needsAll;
  if (isTaken) await sink.take({ rows: page.rows, filters: request.filters, isWhole });
  assertNoFlaws(options, request, page, isTaken ? page.rows.length : 0);
  await sink.end(request, { rows: page.rows.length, isToEnd: isWhole });
  return { isWhole, page, isEmpty: page.rows.length === 0 };
}

/** Reads many pages. Rows that are sorted, or computed from all rows, are passed on together. */
async function readPages(
  sink: RowSink,
  options: WalkOptions,
  { request, limit, isTable }: { readonly request: PageRequest; readonly limit: number; readonly isTable: boolean },
): Promise<ReadList> {
  const { filters, position } = request;
  const isInPieces = !sink.needsAll && !(isTable && options.resource.paging.rowsMove?.(filters) === true);
  const rows: Row[] = [];
  let count = 0;
  try {
    for await (const page of walkRows(options, request, limit)) {
      count += page.rows.length;
      if (isInPieces) await sink.take({ rows: page.rows, filters, isWhole: false });
      else for (const row of page.rows) rows.push(row);
    }
  } catch (error) {
    // In pieces they are printed already.
    if (!isInPieces && !sink.needsAll) await sink.take({ rows, filters, isWhole: false });
    throw error;
  }
  const isToEnd = count < limit;
  const isWhole = isToEnd && position.kind === 'first';
  if (!isInPieces) await sink.take({ rows, filters, isWhole });
  await sink.end(request, { rows: count, isToEnd });
  return { isWhole, page: null, isEmpty: count === 0 };
}

function readSort(given: ParsedFlags, { columns }: Resource): RowOrder | undefined {
  const text = given.text('sort');
  if (text === undefined) return undefined;
  const [, name = '', order = 'asc'] = /^(.*?)(?::(asc|desc))?$/.exec(text) ?? [];
  const column = columns.find(candidate => candidate.id === name);
  if (column !== undefined) return { column, isDescending: order === 'desc' };
  const ids = columns.map(candidate => candidate.id);
  throw new UsageError(
    `unknown column "${text}". Columns: ${ids.join(', ')} (add :desc for descending)${didYouMean(name, ids)}`,
  );
}

const PARTIAL_SORT_NOTE = safeText`Only these rows are sorted, and there may be more. Use --all to sort the whole list.\n`;

/** A list whose rows move is requested as one page if it fits, so that no row is lost between pages. */
function asSinglePage(request: PageRequest, { paging }: Resource, limit: number): PageRequest {
  if (paging.rowsMove?.(request.filters) !== true) return request;
  return { ...request, size: Math.min(limit, MAX_PAGE_SIZE) };
}

/** Rows wanted over several pages; undefined for one page as it comes. */
function rowLimit(given: ParsedFlags): number | undefined {
  const first = given.number('first');
  if (given.has('all') && first !== undefined) throw new UsageError('--all and --first cannot be used together');
  return given.has('all') ? Number.POSITIVE_INFINITY : first;
}

interface ReadPage {
  readonly page: RowPage;
  readonly request: PageRequest;
  /** The row count was printed already. */
  readonly isCounted: boolean;
}

// On stderr, so that a script can continue from here without parsing the rows.
function printCursors({ stderr }: Context, resource: Resource, { page, request, isCounted }: ReadPage): void {
  const say = (text: string): void => void stderr.safe(safeLine(text));
  const { rows, hasNextPage, hasPreviousPage } = page;
  if (!isCounted) say(`${countOf(rows.length, 'row')}${pageScopeText(resource, page, request)}`);
  const { byCursor } = resource.paging;
  if (hasNextPage && byCursor !== true) say(`there are more rows. Use --all: ${byCursor}`);
  else if (hasNextPage)
    say(isWritable(page.endCursor) ? `next page: --after ${shellWord(page.endCursor)}` : UNWRITABLE_CURSOR_NOTE);
  if (hasPreviousPage && byCursor === true && page.startCursor !== '' && isWritable(page.startCursor))
    say(`previous page: --before ${shellWord(page.startCursor)}`);
}

// States whether these are all rows, or all that match the filters, as reported by the node.
function pageScopeText(resource: Resource, page: RowPage, request: PageRequest): string {
  if (!isWholeList(page, request)) return '';
  const isNarrowed = Object.keys(request.filters).length > 0 || (resource.caveats?.(request.filters) ?? []).length > 0;
  return isNarrowed ? ', all that match' : ', whole list';
}

/** Prints what the list leaves out or shows differently than it seems. */
function printCaveats({ stderr }: Context, resource: Resource, { filters }: PageRequest): void {
  for (const caveat of resource.caveats?.(filters) ?? []) void stderr.safe(safeLine(`note: ${caveat}`));
}

/** Without rows, points out ids that are too short: a part of an id finds nothing. */
function printLengthWarnings({ stderr }: Context, { filters }: Resource, request: PageRequest): void {
  for (const odd of lengthWarnings(filters, request.filters)) void stderr.safe(safeLine(`note: ${odd}`));
}

const UNWRITABLE_CURSOR_NOTE = 'there are more rows. Use --all: the cursor contains characters that cannot be pasted.';

// A cursor comes from the node: it must not harm the terminal or a shell, and a sanitised one would lead elsewhere.
const isWritable = (cursor: string): boolean => sanitize(cursor) === cursor;

/** Whether the first page is the whole list. */
const isWholeList = ({ hasNextPage, hasPreviousPage }: RowPage, { position }: PageRequest): boolean =>
  position.kind === 'first' && !hasNextPage && !hasPreviousPage;
