import { isId } from '../../base/text/ids.ts';
import { isJsonObject, type Json, jsonText, parseJson } from '../../chain/api/json.ts';
import type { StoredList } from '../snapshots/index.ts';
import { LIST_RULES, type ListRules } from './list-rules.ts';
import type { Side, UncomparedList } from './side.ts';

/** A list that both sides have read. */
export interface PairedList {
  readonly rules: ListRules;
  readonly scope: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface PairingResult {
  readonly lists: readonly PairedList[];
  readonly notCompared: readonly UncomparedList[];
}

/** The lists that can be compared, and why the others cannot. A list that was not read is never taken for an empty one. */
export function pairLists(a: Side, b: Side, wanted: (list: string) => boolean): PairingResult {
  const lists: PairedList[] = [];
  const problems: Problem[] = [];
  for (const rules of LIST_RULES) {
    if (!wanted(rules.id)) continue;
    const [ones, others] = [listsByScope(a, rules.id), listsByScope(b, rules.id)];
    const scopes = [...new Set([...ones.keys(), ...others.keys()])];
    if (scopes.length === 0)
      problems.push({ resource: rules.id, scope: '', why: 'neither side has this list', isFailure: true });
    for (const scope of scopes) {
      const name = { resource: rules.id, scope };
      const [before, after] = [
        readRecords(ones.get(scope), a, { ...name, side: 'a' }),
        readRecords(others.get(scope), b, { ...name, side: 'b' }),
      ];
      if (before.kind === 'records' && after.kind === 'records')
        lists.push({ rules, scope, before: before.records, after: after.records });
      else problems.push({ ...name, ...pairingProblem(before, after) });
    }
  }
  return { lists, notCompared: groupProblems(problems) };
}

interface Problem {
  readonly resource: string;
  readonly scope: string;
  readonly why: string;
  readonly isFailure: boolean;
}

const listsByScope = ({ lists }: Side, id: string): ReadonlyMap<string, StoredList> =>
  new Map(lists.filter(({ list }) => list === id).map(list => [list.scope, list]));

type RecordsOrReason =
  | { readonly kind: 'records'; readonly records: readonly string[] }
  | { readonly kind: 'none'; readonly why: string; readonly problem: string | null };

interface WantedList {
  readonly resource: string;
  readonly scope: string;
  readonly side: 'a' | 'b';
}

function readRecords(list: StoredList | undefined, of: Side, { resource, scope, side }: WantedList): RecordsOrReason {
  switch (list?.kind) {
    case 'read':
      return { kind: 'records', records: list.records };
    case 'unread':
      return { kind: 'none', why: `could not be read in ${side} (${list.problem})`, problem: list.problem };
    case 'damaged': {
      const left = `${list.records.length} of ${list.expected} records left`;
      return { kind: 'none', why: `is damaged in ${side} (${left})`, problem: 'damaged' };
    }
    case undefined:
      if (isKnownEmpty(of, resource, scope)) return { kind: 'records', records: [] };
      return { kind: 'none', why: `not read in ${side}${absenceReason(resource, scope)}`, problem: null };
  }
}

/** Whether this side cannot have any: of a market that it does not list, or fees of an epoch that had not ended. */
function isKnownEmpty(side: Side, resource: string, scope: string): boolean {
  if (BY_MARKET.has(resource)) return isId(scope) && marketIds(side)?.has(scope) === false;
  if (resource !== 'fees' || !/^\d{1,15}$/.test(scope)) return false;
  const epoch = currentEpoch(side);
  return epoch !== undefined && Number(scope) >= epoch;
}

const BY_MARKET: ReadonlySet<string> = new Set(['provisions', 'providers']);

/** The ids of its markets; undefined if they are not known. */
function marketIds({ lists }: Side): ReadonlySet<string> | undefined {
  const list = lists.find(one => one.list === 'markets');
  if (list?.kind !== 'read') return undefined;
  return new Set(list.records.map(record => jsonText(readMember(record, 'id')).toLowerCase()));
}

function currentEpoch({ lists }: Side): number | undefined {
  const list = lists.find(one => one.list === 'status');
  const epoch = list?.kind === 'read' ? jsonText(readMember(list.records[0] ?? '', 'epochSeq')) : '';
  return /^\d{1,15}$/.test(epoch) ? Number(epoch) : undefined;
}

function readMember(record: string, name: string): Json | undefined {
  try {
    const value = parseJson(record);
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}

function absenceReason(resource: string, scope: string): string {
  if (scope === '') return '';
  if (BY_MARKET.has(resource)) return ', where the market is over';
  return resource === 'fees' ? ', which has the last epochs only' : '';
}

function pairingProblem(
  before: RecordsOrReason,
  after: RecordsOrReason,
): { readonly why: string; readonly isFailure: boolean } {
  const missing = [before, after].flatMap(one => (one.kind === 'none' ? [one] : []));
  const isServed = missing.length < 2 || missing.some(({ problem }) => !NOT_SERVED.test(problem ?? ''));
  return {
    why: missing.map(({ why }) => why).join(', and '),
    isFailure: isServed && missing.some(({ problem }) => problem !== null),
  };
}

/** What `record` stores for a list that a node does not have. */
const NOT_SERVED = /^this node has no list of /;

/** Lists that were not compared for the same reason. */
function groupProblems(problems: readonly Problem[]): readonly UncomparedList[] {
  const alike = Map.groupBy(problems, ({ resource, why, isFailure }) => JSON.stringify([resource, why, isFailure]));
  return [...alike.values()].flatMap(same => {
    const [first] = same;
    if (first === undefined) return [];
    const { resource, why, isFailure } = first;
    return [{ resource, scopes: same.map(({ scope }) => scope), why, isFailure }];
  });
}
