import type { Browser, Inspector, SessionState } from '../model/state.ts';

/**
 * The state with the newest names wherever rows are found, sorted or laid out anew for a reason of the person's or of the
 * list's. Names that come while something is read change no row, no order and no column until then.
 */
export function withNamesInUse(before: SessionState, after: SessionState): SessionState {
  const { directory, browsers } = after;
  if (Object.values(browsers).every(browser => isNamed(browser, directory))) return after;
  const named = Object.values(browsers).map(browser => {
    const inspector = browser.inspector && inspectorNamed(before.browsers[browser.resource], browser.inspector, after);
    const isLaidOut = isLaidOutAnew(before, after, browser);
    const isAnew = isLaidOut || isFoundAnew(before, browser);
    if (!isAnew && inspector === browser.inspector) return browser;
    const { names, namesLaidOut } = browser;
    return {
      ...browser,
      inspector,
      names: isAnew ? directory : names,
      namesLaidOut: isLaidOut ? directory : namesLaidOut,
    };
  });
  if (named.every(browser => browsers[browser.resource] === browser)) return after;
  return { ...after, browsers: Object.fromEntries(named.map(browser => [browser.resource, browser])) };
}

const isNamed = ({ names, namesLaidOut, inspector }: Browser, directory: SessionState['directory']): boolean =>
  names === directory && namesLaidOut === directory && (inspector === null || inspector.names === directory);

// It leaves the columns where they are, and so does who leaves the search.
const isFoundAnew = (before: SessionState, { resource, find }: Browser): boolean =>
  before.browsers[resource]?.find !== find;

function isLaidOutAnew(before: SessionState, after: SessionState, browser: Browser): boolean {
  const was = before.browsers[browser.resource];
  if (browser.names === after.directory && browser.namesLaidOut === after.directory) return false;
  if (was === undefined) return true;
  const isOpened = (was.inspector === null) !== (browser.inspector === null);
  const isOther = was.page !== browser.page || was.sort !== browser.sort;
  const isMoved = was.view.left !== browser.view.left || COLUMNS_OF.some(member => was[member] !== browser[member]);
  return isOther || isMoved || isOpened || before.screen !== after.screen;
}

const COLUMNS_OF = ['columnChoice', 'columnOrder', 'columnWidths', 'times'] as const;

function inspectorNamed(was: Browser | undefined, inspector: Inspector, { directory }: SessionState): Inspector {
  if (inspector.names === directory) return inspector;
  const isSame = was?.inspector?.row === inspector.row && was.inspector.find === inspector.find;
  return isSame ? inspector : { ...inspector, names: directory };
}
