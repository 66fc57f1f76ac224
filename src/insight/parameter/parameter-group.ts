/**
 * The group of a parameter, from the prefix of its key, and its name in the group. Below `governance.proposal` each kind of
 * proposal is a group. A prefix of only a few keys is not a group, to save the room of its heading.
 */
export function parameterGroup(key: string): { readonly title: string; readonly name: string } {
  if (key.length > LONGEST_KEY) return { title: '', name: key };
  const [, title = ''] = LARGE.exec(key) ?? /^([^.]+)\../.exec(key) ?? [];
  return title === '' ? { title: '', name: key } : { title, name: key.slice(title.length + 1) };
}

// A longer key does not fit in a heading.
const LONGEST_KEY = 200;

const LARGE =
  /^(governance\.proposal\.[^.]+|market\.fee\.factors|market\.liquidity|network\.validators|reward\.staking\.delegation|spam\.(?:pow|protection))\../;
