import { createConnection } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type NodeOptions, startNode } from '../../src/node/index.ts';
import { ask, unlimited } from './wire.ts';

const exportPath = '/api/v2/networkhistory/export?fromBlock=1&toBlock=23500';

describe('Embedded node lifecycle', () => {
  it('The node listens on loopback at a free port unless configured otherwise', async () => {
    const first = await startNode();
    const second = await startNode();
    expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
    expect(second.port).not.toBe(first.port);
    await Promise.all([first.close(), second.close()]);
  });

  it('The node reports that its port is in use', async () => {
    const first = await startNode();
    await expect(startNode({ port: first.port })).rejects.toThrow('EADDRINUSE');
    await first.close();
  });

  it('The node frees its port and cuts idle connections and running exports when it closes', async () => {
    const node = await startNode({ historyScale: 100 });
    const idle = createConnection(node.port, '127.0.0.1');
    const idleEnded = new Promise(resolve => idle.on('close', resolve));
    await new Promise(resolve => idle.on('connect', resolve));
    const running = await fetch(`${node.url}${exportPath}&table=TABLE_TRADES`);
    await node.close();
    await idleEnded;
    await expect(running.arrayBuffer()).rejects.toThrow();
    await expect(fetch(node.url)).rejects.toThrow();
    await node.close();
    const again = await startNode({ port: node.port });
    expect((await ask(`${again.url}/health`)).text).toBe('ok');
    await again.close();
  });

  const bodies = async (options: NodeOptions) => {
    const paths = [
      '/api/v2/network/parameters',
      '/api/v2/oracle/specs',
      '/api/v2/oracle/data',
      '/api/v2/liquidity/paidfees?epochSeq=7',
      '/api/v2/markets',
      '/api/v2/nodes',
      '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
      '/api/v2/networkhistory/segments',
      `${exportPath}&table=TABLE_LIQUIDITY_PROVISIONS`,
    ];
    const node = await startNode({ rateLimit: unlimited, ...options });
    const answers = await Promise.all(paths.map(path => ask(node.url + path)));
    await node.close();
    return new Map(answers.map(({ bytes }, index) => [paths[index] ?? '', bytes.toString('base64')]));
  };
  const startedMs = Date.UTC(2026, 10, 20, 12);
  const same = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one].filter(([path, body]) => other.get(path) === body).map(([path]) => path);

  it('The node serves the same bytes for the same clock, and others for another seed', async () => {
    const once = await bodies({ clock: () => startedMs });
    expect(same(await bodies({ clock: () => startedMs }), once)).toEqual([...once.keys()]);
    expect(same(await bodies({ clock: () => startedMs, seed: 'another chain' }), once)).toEqual([]);
  });

  it('A node started later has the same values where there is no time, and shares no segment', async () => {
    const once = await bodies({ clock: () => startedMs });
    const later = await bodies({ clock: () => startedMs + 3_600_000 });
    expect(same(later, once)).toEqual([
      '/api/v2/network/parameters',
      '/api/v2/liquidity/paidfees?epochSeq=7',
      '/api/v2/nodes',
    ]);
  });

  it('The node adds a block about every second, while its history stays the same', async () => {
    let nowMs = Date.UTC(2026, 10, 20, 12);
    const node = await startNode({ clock: () => nowMs, rateLimit: unlimited });
    const head = async () => {
      const { headers } = await ask(`${node.url}/api/v2/info`);
      return {
        height: Number(headers.get('x-block-height')?.[0]),
        ageMs: nowMs - Number(headers.get('x-block-timestamp')?.[0]) / 1e6,
      };
    };
    const before = await head();
    const segments = (await ask(`${node.url}/api/v2/networkhistory/segments`)).text;
    nowMs += 60_000;
    const after = await head();
    expect(after.height - before.height).toBe(57);
    for (const { ageMs } of [before, after]) expect(ageMs).toBeLessThan(2000);
    expect((await ask(`${node.url}/api/v2/networkhistory/segments`)).text).toBe(segments);
    await node.close();
  });

  it('The node has as many provisions as requested', async () => {
    const node = await startNode({ provisions: 120, rateLimit: unlimited });
    const { bytes } = await ask(`${node.url}${exportPath}&table=TABLE_LIQUIDITY_PROVISIONS`);
    expect(bytes.length).toBeGreaterThan(1000);
    expect(bytes.length).toBeLessThan(60_000);
    await node.close();
  });

  it('The node runs in a worker thread and leaves the globals of its thread unchanged', async () => {
    const entry = new URL('../../src/node/index.ts', import.meta.url).href;
    const source = `
      const { parentPort } = require('node:worker_threads');
      const before = [globalThis.Request, globalThis.Response];
      import(${JSON.stringify(entry)}).then(async ({ startNode }) => {
        const node = await startNode();
        const kept = before[0] === globalThis.Request && before[1] === globalThis.Response;
        parentPort.postMessage({ url: node.url, kept });
      });`;
    const worker = new Worker(source, { eval: true });
    const told = await new Promise<unknown>((resolve, reject) => worker.on('message', resolve).on('error', reject));
    expect(told).toMatchObject({ kept: true });
    const { url } = JSON.parse(JSON.stringify(told));
    expect((await ask(`${url}/health`)).text).toBe('ok');
    await worker.terminate();
  });
});
