import { duration } from '../insight/time.ts';
import type { PageRequest } from '../resources/page-request.ts';
import type { RowPage } from '../resources/resource.ts';
import { safeLine, sanitize } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { type Context, connect, targetOf } from './context.ts';
import { ASKING, type Given } from './options.ts';
import { formatOf, rowWriter } from './output.ts';
import { FILTER_FLAGS, PAGE_FLAGS, pageFrom, resourceNamed } from './resource-flags.ts';
import { UsageError } from './usage-error.ts';
import { fetchPage, walkPages } from './walk.ts';

const ALL_PAGE_SIZE = 1000;

export const list: Command = {
  form: '<resource>',
  about: 'one page of a list, its first N rows, or all of it',
  flags: [
    { name: 'first', kind: 'number', value: 'N', about: 'the first N rows, over as many pages as it takes' },
    { name: 'all', kind: 'switch', about: 'every row' },
    ...PAGE_FLAGS,
    ...FILTER_FLAGS,
  ],
  uses: [...ASKING, 'output'],
  run: async (given, context) => {
    const resource = resourceNamed(given.words[0]);
    const format = formatOf(given);
    const limit = rowLimit(given);
    const defaultSize =
      limit === undefined
        ? (resource.paging.pageSize ?? 50)
        : Math.min(limit, resource.paging.pageSize ?? ALL_PAGE_SIZE);
    const request = pageFrom(given, resource, defaultSize);
    if (limit !== undefined && request.position.kind !== 'first' && request.position.kind !== 'after') {
      throw new UsageError('--all and --first go forwards: not with --before or --last');
    }
    const { client } = await connect(await targetOf(given, context), given, context);
    const onWait = (ms: number): void => {
      void context.stderr.safe(safeLine(`the node said too many requests: waiting ${duration(ms)}`));
    };
    const options = { client, resource, signal: context.signal, onWait };
    const writer = rowWriter(format, resource.columns, context.stdout);
    if (limit === undefined) {
      const page = await fetchPage(options, request);
      await writer.write(page.rows, Date.now());
      await writer.end();
      tellCursors(context, page, request);
      return 0;
    }
    let left = limit;
    for await (const page of walkPages(options, request)) {
      await writer.write(page.rows.slice(0, left), Date.now());
      left -= page.rows.length;
      if (left <= 0) break;
    }
    await writer.end();
    return 0;
  },
};

/** Rows wanted over several pages; undefined for one page as it comes. */
function rowLimit(given: Given): number | undefined {
  const first = given.number('first', 1, Number.MAX_SAFE_INTEGER);
  if (given.has('all') && first !== undefined) throw new UsageError('--all and --first exclude each other');
  return given.has('all') ? Number.POSITIVE_INFINITY : first;
}

// On stderr, so that a script can go on from here without parsing the rows.
function tellCursors({ stderr }: Context, page: RowPage, request: PageRequest): void {
  const isAll = !page.hasNextPage && !page.hasPreviousPage && request.position.kind === 'first';
  const count = `${page.rows.length} ${page.rows.length === 1 ? 'row' : 'rows'}`;
  void stderr.safe(safeLine(`${count}${isAll ? ', all of them' : ''}`));
  if (page.hasNextPage && page.endCursor !== '')
    void stderr.safe(safeLine(`next page: --after ${shellWord(page.endCursor)}`));
  if (page.hasPreviousPage && page.startCursor !== '')
    void stderr.safe(safeLine(`previous page: --before ${shellWord(page.startCursor)}`));
}

// A cursor is the node's: it must harm neither the terminal nor the shell it is pasted into.
const shellWord = (cursor: string): string => `'${sanitize(cursor).replaceAll("'", `'\\''`)}'`;
