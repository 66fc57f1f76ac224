import type { Directory } from '../../../directory/directory.ts';
import type { Browser, Inspector } from './state.ts';

/**
 * The list with the newest names where its rows are found, sorted or laid out anew for a reason of the person's or of the
 * list's. Names that come while something is read change no row, no order and no column until then.
 */
export function withNamesInUse(was: Browser | undefined, now: Browser, directory: Directory): Browser {
  const { names, namesLaidOut } = now;
  const isOfNow = names === directory && namesLaidOut === directory;
  const inspector = now.inspector && inspectorNamed(was?.inspector ?? null, now.inspector, directory);
  const isLaidOut = !isOfNow && (was === undefined || isLaidOutAnew(was, now));
  // It leaves the columns where they are, and so does who leaves the search.
  const isFound = was?.find !== now.find;
  if (!isLaidOut && !isFound) return inspector === now.inspector ? now : { ...now, inspector };
  return { ...now, inspector, names: directory, namesLaidOut: isLaidOut ? directory : namesLaidOut };
}

function isLaidOutAnew(was: Browser, now: Browser): boolean {
  const isOpened = (was.inspector === null) !== (now.inspector === null);
  const isOther = was.page !== now.page || was.sort !== now.sort;
  const isMoved = was.view.left !== now.view.left || COLUMNS_OF.some(member => was[member] !== now[member]);
  const isResized = was.laidOutIn !== null && was.laidOutIn !== now.laidOutIn;
  return isOther || isMoved || isOpened || isResized;
}

const COLUMNS_OF = ['columnChoice', 'columnOrder', 'columnWidths', 'times'] as const;

function inspectorNamed(was: Inspector | null, now: Inspector, directory: Directory): Inspector {
  if (now.names === directory) return now;
  const isSame = was?.row === now.row && was.find === now.find;
  return isSame ? now : { ...now, names: directory };
}
