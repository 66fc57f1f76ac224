import { describe, expect, test } from 'vitest';
import { fetchEpochsOfRange } from '../../../src/chain/range/epochs-of-range.ts';
import { epochsOf, type FakeChain, fakeNode } from './fake-chain.ts';

const NEVER = new AbortController().signal;
const genesisMs = Date.UTC(2026, 9, 1);
/** A block a second, and one that is late now and then; an epoch of 10 s. */
const chain: FakeChain = {
  ...{ genesisMs, epochMs: 10_000 },
  blockMs: Array.from({ length: 500 }, (_, index) => genesisMs + index * 1000 + (index % 37 === 0 ? 500 : 0)),
};
const boundsOf = (seq: number) => {
  const { startMs, endMs } = epochsOf(chain)[seq - 1] ?? { startMs: 0, endMs: 0 };
  const text = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
  return { seq: String(seq), start: text(startMs), end: endMs === undefined ? null : text(endMs) };
};
const seqAt = (block: number): number =>
  epochsOf(chain).find(({ firstBlock, lastBlock = 500 }) => firstBlock <= block && block <= lastBlock)?.seq ?? 0;

describe('Times of all epochs in a block range', () => {
  test.each([
    [1, 500],
    [1, 1],
    [95, 306],
    [100, 101],
    [480, 500],
  ])('The epoch times of blocks %i to %i are exact, with about one request for two epochs', async (from, to) => {
    const { client, asked } = fakeNode(chain);
    const found = await fetchEpochsOfRange(client, { fromBlock: BigInt(from), toBlock: BigInt(to) }, NEVER);
    const seqs = Array.from({ length: seqAt(to) - seqAt(from) + 1 }, (_, index) => seqAt(from) + index);
    expect(found).toEqual({ epochs: seqs.map(boundsOf), missing: null });
    expect(asked.length).toBeLessThan(12 + seqs.length / 2);
  });

  test('The epoch times are those that the node still knows', async () => {
    const { client } = fakeNode(chain, { oldestEpoch: 20 });
    const { epochs } = await fetchEpochsOfRange(client, { fromBlock: 1n, toBlock: 500n }, NEVER);
    expect(epochs.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: seqAt(500) - 19 }, (_, at) => at + 20));
  });

  test('The epoch times are empty for a node without epochs, and an abort ends the requests', async () => {
    const { client } = fakeNode(chain, { hasEpochs: false });
    const range = { fromBlock: 1n, toBlock: 500n };
    expect(await fetchEpochsOfRange(client, range, NEVER)).toEqual({ epochs: [], missing: null });
    const gone = AbortSignal.abort(new Error('enough'));
    const failing = { get: () => Promise.reject(gone.reason) };
    await expect(fetchEpochsOfRange(failing, range, gone)).rejects.toThrow('enough');
  });
});
