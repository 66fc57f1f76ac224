import { didYouMeanQuestion } from '../../../base/text/nearest-word.ts';
import { isSummable } from '../../../chain/resources/amount-sums.ts';
import { findColumn } from '../../../chain/resources/condition.ts';
import { MAX_PAGE_SIZE } from '../../../chain/resources/page-request.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Column } from '../../../chain/resources/resource.ts';
import { rowsBehind } from '../../core/rows-seen.ts';
import type { VerbOutcome } from '../../core/screen.ts';
import type { BrowseEvent } from './events.ts';
import type { ListContext } from './list-context.ts';
import type { BrowseState } from './state.ts';

/** A word of the command line for the rows of a list. */
interface ListVerb {
  readonly help: readonly [form: string, about: string];
  readonly read: (list: BrowseState, words: readonly string[], context: ListContext) => VerbOutcome<BrowseEvent>;
  readonly complete?: (list: BrowseState, words: readonly string[]) => readonly string[];
}

/** A verb that leaves hidden rows unchanged, unless they are visible in the screen that covers them. */
const onlyWhenVisible = (verb: ListVerb, seenIn?: string): ListVerb => ({
  ...verb,
  read: (list, words, context) => {
    const problem = rowsBehind(context, seenIn);
    return problem === undefined ? verb.read(list, words, context) : { problem };
  },
});

export const LIST_VERBS = {
  find: onlyWhenVisible({
    help: ['find TEXT', 'find in the loaded rows, or in all of a file'],
    read: (_, words) => ({ event: { type: 'find-text', where: 'list', text: words.join(' ') } }),
  }),
  sort: onlyWhenVisible({
    help: ['sort COLUMN[:desc]', 'sort by column; repeat to reverse'],
    read: sort,
    complete: completeOneOf(list => resourceColumns(list).map(({ id }) => id)),
  }),
  size: onlyWhenVisible({
    help: ['size N', `rows a page, 1-${MAX_PAGE_SIZE}`],
    read: readSizeVerb,
    complete: completeOneOf(() => ['20', '50', '100', '500', '1000', String(MAX_PAGE_SIZE)]),
  }),
  // From values that were counted others can be counted.
  freq: onlyWhenVisible(
    {
      help: ['freq COLUMN', 'how often values occur in the loaded rows or a file'],
      read: (list, words) => readCountVerb(list, words.join(' '), 'values'),
      complete: completeOneOf(list => resourceColumns(list).map(({ id }) => id)),
    },
    'counts',
  ),
  sum: onlyWhenVisible(
    {
      help: ['sum COLUMN', 'its amounts in loaded rows, of each asset; or a file'],
      read: (list, words) => readCountVerb(list, words.join(' '), 'sums'),
      complete: completeOneOf(list =>
        resourceColumns(list)
          .filter(isSummable)
          .map(({ id }) => id),
      ),
    },
    'counts',
  ),
} satisfies { readonly [word: string]: ListVerb };

function completeOneOf(words: (list: BrowseState) => readonly string[]): NonNullable<ListVerb['complete']> {
  return (list, typed) => (typed.length > 1 ? [] : words(list));
}

const resourceColumns = ({ resource }: BrowseState): readonly Column[] => resourceById(resource)?.columns ?? [];

function readSizeVerb(_: BrowseState, words: readonly string[]): VerbOutcome<BrowseEvent> {
  const text = words.join('');
  const rows = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (rows < 1 || rows > MAX_PAGE_SIZE) return { problem: `a page has 1 to ${MAX_PAGE_SIZE} rows, not "${text}"` };
  return { event: { type: 'set-page-size', size: rows } };
}

function sort(list: BrowseState, words: readonly string[]): VerbOutcome<BrowseEvent> {
  const [, text = '', order] = /^(.*?)(?::(asc|desc))?$/.exec(words.join(' ')) ?? [];
  const columns = resourceColumns(list);
  const column = findColumn(columns, text);
  if (column === undefined) return { problem: noSuchColumn(columns, text) };
  const isDescending = order === undefined ? {} : { isDescending: order === 'desc' };
  return { event: { type: 'sort-by', column: column.id, ...isDescending } };
}

function readCountVerb(list: BrowseState, name: string, shows: 'values' | 'sums'): VerbOutcome<BrowseEvent> {
  const columns = resourceColumns(list);
  const column = findColumn(columns, name);
  if (column === undefined) return { problem: noSuchColumn(columns, name) };
  if (shows === 'sums' && !isSummable(column)) {
    const ids = columns.filter(isSummable).map(({ id }) => id);
    return { problem: `${column.id} cannot be added up${ids.length === 0 ? '' : `: there are ${ids.join(', ')}`}` };
  }
  return { event: { type: 'count-column', column: column.id, shows } };
}

/** For a column that a list does not have; a prompt has one line for it. */
function noSuchColumn(columns: readonly Column[], name: string): string {
  const ids = columns.map(({ id }) => id);
  return `no column "${name}": ${didYouMeanQuestion(name, ids) ?? `there are ${ids.join(', ')}`}`;
}
