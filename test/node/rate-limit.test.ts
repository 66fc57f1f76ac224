import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { ask, refusal } from './wire.ts';

const startMs = Date.UTC(2026, 10, 20, 12);

describe('Rate limiter', () => {
  let nowMs = startMs;
  let node: RunningNode;
  const info = () => ask(`${node.url}/api/v2/info`);

  beforeEach(async () => {
    nowMs = startMs;
    node = await startNode({ clock: () => nowMs, rateLimit: { ratePerSecond: 2, burst: 3, banSeconds: 60 } });
  });

  afterEach(() => node.close());

  async function statuses(count: number): Promise<readonly number[]> {
    const seen: number[] = [];
    for (let asked = 0; asked < count; asked++) seen.push((await info()).status);
    return seen;
  }

  it('The rate limiter serves the burst, counts it down, and refuses with 429 when it is used up', async () => {
    const served = [await info(), await info(), await info()];
    expect(served.map(({ headers }) => headers.get('ratelimit-remaining')?.[0])).toEqual(['2', '1', '0']);
    const refused = await info();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-remaining')).toEqual(['0']);
    expect(refused.headers.get('x-block-height')).toEqual(['23531']);
    expect(refused.text).toBe('{"code":8,"message":"api request rate limit exceeded","details":[]}');
  });

  it('The rate limiter restores tokens over time, up to the burst', async () => {
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    nowMs += 500;
    expect(await statuses(2)).toEqual([200, 429]);
    nowMs += 60_000;
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  });

  it('The rate limiter bans clients that continue after refusals, and admits them after the ban', async () => {
    expect(await statuses(7)).toEqual([200, 200, 200, 429, 429, 429, 403]);
    const banned = await info();
    expect(banned.headers.get('ratelimit-retry-after')).toEqual(['60']);
    expect(banned.headers.has('ratelimit-limit')).toBe(false);
    expect(await refusal(`${node.url}/api/v2/info`)).toEqual([
      403,
      7,
      'temporarily banned for continuing to request while rate limited',
    ]);
    nowMs += 59_500;
    expect((await info()).headers.get('ratelimit-retry-after')).toEqual(['0']);
    nowMs += 500;
    expect(await statuses(1)).toEqual([200]);
  });

  it('The rate limiter does not count requests refused by the gateway, health requests or exports', async () => {
    for (let asked = 0; asked < 5; asked++) {
      expect((await ask(`${node.url}/health`)).status).toBe(200);
      expect((await ask(`${node.url}/api/v2/oracle/specs?pagination.first=x`)).status).toBe(400);
      const range = 'fromBlock=1&toBlock=1000&table=TABLE_CHECKPOINTS';
      const exported = await ask(`${node.url}/api/v2/networkhistory/export?${range}`);
      expect([exported.status, exported.headers.has('ratelimit-limit')]).toEqual([200, false]);
    }
    expect((await info()).headers.get('ratelimit-remaining')).toEqual(['2']);
  });

  it('The rate limiter has the limits of deployed nodes by default', async () => {
    const plain = await startNode();
    const { headers } = await ask(`${plain.url}/api/v2/info`);
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([['20'], ['99']]);
    await plain.close();
  });
});
