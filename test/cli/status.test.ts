import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type AnsweredNode, judgeNodes } from '../../src/attention/status/compare-nodes.ts';
import { requestNodeAnswers, type StatusAnswer } from '../../src/attention/status/request-answers.ts';
import { createClient } from '../../src/chain/api/client.ts';
import { parseJson } from '../../src/chain/api/json.ts';
import { statusJson } from '../../src/cli/status.ts';
import { statusText } from '../../src/cli/status-text.ts';
import { answer, serve } from '../chain/api/loopback-server.ts';
import { startFaultyNode } from '../support/faults/faulty-node.ts';
import { startStrictNode } from '../support/strict-node.ts';
import { run } from './run-command.ts';

const nodes: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});

async function embedded(...faults: readonly string[]): Promise<string> {
  const node = await startFaultyNode({ faults });
  nodes.push(node);
  return node.url;
}

type Part = string | readonly [status: number, body: string] | null;

/** A data node of which each part is what a test makes it; null is no answer at all. */
interface Told {
  readonly statistics?: Part;
  readonly info?: Part;
  readonly segments?: Part;
  readonly time?: Part;
  readonly parameters?: Part;
  readonly height?: string;
  /** Of the newest block, before now. */
  readonly ageMs?: number;
  readonly hasHeaders?: boolean;
}

const segment = (fromHeight: number, toHeight: number, chainId = 'chain-1') => ({
  ...{ fromHeight: String(fromHeight), toHeight: String(toHeight), chainId, databaseVersion: '93' },
  ...{ historySegmentId: `Q${toHeight}`, previousHistorySegmentId: fromHeight === 1 ? '' : `Q${fromHeight - 1}` },
});

const statistics = (members: object = {}) =>
  JSON.stringify({
    statistics: {
      ...{ chainId: 'chain-1', appVersion: 'v0.74.9', blockHeight: '5000', status: 'CHAIN_STATUS_CONNECTED' },
      ...{
        epochSeq: '7',
        vegaTime: new Date().toISOString(),
        epochExpiryTime: new Date(Date.now() + 4_320_500).toISOString(),
      },
      ...members,
    },
  });

async function nodeThat(told: Told) {
  const { height = '5000', ageMs = 400, hasHeaders = true } = told;
  const parts: { readonly [path: string]: Part } = {
    '/statistics': told.statistics === undefined ? statistics() : told.statistics,
    '/api/v2/info': told.info === undefined ? '{"version":"v0.74.10"}' : told.info,
    '/api/v2/networkhistory/segments':
      told.segments === undefined
        ? JSON.stringify({ segments: [segment(1, 1000), segment(1001, 2000)] })
        : told.segments,
    '/api/v2/network/parameters?pagination.first=1': told.parameters ?? NOT_FOUND,
    '/api/v2/vega/time': told.time === undefined ? [404, '{"code":5,"message":"Not Found","details":[]}'] : told.time,
  };
  return serve((request, response) => {
    const part = parts[request.url ?? ''] ?? null;
    if (part === null) return void request.socket.destroy();
    const [status, body] = typeof part === 'string' ? [200, part] : part;
    const blockTime = `${Date.now() - ageMs}000000`;
    const headers = {
      'X-Block-Height': height,
      'X-Block-Timestamp': blockTime,
      'Ratelimit-Limit': '20',
      'Ratelimit-Remaining': '90',
    };
    answer(response, status, body, hasHeaders ? headers : {});
  });
}

const NOT_FOUND = [404, '{"code":5,"message":"Not Found","details":[]}'] as const;

const status = (urls: readonly string[], ...words: readonly string[]) =>
  run(['status', ...urls.flatMap(url => ['--node', url]), '--timeout', '5', ...words]);

async function json(urls: readonly string[], ...words: readonly string[]) {
  const { code, out, err } = await status(urls, '-o', 'json', ...words);
  return { code, err, ...JSON.parse(out) };
}

