import { describe, expect, it } from 'vitest';
import { NetworkError, RefusedError } from '../../../src/chain/api/errors.ts';
import type { Json } from '../../../src/chain/api/json.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import { compareSegments, queryWitnesses, type WitnessNode, witnessLines } from '../../../src/chain/range/witnesses.ts';

const segment = (from: number, to: number, id = `id-${from}-${to}`, chainId = 'c'): Segment => ({
  ...{ fromHeight: BigInt(from), toHeight: BigInt(to), historySegmentId: id, previousHistorySegmentId: '' },
  ...{ databaseVersion: '1', chainId },
});
const four = [segment(1, 10), segment(11, 20), segment(21, 30), segment(31, 40)];

describe('Segment comparison of two nodes', () => {
  it.each<[string, readonly Segment[], number, string | null]>([
    ['the same', four, 4, null],
    ['more of them', [...four, segment(41, 50)], 4, null],
    ['fewer of them', four.slice(2), 2, null],
    ['none of them', [segment(41, 50)], 0, null],
    ['another id', four.with(1, segment(11, 20, 'other')), 3, '11 20 id-11-20 other'],
    ['two other ids, of which the first counts', [segment(1, 10, 'x'), segment(11, 20, 'y')], 0, '1 10 id-1-10 x'],
    ['other ends', [segment(1, 15, 'wide'), segment(16, 20)], 0, '1 10 id-1-10 wide'],
    ['the same id for other blocks', [segment(1, 12, 'id-1-10')], 0, '1 10 id-1-10 id-1-10'],
    ['one within it', [segment(23, 24, 'small')], 0, '21 30 id-21-30 small'],
    ['a long one that began before', [segment(1, 25, 'long'), segment(26, 30, 'r')], 0, '1 10 id-1-10 long'],
    ['both the same and another id', [segment(1, 10, 'x'), ...four], 3, '1 10 id-1-10 x'],
  ])('The segments of two nodes are compared by blocks and IDs: %s', (_, others, same, differs) => {
    const found = compareSegments(four, others);
    expect(found.same).toBe(same);
    const told = found.differs;
    expect(told && `${told.fromBlock} ${told.toBlock} ${told.id} ${told.otherId}`).toBe(differs);
  });

  it('The segment comparison finds what a comparison of each with each finds', () => {
    let seed = 7;
    const below = (limit: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * limit);
    };
    const drawn = (): Segment[] =>
      Array.from({ length: below(7) }, () => {
        const from = below(20);
        return segment(from, from + below(6), `id${below(2)}`);
      }).toSorted((one, other) => Number(one.fromHeight - other.fromHeight));
    for (let round = 0; round < 2000; round++) {
      const [own, others] = [drawn(), drawn()];
      const isAlike = (one: Segment, other: Segment): boolean =>
        one.fromHeight === other.fromHeight && one.toHeight === other.toHeight;
      const isOver = (one: Segment, other: Segment): boolean =>
        one.fromHeight <= other.toHeight && other.fromHeight <= one.toHeight;
      const same = own.filter(one => {
        const ids = new Set(others.filter(other => isAlike(one, other)).map(other => other.historySegmentId));
        return ids.size === 1 && ids.has(one.historySegmentId);
      });
      const first = own.find(one => !same.includes(one) && others.some(other => isOver(one, other)));
      const found = compareSegments(own, others);
      expect(found.same).toBe(same.length);
      expect(found.differs?.fromBlock).toBe(first === undefined ? undefined : String(first.fromHeight));
    }
  });

  it('The segment comparison takes time in proportion to their number', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => segment(index * 10 + 1, index * 10 + 10));
    expect(compareSegments(many, many.slice(99_999))).toEqual({ same: 1, differs: null });
  });
});

describe('Witnesses of an export', () => {
  const listed = (segments: readonly Segment[]): Json => ({
    segments: segments.map(({ fromHeight, toHeight, ...rest }) => ({
      ...{ fromHeight: String(fromHeight), toHeight: String(toHeight), ...rest },
    })),
  });
  const answering = (name: string, json: Json): WitnessNode => ({
    name,
    client: {
      get: () => Promise.resolve({ json, facts: { rate: {} }, elapsedMs: 1, headerAtMs: 0, bytes: 0 }),
    },
  });
  const failing = (name: string, error: Error): WitnessNode => ({ name, client: { get: () => Promise.reject(error) } });
  const at = { url: 'http://n/', hint: '' };
  const ask = (nodes: readonly WitnessNode[]) =>
    queryWitnesses(
      nodes,
      { boundaries: listedBoundaries(four), range: { from: 11n, to: 30n } },
      new AbortController().signal,
    );

  it('The witnesses are reported in sentences that claim no more than was compared', async () => {
    const witnesses = await ask([
      answering('one', listed(four)),
      answering('two', listed(four.slice(1))),
      answering('part', listed(four.slice(2))),
      answering('newer', listed([segment(41, 50)])),
      answering('forked', listed(four.with(1, segment(11, 20, 'other')))),
      answering('elsewhere', listed(four.map(one => ({ ...one, chainId: 'd' })))),
      answering('odd', { segments: [{ fromHeight: 'x' }] }),
      answering('empty', { segments: [] }),
      failing('refusing', new RefusedError(405, { message: 'no', details: [] }, at)),
      failing('dead', new NetworkError('nobody is there', at)),
    ]);
    expect(witnessLines(witnesses)).toEqual([
      'one and two report the same history for these blocks',
      'part reports the same history for 1 of these 2 segments, and does not list the rest',
      'newer lists none of these segments',
      'forked reports a different history: for blocks 11 to 20 segment other, this node id-11-20',
      'odd was not compared: the list of segments cannot be read',
      'empty and refusing were not compared: no segments are listed',
      'dead was not compared: nobody is there',
    ]);
  });

  it('A witness that reports two histories for the same blocks agrees with none', async () => {
    const both = [...four, segment(11, 20, 'other')].toSorted((a, b) => Number(a.fromHeight - b.fromHeight));
    const [witness] = await ask([answering('both', listed(both))]);
    expect(witness).toMatchObject({ same: 1, of: 2, differs: { fromBlock: '11', otherId: 'other' } });
    expect(witnessLines(witness === undefined ? [] : [witness])).toEqual([
      'both reports a different history: for blocks 11 to 20 segment other, this node id-11-20',
    ]);
  });

  it('The witnesses are listed in a readable line, however many they are', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `v${index}`);
    const dead = names.map(name => failing(`${name}-off`, new NetworkError('nobody is there', at)));
    const lines = witnessLines(await ask([...names.map(name => answering(name, listed(four))), ...dead]));
    expect(lines).toEqual([
      'v0, v1, v2 and 17 more report the same history for these blocks',
      'v0-off, v1-off, v2-off and 17 more were not compared: nobody is there',
    ]);
  });

  it('An export has no witnesses if the node itself lists no segments', async () => {
    const range = { from: 1n, to: 1000n };
    const never = { name: 'n', client: { get: () => Promise.reject(new Error('asked')) } };
    const { signal } = new AbortController();
    expect(await queryWitnesses([never], { boundaries: { kind: 'rule' }, range }, signal)).toEqual([]);
  });
});
