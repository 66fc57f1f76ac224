import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

const GOOD_PAGES = 3;

/** The address of a node that fails after some pages of its parameters, in this way. */
async function failing(how: 'refused' | 'cut' | 'junk' | 'again') {
  const server = createServer(({ url = '' }, response) => {
    if (!url.includes('network/parameters')) return response.writeHead(404).end('{"code":5,"message":"Not Found"}');
    const number = Number(/after=p(\d+)/.exec(url)?.[1] ?? 0);
    const edges = [`s${number}`, `p${number + 1}`].map((cursor, index) => ({
      node: { key: `key.${number}.${index}`, value: String(10 ** index) },
      cursor,
    }));
    const pageInfo = { hasNextPage: true, startCursor: `s${number}`, endCursor: `p${number + 1}` };
    const body = JSON.stringify({ networkParameters: { edges, pageInfo } });
    if (number < GOOD_PAGES) return response.end(body);
    switch (how) {
      case 'refused':
        return response.writeHead(400).end('{"code":3,"message":"no more"}');
      case 'cut':
        response.writeHead(200, { 'content-length': String(body.length) }).write(body.slice(0, 20));
        return setImmediate(() => response.destroy());
      case 'junk':
        return response.end('{"networkParameters":{"edges":[7],"pageInfo":{"hasNextPage":true}}}');
      case 'again':
        return response.end(body.replaceAll(`p${number + 1}`, 'p1'));
    }
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return urlOf(server);
}

const KEYS = Array.from({ length: 2 * GOOD_PAGES }, (_, row) => `key.${Math.floor(row / 2)}.${row % 2}`);

it.each(['refused', 'cut', 'junk', 'again'] as const)(
  'A list whose node fails half way (%s) ends with an error, and prints the rows before it or nothing',
  async how => {
    const node = ['--node', await failing(how)];
    for (const format of ['ndjson', 'csv', 'json', 'table']) {
      const { code, out, err } = await run(['list', 'parameters', '--all', '-o', format, ...node]);
      expect([code === 0, /blockglass: \S/.test(err)], format).toEqual([false, true]);
      expect(out.match(/key\.\d\.\d/g) ?? [], format).toEqual(KEYS);
      // Cut off in the middle it is not valid JSON, so that no program takes a part for all of it.
      if (format === 'json') expect(() => JSON.parse(out)).toThrow();
    }
    for (const words of [
      ['--sort', 'value:desc'],
      ['--freq', 'value'],
      ['--where', 'words>1'],
    ]) {
      const { code, out } = await run(['list', 'parameters', '--all', '-o', 'ndjson', ...words, ...node]);
      expect([code === 0, out], words[0]).toEqual([false, '']);
    }
  },
  30_000,
);
