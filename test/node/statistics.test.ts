import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { ask, segments, unlimited } from './wire.ts';

const startedMs = Date.UTC(2026, 10, 20, 12, 0, 0, 345);
let nowMs = startedMs;
let node: RunningNode;
beforeEach(async () => {
  nowMs = startedMs;
  node = await startNode({ clock: () => nowMs, rateLimit: unlimited });
});
afterEach(() => node.close());

const nanoseconds = (rfc3339: string): bigint => {
  const [whole = '', fraction = ''] = rfc3339.replace('Z', '').split('.');
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
};

async function told() {
  const { headers, text } = await ask(`${node.url}/statistics`);
  const epoch = JSON.parse((await ask(`${node.url}/api/v2/epoch`)).text).epoch;
  const header = (name: string) => headers.get(name)?.[0] ?? '';
  return { statistics: JSON.parse(text).statistics, epoch, header };
}

describe('Consistency of the embedded node at one moment', () => {
  it.each([0, 1, 1049, 1050, 5000, 599_999, 600_000, 3_600_000, 86_400_000])(
    'The answers of the node agree with each other %d ms after its start',
    async elapsed => {
      nowMs = startedMs + elapsed;
      const { statistics, epoch, header } = await told();
      expect(statistics.blockHeight).toBe(header('x-block-height'));
      expect(String(nanoseconds(statistics.vegaTime))).toBe(header('x-block-timestamp'));
      const time = JSON.parse((await ask(`${node.url}/api/v2/vega/time`)).text);
      expect(time).toEqual({ timestamp: header('x-block-timestamp') });
      expect(statistics.epochSeq).toBe(epoch.seq);
      expect(String(nanoseconds(statistics.epochStartTime))).toBe(epoch.timestamps.startTime);
      expect(String(nanoseconds(statistics.epochExpiryTime))).toBe(epoch.timestamps.expiryTime);
      const head = nanoseconds(statistics.vegaTime);
      expect(head).toBeGreaterThanOrEqual(nanoseconds(statistics.epochStartTime));
      expect(head).toBeLessThan(nanoseconds(statistics.epochExpiryTime));
      expect(head).toBeLessThanOrEqual(nanoseconds(statistics.currentTime));
      expect(nanoseconds(statistics.currentTime)).toBe(BigInt(nowMs) * 1_000_000n);
      expect(nanoseconds(statistics.uptime)).toBe(BigInt(startedMs) * 1_000_000n);
      expect(Number(epoch.timestamps.firstBlock)).toBeLessThanOrEqual(Number(statistics.blockHeight));
      const [newest] = await segments(node.url);
      expect(Number(newest?.toHeight)).toBeLessThan(Number(statistics.blockHeight));
      expect(newest?.chainId).toBe(statistics.chainId);
    },
  );

  it('The answers at two moments differ by whole blocks of the block duration', async () => {
    const before = (await told()).statistics;
    nowMs += 1_000_000;
    const after = (await told()).statistics;
    const blocks = BigInt(after.blockHeight) - BigInt(before.blockHeight);
    expect(blocks).toBeGreaterThan(0n);
    expect(nanoseconds(after.vegaTime) - nanoseconds(before.vegaTime)).toBe(blocks * BigInt(before.blockDuration));
    expect(after.genesisTime).toBe(before.genesisTime);
  });

  it('The epochs of the node follow each other from genesis to head, each block in the epoch that lists it', async () => {
    nowMs += 3_000_000;
    const { statistics, epoch: current } = await told();
    const epochAt = async (query: string) =>
      JSON.parse((await ask(`${node.url}/api/v2/epoch?${query}`)).text).epoch ?? { seq: '' };
    const first = await epochAt('id=1');
    expect(first.timestamps.startTime).toBe(String(nanoseconds(statistics.genesisTime)));
    let before = first;
    for (let id = 2; id <= Number(current.seq); id++) {
      const next = await epochAt(`id=${id}`);
      expect(next.timestamps.startTime).toBe(before.timestamps.endTime);
      expect(Number(next.timestamps.firstBlock)).toBe(Number(before.timestamps.lastBlock) + 1);
      // An epoch ends with the first block past its time, never before.
      expect(BigInt(before.timestamps.endTime)).toBeGreaterThanOrEqual(BigInt(before.timestamps.expiryTime));
      for (const bound of ['firstBlock', 'lastBlock'])
        expect((await epochAt(`block=${before.timestamps[bound]}`)).seq).toBe(before.seq);
      before = next;
    }
  });
});

it('A node set to lag has a newest block of the requested age, while its core advances', async () => {
  const behind = await startNode({ clock: () => nowMs, rateLimit: unlimited, lagMs: 300_000 });
  for (const elapsed of [0, 1050, 600_000]) {
    nowMs = startedMs + elapsed;
    const { headers, text } = await ask(`${behind.url}/statistics`);
    const { statistics } = JSON.parse(text);
    const ageMs = (timeNs: bigint) => nowMs - Number(timeNs / 1_000_000n);
    const own = ageMs(BigInt(headers.get('x-block-timestamp')?.[0] ?? ''));
    expect(own).toBeGreaterThanOrEqual(300_000);
    expect(own).toBeLessThan(303_000);
    expect(ageMs(nanoseconds(statistics.vegaTime))).toBeLessThan(3000);
    const blocks = Number(statistics.blockHeight) - Number(headers.get('x-block-height')?.[0]);
    expect(Math.abs(blocks - 300 / 1.05)).toBeLessThan(2);
  }
  await behind.close();
});
