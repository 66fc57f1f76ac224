import { describe, expect, it } from 'vitest';
import { NetworkError, RefusedError } from '../../../src/chain/api/errors.ts';
import type { Json } from '../../../src/chain/api/json.ts';
import { fetchEpoch, type NodeRequester } from '../../../src/chain/range/epoch.ts';
import { fetchBoundaries, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';

const at = { url: 'http://node/', hint: '' };
const detail = { type: 'vega.ErrorDetail', code: '1', message: 'm', inner: '', rest: {} };
const refused = (status: number, details = [detail]) =>
  new RefusedError(status, { code: 5, message: 'm', details }, at);
const signal = new AbortController().signal;

const answering = (json: Json, facts = {}): NodeRequester => ({
  get: async () => ({ json, facts: { rate: {}, ...facts }, bytes: 0, elapsedMs: 0 }),
});
const failing = (error: unknown): NodeRequester => ({ get: () => Promise.reject(error) });

const timestamps = {
  startTime: '1000000000',
  expiryTime: '9000000000',
  endTime: '9500000000',
  firstBlock: '11',
  lastBlock: '20',
};
const epochOf = (changes: { readonly [name: string]: Json } = {}, seq: Json = '7') => ({
  epoch: { seq, timestamps: { ...timestamps, ...changes } },
});
const known = {
  ...{ seq: 7, startMs: 1000, expiryMs: 9000, endMs: 9500, firstBlock: 11n, lastBlock: 20n },
  ...{ startNs: 1_000_000_000n, endNs: 9_500_000_000n },
};
const ask = (json: Json, facts = {}) => fetchEpoch(answering(json, facts), '7', signal);

describe('Epoch request', () => {
  it('An epoch is requested by its number, or as the current one', async () => {
    const queries: unknown[] = [];
    const client: NodeRequester = {
      get: request => {
        queries.push(request);
        return answering(epochOf()).get(request);
      },
    };
    await fetchEpoch(client, '7', signal);
    await fetchEpoch(client, undefined, signal);
    expect(queries).toEqual([
      { path: 'api/v2/epoch', query: [['id', '7']] },
      { path: 'api/v2/epoch', query: [] },
    ]);
  });

  it('An epoch is read with the newest block, if the headers give it', async () => {
    expect(await ask(epochOf())).toEqual({ kind: 'epoch', epoch: known, head: undefined });
    const head = { blockHeight: '99', blockTimeNs: '5000000000' };
    expect(await ask(epochOf(), head)).toMatchObject({ head: { height: 99n, timeMs: 5000 } });
    for (const part of [{ blockHeight: '99' }, { blockTimeNs: '5000000000' }, { ...head, blockHeight: '0' }])
      expect(await ask(epochOf(), part)).toMatchObject({ head: undefined });
  });

  it.each([
    ['no end yet', { endTime: '0', lastBlock: '0' }, { endMs: undefined, lastBlock: undefined }],
    ['a last block without a time', { endTime: '0' }, { endMs: undefined, lastBlock: undefined }],
    ['a time of its end without a block', { lastBlock: '0' }, { endMs: undefined, lastBlock: undefined }],
    ['no time at which it expires', { expiryTime: '0' }, { expiryMs: 9500 }],
    ['neither', { expiryTime: '0', endTime: '0', lastBlock: '0' }, { expiryMs: 1000, endMs: undefined }],
    ['an end that is no number', { lastBlock: '2x', endTime: 'x9' }, { endMs: undefined, lastBlock: undefined }],
  ])('An epoch may have %s', async (_what, changes, expected) => {
    const answer = await ask(epochOf(changes));
    expect(answer).toMatchObject({ kind: 'epoch', epoch: expected });
  });

  it.each([
    ['no epoch', {}],
    ['no start', epochOf({ startTime: '0' })],
    ['a start that is no number', epochOf({ startTime: '1000000000ns' })],
    ['a start with something before it', epochOf({ startTime: '-1000000000' })],
    ['no first block', epochOf({ firstBlock: '0' })],
    ['a first block that is no number', epochOf({ firstBlock: '11.5' })],
    ['a first block with something before it', epochOf({ firstBlock: '+11' })],
    ['no number', epochOf({}, '')],
    ['a number that is none', epochOf({}, '7a')],
    ['a number with something before it', epochOf({}, 'e7')],
    ['a number too large for one', epochOf({}, '1234567890123456')],
  ])('An epoch with %s is unknown', async (_what, json) => {
    expect(await ask(json)).toEqual({ kind: 'unknown' });
  });

  it('An epoch is not available from a node without the operation, and unknown if the node says so', async () => {
    const kind = async (error: unknown) => (await fetchEpoch(failing(error), '7', signal)).kind;
    expect(await kind(refused(501))).toBe('not-offered');
    expect(await kind(refused(404, []))).toBe('not-offered');
    expect(await kind(refused(404))).toBe('unknown');
    for (const error of [refused(500), refused(400, []), new NetworkError('m', at), new Error('m')])
      await expect(fetchEpoch(failing(error), '7', signal)).rejects.toBe(error);
  });
});

describe('Boundaries of a node', () => {
  const segment = { fromHeight: '1', toHeight: '1000', databaseVersion: '93', chainId: 'c' };
  const fetched = (json: Json) => fetchBoundaries(answering(json));
  const failed = (error: unknown) => fetchBoundaries(failing(error));
  it('The boundaries of a node are its segments, with what is odd about them', async () => {
    expect(await fetched({ segments: [segment] })).toMatchObject({ boundaries: { kind: 'listed' }, hint: null });
    expect(await fetched({ segments: [] })).toEqual({
      boundaries: listedBoundaries([]),
      hint: 'this node keeps no history',
    });
    expect((await fetched({ segments: [segment, {}] })).hint).toBe('1 of the 2 segments cannot be read');
  });

  it('The boundaries of a node follow the rule if it has none to list, with the reason', async () => {
    const rule = { kind: 'rule' };
    const hint = 'this node does not list its segments: assuming 1000 blocks each';
    expect(await fetched({})).toEqual({
      boundaries: rule,
      hint: 'the answer has no list of segments: assuming 1000 blocks each',
    });
    expect(await failed(refused(404, []))).toEqual({ boundaries: rule, hint });
    expect(await failed(refused(501))).toEqual({ boundaries: rule, hint });
  });

  it('The boundaries of a node are unknown when it fails in another way', async () => {
    for (const error of [refused(500), new NetworkError('m', at), Object.assign(new Error('m'), { status: 404 })])
      await expect(failed(error)).rejects.toBe(error);
  });
});
