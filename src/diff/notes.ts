import { countOf } from '../insight/count-of.ts';
import { shortName } from '../text/short-name.ts';
import { rulesOf } from './list-rules.ts';
import type { Differences, MovingRecords, NotCompared } from './side.ts';

/** What the comparison does not say, one sentence each. `more` says how to see what was left out. */
export const notesOn = ({ leftOut, notCompared }: Differences, more: string): readonly string[] => [
  ...notCompared.map(notComparedText),
  ...leftOut.map(one => leftOutText(one, more)),
];

/** `not compared: provisions of 2 markets: not read in b, where the market is over` */
function notComparedText({ resource, scopes, why }: NotCompared): string {
  const list = rulesOf(resource)?.plural ?? resource;
  const named = scopes.filter(scope => scope !== '');
  const of =
    named.length === 0
      ? ''
      : resource === 'fees'
        ? ` of ${named.length === 1 ? 'epoch' : 'epochs'} ${few(named)}`
        : ` of ${countOf(named.length, 'market')}`;
  return `not compared: ${list}${of}: ${why}`;
}

const few = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.map(shortName).join(', ')
    : `${names.slice(0, MOST_NAMES).map(shortName).join(', ')} and ${names.length - MOST_NAMES} more`;

const MOST_NAMES = 5;

function leftOutText({ resource, records, what }: MovingRecords, more: string): string {
  const rules = rulesOf(resource);
  if (rules?.isWindow !== undefined) return `left out: ${countOf(records, 'history segment')} ${what}${more}`;
  const differ = records === 1 ? 'differs' : 'differ';
  if (resource === 'status') return `left out: status ${differ} in ${what}${more}`;
  return `left out: ${countOf(records, 'record')} of ${rules?.plural ?? resource} ${differ} in ${what}${more}`;
}
