import type { JsonObject } from '../../chain/api/json.ts';
import { compareText } from '../../chain/insight/decimal.ts';
import { meaningKey } from '../../chain/resources/meaning.ts';
import { type ListRules, parseStoredRow } from './list-rules.ts';
import { matchItems } from './match-items.ts';
import { changedMembers, oneSidedMembers } from './member-changes.ts';
import { NodeVersionComparison } from './node-version-comparison.ts';
import { type PairedList, pairLists } from './pair-lists.ts';
import {
  countBlocksBehind,
  type Differences,
  type IgnoredMembers,
  type RecordChange,
  type Side,
  type UncomparedList,
} from './side.ts';

interface Options {
  /** Whether to compare this list; all without it. */
  readonly wanted?: (list: string) => boolean;
  /** Compare members that change all the time as well. */
  readonly isAll?: boolean;
}

/** What differs between two sides of one chain, by meaning, key by key. */
export function compareSides(a: Side, b: Side, { wanted = () => true, isAll = false }: Options = {}): Differences {
  const { lists, notCompared } = pairLists(a, b, wanted);
  const versions = new NodeVersionComparison(a, b);
  const isBefore = countBlocksBehind(a, b) !== undefined;
  const changes: RecordChange[] = [];
  const leftOut = new Map<ListRules, number>();
  const unreadable: UncomparedList[] = [];
  for (const list of lists) {
    const found = compareList(list, { isAll, isBefore, versions });
    if (found === undefined) unreadable.push(unreadableList(list));
    else {
      changes.push(...found.changes);
      leftOut.set(list.rules, (leftOut.get(list.rules) ?? 0) + found.leftOut);
    }
  }
  return {
    changes,
    leftOut: [...leftOut].flatMap(([rules, records]) => leftOutRecords(rules, records)),
    notCompared: [...notCompared, ...unreadable],
    compared: lists.length - unreadable.length,
    versions: versions.leftOut(),
  };
}

const unreadableList = ({ rules, scope }: PairedList): UncomparedList => ({
  resource: rules.id,
  scopes: [scope],
  why: 'has a record that is not a JSON object',
  isFailure: true,
});

function leftOutRecords({ id, moving, isWindow }: ListRules, records: number): readonly IgnoredMembers[] {
  const what = isWindow?.what ?? moving?.what;
  return records === 0 || what === undefined ? [] : [{ resource: id, records, what }];
}

interface ListComparison {
  readonly changes: readonly RecordChange[];
  /** Records that differ in members that change all the time. */
  readonly leftOut: number;
}

interface ListOptions {
  readonly isAll: boolean;
  /** The second side is of an earlier block. */
  readonly isBefore: boolean;
  readonly versions: NodeVersionComparison;
}

/** Undefined if a record cannot be read. */
function compareList(
  { rules, before, after }: PairedList,
  { isAll, isBefore, versions }: ListOptions,
): ListComparison | undefined {
  const [ones, others] = [
    parseStoredRows(rules, withoutIdentical(before, after)),
    parseStoredRows(rules, withoutIdentical(after, before)),
  ];
  if (ones === undefined || others === undefined) return undefined;
  const isMoving = (path: string): boolean => rules.moving?.isMoving(path) === true;
  const isLeftOut = isAll ? () => false : isMoving;
  const { unordered } = rules;
  const [inGapOf, inGapOfOther] = [before, after].map(
    side =>
      rules.isWindow?.gapsIn(ones.length + others.length === 0 ? [] : (parseStoredRows(rules, side) ?? [])) ??
      (() => false),
  );
  const meaning = (row: JsonObject): string => meaningKey({ kinds: rules.kindsOf(row), unordered, isLeftOut }, '', row);
  const changes: RecordChange[] = [];
  let leftOut = 0;
  const isOfOneVersion = isAll
    ? () => false
    : versions.of(rules, parseStoredRows(rules, before) ?? [], parseStoredRows(rules, after) ?? []);
  const keyOf = commonKey(rules, ones, others);
  for (const { before: from, after: to } of matchItems(ones, others, { keyOf, meaningOf: meaning })) {
    if (from === undefined || to === undefined) {
      const isGap = (from !== undefined && inGapOfOther?.(from)) || (to !== undefined && inGapOf?.(to));
      if (!isAll && rules.isWindow !== undefined && !isGap) leftOut++;
      else changes.push(oneSidedChange(rules, { from, to, isBefore }));
      continue;
    }
    const kinds = rules.kindsOf(from);
    const all = changedMembers({ kinds, unordered, isLeftOut: () => false }, from, to).filter(
      member => !isOfOneVersion(member),
    );
    const members = all.filter(({ pattern }) => !isLeftOut(pattern));
    if (members.length < all.length) leftOut++;
    if (members.length === 0) continue;
    changes.push({ resource: rules.id, key: rules.keyOf(from), change: 'changed', members, before: from, after: to });
  }
  return { changes: changes.toSorted((one, other) => compareText(sortKey(one), sortKey(other))), leftOut };
}

/** Heights in keys are sorted as numbers, and digits of ids unchanged. */
const sortKey = ({ key }: RecordChange): string =>
  key.length > MAX_HEIGHTS_LENGTH ? key : key.replaceAll(/\d+/g, digits => digits.padStart(20, '0'));

const MAX_HEIGHTS_LENGTH = 41;

/** Records of a version that lacks a member of their key are matched by the rest of the key. */
function commonKey(
  { keyOf, olderKey }: ListRules,
  ones: readonly JsonObject[],
  others: readonly JsonObject[],
): ListRules['keyOf'] {
  if (olderKey === undefined) return keyOf;
  const isOlder = [ones, others].some(
    rows => rows.length > 0 && rows.every(row => !Object.hasOwn(row, olderKey.lacks)),
  );
  return isOlder ? olderKey.keyOf : keyOf;
}

interface OneSidedRecord {
  readonly from: JsonObject | undefined;
  readonly to: JsonObject | undefined;
  readonly isBefore: boolean;
}

function oneSidedChange(rules: ListRules, { from, to, isBefore }: OneSidedRecord): RecordChange {
  const [inA, inB] = isBefore ? (['only-in-a', 'only-in-b'] as const) : (['removed', 'added'] as const);
  const record = from ?? to ?? {};
  return {
    resource: rules.id,
    key: rules.keyOf(record),
    change: from === undefined ? inB : inA,
    members: oneSidedMembers(record, from === undefined ? 'to' : 'from'),
    before: from ?? null,
    after: to ?? null,
  };
}

/** Records that are not, letter by letter, on the other side too: the few that have to be looked into. */
function withoutIdentical(records: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const record of others) counts.set(record, (counts.get(record) ?? 0) + 1);
  return records.filter(record => {
    const count = counts.get(record) ?? 0;
    if (count > 0) counts.set(record, count - 1);
    return count === 0;
  });
}

function parseStoredRows(rules: ListRules, records: readonly string[]): readonly JsonObject[] | undefined {
  const rows: JsonObject[] = [];
  for (const record of records) {
    const row = parseStoredRow(rules, record);
    if (row === undefined) return undefined;
    rows.push(row);
  }
  return rows;
}
