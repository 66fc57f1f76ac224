import type { Directory } from '../../../directory/directory.ts';
import { withNewRequest } from './list/pager.ts';
import { rearranged } from './list/whole-list.ts';
import { withNamesInUse } from './names-in-use.ts';
import { withRowKept } from './rows-kept.ts';
import type { Browser } from './state.ts';

/** The list after a change, with all that follows from it: the names in use, the row selected, the order of a whole list. */
export function afterChange(was: Browser | undefined, now: Browser, directory: Directory): Browser {
  if (was === now) return now;
  const named = withNamesInUse(was, now, directory);
  return withNewRequest(was === undefined ? named : withRowKept(was, named), rearranged);
}
