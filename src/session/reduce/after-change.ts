import type { Directory } from '../../directory/directory.ts';
import { withNewRequest } from '../model/pager.ts';
import type { Browser } from '../model/state.ts';
import { withNamesInUse } from './names-in-use.ts';
import { withRowKept } from './rows-kept.ts';
import { rearranged } from './whole-list.ts';

/** What a change may have left as it was: the names of now, and whether the list has other room. */
export interface Surroundings {
  readonly directory: Directory;
  readonly isResized: boolean;
}

/** The list after a change, with all that follows from it: the names in use, the row selected, the order of a whole list. */
export function afterChange(was: Browser | undefined, now: Browser, around: Surroundings): Browser {
  if (was === now && !around.isResized) return now;
  const named = withNamesInUse(was, now, around);
  return withNewRequest(was === undefined ? named : withRowKept(was, named), rearranged);
}
