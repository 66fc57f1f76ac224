import { oddLengths } from '../resources/filter.ts';
import type { PageRequest } from '../resources/page-request.ts';
import type { Resource, RowPage } from '../resources/resource.ts';
import { safeLine, sanitize } from '../text/safe-text.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Context } from './context.ts';

interface ReadPage {
  readonly page: RowPage;
  readonly request: PageRequest;
  /** How many rows there were was said already. */
  readonly isCounted: boolean;
}

// On stderr, so that a script can go on from here without parsing the rows.
export function tellCursors({ stderr }: Context, resource: Resource, { page, request, isCounted }: ReadPage): void {
  const say = (text: string): void => void stderr.safe(safeLine(text));
  const { rows, hasNextPage, hasPreviousPage } = page;
  if (!isCounted) say(`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${scopeOf(resource, page, request)}`);
  const { byCursor } = resource.paging;
  if (hasNextPage && byCursor !== true) say(`there are more: --all has them; ${byCursor}`);
  else if (hasNextPage)
    say(isWritable(page.endCursor) ? `next page: --after ${shellWord(page.endCursor)}` : UNWRITABLE);
  if (hasPreviousPage && byCursor === true && page.startCursor !== '' && isWritable(page.startCursor))
    say(`previous page: --before ${shellWord(page.startCursor)}`);
}

// All that the node has, or all that it has for these filters, by its own word.
function scopeOf(resource: Resource, page: RowPage, request: PageRequest): string {
  if (!isWholeList(page, request)) return '';
  const isNarrowed = Object.keys(request.filters).length > 0 || (resource.caveats?.(request.filters) ?? []).length > 0;
  return isNarrowed ? ', all that match' : ', all of them';
}

/** What the list does not hold, or holds otherwise than it seems. */
export function tellCaveats({ stderr }: Context, resource: Resource, { filters }: PageRequest): void {
  for (const caveat of resource.caveats?.(filters) ?? []) void stderr.safe(safeLine(`note: ${caveat}`));
}

/** Where there are no rows: the beginning of an id finds none. */
export function tellOddLengths({ stderr }: Context, { filters }: Resource, request: PageRequest): void {
  for (const odd of oddLengths(filters, request.filters)) void stderr.safe(safeLine(`note: ${odd}`));
}

const UNWRITABLE = 'there are more: --all has them; the cursor holds characters that cannot be shown and pasted';

// A cursor is the node's: it must harm neither the terminal nor the shell it is pasted into, and what is harmless of another one leads nowhere.
const isWritable = (cursor: string): boolean => sanitize(cursor) === cursor;

/** Whether the first page is the whole list. */
export const isWholeList = ({ hasNextPage, hasPreviousPage }: RowPage, { position }: PageRequest): boolean =>
  position.kind === 'first' && !hasNextPage && !hasPreviousPage;