describe('Status of a healthy node', () => {
  it('The status of a healthy node shows all that the node reports of itself, with three requests', async () => {
    const { url, seen } = await nodeThat({});
    const { code, out, err } = await status([url]);
    expect([code, err]).toEqual([0, '']);
    expect(seen.toSorted()).toEqual(['/api/v2/info', '/api/v2/networkhistory/segments', '/statistics']);
    const lines = out
      .replace(/\d\.\d s/, 'N s')
      .replace(/\d+ ms/, 'N ms')
      .replace(/\d\d:\d\d UTC/, 'HH:MM UTC');
    expect(lines.replace(/\(\d{4}-\d\d-\d\d /, '(')).toBe(
      [
        `${url}: healthy`,
        '  version     data node v0.74.10, core v0.74.9',
        '  chain       chain-1',
        '  block       5000, N s old; in sync with its core',
        '  core        block 5000',
        '  epoch       7, ends in 1 h (HH:MM UTC)',
        '  history     blocks 1 to 2000 in 2 segments, no gap; 3 000 blocks behind the latest, 5000',
        '  rate limit  20 requests/s, 90 left, shared by all its users',
        '  latency     N ms',
        '',
      ].join('\n'),
    );
  });

  it('The JSON status has the members that its page documents, and no others', async () => {
    const { url } = await nodeThat({});
    const [, page = ''] = (await readFile('docs/guides/status.md', 'utf8')).split('## Members');
    const named = new Set([...page.matchAll(/^\| `([\w.[\]]+)` \|/gm)].map(([, name = '']) => name));
    const members = (value: unknown, path: string): readonly string[] => {
      if (typeof value !== 'object' || value === null) return [path];
      if (Array.isArray(value))
        return value.length === 0 || typeof value[0] !== 'object' ? [path] : members(value[0], `${path}[]`);
      return Object.entries(value).flatMap(([name, member]) => members(member, path === '' ? name : `${path}.${name}`));
    };
    const gapped = await nodeThat({
      segments: JSON.stringify({ segments: [segment(1, 1000), segment(501, 1000), segment(2001, 3000)] }),
      ageMs: 90_000,
    });
    const { code: _, err: __, ...healthy } = await json([url]);
    const { code: ___, err: ____, ...ill } = await json([gapped.url]);
    expect([...new Set([...members(healthy, ''), ...members(ill, '')])].filter(name => !named.has(name))).toEqual([
      'nodes[].problems',
      'nodes[].history.gaps',
      'nodes[].history.overlaps',
      'nodes[].history.breaks',
    ]);
    expect([...named].filter(name => ![...members(healthy, ''), ...members(ill, '')].includes(name))).toEqual([]);
  });

  it('The status of the embedded node is healthy, and shows its name', async () => {
    const url = await embedded();
    const settings = async () => ({ node: 'main', profiles: { main: { url }, other: url } });
    const { code, out } = await run(['status'], { settings });
    expect([code, out]).toEqual([0, expect.stringContaining(`main (${url}): healthy`)]);
    const named = await run(['status', '--node', 'other', '--demo', '-o', 'json'], {
      settings,
      startDemo: async () => ({ url }),
    });
    expect(JSON.parse(named.out).nodes.map(({ name }: { readonly name: string }) => name)).toEqual(['other', 'demo']);
  });

  it('The status shows heights of any size to the digit, and no login', async () => {
    const height = String(2n ** 62n + 1n);
    const { url } = await nodeThat({ height, statistics: statistics({ blockHeight: String(2n ** 62n + 4n) }) });
    const {
      nodes: [node],
      code,
    } = await json([url.replace('://', '://user:secret@')]);
    expect([code, node.blockHeight, node.core.behindBlocks]).toEqual([0, height, '3']);
    expect(node.address).toBe(url.replace('://', '://***@'));
  });
});

describe('Status of a node that does not serve everything', () => {
  it.each([
    ['statistics', { statistics: NOT_FOUND }, ['core', 'epoch']],
    ['info', { info: NOT_FOUND }, ['version']],
    ['segments', { segments: NOT_FOUND }, ['history']],
    [
      'segments, when history is turned off',
      {
        segments: [
          500,
          '{"code":13,"message":"Internal error","details":[{"@type":"vega.ErrorDetail","code":10000,"message":"network history service not initialised","inner":""}]}',
        ],
      },
      ['history'],
    ],
  ] as const)('The status reports what the node does not serve as unknown: %s', async (_, told, members) => {
    const { url } = await nodeThat(told);
    const {
      code,
      nodes: [node],
    } = await json([url]);
    expect(code).toBe(0);
    for (const member of members) expect(node[member]).toBeNull();
    expect((await status([url])).out).toContain('not known');
  });

  it('The status takes the chain from the history when the core does not report it', async () => {
    const { url } = await nodeThat({ statistics: NOT_FOUND });
    expect((await json([url])).nodes[0].chainId).toBe('chain-1');
  });

  it('The status requests the time of the newest block when no header reports it', async () => {
    const timestamp = `${Date.now() - 90_000}000000`;
    const { url, seen } = await nodeThat({ hasHeaders: false, time: JSON.stringify({ timestamp }) });
    const {
      code,
      nodes: [node],
    } = await json([url]);
    expect([code, node.blockHeight, seen.length]).toEqual([6, null, 4]);
    expect(node.lagSeconds).toBeGreaterThanOrEqual(90);
  });

  it('The status requests no block time from a node that answers nothing', async () => {
    const { url, seen } = await nodeThat({ statistics: NOT_FOUND, info: NOT_FOUND, segments: NOT_FOUND });
    await status([url]);
    expect(seen.slice(3)).toEqual(['/api/v2/network/parameters?pagination.first=1']);
  });

  it.each([
    [
      'without its newest block is not known to be level',
      false,
      5,
      'it serves lists, but no status: whether it is behind is not known',
    ],
    ['with its newest block is judged by that', true, 0, 'healthy'],
  ] as const)('A gateway that serves only lists %s', async (_, hasHeaders, wanted, words) => {
    const none = { statistics: NOT_FOUND, info: NOT_FOUND, segments: NOT_FOUND };
    const { url } = await nodeThat({ ...none, hasHeaders, parameters: '{"networkParameters":{"edges":[]}}' });
    const { code, out } = await status([url]);
    expect([code, out]).toEqual([wanted, expect.stringContaining(words)]);
  });

  it('A node that serves only the lists of the published interface is treated as a gateway with lists only', async () => {
    await using strict = await startStrictNode();
    const { code, out } = await status([strict.url]);
    expect([code, out]).toEqual([5, expect.stringContaining('it serves lists, but no status')]);
  });

  it('A node that does not report the age of its newest block is untrusted', async () => {
    const { url } = await nodeThat({ hasHeaders: false });
    expect(await status([url])).toMatchObject({ code: 5, out: expect.stringContaining('UNTRUSTED') });
  });
});

describe('Status of an unhealthy node', () => {
  it.each([
    [
      'of a chain that stands still',
      { ageMs: 61_000 },
      6,
      'STALLED\n  problem     no new block for 1 min 1 s by this clock: its',
    ],
    [
      'behind its core, whatever this clock says',
      {
        ageMs: 1000,
        statistics: statistics({ vegaTime: new Date(Date.now() + 70_000).toISOString(), blockHeight: '5070' }),
      },
      6,
      'by the time of its core',
    ],
    ['ahead of this clock', { ageMs: -61_000 }, 5, 'ahead of this clock. Check both clocks.'],
    [
      'without its core',
      { statistics: [503, '{"code":14,"message":"core is gone","details":[]}'] },
      3,
      'its core cannot be reached',
    ],
    [
      'of two chains',
      { segments: JSON.stringify({ segments: [segment(1, 9, 'chain-2')] }) },
      5,
      'its history is from chain-2, its core from chain-1',
    ],
    [
      'with a broken history',
      { segments: '{"segments":[{"fromHeight":"x"}]}' },
      5,
      '1 of the 1 segments cannot be read',
    ],
    ['with a history that is none', { segments: '{"segments":7}' }, 5, 'not a list of segments'],
    ['a web page', { statistics: '<html>', info: '<html>', segments: '<html>' }, 5, 'HTML page'],
    [
      'no data node',
      { statistics: NOT_FOUND, info: NOT_FOUND, segments: NOT_FOUND },
      3,
      'Check that this is its REST address.',
    ],
    ['that hangs up', { statistics: null, info: null, segments: null }, 4, 'cannot reach the node'],
    ['of which one part hangs up', { info: null }, 4, 'cannot reach the node'],
    ['that answers lists', { statistics: '[]', info: '7', segments: 'null' }, 5, 'its core status is not an object'],
  ] as const)('`status` exits with its own code for an unhealthy node: %s', async (_, told, code, sentence) => {
    const { url } = await nodeThat(told);
    // Side by side: each waits before it asks a node that hung up again.
    const [ran, { nodes, exitCode }] = await Promise.all([status([url]), json([url])]);
    expect([ran.code, ran.err]).toEqual([code, '']);
    expect(ran.out).toContain(sentence);
    const [node] = nodes;
    expect([exitCode, node.exitCode, node.isHealthy]).toEqual([code, code, false]);
    expect(node.isReachable).toBe(!('statistics' in told && told.statistics === null));
  });

  it.each([
    ['html', 3, 'REFUSED'],
    ['down', 4, 'UNREACHABLE'],
    ['behind:300', 6, 'BEHIND'],
  ])('`status` for a node with the fault %s exits with %d', async (fault, code, verdict) => {
    const ran = await status([await embedded(fault)]);
    expect([ran.code, ran.out]).toEqual([code, expect.stringContaining(verdict)]);
  });

  it('`status` calls a node behind by the age limit from flag, environment or settings, in this order', async () => {
    const { url } = await nodeThat({ ageMs: 45_000 });
    const code = async (words: readonly string[], env: NodeJS.ProcessEnv, maxLagSeconds?: number) =>
      (
        await run(['status', '--node', url, ...words], {
          env,
          settings: async () => ({ ...(maxLagSeconds && { maxLagSeconds }) }),
        })
      ).code;
    expect(await code([], {})).toBe(0);
    expect(await code([], {}, 30)).toBe(6);
    expect(await code([], { BLOCKGLASS_MAX_LAG: '90' }, 30)).toBe(0);
    expect(await code(['--max-lag', '30'], { BLOCKGLASS_MAX_LAG: '90' })).toBe(6);
    for (const words of [
      ['--max-lag', '0'],
      ['--max-lag', 'many'],
      ['-o', 'csv'],
    ])
      expect(await code(words, {})).toBe(2);
    // A theme that is none is no matter of a command that draws nothing.
    expect(await code([], { BLOCKGLASS_THEME: 'pink' })).toBe(0);
  });

  it('`status` reports an age limit in the settings that is not valid', async () => {
    const { url } = await nodeThat({});
    const settings = async () => ({
      faults: [{ path: ['maxLagSeconds'], problem: 'must be text' }],
      file: '/x',
    });
    const { err } = await run(['status', '--node', url], { settings });
    expect(err).toBe('note: /x: maxLagSeconds: must be text; using maxLagSeconds 60\n');
  });

  it('`status` reports settings that are not used as a whole and may have set an age limit', async () => {
    const { url } = await nodeThat({});
    const settings = async () => ({ faults: [{ path: [], problem: 'it is not valid JSON' }], file: '/x' });
    const { code, err } = await run(['status', '--node', url], { settings });
    expect([code, err]).toEqual([0, 'note: /x: it is not valid JSON; using maxLagSeconds 60\n']);
  });

  it('`status` does not contact a node whose profile is broken', async () => {
    const faults = [{ path: ['profiles', 'main', 'url'], problem: 'must be text' }];
    expect(await run(['status', '--node', 'main'], { settings: async () => ({ faults }) })).toMatchObject({
      code: 2,
      err: expect.stringContaining('profiles.main.url: must be text'),
    });
  });
});

describe('`status --all`', () => {
  const all = (settings: object, ...words: readonly string[]) =>
    run(['status', '--all', ...words], { settings: async () => settings });

  it('`status --all` asks every profile and the nodes given besides, each node once', async () => {
    const [main, late, other] = [await nodeThat({}), await nodeThat({ ageMs: 3_600_000 }), await nodeThat({})];
    const profiles = { main: main.url, late: { url: late.url }, again: main.url };
    const { code, out, err } = await all({ profiles }, '--node', other.url, '--node', 'late', '-o', 'json');
    const names = JSON.parse(out).nodes.map(({ name }: { readonly name: string | null }) => name);
    expect([code, names, err]).toEqual([
      6,
      ['main', 'late', null],
      'note: again is the same node as main, so it is checked once\n',
    ]);
  });

  it('`status --all` is refused when there are no profiles, or when the file may hold others', async () => {
    expect(await all({})).toMatchObject({ code: 2, err: expect.stringContaining('no profiles are saved') });
    const profiles = { main: 'http://127.0.0.1:1' };
    for (const path of [[], ['profiles', 'late']]) {
      const { code, err } = await all({ profiles, faults: [{ path, problem: 'must be text' }], file: '/x' });
      expect([code, err]).toEqual([2, expect.stringContaining('--all: /x: ')]);
    }
    // What is wrong with anything else names no node.
    const faults = [{ path: ['theme'], problem: 'is none' }];
    expect((await all({ profiles, faults, file: '/x' })).code).toBe(4);
  });
});

describe('Status with long names', () => {
  it('Names of any length take one or two lines of the status table, and are complete in JSON', async () => {
    const long = 'v'.repeat(100_000);
    const info = JSON.stringify({ version: long });
    const segments = JSON.stringify({
      segments: Array.from({ length: 50 }, (_, index) => segment(index * 10 + 1, index * 10 + 10, `${long}${index}`)),
    });
    const told = { statistics: statistics({ chainId: long, appVersion: long }), info, segments };
    const { url } = await nodeThat(told);
    const { code, out } = await status([url]);
    expect([code, out.length < 3000]).toEqual([5, true]);
    expect(out).toContain(' and 47 more, its core from vvvv');
    const { nodes: answers } = await json([url]);
    expect([answers[0].version, answers[0].chainId]).toEqual([long, long]);
  });
});

describe('Epoch in the status', () => {
  it.each([
    [90_500, /7, ends in 1 min \(/],
    [-125_000, /7, should have ended 2 min ago \(/],
    [49 * 3_600_000 + 500, /7, ends in 2 d \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)/],
  ])('The status shows when the epoch ends, for an epoch that ends in %d ms', async (ms, form) => {
    const { url } = await nodeThat({
      statistics: statistics({ epochExpiryTime: new Date(Date.now() + ms).toISOString().replace('Z', '123456Z') }),
    });
    expect((await status([url])).out).toMatch(form);
  });
});

describe('History in the status', () => {
  it('The status reports the history with its gaps', async () => {
    const segments = [segment(4001, 5000), segment(1, 1000), segment(1001, 2000), segment(3001, 3500)];
    const { url } = await nodeThat({ segments: JSON.stringify({ segments }) });
    expect((await status([url])).out).toContain(
      'history     blocks 1 to 5000 in 4 segments, 2 gaps; missing: blocks 2001 to 3000, 3501 to 4000\n',
    );
    expect((await json([url])).nodes[0].history.gaps).toEqual([
      { fromBlock: '2001', toBlock: '3000' },
      { fromBlock: '3501', toBlock: '4000' },
    ]);
  });

  it('The status reports no gap in the history when one span lies in another', async () => {
    const segments = [segment(1, 3000), segment(500, 1000), segment(4001, 5000)];
    const { url } = await nodeThat({ segments: JSON.stringify({ segments }) });
    expect((await json([url])).nodes[0].history.gaps).toEqual([{ fromBlock: '3001', toBlock: '4000' }]);
  });
});

describe('Status of several nodes', () => {
  it('`status` compares several nodes with the best of their chain', async () => {
    const [best, other] = [await nodeThat({ height: '5010' }), await nodeThat({ height: '5000' })];
    const foreign = await nodeThat({
      height: '9000',
      statistics: statistics({ chainId: 'chain-2' }),
      segments: '{"segments":[]}',
    });
    const { nodes: told, chains, code } = await json([best.url, other.url, foreign.url]);
    expect(told.map(({ behindBestBlocks }: { readonly behindBestBlocks: string }) => behindBestBlocks)).toEqual([
      '0',
      '10',
      null,
    ]);
    expect([chains, code]).toEqual([['chain-1', 'chain-2'], 0]);
    const { out } = await status([best.url, other.url, foreign.url]);
    expect(out).toContain('10 blocks behind the best of these nodes');
    expect(out).toContain('The nodes are on different chains and compared within each: chain-1, chain-2\n');
  });

  it('`status` exits with the code of the worst of several nodes: 4, 5, 3, 6', async () => {
    const healthy = (await nodeThat({})).url;
    const behind = (await nodeThat({ ageMs: 90_000 })).url;
    const refused = (await nodeThat({ statistics: NOT_FOUND, info: NOT_FOUND, segments: NOT_FOUND })).url;
    const untrusted = (await nodeThat({ ageMs: -90_000 })).url;
    const all = [healthy, behind, refused, untrusted, 'http://127.0.0.1:1'];
    const codes: number[] = [];
    for (let count = 1; count <= all.length; count++) codes.push((await status(all.slice(0, count))).code);
    expect(codes).toEqual([0, 6, 3, 5, 4]);
  });
});

it('`status` rejects a node that is given twice', async () => {
  const url = 'http://user:secret@127.0.0.1:1';
  const settings = async () => ({ profiles: { main: url } });
  const { code, err } = await run(['status', '--node', 'main', '--node', `${url}/`], { settings });
  expect([code, err]).toEqual([2, 'blockglass: --node has the same node twice: http://***@127.0.0.1:1\n']);
});

it('The requests of `status` are in the log, without a login', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  const { url } = await nodeThat({});
  await status([url.replace('://', '://user:secret@')], '--log', join(folder, 'log'));
  const log = await readFile(join(folder, 'log'), 'utf8');
  expect(log.split('\n').filter(line => line.includes('GET'))).toHaveLength(3);
  expect(log).not.toContain('secret');
  await rm(folder, { recursive: true });
});

describe('Status from any answers', () => {
  const words = [
    'statistics',
    'chainId',
    'blockHeight',
    'vegaTime',
    'epochSeq',
    'epochExpiryTime',
    'status',
    'version',
  ];
  const likely = fc.constantFrom(
    '0',
    '-1',
    '9'.repeat(40),
    '2026-11-22T10:00:00Z',
    '9999-99-99T99:99:99Z',
    'CHAIN_STATUS_X',
    '\u001b[2J',
    '',
  );
  const body = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 3 }, fc.jsonValue(), likely, tie('object'), fc.array(tie('object'), { maxLength: 3 })),
    object: fc.dictionary(
      fc.constantFrom(...words, 'segments', 'fromHeight', 'toHeight', 'databaseVersion', 'timestamp'),
      tie('value'),
      { maxKeys: 6 },
    ),
  })).object;
  const digits = fc.option(fc.constantFrom('1', '0', '9'.repeat(19), '9'.repeat(20), '1700000000000000000'), {
    nil: undefined,
  });
  const told: fc.Arbitrary<StatusAnswer> = fc
    .tuple(body, digits, digits, fc.integer())
    .map(([value, blockHeight, blockTimeNs, atMs]) => ({
      kind: 'answered',
      atMs,
      reply: {
        json: parseJson(JSON.stringify(value)),
        facts: { ...(blockHeight && { blockHeight }), ...(blockTimeNs && { blockTimeNs }), rate: {} },
        bytes: 1,
        elapsedMs: 1,
      },
    }));

  it('Any answers make a status that can be printed, with an exit code', () => {
    const node = fc
      .record({
        statistics: told,
        info: told,
        segments: told,
        epoch: fc.constant(null),
        time: fc.constant(null),
        list: fc.constant(null),
      })
      .map((answers): Omit<AnsweredNode, 'limit'> => ({ name: 'main', address: 'http://n', answers, doubts: [] }));
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 3 }), fc.nat(86_400_000), (asked, maxLagMs) => {
        const limit = { ms: maxLagMs, isLive: false };
        const judgement = judgeNodes(
          asked.map(one => ({ ...one, limit })),
          1_800_000_000_000,
        );
        expect(statusText(judgement, 80)).not.toMatch(/\u001b|undefined|NaN|Invalid/);
        const { nodes: printed, exitCode } = JSON.parse(JSON.stringify(statusJson(judgement, 60)));
        expect([0, 3, 4, 5, 6]).toContain(exitCode);
        expect(printed).toHaveLength(asked.length);
        // Nobody is called healthy without a block that is new enough.
        for (const { isHealthy, isArchive, lagSeconds } of printed)
          if (isHealthy && !isArchive)
            expect(Math.abs(lagSeconds ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(maxLagMs / 1000);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('`askStatus` stops when its signal is aborted', async () => {
    const gone = AbortSignal.abort(new Error('given up'));
    const get = () => Promise.reject(new Error('late'));
    await expect(requestNodeAnswers({ get }, gone)).rejects.toThrow('given up');
  });
});

describe('Status of a rate-limited node', () => {
  const TOO_MANY = '{"code":8,"message":"api request rate limit exceeded","details":[]}';

  /** Refuses the first so many requests; what it answers then is healthy. */
  const limited = async (refusals: number) =>
    serve((request, response, count) => {
      if (count <= refusals) return answer(response, 429, TOO_MANY);
      const headers = { 'x-block-height': '5000', 'x-block-timestamp': String(BigInt(Date.now()) * 1_000_000n) };
      const path = request.url ?? '';
      if (path.startsWith('/statistics')) return answer(response, 200, statistics(), headers);
      if (path.endsWith('/info')) return answer(response, 200, '{"version":"v0.74.10"}', headers);
      return answer(response, 200, JSON.stringify({ segments: [segment(1, 1000)] }), headers);
    });
  const asking = async (url: string) => {
    const waits: number[] = [];
    let nowMs = Date.now();
    const client = createClient({ base: new URL(`${url}/`), nowMs: () => nowMs });
    const wait = async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
    };
    const answers = await requestNodeAnswers(client, new AbortController().signal, { nowMs: () => nowMs, wait });
    const node = { name: '', address: url, answers, doubts: [], limit: { ms: 60_000, isLive: false } };
    const judgement = judgeNodes([node], nowMs);
    return { waits, judgement, text: String(statusText(judgement)) };
  };

  it.each([1, 2, 3])(
    'A node with %d rate-limit refusals is asked again once it allows it, and is healthy',
    async refusals => {
      const { url, seen } = await limited(refusals);
      const { waits, judgement, text } = await asking(url);
      expect([judgement.worst, waits.length, seen.length]).toEqual([null, 1, 3 + refusals]);
      expect(waits[0]).toBeGreaterThanOrEqual(1000);
      expect(text).toContain(': healthy');
    },
  );

  it('A node that reports too many requests again is busy, not refused, and is not asked a third time', async () => {
    const { url, seen } = await limited(100);
    const { waits, judgement, text } = await asking(url);
    expect([judgement.worst, waits.length, seen.length]).toEqual(['busy', 1, 4]);
    expect(text).toContain(': BUSY\n');
    expect(text).toContain('busy: HTTP 429: api request rate limit exceeded. Ask again later.');
    expect(text).not.toMatch(/REFUSED|UNTRUSTED/);
    expect(judgement.nodes[0]?.problems.length).toBe(1);
  });

  it('A node that bans the client is not waited for', async () => {
    const { url, seen } = await serve((_, response) =>
      answer(response, 403, '{"code":7,"message":"temporarily banned","details":[]}', {
        'ratelimit-retry-after': '600',
      }),
    );
    const { waits, text } = await asking(url);
    expect([waits, seen.length]).toEqual([[], 3]);
    expect(text).toContain(': BUSY\n');
  });
});

it('The status measures block age and latency when the node answers, not when its answer is read', async () => {
  const list = Array.from({ length: 60_000 }, (_, index) => segment(index * 10 + 1, index * 10 + 10));
  const big = JSON.stringify({ segments: list });
  const { url } = await serve((request, response) => {
    const headers = { 'x-block-height': '5000', 'x-block-timestamp': String(BigInt(Date.now()) * 1_000_000n) };
    return answer(response, 200, request.url?.endsWith('/segments') === true ? big : '{"pad":"x"}', headers);
  });
  const client = createClient({ base: new URL(`${url}/`) });
  const { segments, info } = await requestNodeAnswers(client, new AbortController().signal);
  const readAtMs = Date.now();
  if (segments.kind !== 'answered' || info.kind !== 'answered') throw new Error('it answered');
  const ageMs = segments.atMs - Number(BigInt(segments.reply.facts.blockTimeNs ?? '0') / 1_000_000n);
  // Its answer takes longer to read than to come.
  expect(readAtMs - segments.atMs).toBeGreaterThan(ageMs);
  expect(info.reply.elapsedMs).toBeLessThan(readAtMs - info.atMs);
});
