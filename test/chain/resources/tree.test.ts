import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, type JsonObject, printJson } from '../../../src/chain/api/json.ts';
import type { Kind } from '../../../src/chain/insight/kind.ts';
import { RESOURCES, resourceById } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { embeddedJson, isScalar, nodeText, recordTree, type TreeNode } from '../../../src/chain/resources/tree.ts';
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

describe('Record tree', () => {
  it.each(FULL_RECORDS)('The tree has every field of %s to the digit', (id, record) => {
    const tree = shown(resource(id), record);
    for (const [path, json] of leaves(record)) expect(tree.get(path), path).toBe(json);
  });

  it.each(FULL_RECORDS)('The tree has its own place for every documented field of %s', (id, record) => {
    const titles = recordTree(resource(id), record, NOTHING_AROUND).map(({ label }) => label);
    expect(titles).not.toContain('Other members');
    expect(titles).toEqual([...new Set(titles)]);
  });

  it.each(RESOURCES.map(({ id }) => id))('The tree shows unknown members of %s under Other members', id => {
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

  it('The tree shows unknown members of a known member inside it', () => {
    const record = objectOf('{"externalDataSourceSpec":{"spec":{"id":"0b","colour":"red"},"extra":1}}');
    const paths = [...shown(resource('oracles'), record).keys()];
    expect(paths).toContain('externalDataSourceSpec.spec.colour');
    expect(paths).toContain('externalDataSourceSpec.extra');
  });

  it('The tree opens a document inside a string, and leaves text that only looks like one', () => {
    const parameter = (value: string) =>
      all(recordTree(resource('parameters'), { key: 'k', value }, NOTHING_AROUND)).map(node => [
        node.path,
        nodeText(node),
      ]);
    expect(parameter('{"chain_id":9007199254740993}')).toContainEqual(['value.chain_id', '9007199254740993']);
    expect(parameter('{broken')).toContainEqual(['value', '{broken']);
    expect(parameter('[]')).toContainEqual(['value', '[]']);
  });

  it('The tree has unique paths, whatever the names of members', () => {
    const record = objectOf('{"a.b":1,"a":{"b":2},"":3,"[x]":4,"__proto__":5,"constructor":6,"a\\nb":7}');
    const paths = all(recordTree(resource('parameters'), record, NOTHING_AROUND)).map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
    expect(paths.length).toBe(9);
  });

  it('The tree is drawn in sections, with short labels and each value by its kind', () => {
    const [, record] = FULL_RECORDS.find(([id]) => id === 'oracles') ?? ['', {}];
    expect(drawn(recordTree(resource('oracles'), record, NOTHING_AROUND))).toMatchInlineSnapshot(`
      "Spec: 
        : call latestAnswer() on 0x0c, every 1 min: prices.BTC OPERATOR_UNSPECIFIED 0
        id: (id) 0b
        status: (status) STATUS_UNSPECIFIED
        createdAt: (time) 1700000000123456000
        updatedAt: (time) 0
      Contract call: 
        address: (address) 0x0c
        method: latestAnswer
        args: 4 elements
          0: (argument) text
          1: (argument) 9007199254740993
          2: (argument) 1.10
          3: (argument) 
            deep: 2 elements
              0: true
              1: null
        sourceChainId: 1
        requiredConfirmations: (integer) 3
        abi: (json) [{"type":"function","name":"latestAnswer","inputs":[]}]
          0: 
            type: function
            name: latestAnswer
            inputs: empty list
      Trigger: 
        timeTrigger: 
          every: (seconds) 60
          initial: (unix-time) 1700000000
          until: (unix-time) 1800000000
      Normalisers: 1 element
        0: 
          expression: $[0]
          name: price
      Filters: 1 element
        0: 
          key: 
            name: prices.BTC
            numberDecimalPlaces: 18
            type: (status) TYPE_UNSPECIFIED
          conditions: 1 element
            0: 
              operator: (status) OPERATOR_UNSPECIFIED
              value: 0
      "
    `);
  });

  it('The tree gives the kind of a list member, whatever its position', () => {
    const buys = Array.from({ length: 12 }, () => ({ orderId: '0a' }));
    const nodes = all(recordTree(resource('provisions'), { buys }, NOTHING_AROUND));
    const kinds = nodes.filter(({ label }) => label === 'orderId').map(({ kind }) => kind);
    expect(kinds).toEqual(Array.from({ length: 12 }, () => 'id'));
  });

  it('The tree opens only text whose kind is a document', () => {
    const paths = all(recordTree(resource('provisions'), { reference: '{"a":1}' }, NOTHING_AROUND)).map(
      ({ path }) => path,
    );
    expect(paths).toContain('reference');
    expect(paths).not.toContain('reference.a');
  });

  it('The tree leaves out a section without members', () => {
    expect(recordTree(resource('parameters'), {}, NOTHING_AROUND)).toEqual([]);
    const [only] = recordTree(resource('parameters'), { key: 'k' }, NOTHING_AROUND);
    expect(only?.children().map(({ path }) => path)).toEqual(['[Parameter] note 0', 'key']);
  });

  it('The tree puts members under the section title, unless there is only one and it has members', () => {
    const sections = (id: string, record: JsonObject) =>
      recordTree(resource(id), record, NOTHING_AROUND).map(({ path, label, children }) => [
        path,
        label,
        children().map(child => child.path),
      ]);
    expect(sections('provisions', { createdAt: '7' })).toEqual([['[Times]', 'Times', ['createdAt']]]);
    expect(sections('fees', { feesPaidPerParty: [1] })).toEqual([
      ['feesPaidPerParty', 'Allocated to', ['feesPaidPerParty[0]']],
    ]);
    expect(sections('parameters', { value: '{"a":1}' })).toEqual([
      ['[Parameter]', 'Parameter', ['[Parameter] note 0', 'value']],
    ]);
  });

  it('The tree has nothing below a value that is neither list nor object', () => {
    for (const value of ['text', 7, null, true]) {
      const nodes = all(recordTree(resource('parameters'), { key: 'k', value }, NOTHING_AROUND));
      expect(nodes.filter(({ size }) => size === 0).map(node => node.children())).toEqual([[], [], []]);
    }
  });

  it.each([
    ['[]', 'empty list'],
    ['[7]', '1 element'],
    ['[7,[8]]', '2 elements'],
    ['{}', 'empty object'],
    ['{"a":1}', ''],
    ['null', 'null'],
    ['""', '""'],
    ['" "', ' '],
    ['false', 'false'],
    ['1.0', '1.0'],
  ])('The tree summarises %s as %j', (json, text) => {
    const [node] = recordTree(resource('fees'), objectOf(`{"novelty":${json}}`), NOTHING_AROUND)[0]?.children() ?? [];
    expect(node && nodeText(node)).toBe(text);
  });

  it('The tree loses no part of any record and never throws', () => {
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

describe('Value in a record', () => {
  it('A value is a scalar if a kind can show it: text that is not empty, and numbers', () => {
    const { large = null } = objectOf('{"large":9007199254740993}');
    for (const scalar of ['x', 0, 7, large]) expect(isScalar(scalar)).toBe(true);
    for (const other of ['', null, true, [], {}, ['x'], undefined]) expect(isScalar(other)).toBe(false);
  });

  it('A value has a document if it is the text of a list or an object and nothing else', () => {
    expect(embeddedJson(' \n{"a":[1]}')).toEqual({ a: [1] });
    expect(embeddedJson('[]')).toEqual([]);
    for (const text of ['7', 'null', '"{}"', 'x {}', 'x[1]', '{} x', '{', ''])
      expect(embeddedJson(text)).toBeUndefined();
  });
});

const kindName = (kind: Kind): string => (typeof kind === 'string' ? kind : 'status');

/** A line for each node: indented, its label, its kind where it is no text, and its own text. */
const drawn = (nodes: readonly TreeNode[], indent = ''): string =>
  nodes
    .map(node => {
      const kind = node.kind === 'text' ? '' : `(${kindName(node.kind)}) `;
      const text = node.value === undefined ? '' : nodeText(node);
      return `${indent}${node.label}: ${kind}${text}\n${drawn(node.children(), `${indent}  `)}`;
    })
    .join('');

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
