import { countOf, countText } from '../chain/insight/count-of.ts';
import type { PageRequest } from '../chain/resources/page-request.ts';
import type { Resource } from '../chain/resources/resource.ts';
import type { ParsedFlags } from './flags.ts';

/** Flags that choose a part of a list. Without them, a search or count covers the whole list. */
const PART_FLAGS = ['all', 'first', 'page-size', 'after', 'before', 'last'] as const;

export const asksForPart = (given: ParsedFlags): boolean => PART_FLAGS.some(name => given.has(name));

/** The rows that were read, in words: the subject and the end of a sentence. */
interface ListScope {
  /** `200 000 rows`, `the first 50 rows`. */
  readonly rows: string;
  /** `, whole list`, `; --all reads every row`. */
  readonly rest: string;
}

export interface RowsRead {
  readonly rows: number;
  /** They reach the end of the list, as reported by the node. */
  readonly isToEnd: boolean;
}

export function describeListScope(
  resource: Resource,
  { filters, position }: PageRequest,
  { rows, isToEnd }: RowsRead,
): ListScope {
  const some = countOf(rows, 'row');
  switch (position.kind) {
    case 'first':
      return isToEnd
        ? { rows: some, rest: wholeListText(resource, filters) }
        : { rows: `the first ${some}`, rest: ALL_HINT };
    case 'after':
      return { rows: `the ${some} after the cursor`, rest: isToEnd ? ', to the end of the list' : ALL_HINT };
    case 'before':
      return { rows: `the ${some} before the cursor`, rest: ALL_HINT };
    case 'last':
      return { rows: `the last ${some}`, rest: ALL_HINT };
  }
}

const ALL_HINT = '; --all reads every row';

function wholeListText(resource: Resource, filters: PageRequest['filters']): string {
  if (Object.keys(filters).length > 0) return ', all that the node lists with these filters';
  return (resource.caveats?.(filters) ?? []).length > 0 ? ', all that the node lists' : ', whole list';
}

/** `12 of 200 000 rows match, whole list`. */
export const matchSentence = (matches: number, { rows, rest }: ListScope): string =>
  `${countText(matches)} of ${rows} match${rest}`;
