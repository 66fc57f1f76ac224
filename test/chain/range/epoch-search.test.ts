import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Epoch, findEpochAtTime } from '../../../src/chain/range/epoch.ts';

const HOUR_MS = 3_600_000;

/** Epochs of these lengths, one after the other, the last one open. */
function chainOf(lengthsMs: readonly number[], expiryMs = HOUR_MS): readonly Epoch[] {
  let startMs = 1_000_000_000_000;
  return lengthsMs.map((lengthMs, index) => {
    const isOpen = index === lengthsMs.length - 1;
    const epoch = {
      seq: index + 1,
      startMs,
      expiryMs: startMs + expiryMs,
      endMs: isOpen ? undefined : startMs + lengthMs,
      startNs: BigInt(startMs) * 1_000_000n,
      endNs: isOpen ? undefined : BigInt(startMs + lengthMs) * 1_000_000n,
      firstBlock: BigInt(index * 10 + 1),
      lastBlock: isOpen ? undefined : BigInt(index * 10 + 10),
    };
    startMs += lengthMs;
    return epoch;
  });
}

async function search(chain: readonly Epoch[], timeMs: number, oldestKnown = 1) {
  const asked: number[] = [];
  const current = chain.at(-1);
  if (current === undefined) throw new Error('no epochs');
  const found = await findEpochAtTime(timeMs, current, async seq => {
    asked.push(seq);
    return seq < oldestKnown ? undefined : chain[seq - 1];
  });
  return { found, asked };
}

const lengths = fc.array(fc.integer({ min: 1000, max: 20 * HOUR_MS }), { minLength: 1, maxLength: 60 });

describe('Search for the epoch of a time', () => {
  it('The epoch that contains a time is found in few requests, none repeated and none beyond the chain', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(), fc.nat(), async (all, which, more) => {
        const chain = chainOf(all);
        const epoch = chain[which % chain.length] ?? chain[0];
        const length = all[which % chain.length] ?? 1;
        if (epoch === undefined) return;
        const { found, asked } = await search(chain, epoch.startMs + (more % length));
        expect(found).toEqual({ kind: 'found', epoch });
        expect(new Set(asked).size).toBe(asked.length);
        for (const seq of asked) expect(seq >= 1 && seq < chain.length).toBe(true);
        expect(asked.length).toBeLessThanOrEqual(3 * Math.ceil(Math.log2(chain.length + 1)));
      }),
      { numRuns: 300 },
    );
  });

  it('The epoch of a time is found at once when epochs have equal length', async () => {
    const chain = chainOf(Array(5000).fill(HOUR_MS));
    for (const seq of [1, 2, 2500, 4998, 4999]) {
      const { found, asked } = await search(chain, 1_000_000_000_000 + (seq - 1) * HOUR_MS + 5);
      expect(found).toMatchObject({ kind: 'found', epoch: { seq } });
      expect(asked).toEqual([seq]);
    }
    expect((await search(chain, 1_000_000_000_000 + 4999 * HOUR_MS)).asked).toEqual([]);
  });

  it('The epoch of a time is unknown before the oldest one that the node knows, which is reported', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(), fc.nat(), async (all, which, before) => {
        const chain = chainOf(all);
        const oldestKnown = 1 + (which % chain.length);
        const oldest = chain[oldestKnown - 1];
        if (oldest === undefined) return;
        const { found, asked } = await search(chain, oldest.startMs - 1 - (before % (50 * HOUR_MS)), oldestKnown);
        expect(found).toEqual({ kind: 'before', oldest });
        expect(asked.length).toBeLessThanOrEqual(3 * Math.ceil(Math.log2(chain.length + 1)));
      }),
      { numRuns: 300 },
    );
  });
});
