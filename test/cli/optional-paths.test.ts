import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../src/chain/resources/registry.ts';
import { startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { REFUSALS, type Refusal } from '../support/six-operations.ts';
import { run } from './run-command.ts';

/** What a release, an operator or a proxy may have left out: every list works without any of it, and without all. */
const OPTIONAL: readonly (readonly [name: string, is: (path: string) => boolean])[] = [
  ['all-provisions', path => path === '/api/v2/liquidity/all-provisions'],
  ['assets', path => /^\/api\/v2\/assets?(\/|$)/.test(path)],
  ['oracle/data', path => path === '/api/v2/oracle/data'],
  ['epoch', path => path === '/api/v2/epoch'],
  ['info', path => path === '/api/v2/info'],
  ['statistics', path => path === '/statistics'],
  ['one market', path => path.startsWith('/api/v2/market/')],
  ['liquidity/providers', path => path === '/api/v2/liquidity/providers'],
  ['segments', path => path === '/api/v2/networkhistory/segments'],
];

/** These are lists themselves: without one of them all the others work. */
const LISTS: typeof OPTIONAL = [
  ['markets', path => path === '/api/v2/markets'],
  ['nodes', path => path === '/api/v2/nodes'],
];

const HTML = '<!DOCTYPE html><html><head><title>Not here</title></head><body>nginx</body></html>';

/** These say that there is nothing, and not that nobody may see it. */
const ABSENT = REFUSALS.filter(([, status]) => status !== 403 && status !== 200);

const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
let isAbsent: (path: string) => boolean = () => false;
let absent: (response: ServerResponse) => void = () => {};
const proxy = createServer(async (request, response) => {
  if (isAbsent(request.url?.split('?')[0] ?? '')) return absent(response);
  const answered = await fetch(`${node.url}${request.url}`);
  response.writeHead(answered.status, {
    'content-type': 'application/json',
    ...Object.fromEntries([...answered.headers].filter(([name]) => /^x-block-/.test(name))),
  });
  response.end(await answered.text());
});
let url = '';
let market = '';
beforeAll(async () => {
  url = await urlOf(proxy);
  const { markets } = JSON.parse(await (await fetch(`${node.url}/api/v2/markets`)).text());
  market = markets.edges[0].node.id;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await node.close();
});

const filtersOf = (id: string): readonly string[] =>
  id === 'provisions' ? ['--market-id', market, '--live'] : id === 'fees' ? ['--market-id', market] : [];

const listed = (id: string, format: string) =>
  run(['list', id, ...filtersOf(id), '--first', '3', '-o', format, '--node', url]);

const rowsOf = (out: string): number => out.split('\n').length - 1;

const answerWith =
  ([, status, type, body]: Refusal) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };

describe.each(ABSENT)('Missing endpoints with the response %s', (...answer) => {
  beforeAll(() => {
    absent = answerWith(answer);
  });

  it('A node without any optional endpoint leaves every list usable', async () => {
    isAbsent = path => OPTIONAL.some(([, is]) => is(path));
    const others = RESOURCES.filter(({ path }) => !isAbsent(`/${path}`));
    expect(others.length).toBeGreaterThan(6);
    for (const { id } of others) {
      const { code, out } = await listed(id, 'ndjson');
      expect([id, code]).toEqual([id, 0]);
      expect([id, rowsOf(out) > 0]).toEqual([id, true]);
    }
  });

  it('A node without the endpoint of a list is reported as having no such list, with a hint at others', async () => {
    isAbsent = path => path === '/api/v2/markets';
    const { code, err } = await listed('markets', 'table');
    expect(code).toBe(3);
    expect(err).toContain(`this node has no list of markets (HTTP ${answer[1]})`);
    expect(err).toContain('other lists may work');
  });

  it('A node without the extra endpoints of `status` still has a status', async () => {
    isAbsent = path => path === '/api/v2/info' || path === '/api/v2/networkhistory/segments';
    const { code, out } = await run(['status', '--node', url]);
    expect([code, out]).toEqual([0, expect.stringContaining('not known: the node does not serve it')]);
  });

  it('A node without epochs and segments still allows planning an export by heights', async () => {
    isAbsent = path => path === '/api/v2/epoch' || path === '/api/v2/networkhistory/segments';
    const words = ['export', '--table', 'blocks', '--from', '1', '--to', '1000', '--plan', '--node', url];
    const { code, err } = await run(words);
    expect([code, err]).toEqual([0, 'this node does not list its segments: assuming 1000 blocks each\n']);
  });
});

it('A web page instead of all-provisions makes `list provisions` fall back to the basic list', async () => {
  absent = answerWith(['', 200, 'text/html', HTML]);
  isAbsent = path => path === '/api/v2/liquidity/all-provisions';
  const { code, out, err } = await listed('provisions', 'ndjson');
  expect([code, rowsOf(out) > 0]).toEqual([0, true]);
  expect(err).toContain('only the pending version');
});

it.each([...OPTIONAL, ...LISTS])(
  'A node that answers only %s with a web page leaves the tables of every other list',
  async (_, is) => {
    absent = answerWith(['', 404, 'text/html', HTML]);
    isAbsent = is;
    for (const { id, path } of RESOURCES) {
      if (is(`/${path}`)) continue;
      const { code, out } = await listed(id, 'table');
      expect([id, code]).toEqual([id, 0]);
      expect([id, rowsOf(out) > 1]).toEqual([id, true]);
    }
  },
);

describe('`what` on a node without a list', () => {
  it('The `what` command suggests no command that needs a missing list', async () => {
    absent = response => void response.writeHead(501).end();
    isAbsent = () => false;
    const [bundle] = JSON.parse((await run(['list', 'bundles', '-o', 'json', '--node', url])).out);
    const commands = async () =>
      (await run(['what', bundle.submitter, '--node', url])).out.match(/blockglass \S+ \S+/g);
    expect(await commands()).toContain('blockglass show validators');
    isAbsent = path => path === '/api/v2/nodes';
    expect(await commands()).toEqual(['blockglass list bundles']);
  });
});
