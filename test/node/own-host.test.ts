import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { withNode } from './wire.ts';

const node = withNode();

async function asked(host: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = new URL(node.url);
  const path = '/api/v2/network/parameters';
  const sent = request({ host: '127.0.0.1', port, path, method, setHost: false, headers: { ...headers, host } }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('Host header of a request', () => {
  it('The Host header can be this machine with the port of the node, in any spelling', async () => {
    const { port } = new URL(node.url);
    for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])
      expect((await asked(`${name}:${port}`)).status, name).toBe(200);
  });

  it('A foreign Host is refused with 421 and no chain data, even if it resolves to this machine', async () => {
    const { port } = new URL(node.url);
    const others = [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost:1',
      `localhost.evil.example:${port}`,
    ];
    for (const host of [
      ...others,
      `127.0.0.1.evil.example:${port}`,
      `x@127.0.0.1:${port}`,
      `10.0.0.1:${port}`,
      '',
      `:${port}`,
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const { status, headers, body } = await asked(host, { origin: `http://evil.example:${port}` }, method);
        expect(status, host).toBe(421);
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(body).not.toContain('network');
      }
  });
});
