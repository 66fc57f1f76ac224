import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FaultListError } from '../support/faults/fault-list.ts';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { ask, refusal, unlimited, withNode } from './wire.ts';

const parameters = '/api/v2/network/parameters?pagination.first=1';
const exportPath = '/api/v2/networkhistory/export?fromBlock=1&toBlock=1000&table=TABLE_BLOCKS';

describe('Fault html', () => {
  const node = withNode({ faults: ['html:3'] });

  it("The fault html replaces any answer with a proxy's page, as many times as requested", async () => {
    for (const path of [parameters, exportPath, '/health']) {
      const { status, headers, text } = await ask(node.url + path);
      expect([status, headers.get('content-type')]).toEqual([502, ['text/html']]);
      expect(text).toContain('<title>502 Bad Gateway</title>');
    }
    expect((await ask(node.url + parameters)).status).toBe(200);
  });
});

describe('Fault too-many', () => {
  const node = withNode({ faults: ['too-many'] });

  it('The fault too-many refuses lists like the real rate limit, and allows exports', async () => {
    const { status, headers } = await ask(node.url + parameters);
    expect([status, headers.get('ratelimit-remaining'), headers.has('x-block-height')]).toEqual([429, ['0'], true]);
    expect(await refusal(`${node.url}/api/v2/networkhistory/segments`)).toEqual([
      429,
      8,
      'api request rate limit exceeded',
    ]);
    expect((await ask(node.url + exportPath)).status).toBe(200);
  });
});

describe('Fault down', () => {
  const node = withNode({ faults: ['down:2'] });

  it('The fault down resets the connection', async () => {
    await expect(ask(node.url + parameters)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(ask(node.url + exportPath)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await ask(node.url + parameters)).status).toBe(200);
  });
});

describe('Fault slow', () => {
  it('The fault slow delays every answer and changes none', async () => {
    const node = await startFaultyNode({ faults: ['slow:60'], rateLimit: unlimited });
    const startedMs = performance.now();
    expect((await ask(node.url + parameters)).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(55);
    await node.close();
  });

  it('The fault slow does not keep a node from closing', async () => {
    const node = await startFaultyNode({ faults: ['slow:3600000:1'] });
    const sent = request(node.url + parameters, { agent: false });
    const refused = expect(once(sent, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' });
    sent.end();
    await once(sent, 'finish');
    // Answered, so that the one before it is what waits.
    expect((await ask(`${node.url}/health`)).text).toBe('ok');
    await node.close();
    await refused;
  });
});

describe('Fault names', () => {
  it.each([
    ['cut-bdy', 'there is no fault "cut-bdy": there are error-after-archive, error-first-entry, '],
    ['', 'there is no fault "": there are '],
    ['toString', 'there is no fault "toString"'],
    ['stall:0', 'the fault "stall:0" is not of the form stall or stall:COUNT'],
    ['stall:x', 'the fault "stall:x" is not of the form stall or stall:COUNT'],
    ['stall:1:2', 'the fault "stall:1:2" is not of the form stall or stall:COUNT'],
    ['slow', 'the fault "slow" is not of the form slow:MS or slow:MS:COUNT'],
    ['slow-first-byte:-1', 'is not of the form slow-first-byte:SECONDS or slow-first-byte:SECONDS:COUNT'],
  ])('The fault %j is refused with a message that lists what is accepted', async (fault, message) => {
    const started = startFaultyNode({ faults: [fault] });
    await expect(started).rejects.toThrow(message);
    await expect(started).rejects.toBeInstanceOf(FaultListError);
  });
});
