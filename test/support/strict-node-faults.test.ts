import { expect, test } from 'vitest';
import { startStrictNode } from './strict-node.ts';

const json = { headers: { accept: 'application/json' } };
const parameters = '/api/v2/network/parameters';

test('The strict node holds answers until they are released, and a test can wait for a held request', async () => {
  await using node = await startStrictNode();
  const release = node.hold();
  let hasAnswer = false;
  const answer = fetch(`${node.url}${parameters}`, json).then(response => {
    hasAnswer = true;
    return response.status;
  });
  await node.waitForRequest(request => request.path === parameters && request.outcome === 'open');
  expect(hasAnswer).toBe(false);
  release();
  expect(await answer).toBe(200);
  expect((await fetch(`${node.url}${parameters}`, json)).status).toBe(200);
});

test('The strict node notices a client that disconnects', async () => {
  await using node = await startStrictNode();
  node.hold();
  const controller = new AbortController();
  const answer = fetch(`${node.url}${parameters}`, { ...json, signal: controller.signal });
  await node.waitForRequest(request => request.outcome === 'open');
  controller.abort();
  await expect(answer).rejects.toThrow('abort');
  await node.waitForRequest(request => request.outcome === 'abandoned');
});

test('The strict node applies each fault to one request, in the order of arrival', async () => {
  await using node = await startStrictNode();
  node.failNext({ status: 429, body: 'slow down', headers: { 'retry-after': '7' } });
  node.dropNext();
  node.truncateNext(10);
  const refused = await fetch(`${node.url}${parameters}`, json);
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([429, '7', 'slow down']);
  await expect(fetch(`${node.url}${parameters}`, json)).rejects.toMatchObject({
    cause: { code: 'ECONNRESET' },
  });
  const cut = await fetch(`${node.url}${parameters}`, json);
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow('terminated');
  expect((await fetch(`${node.url}${parameters}`, json)).status).toBe(200);
  await node.waitForRequest(request => request.outcome === 'answered', { from: 3 });
  expect(node.requests.map(request => request.outcome)).toEqual(['answered', 'cut', 'cut', 'answered']);
});

test('The strict node keeps a fault of a path for a request to that path', async () => {
  await using node = await startStrictNode();
  node.failNext({ status: 418 }, '/network/parameters');
  node.failNext({ status: 500 });
  const statuses: number[] = [];
  for (const path of ['/statistics', parameters, parameters])
    statuses.push((await fetch(`${node.url}${path}`, json)).status);
  expect(statuses).toEqual([500, 418, 200]);
});

test('The strict node sends raw bytes as given', async () => {
  await using node = await startStrictNode();
  node.failNext({ status: 200, body: Uint8Array.of(0xff, 0x00, 0x1b), headers: { 'content-type': 'x/y' } });
  const response = await fetch(`${node.url}${parameters}`, json);
  expect(response.headers.get('content-type')).toBe('x/y');
  expect([...(await response.bytes())]).toEqual([0xff, 0x00, 0x1b]);
});

test('The strict node waits for its delay before each answer, and closing ends the delay', async () => {
  const node = await startStrictNode();
  node.delayMs = 30;
  const start = performance.now();
  await fetch(`${node.url}${parameters}`, json);
  expect(performance.now() - start).toBeGreaterThanOrEqual(29);
  node.delayMs = 1_000_000;
  const answer = expect(fetch(`${node.url}${parameters}`, json)).rejects.toThrow('fetch failed');
  await node.waitForRequest(request => request.outcome === 'open', { from: 1 });
  await node.close();
  await answer;
});
