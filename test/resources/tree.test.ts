import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, type JsonObject, printJson } from '../../src/api/json.ts';
import { RESOURCES, resourceById } from '../../src/resources/registry.ts';
import type { Resource } from '../../src/resources/resource.ts';
import { nodeText, recordTree, type TreeNode } from '../../src/resources/tree.ts';
import { FULL_RECORDS, objectOf } from './full-records.ts';

const NOTHING_AROUND = { filters: {}, rows: [] };

function resource(id: string): Resource {
  const found = resourceById(id);
  if (found === undefined) throw new Error(`no resource ${id}`);
  return found;
}

const all = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
  nodes.flatMap(node => [node, ...(node.size > 0 ? all(node.children()) : [])]);

/** Path and JSON of every value below, the way the tree writes paths. */
function leaves(value: Json, path = ''): readonly (readonly [path: string, json: string])[] {
  if (isJsonArray(value) && value.length > 0) return value.flatMap((item, index) => leaves(item, `${path}[${index}]`));
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, item]) => leaves(item, joined(path, name)));
  return [[path, printJson(value)]];
}

function joined(path: string, name: string): string {
  const step = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return path === '' ? step : `${path}.${step}`;
}

function shown(of: Resource, record: JsonObject): ReadonlyMap<string, string> {
  const nodes = all(recordTree(of, record, NOTHING_AROUND)).filter(node => node.value !== undefined);
  return new Map(nodes.map(node => [node.path, printJson(node.value ?? null)]));
}

describe('the tree of a record', () => {
  it.each(FULL_RECORDS)('holds every field of %s to the digit', (id, record) => {
    const tree = shown(resource(id), record);
    for (const [path, json] of leaves(record)) expect(tree.get(path), path).toBe(json);
  });

  it.each(FULL_RECORDS)('has a place of its own for every documented field of %s', (id, record) => {
    const titles = recordTree(resource(id), record, NOTHING_AROUND).map(({ label }) => label);
    expect(titles).not.toContain('Other members');
    expect(titles).toEqual([...new Set(titles)]);
  });

  it.each(RESOURCES.map(({ id }) => id))('shows members of %s that nobody knows under Other members', id => {
    const [, known] = FULL_RECORDS.find(([name]) => name === id) ?? [id, {}];
    const record = { ...known, novelty: objectOf('{"n":9007199254740993,"list":[1.0]}') };
    const other = recordTree(resource(id), record, NOTHING_AROUND).find(({ label }) => label === 'Other members');
    expect(all(other?.children() ?? []).map(node => [node.path, nodeText(node)])).toEqual([
      ['novelty', ''],
      ['novelty.n', '9007199254740993'],
      ['novelty.list', '1 element'],
      ['novelty.list[0]', '1.0'],
    ]);
  });

  it('shows members that nobody knows inside a member that is known', () => {
    const record = objectOf('{"externalDataSourceSpec":{"spec":{"id":"0b","colour":"red"},"extra":1}}');
    const paths = [...shown(resource('oracles'), record).keys()];
    expect(paths).toContain('externalDataSourceSpec.spec.colour');
    expect(paths).toContain('externalDataSourceSpec.extra');
  });

  it('opens a document inside a string, and leaves what only looks like one', () => {
    const parameter = (value: string) =>
      all(recordTree(resource('parameters'), { key: 'k', value }, NOTHING_AROUND)).map(node => [
        node.path,
        nodeText(node),
      ]);
    expect(parameter('{"chain_id":9007199254740993}')).toContainEqual(['value.chain_id', '9007199254740993']);
    expect(parameter('{broken')).toContainEqual(['value', '{broken']);
    expect(parameter('[]')).toContainEqual(['value', '[]']);
  });

  it('has unique paths, whatever members are called', () => {
    const record = objectOf('{"a.b":1,"a":{"b":2},"":3,"[x]":4,"__proto__":5,"constructor":6,"a\\nb":7}');
    const paths = all(recordTree(resource('parameters'), record, NOTHING_AROUND)).map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
    expect(paths.length).toBe(9);
  });

  it('loses nothing of any record and never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FULL_RECORDS), damage, ([id, record], change) => {
        const damaged = objectOf(printJson(change(record)));
        const tree = shown(resource(id), damaged);
        for (const [path, json] of leaves(damaged)) if (path !== '') expect(tree.get(path)).toBe(json);
        for (const column of resource(id).columns) expect(typeof column.value(damaged)).toBe('string');
        expect(typeof resource(id).keyOf(damaged)).toBe('string');
      }),
      { numRuns: 300 },
    );
  });
});

// What may stand in the place of any member.
const odd = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.constant(true),
  fc.constant([]),
  fc.constant({}),
  fc.constant([null, 'x', [1]]),
  fc.constant('STATUS_FROM_THE_FUTURE'),
  fc.integer(),
  fc.string(),
);

/** Takes members away or puts something odd in their place, at any depth. */
const damage: fc.Arbitrary<(record: JsonObject) => JsonObject> = fc
  .infiniteStream(fc.tuple(fc.nat(9), odd))
  .map(choices => record => {
    const change = (value: Json): Json | undefined => {
      const [dice, other] = choices.next().value ?? [9, null];
      if (dice === 0) return other;
      if (isJsonArray(value)) return value.flatMap(item => change(item) ?? []);
      return isJsonObject(value) ? members(value) : value;
    };
    const members = (value: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(value).flatMap(([name, item]) => {
          const changed = change(item);
          return changed === undefined ? [] : [[name, changed]];
        }),
      );
    return members(record);
  });
