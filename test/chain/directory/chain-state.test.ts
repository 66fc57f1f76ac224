import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/chain/api/json.ts';
import {
  ARCHIVE_AGE_MS,
  type ChainSources,
  isArchive,
  readChainState,
  readSegmentChains,
} from '../../../src/chain/directory/chain-state.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const nanoseconds = (timeMs: number): string => `${timeMs}000000`;

/** An answer that came now, from a node whose newest block is this old. */
const heard = (json: Json, ageMs?: number, blockHeight = '5002') => ({
  atMs: NOW_MS,
  reply: {
    json,
    facts: { rate: {}, ...(ageMs !== undefined && { blockHeight, blockTimeNs: nanoseconds(NOW_MS - ageMs) }) },
  },
});

const segment = (to: number, chainId: Json): Json => ({ fromHeight: String(to - 999), toHeight: String(to), chainId });
const statistics = (members: { readonly [name: string]: Json }, ageMs?: number) =>
  heard({ statistics: members }, ageMs);

const EPOCH = {
  epoch: {
    seq: '280',
    timestamps: { startTime: nanoseconds(1000), expiryTime: nanoseconds(6000), endTime: '0', lastBlock: '0' },
  },
};

describe('Chain state', () => {
  it('The chain state is what the core reports, when it answers', () => {
    const state = readChainState({
      statistics: statistics(
        { chainId: 'a', epochSeq: '7', epochExpiryTime: '2026-11-27T12:30:00Z', blockHeight: '5004' },
        1000,
      ),
      epoch: heard(EPOCH),
      historyChains: ['b'],
      info: heard({ version: 'v0.74.10' }),
    });
    expect(state).toMatchObject({
      chainId: 'a',
      historyChains: ['b'],
      epoch: { seq: 7n, startMs: null, endsMs: NOW_MS + 1_800_000 },
      block: { height: 5002n, timeMs: NOW_MS - 1000, atMs: NOW_MS },
      version: 'v0.74.10',
      core: { behindBlocks: 2n },
    });
  });

  it('The chain state comes from history, epoch and headers without a core', () => {
    const state = readChainState({
      epoch: heard(EPOCH, 60_000),
      historyChains: readSegmentChains({ segments: [segment(5000, 'new'), segment(4000, 'old')] }),
      others: [heard({}, 50_000)],
    });
    expect(state).toMatchObject({
      chainId: 'new',
      historyChains: ['old', 'new'],
      epoch: { seq: 280n, startMs: 1000, endsMs: 6000 },
      block: { height: 5002n, timeMs: NOW_MS - 60_000 },
      core: null,
    });
  });

  it.each<[string, ChainSources]>([
    ['nothing was answered', {}],
    [
      'answers are of no use',
      { statistics: heard([]), epoch: heard({ epoch: { seq: 'x' } }), historyChains: readSegmentChains({}) },
    ],
    [
      'a core names nothing',
      { statistics: statistics({ chainId: '', epochSeq: '' }), historyChains: readSegmentChains(null) },
    ],
    [
      'segments name nothing',
      { historyChains: readSegmentChains({ segments: [segment(5000, ''), segment(1000, 7), 3] }) },
    ],
  ])('The chain state is unknown when %s', (_, sources) => {
    expect(readChainState(sources)).toMatchObject({
      ...{ chainId: null, epoch: null, version: null, genesisTime: null },
      block: { height: null, timeMs: null },
    });
  });

  it('The chain state takes the time of its newest block from the one answer about it, if no header has it', () => {
    const { block } = readChainState({ info: heard({}), time: heard({ timestamp: nanoseconds(5) }) });
    expect(block).toEqual({ height: null, timeMs: 5, atMs: NOW_MS });
  });
});

describe('Archive detection', () => {
  const [minute, year] = [60_000, 365 * 86_400_000];
  const at = (ageMs: number): string => new Date(NOW_MS - ageMs).toISOString();
  const core = (coreAgeMs: number, ageMs: number, more: { readonly [name: string]: Json } = {}) =>
    statistics({ blockHeight: '5002', vegaTime: at(coreAgeMs), ...more }, ageMs);

  it.each<[string, ChainSources, boolean]>([
    ['nobody says how old the newest block is', { info: heard({}) }, false],
    ['its core is down for five minutes', { info: heard({}, 5 * minute) }, false],
    ['it stopped an hour ago', { info: heard({}, 60 * minute) }, false],
    ['it stopped less than a week ago', { info: heard({}, ARCHIVE_AGE_MS - 1) }, false],
    ['it has had no block for a week, and no core answers', { info: heard({}, ARCHIVE_AGE_MS) }, true],
    ['it has had none for years', { others: [heard({ segments: [] }, 4 * year)] }, true],
    ['its core has none either', { statistics: core(year, year) }, true],
    ['its core does not say when its block was', { statistics: statistics({ chainId: 'a' }, year) }, true],
    ['its core goes on', { statistics: core(1000, year) }, false],
    ['its core stopped an hour ago', { statistics: core(60 * minute, year) }, false],
    ['its core has later blocks', { statistics: core(year - minute, year, { blockHeight: '6000' }) }, false],
    ['its core replays the chain', { statistics: core(year, year, { status: 'CHAIN_STATUS_REPLAYING' }) }, false],
    ['its clock is ahead', { info: heard({}, -year) }, false],
  ])('A node is recognised as an archive or not when %s: %#', (_, sources, expected) => {
    const state = readChainState(sources);
    expect(isArchive(state)).toBe(expected);
  });
});
