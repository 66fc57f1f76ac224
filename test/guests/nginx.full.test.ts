import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run } from '../cli/run-command.ts';
import { startRefusing } from '../flows/support/refusing.ts';
import { type Front, hasNginx, nginxBefore } from './nginx.ts';

/** The file of docs/guides/guests.md, run by the nginx of this machine. */
describe.skipIf(!hasNginx)('nginx in front of a node', () => {
  let node: RunningNode;
  let counted: Awaited<ReturnType<typeof startRefusing>>;
  let front: Front;

  beforeAll(async () => {
    node = await startNode({ provisions: 12_000, rateLimit: { ratePerSecond: 10_000, burst: 10_000 } });
    counted = await startRefusing(node.url, 0);
    front = await nginxBefore(counted.url);
  });
  afterAll(async () => {
    await front?.[Symbol.asyncDispose]();
    await counted?.[Symbol.asyncDispose]();
    await node?.close();
  });

  it('nginx makes one request to the node for the same list of thirty guests', async () => {
    const before = counted.asked.length;
    const lists = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        run(['list', 'oracles', '--node', front.url, '-o', 'ndjson'], {
          env: { BLOCKGLASS_CLIENT: `192.0.2.${index}` },
        }),
      ),
    );
    expect(new Set(lists.map(({ code, out }) => `${code} ${out}`)).size).toBe(1);
    expect(lists[0]?.code).toBe(0);
    const asked = counted.asked.slice(before).filter(path => path.startsWith('/api/v2/oracle/specs'));
    expect(asked).toHaveLength(1);
  });

  it.each(['/graphql', '/api/v2/networkhistory', '/api/v2/networkhistory/bootstrap', '/api/v2/orders', '/../etc'])(
    'nginx refuses %s, and the node receives nothing',
    async path => {
      const before = counted.asked.length;
      expect((await fetch(`${front.url}${path}`)).status).toBe(404);
      expect(counted.asked.length).toBe(before);
    },
  );

  it('nginx refuses another method, another name, and the exports of guests', async () => {
    const before = counted.asked.length;
    const parameters = `${front.url}/api/v2/network/parameters`;
    expect((await fetch(parameters, { method: 'POST' })).status).toBe(405);
    expect(await statusAs('evil.example', parameters)).toBe(421);
    const exported = `${front.url}/api/v2/networkhistory/export?fromBlock=1001&toBlock=1000&table=TABLE_BLOCKS`;
    expect((await fetch(exported, { headers: { 'x-blockglass-client': '192.0.2.1' } })).status).toBe(403);
    expect(counted.asked.length).toBe(before);
  });

  it('nginx forwards the export of a user who is not a guest, and does not store it', async () => {
    const before = counted.asked.length;
    for (const _ of [1, 2]) {
      const body = await (await fetch(`${front.url}${EXPORT}`)).arrayBuffer();
      expect(Buffer.from(body).subarray(0, 2).toString()).toBe('PK');
    }
    expect(counted.asked.slice(before).filter(path => path.includes('/export?'))).toHaveLength(2);
  });

  it('nginx limits a guest with too many requests, in words that the client understands, and no other guest', async () => {
    const as = (name: string) => fetch(`${front.url}/api/v2/info`, { headers: { 'x-blockglass-client': name } });
    const greedy = await Promise.all(Array.from({ length: 200 }, () => as('192.0.2.200')));
    const refused = greedy.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(100);
    expect(await refused[0]?.json()).toMatchObject({ code: 8, message: 'api request rate limit exceeded' });
    expect((await as('192.0.2.201')).status).toBe(200);
  });

  it('nginx serves others while a guest does not read', async () => {
    const path = `/api/v2/liquidity/provisions?marketId=${await busiestMarket(front.url)}&pagination.first=5000`;
    const slow = await Promise.all(Array.from({ length: 10 }, () => unread(front.url, path, '192.0.2.250')));
    const { code, err } = await run(['list', 'validators', '--node', front.url, '--timeout', '5']);
    expect([code, err]).toEqual([0, expect.any(String)]);
    for (const socket of slow) socket.destroy();
  });
});

const EXPORT = '/api/v2/networkhistory/export?fromBlock=1&toBlock=1000&table=TABLE_BLOCKS';

/** What a browser would get whose page has the name of another host. */
async function statusAs(host: string, url: string): Promise<number | undefined> {
  const asked = request(url, { headers: { host } });
  asked.end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

/** Its list is larger than what sockets hold. */
async function busiestMarket(url: string): Promise<string> {
  const { out } = await run(['list', 'markets', '--node', url, '-o', 'json']);
  const ids = [...out.matchAll(/"id":\s*"([0-9a-f]{64})"/g)].map(([, id]) => id ?? '');
  const sizes = ids.map(async id => {
    const answer = await fetch(`${url}/api/v2/liquidity/provisions?marketId=${id}&pagination.first=5000`);
    return { id, bytes: (await answer.arrayBuffer()).byteLength };
  });
  const [most] = (await Promise.all(sizes)).toSorted((a, b) => b.bytes - a.bytes);
  expect(most?.bytes).toBeGreaterThan(500_000);
  return most?.id ?? '';
}

/** A connection that asks for a large list and reads nothing of it. */
async function unread(url: string, path: string, guest: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Blockglass-Client: ${guest}\r\n\r\n`);
  return socket;
}
