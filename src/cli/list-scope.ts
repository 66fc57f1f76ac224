import { countOf, countText } from '../chain/insight/count-of.ts';
import type { PageRequest } from '../chain/resources/page-request.ts';
import type { Resource } from '../chain/resources/resource.ts';
import type { Given } from './options.ts';

/** Flags that choose a part of a list. Without them, a search or count covers the whole list. */
const PART_FLAGS = ['all', 'first', 'page-size', 'after', 'before', 'last'] as const;

export const asksForPart = (given: Given): boolean => PART_FLAGS.some(name => given.has(name));

/** The rows that were read, in words: the subject and the end of a sentence. */
export interface Scope {
  /** `200 000 rows`, `the first 50 rows`. */
  readonly rows: string;
  /** `, whole list`, `; --all reads every row`. */
  readonly rest: string;
}

export interface RowsRead {
  readonly rows: number;
  /** They reach the end of the list, as the node says. */
  readonly isToEnd: boolean;
}

export function scopeOf(resource: Resource, { filters, position }: PageRequest, { rows, isToEnd }: RowsRead): Scope {
  const some = countOf(rows, 'row');
  switch (position.kind) {
    case 'first':
      return isToEnd ? { rows: some, rest: wholeOf(resource, filters) } : { rows: `the first ${some}`, rest: MORE };
    case 'after':
      return { rows: `the ${some} after the cursor`, rest: isToEnd ? ', to the end of the list' : MORE };
    case 'before':
      return { rows: `the ${some} before the cursor`, rest: MORE };
    case 'last':
      return { rows: `the last ${some}`, rest: MORE };
  }
}

const MORE = '; --all reads every row';

function wholeOf(resource: Resource, filters: PageRequest['filters']): string {
  if (Object.keys(filters).length > 0) return ', all that the node lists with these filters';
  return (resource.caveats?.(filters) ?? []).length > 0 ? ', all that the node lists' : ', whole list';
}

/** `12 of 200 000 rows match, whole list`. */
export const matchSentence = (matches: number, { rows, rest }: Scope): string =>
  `${countText(matches)} of ${rows} match${rest}`;
