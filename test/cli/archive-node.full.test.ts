import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from '../support/loopback.ts';
import { hasRealNode, type RecordedNode, recordedNode } from '../support/recorded-node.ts';
import { run } from './run-command.ts';

const PARTY = 'c75946d940020ad8df9dd0ece42ba5d533166cc6ecf237e7779f1021c42499de';
const MARKET = '41945143092c1e8144557ba9b88e4f627f6c9db87cb48a1b09cd9b3ae2a38512';

/** What would be said of a live node that is broken, and is no news of a chain that has ended. */
const OUTAGE =
  /dial tcp|transport:|REFUSED|BEHIND|STALLED|behind by|is behind|stalled|\b\d{4,} d\b|does not report a chain id|HTTP 503/;

describe.skipIf(!hasRealNode)('Node of an ended chain', () => {
  let node: RecordedNode;
  let home = '';
  beforeAll(async () => {
    node = await recordedNode();
    home = await mkdtemp(join(tmpdir(), 'blockglass-'));
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  const ran = (words: string) =>
    run([...words.split(' '), '--node', node.url], {
      env: { HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home },
    });

  it.each([
    'status',
    'overview',
    'check',
    'check node-behind node-stalled oracle-overdue',
    'segments',
    'mine list',
    `mine add --kind party ${PARTY}`,
    'list markets',
    'list oracles',
    'list validators',
    `list provisions --market-id ${MARKET}`,
    `list provisions --market-id ${MARKET} --live`,
    'list fees',
    'list bundles',
    'list parameters',
    'show oracles 0',
    `show markets ${MARKET}`,
    'show oracles 0',
    `statement --party ${PARTY} --last 10`,
    'record --once',
    `what ${PARTY}`,
  ])('`%s` reports no outage on an ended chain and exits with 0', async words => {
    const { code, out, err } = await ran(words);
    expect([code, OUTAGE.exec(out)?.[0], words === 'record --once' ? undefined : OUTAGE.exec(err)?.[0]]).toEqual([
      0,
      undefined,
      undefined,
    ]);
  });

  it('An ended chain is reported as an archive, with its chain and its last epoch', async () => {
    const [status, overview, check] = await Promise.all([ran('status'), ran('overview'), ran('check')]);
    expect(status.out).toContain(': archive, newest block 2023-01-18 01:38 UTC\n');
    expect(status.out).toMatch(/\n {2}chain +testnet-001\n[\s\S]*\n {2}epoch +280, the last/);
    expect(overview.out).toContain('v0.74.10 | testnet-001 | block 5002 | archive, newest block 2023-01-18 01:38 UTC');
    expect(check.out).toMatch(/^OK .*, chain testnet-001, archive, newest block 2023-01-18 01:38 UTC: /);
  });

  it('A node of an ended chain counts as behind if the user says that it is live', async () => {
    expect(await ran('status --max-lag 60')).toMatchObject({ code: 6, out: expect.stringContaining('BEHIND') });
    expect((await ran('check --max-lag 60')).out).toContain('node-behind: the newest block is 1');
    expect((await ran('overview --max-lag 60')).out).toContain('the node is behind, or the chain has stalled');
  });

  it('Times on an ended chain are shown as dates instead of ages', async () => {
    expect((await ran('list oracles --page-size 3')).out).toMatch(/CREATED UTC[\s\S]* 2023-01-18 01:\d\d:\d\dZ /);
  });

  it('`record` stores the fees of the last epochs of an ended chain', async () => {
    const { code, err } = await ran('record --once');
    expect([code, err]).toEqual([0, expect.not.stringContaining('report the current epoch')]);
    expect(err).not.toMatch(/dial tcp|transport:/);
  });
});

describe.skipIf(!hasRealNode)('Node of an ended chain whose proxy drops the headers of the newest block', () => {
  let home = '';
  let firstBlock: string | undefined;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'blockglass-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  async function ran(...words: readonly string[]) {
    await using node = await recordedNode();
    const server = createServer(async (request, response) => {
      const answer = await fetch(`${node.url}${request.url}`);
      const body = await answer.text();
      const isChanged = firstBlock !== undefined && request.url === '/api/v2/epoch';
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(isChanged ? body.replace(/"firstBlock":"\d+"/, `"firstBlock":"${firstBlock}"`) : body);
    });
    await using proxy = await listening(server);
    return await run([...words, '--node', proxy.url], { env: { HOME: home, XDG_STATE_HOME: home } });
  }

  it.each([[[]], [['node-behind']], [['node-stalled', 'history']], [['oracle-overdue', 'bundle']]])(
    '`check` finds nothing and exits with 0 for the rules %j',
    async rules => {
      firstBlock = undefined;
      const { code, out } = await ran('check', ...rules);
      expect([code, out]).toEqual([0, expect.stringMatching(/^OK .*, archive, newest block 2023-01-18 01:38 UTC: /)]);
    },
  );

  it('`check` compares the history with the first block of the newest epoch', async () => {
    firstBlock = '25000';
    const { code, out } = await ran('check', 'history');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('history ends at block 5000, at least 20 000 blocks behind the newest block of the node'),
    ]);
  });

  it('`check` does not know whether the history is behind if the epoch has no first block either', async () => {
    firstBlock = '';
    const { code, out } = await ran('check', 'history');
    expect([code, out]).toEqual([3, expect.stringContaining('whether the history is behind is not known')]);
  });
});

describe('Node with a stopped core', () => {
  it('A node whose core stopped an hour ago is behind, not an archive', async () => {
    const server = createServer((request, response) => {
      const isCore = request.url === '/statistics';
      const headers = {
        'content-type': 'application/json',
        'x-block-height': '7',
        'x-block-timestamp': `${Date.now() - 3_600_000}000000`,
      };
      response.writeHead(isCore ? 503 : 200, headers);
      response.end(isCore ? '{"code":14,"message":"transport: dial tcp","details":[]}' : '{"segments":[]}');
    });
    await using node = await listening(server);
    const { code, out } = await run(['status', '--node', node.url]);
    expect([code, out]).toEqual([6, expect.stringContaining(': BEHIND\n  problem     its core cannot be reached\n')]);
    expect(out).toContain('behind by 1 h');
    expect(out).not.toContain('archive');
    const { out: overview } = await run(['overview', '--node', node.url]);
    expect(overview).toContain('the newest block is 1 h old: the node is behind, or the chain has stalled');
    expect(overview).not.toMatch(/archive|dial tcp/);
    const { out: what } = await run(['what', 'chain-1', '--node', node.url]);
    expect(what).toContain('  the core of the node: the node has no connection to it (HTTP 503)\n');
  });
});
