/**
 * Where a parameter stands by its key: what it has in common with those around it, and what is its own. Below
 * `governance.proposal` each kind of proposal is a group; prefixes that few keys have are none, a heading for a row or
 * two would only take room.
 */
export function parameterGroup(key: string): { readonly title: string; readonly name: string } {
  if (key.length > LONGEST_KEY) return { title: '', name: key };
  const [, title = ''] = LARGE.exec(key) ?? /^([^.]+)\../.exec(key) ?? [];
  return title === '' ? { title: '', name: key } : { title, name: key.slice(title.length + 1) };
}

// A heading is no place for megabytes.
const LONGEST_KEY = 200;

const LARGE =
  /^(governance\.proposal\.[^.]+|market\.fee\.factors|market\.liquidity|network\.validators|reward\.staking\.delegation|spam\.(?:pow|protection))\../;
