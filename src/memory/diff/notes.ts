import { shortName } from '../../base/text/short-name.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { rulesOf } from './list-rules.ts';
import { blocksBefore, type Differences, type MovingRecords, type NotCompared, type VersionMembers } from './side.ts';

/** What the comparison does not say, one sentence each. `more` says how to see what was left out. */
export const notesOn = ({ leftOut, notCompared, versions }: Differences, more: string): readonly string[] => [
  ...(versions === null ? [] : [versionsText(versions, more)]),
  ...notCompared.map(notComparedText),
  ...leftOut.map(one => leftOutText(one, more)),
];

/** A second side of an earlier block is no progress. */
export function behindNotes(a: Moment, b: Moment): readonly string[] {
  const blocks = blocksBefore(a, b);
  if (blocks === undefined) return [];
  const behind = `${groupDigits(String(blocks))} ${blocks === 1n ? 'block' : 'blocks'}`;
  return [
    `b is at block ${b.blockHeight}, ${behind} before a: the node went back, or is behind. What only a has was not removed.`,
  ];
}

type Moment = Parameters<typeof blocksBefore>[0];

/** The versions differ, said once for all records. */
function versionsText({ a, b, members }: VersionMembers, more: string): string {
  const which =
    a === b
      ? 'the nodes send different members'
      : `the versions differ: ${shortName(a ?? 'unknown')} in a, ${shortName(b ?? 'unknown')} in b`;
  const lists = members.map(({ resource, paths }) => `${rulesOf(resource)?.plural ?? resource} (${few(paths)})`);
  return `${which}; left out: members that only one of them has, in ${lists.join(', ')}${more}`;
}

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
