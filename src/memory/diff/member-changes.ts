import { isJsonArray, isJsonObject, type Json, jsonText, member } from '../../chain/api/json.ts';
import {
  documentPath,
  embeddedDocument,
  joinPattern,
  type MeaningRules,
  meaningKey,
} from '../../chain/resources/meaning.ts';
import { matchItems } from './match-items.ts';
import type { MemberChange } from './side.ts';

interface MemberRules extends MeaningRules {
  readonly unordered: { readonly [path: string]: readonly string[] };
}

/** The members that mean something else in two records, as deep in them as possible. */
export const changedMembers = (rules: MemberRules, from: Json, to: Json): readonly MemberChange[] =>
  compareValues(rules, { path: '', pattern: '' }, from, to);

/** Each member of a record that only one side has. */
export function oneSidedMembers(record: Json, side: 'from' | 'to'): readonly MemberChange[] {
  if (!isJsonObject(record)) return [];
  return Object.entries(record).map(([name, value]) => ({
    ...memberOf({ path: '', pattern: '' }, name),
    from: side === 'from' ? value : null,
    to: side === 'to' ? value : null,
  }));
}

interface ValuePath {
  readonly path: string;
  readonly pattern: string;
}

function compareValues(
  rules: MemberRules,
  place: ValuePath,
  from: Json | undefined,
  to: Json | undefined,
): readonly MemberChange[] {
  const { path, pattern } = place;
  if (isJsonObject(from) && isJsonObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap(name =>
      compareValues(rules, memberOf(place, name), member(from, name), member(to, name)),
    );
  }
  if (isJsonArray(from) && isJsonArray(to)) return compareElements(rules, place, from, to);
  const [before, after] = [embeddedDocument(rules, pattern, from), embeddedDocument(rules, pattern, to)];
  if (before !== undefined && after !== undefined)
    return compareValues(rules, { path, pattern: documentPath(pattern) }, before, after);
  if (meaningKey(rules, pattern, from) === meaningKey(rules, pattern, to)) return [];
  return [{ path, pattern, from: from ?? null, to: to ?? null }];
}

function compareElements(
  rules: MemberRules,
  place: ValuePath,
  from: readonly Json[],
  to: readonly Json[],
): readonly MemberChange[] {
  const { unordered } = rules;
  const pattern = `${place.pattern}.*`;
  const inList = (step: string): ValuePath => ({ path: `${place.path}[${step}]`, pattern });
  if (!Object.hasOwn(unordered, place.pattern))
    return Array.from({ length: Math.max(from.length, to.length) }, (_, index) => index).flatMap(index =>
      compareValues(rules, inList(String(index)), from[index], to[index]),
    );
  const members = unordered[place.pattern] ?? [];
  const keyOf = ({ item }: { readonly item: Json }): string =>
    members.map(name => jsonText(member(item, name))).join('/');
  const numbered = (items: readonly Json[]) => items.map((item, index) => ({ item, index }));
  const meaning = ({ item }: { readonly item: Json }): string => meaningKey(rules, pattern, item);
  return matchItems(numbered(from), numbered(to), { keyOf, meaningOf: meaning }).flatMap(({ before, after }) => {
    const known = before ?? after;
    const step = members.length > 0 ? JSON.stringify(keyOf(known)) : String(known.index);
    return compareValues(rules, inList(step), before?.item, after?.item);
  });
}

const memberOf = ({ path, pattern }: ValuePath, name: string): ValuePath => {
  const step = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
  return { path: path === '' ? step : `${path}.${step}`, pattern: joinPattern(pattern, name) };
};
