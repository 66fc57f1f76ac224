import { shortenName } from '../../base/text/shorten-name.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { findListRules } from './list-rules.ts';
import {
  countBlocksBehind,
  type Differences,
  type IgnoredMembers,
  type UncomparedList,
  type VersionMembers,
} from './side.ts';

/** The limits of the comparison, one sentence each. `more` explains how to see the parts left out. */
export const comparisonNotes = ({ leftOut, notCompared, versions }: Differences, more: string): readonly string[] => [
  ...(versions === null ? [] : [versionsText(versions, more)]),
  ...notCompared.map(notComparedText),
  ...leftOut.map(one => leftOutText(one, more)),
];

/** A second side at an earlier block is not progress. */
export function earlierBlockNotes(a: BlockMoment, b: BlockMoment): readonly string[] {
  const blocks = countBlocksBehind(a, b);
  if (blocks === undefined) return [];
  const behind = `${groupDigits(String(blocks))} ${blocks === 1n ? 'block' : 'blocks'}`;
  return [
    `b is at block ${b.blockHeight}, ${behind} before a: the node went back, or is behind. Records that only a has were not removed.`,
  ];
}

type BlockMoment = Parameters<typeof countBlocksBehind>[0];

/** A note that the versions differ, once for all records. */
function versionsText({ a, b, members }: VersionMembers, more: string): string {
  const which =
    a === b
      ? 'the nodes send different members'
      : `the versions differ: ${shortenName(a ?? 'unknown')} in a, ${shortenName(b ?? 'unknown')} in b`;
  const lists = members.map(
    ({ resource, paths }) => `${findListRules(resource)?.plural ?? resource} (${listFewNames(paths)})`,
  );
  return `${which}; left out: members that only one side has, in ${lists.join(', ')}${more}`;
}

/** `not compared: provisions of 2 markets: not read in b, where the market is over` */
function notComparedText({ resource, scopes, why }: UncomparedList): string {
  const list = findListRules(resource)?.plural ?? resource;
  const named = scopes.filter(scope => scope !== '');
  const of =
    named.length === 0
      ? ''
      : resource === 'fees'
        ? ` of ${named.length === 1 ? 'epoch' : 'epochs'} ${listFewNames(named)}`
        : ` of ${countOf(named.length, 'market')}`;
  return `not compared: ${list}${of}: ${why}`;
}

const listFewNames = (names: readonly string[]): string =>
  names.length <= MAX_LISTED_NAMES
    ? names.map(shortenName).join(', ')
    : `${names.slice(0, MAX_LISTED_NAMES).map(shortenName).join(', ')} and ${names.length - MAX_LISTED_NAMES} more`;

const MAX_LISTED_NAMES = 5;

function leftOutText({ resource, records, what }: IgnoredMembers, more: string): string {
  const rules = findListRules(resource);
  if (rules?.isWindow !== undefined) return `left out: ${countOf(records, 'history segment')} ${what}${more}`;
  const differ = records === 1 ? 'differs' : 'differ';
  if (resource === 'status') return `left out: status ${differ} in ${what}${more}`;
  return `left out: ${countOf(records, 'record')} of ${rules?.plural ?? resource} ${differ} in ${what}${more}`;
}
