import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createChain, headAtTime } from '../../src/node/demo/chain.ts';
import { SERVED_LISTS } from '../../src/node/registry.ts';
import { Store } from '../../src/node/store.ts';
import description from '../fixtures/node-answers.json' with { type: 'json' };
import { ask, marketIds, page, withNode } from './wire.ts';

// Every record of every answer, held against what the official description says of its members.

const node = withNode();

type Members = Readonly<Record<string, string>>;
const types = new Map<string, Members>(
  Object.entries(v.parse(v.record(v.string(), v.record(v.string(), v.string())), description.types)),
);
const scalars = new Map(Object.entries(description.scalars).map(([name, form]) => [name, new RegExp(form)]));
const record = v.record(v.string(), v.unknown());

/** What in a value is not as its type says, each with its place. */
function wrongIn(value: unknown, type: string, place: string): readonly string[] {
  if (type.endsWith('|null')) return value === null ? [] : wrongIn(value, type.slice(0, -'|null'.length), place);
  if (type.startsWith('[')) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((one, at) => wrongIn(one, type.slice(1, -1), `${place}[${at}]`));
  }
  if (type === '*') return [];
  if (type === '#') return typeof value === 'number' ? [] : [`${place} is no number`];
  if (type === '!') return typeof value === 'boolean' ? [] : [`${place} is not true or false`];
  const members = types.get(type);
  if (members !== undefined) return wrongMembers(value, members, place);
  const form = type.startsWith('=') ? new RegExp(`^${type.slice(1)}[A-Z0-9_]+$`) : scalars.get(type);
  if (form === undefined) throw new Error(`${type} is described nowhere`);
  return typeof value === 'string' && form.test(value) ? [] : [`${place} is ${JSON.stringify(value)}, no ${type}`];
}

function wrongMembers(value: unknown, members: Members, place: string): readonly string[] {
  if (!v.is(record, value) || Array.isArray(value)) return [`${place} is no object`];
  const described = new Map(Object.entries(members).map(([name, type]) => [name.replace('?', ''), type]));
  const missing = Object.keys(members).filter(name => !name.endsWith('?') && !(name in value));
  return [
    ...missing.map(name => `${place}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const type = described.get(name);
      return type === undefined ? [`${place}.${name} is not described`] : wrongIn(member, type, `${place}.${name}`);
    }),
  ];
}

const answerOf = async (path: string): Promise<unknown> => JSON.parse((await ask(node.url + path)).text);

describe('Records of the embedded node and the official description', () => {
  it('Every list and every record by id has a description', () => {
    const chain = createChain({ seed: 'paths', startedMs: 0 });
    const store = new Store([]);
    const paths = SERVED_LISTS.flatMap(({ operations }) => operations(store, () => headAtTime(chain, 0))).map(
      ({ path }) => path.replace(/:\w+$/, ''),
    );
    store.close();
    const described = new Set([...Object.keys(description.lists), ...Object.keys(description.singles)]);
    expect(paths.filter(path => !described.has(path))).toEqual([]);
  });

  it.each(Object.entries(description.lists))(
    'Every record in the list %s matches the official description',
    async (path, [wrapper = '', type = '']) => {
      const byMarket = /liquidity\/(?!paidfees)/.test(path);
      const filters: readonly { [name: string]: string }[] = byMarket
        ? (await marketIds(node.url)).map(marketId => ({ marketId }))
        : path.endsWith('paidfees')
          ? Array.from({ length: 40 }, (_, index) => ({ epochSeq: String(index + 2) }))
          : [{}];
      let count = 0;
      for (const filter of filters) {
        const { edges } = await page(node.url + path, wrapper, { 'pagination.first': '5000', ...filter });
        count += edges.length;
        expect(edges.flatMap((edge, at) => wrongIn(edge.node, type, `${wrapper}[${at}]`)).slice(0, 5)).toEqual([]);
      }
      expect(count).toBeGreaterThan(4);
    },
  );

  it.each(Object.entries(description.answers))(
    'The answer of %s matches the official description',
    async (path, members) => {
      expect(wrongMembers(await answerOf(path), v.parse(v.record(v.string(), v.string()), members), path)).toEqual([]);
    },
  );

  it.each(Object.entries(description.singles))(
    'The answer of %s with an id matches the official description',
    async (path, [wrapper = '', type = '']) => {
      const list = Object.entries(description.lists).find(([, [, listed]]) => listed === type);
      if (list === undefined) throw new Error(`no list of ${type}`);
      const { edges } = await page(node.url + list[0], list[1][0] ?? '');
      for (const { node: one } of edges.slice(0, 5)) {
        const id = /"(?:id|key)":"([^"]+)"/.exec(JSON.stringify(one))?.[1] ?? '';
        expect(wrongMembers(await answerOf(path + id), { [wrapper]: type }, path)).toEqual([]);
      }
    },
  );
});
