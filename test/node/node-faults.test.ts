import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { messageTooLarge } from '../../src/node/app.ts';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { parseCsv } from './csv-rows.ts';
import { ask, refusal, segments, unlimited, withNode } from './wire.ts';

const exportOf = (from: number, to: number, table = 'TABLE_BLOCKS') =>
  `/api/v2/networkhistory/export?fromBlock=${from}&toBlock=${to}&table=${table}`;
const outside = (from: number, to: number) => [
  400,
  3,
  10000,
  'could not to get contiguous history segments',
  `heights ${from} to ${to} do not lie within a continuous segment range`,
  'wrapped',
];

describe('Fault deadly', () => {
  it.each([
    [2001, 1000],
    [1001, 1000],
    [22_501, 14_500],
  ])(
    'The fault deadly ends the node at %d to %d: no reply, all other connections cut, the port free',
    async (from, to) => {
      const node = await startFaultyNode({ faults: ['deadly'], rateLimit: unlimited, historyScale: 100 });
      const running = await fetch(node.url + exportOf(1, 23_500, 'TABLE_TRADES'));
      await expect(ask(node.url + exportOf(from, to))).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect((await node.died).message).toBe('an export was requested from a block above its last one');
      await expect(running.arrayBuffer()).rejects.toThrow();
      await expect(ask(`${node.url}/health`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await node.close();
    },
  );

  it('The fault deadly does not change what deployed nodes refuse or serve', async () => {
    const node = await startFaultyNode({ faults: ['deadly'], rateLimit: unlimited });
    expect(await refusal(node.url + exportOf(2001, 1500))).toEqual(outside(2001, 1500));
    expect(await refusal(node.url + exportOf(2002, 1000))).toEqual(outside(2002, 1000));
    expect((await refusal(node.url + exportOf(2001, 1000, 'TABLE_UNSPECIFIED')))[0]).toBe(500);
    expect((await ask(node.url + exportOf(1001, 2000))).status).toBe(200);
    await node.close();
  });
});

describe('Fault message-limit', () => {
  const node = withNode({ faults: ['message-limit:20000'] });
  const parameters = '/api/v2/network/parameters';

  it('The fault message-limit refuses a longer page, with the headers of a rate limit that is not the cause', async () => {
    const unhurt = await startFaultyNode({ rateLimit: unlimited });
    const whole = (await ask(unhurt.url + parameters)).bytes.length;
    await unhurt.close();
    const { status, headers, text } = await ask(node.url + parameters);
    expect(status).toBe(429);
    expect(JSON.parse(text)).toEqual({
      code: 8,
      message: `grpc: received message larger than max (${whole} vs. 20000)`,
      details: [],
    });
    expect(headers.has('x-block-height')).toBe(true);
    expect(Number(headers.get('ratelimit-remaining')?.[0])).toBeGreaterThan(0);
    const small = await ask(`${node.url}${parameters}?pagination.first=10`);
    expect([small.status, small.bytes.length < 20_000]).toEqual([200, true]);
  });

  it('The fault message-limit does not affect exports', async () => {
    expect((await ask(node.url + exportOf(1, 1000))).status).toBe(200);
  });

  it.each([
    ['x'.repeat(20_971_520), undefined],
    ['x'.repeat(20_971_521), 'grpc: received message larger than max (20971521 vs. 20971520)'],
    ['\u00e9'.repeat(10_485_760), undefined],
    ['\u00e9'.repeat(10_485_761), 'grpc: received message larger than max (20971522 vs. 20971520)'],
  ])('The message limit is 20 MiB on every node (%#)', (body, message) => {
    expect(messageTooLarge(body)?.message).toBe(message);
  });
});

describe('Fault growing', () => {
  const startedMs = Date.UTC(2026, 10, 20, 12);

  it('The fault growing adds one segment after another, and drops the oldest each time', async () => {
    let nowMs = startedMs;
    const node = await startFaultyNode({ faults: ['growing:21'], clock: () => nowMs, rateLimit: unlimited });
    const before = await segments(node.url);
    expect(before).toHaveLength(24);
    nowMs += 22_000;
    const after = await segments(node.url);
    expect(after).toHaveLength(24);
    expect(after[0]).toMatchObject({ fromHeight: '23501', toHeight: '23520', databaseVersion: '93' });
    expect(after[0]?.previousHistorySegmentId).toBe(before[0]?.historySegmentId);
    expect(after.slice(1)).toEqual(before.slice(0, -1));
    expect((await ask(node.url + exportOf(1001, 23_520))).status).toBe(200);
    expect(await refusal(node.url + exportOf(1, 1000))).toEqual(outside(1, 1000));
    nowMs += 24 * 21_000;
    const later = await segments(node.url);
    expect(later.every(({ fromHeight }) => Number(fromHeight) > 23_500)).toBe(true);
    expect(Number(later[0]?.toHeight)).toBeLessThan(
      Number((await ask(`${node.url}/api/v2/info`)).headers.get('x-block-height')?.[0]),
    );
    await node.close();
  });

  it('The fault growing exports the blocks of a new segment with the times reported in the headers', async () => {
    let nowMs = startedMs;
    const node = await startFaultyNode({ faults: ['growing:60'], clock: () => nowMs, rateLimit: unlimited });
    const told = new Map<string, string>();
    for (; nowMs < startedMs + 180_000; nowMs += 350) {
      const { headers } = await ask(`${node.url}/api/v2/info`);
      told.set(headers.get('x-block-height')?.[0] ?? '', headers.get('x-block-timestamp')?.[0] ?? '');
    }
    const [newest] = await segments(node.url);
    const { bytes } = await ask(node.url + exportOf(Number(newest?.fromHeight), Number(newest?.toHeight)));
    const rows = Object.values(unzipSync(bytes)).flatMap(csv => parseCsv(Buffer.from(csv).toString()).slice(1));
    expect(rows).toHaveLength(57);
    for (const [vegaTime, height] of rows) {
      const [whole = '', fraction = ''] = (vegaTime ?? '').replace('+00', '').split('.');
      const timeNs = `${Date.parse(`${whole.replace(' ', 'T')}Z`) / 1000}${fraction.padEnd(9, '0')}`;
      expect(timeNs).toBe(told.get(height ?? ''));
    }
    await node.close();
  });
});
