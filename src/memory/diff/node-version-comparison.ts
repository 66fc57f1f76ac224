import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  member,
  parseJson,
} from '../../chain/api/json.ts';
import { joinPattern } from '../../chain/resources/meaning.ts';
import type { ListRules } from './list-rules.ts';
import type { MemberChange, Side, VersionMembers } from './side.ts';

/** The versions of the nodes of two sides, and the members that only one side has. */
export class NodeVersionComparison {
  readonly a: string | null;
  readonly b: string | null;
  readonly #isSame: boolean;
  readonly #members = new Map<string, Set<string>>();

  constructor(a: Side, b: Side) {
    [this.a, this.b] = [nodeVersion(a), nodeVersion(b)];
    this.#isSame = this.a === this.b;
  }

  /**
   * Finds the members of a list that only one version has. Nodes of the same version send the same members, so there only
   * an empty member is not a change.
   */
  of(rules: ListRules, before: readonly JsonObject[], after: readonly JsonObject[]): (change: MemberChange) => boolean {
    if (before.length === 0 || after.length === 0) return () => false;
    let shapes: readonly [ReadonlySet<string>, ReadonlySet<string>] | undefined;
    return ({ pattern, from, to }) => {
      if ((from !== null && to !== null) || (this.#isSame && !isEmpty(from ?? to))) return false;
      shapes ??= [memberPatterns(before), memberPatterns(after)];
      const [ones, others] = shapes;
      if (ones.has(pattern) === others.has(pattern)) return false;
      this.#members.set(rules.id, (this.#members.get(rules.id) ?? new Set()).add(pattern));
      return true;
    };
  }

  /** Null if no member is left out. */
  leftOut(): VersionMembers | null {
    if (this.#members.size === 0) return null;
    const members = [...this.#members].map(([resource, paths]) => ({ resource, paths: [...paths] }));
    return { a: this.a, b: this.b, members };
  }
}

const isEmpty = (value: Json): boolean =>
  value === '' ||
  (isJsonArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.values(value).every(isEmpty));

function memberPatterns(rows: readonly JsonObject[]): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (value: Json, pattern: string): void => {
    if (isJsonArray(value)) for (const item of value) look(item, `${pattern}.*`);
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const path = joinPattern(pattern, name);
      found.add(path);
      look(inner, path);
    }
  };
  for (const row of rows) look(row, '');
  return found;
}

/** Of the data node, else of its core; null if neither is known. */
function nodeVersion(side: Side): string | null {
  return memberOf(side, 'info', 'version') ?? memberOf(side, 'status', 'appVersion');
}

function memberOf({ lists }: Side, list: string, name: string): string | null {
  const found = lists.find(one => one.list === list);
  if (found?.kind !== 'read') return null;
  try {
    const record = parseJson(found.records[0] ?? 'null');
    return (isJsonObject(record) && jsonText(member(record, name))) || null;
  } catch {
    return null;
  }
}
