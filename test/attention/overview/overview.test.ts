import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_OVERVIEW_REQUESTS, type OverviewAnswers } from '../../../src/attention/overview/answers.ts';
import { networkFact } from '../../../src/attention/overview/facts/network.ts';
import { nextPart } from '../../../src/attention/overview/next-part.ts';
import { createOverview, type Overview } from '../../../src/attention/overview/overview.ts';
import { requestOverview, requestOverviewPart } from '../../../src/attention/overview/request-overview.ts';
import { RULES } from '../../../src/attention/rules/registry.ts';
import { type ClientOptions, createClient } from '../../../src/chain/api/client.ts';
import { startNode } from '../../../src/node/index.ts';
import { startFaultyNode } from '../../support/faults/faulty-node.ts';
import { listening } from '../../support/loopback.ts';
import { startStrictNode } from '../../support/strict-node.ts';
import { type Asked, fee, findingsOf, IDS, overviewFrom, page, SOUND, statistics } from './sound-chain.ts';

const START_MS = Date.UTC(2026, 10, 23, 12);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The overview of a real node; refusals for too many requests are counted. */
async function ask(url: string, { timeoutMs = 20_000, nowMs = Date.now, wait }: Partial<ClientOptions> = {}) {
  const statuses: (number | null)[] = [];
  const paths: string[] = [];
  const client = createClient({
    base: new URL(url),
    timeoutMs,
    nowMs,
    ...(wait !== undefined && { wait }),
    onRequest: facts => {
      statuses.push(facts.status ?? null);
      paths.push(new URL(facts.url).pathname);
    },
  });
  const answers = await requestOverview(client, { signal: new AbortController().signal, nowMs });
  const overview = createOverview(answers, { nowMs: nowMs(), limit: { ms: 60_000, isLive: false } });
  return { overview, answers, paths, statuses };
}

async function serving(handler: RequestListener): Promise<string> {
  const server = await listening(createServer(handler));
  closers.push(() => server[Symbol.asyncDispose]());
  return server.url;
}

const rulesOf = (asked: Pick<Asked, 'overview'>, severity: string): readonly string[] =>
  asked.overview.attention.flatMap(({ rule, findings }) =>
    findings.some(one => one.severity === severity) ? [rule] : [],
  );

/** The first and the last epoch of the fees by epoch. */
const seriesEpochs = ({ fees }: Overview): readonly (string | undefined)[] => {
  const epochs = fees.kind === 'read' ? fees.value.series?.epochs : undefined;
  return [epochs?.[0]?.epoch, epochs?.at(-1)?.epoch];
};

describe('Overview', () => {
  it('The overview has node, epoch, network and fees of a sound chain in ten requests', async () => {
    const { overview, paths } = await overviewFrom({
      ...SOUND,
      'liquidity/paidfees': page('paidLiquidityFees', [fee(38, '3000000'), fee(40, '3000000'), fee(41)]),
    });
    expect(paths).toHaveLength(11);
    expect(overview.requests).toBe(11);
    expect(overview.node).toMatchObject({
      kind: 'read',
      value: { version: 'v0.79.0', chainId: 'chain-1', blockHeight: 5010n, blockAgeMs: 1000, behindBlocks: 0n },
    });
    expect(overview.epoch).toMatchObject({ kind: 'read', value: { seq: '42', leftMs: 301_000 } });
    expect(overview.network).toMatchObject({
      markets: { value: { count: 1, active: 1 } },
      validators: { value: { count: 5, active: 5 } },
      assets: { value: { count: 1, active: 1 } },
      specs: { value: { count: 1, active: null } },
      bundles: { value: { count: 1, active: null } },
    });
    expect(overview.fees).toMatchObject({
      kind: 'read',
      value: {
        ...{ epoch: '41', markets: 1, why: '' },
        totals: [{ symbol: 'HUSD', raw: '1000000', value: '10', text: '10 HUSD' }],
        series: { marketId: null, assetId: IDS.asset },
      },
    });
    const raws = overview.fees.kind === 'read' ? overview.fees.value.series?.epochs.map(({ raw }) => raw) : [];
    expect(raws).toEqual(['0', '0', '0', '0', '0', '0', '3000000', '0', '3000000', '1000000']);
  });

  it('The overview requests the last epochs of one market from an older node, and gives its name', async () => {
    const { overview, paths } = await overviewFrom({
      ...SOUND,
      'liquidity/paidfees': page('paidLiquidityFees', [fee(41)]),
    });
    expect(paths.filter(path => path.includes('paidfees'))).toEqual([
      'api/v2/liquidity/paidfees?epochFrom=32&epochTo=42&pagination.first=5000',
      `api/v2/liquidity/paidfees?marketId=${IDS.market}&assetId=${IDS.asset}&pagination.first=10&pagination.newestFirst=false`,
    ]);
    expect(paths).toHaveLength(MAX_OVERVIEW_REQUESTS);
    expect(overview.fees).toMatchObject({ value: { series: { marketId: IDS.market, market: 'HELDA/HUSD' } } });
  });

  it('The overview charts the fees of one market up to an epoch that ended after all markets were listed', async () => {
    let newest = 41;
    const chain = {
      ...SOUND,
      get 'liquidity/paidfees'() {
        return page('paidLiquidityFees', [fee(newest++)]);
      },
    };
    const { overview, answers } = await overviewFrom(chain);
    expect(overview.fees).toMatchObject({ value: { epoch: '41', why: '' } });
    expect(seriesEpochs(overview)).toEqual(['33', '42']);
    // The list of all markets is read again before that of one.
    const { answers: later } = await overviewFrom({
      ...SOUND,
      'liquidity/paidfees': page('paidLiquidityFees', [fee(43)]),
    });
    const settings = { nowMs: START_MS, limit: { ms: 60_000, isLive: false } };
    expect(seriesEpochs(createOverview({ ...answers, fees: later.fees }, settings))).toEqual(['33', '42']);
  });

  it.each([
    ['rows of another market', [fee(41), fee(40, '1', { market: IDS.oldMarket })]],
    ['the oldest epochs', [fee(1), fee(2)]],
    ['epochs that have not begun', [fee(41), fee(900)]],
    ['totals that are no numbers', [fee(41), fee(40, 'many')]],
  ])('The overview charts no fees from an older node that answers with %s', async (_, rows) => {
    let asked = 0;
    const newest = page('paidLiquidityFees', [fee(41)]);
    const chain = {
      ...SOUND,
      get 'liquidity/paidfees'() {
        return asked++ === 0 ? newest : page('paidLiquidityFees', rows);
      },
    };
    const { overview } = await overviewFrom(chain);
    expect(overview.fees).toMatchObject({
      value: { epoch: '41', series: null, why: 'the node did not list the last epochs of one market' },
    });
  });

  it.each([
    ['numbers for texts', 7],
    ['texts for objects', 'x'],
    ['lists for objects', []],
    ['null', null],
    ['true', true],
    ['objects for texts', { deep: { er: 1 } }],
  ])('The overview never reports that all is well for a node that sends %s', async (_, odd) => {
    const oddly = (value: unknown, depth: number): unknown => {
      if (depth === 0) return odd;
      if (Array.isArray(value)) return value.map(item => oddly(item, depth));
      if (typeof value !== 'object' || value === null) return odd;
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, oddly(item, depth - 1)]));
    };
    for (const depth of [0, 1, 2, 3, 4, 5, 6]) {
      const chain = Object.fromEntries(Object.entries(SOUND).map(([path, answer]) => [path, oddly(answer, depth)]));
      const asked = await overviewFrom(chain, { head: null });
      for (const { rule, findings, isWaiting } of asked.overview.attention)
        expect([depth, rule, isWaiting, findings.length > 0]).toEqual([depth, rule, false, true]);
      expect(asked.paths.length).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
    }
  });

  it('The overview of an empty node reports what the node does not list', async () => {
    const empty = Object.fromEntries(
      Object.entries(SOUND).map(([path, answer]) => {
        const [wrapper = ''] = Object.keys(Object(answer));
        return [
          path,
          path === 'statistics' ? answer : path.endsWith('segments') ? { segments: [] } : page(wrapper, []),
        ];
      }),
    );
    const asked = await overviewFrom(empty);
    // An empty list is known to be empty.
    expect(asked.overview.fees).toMatchObject({ kind: 'read', value: { epoch: null, totals: [] } });
    expect(findingsOf(asked)).toEqual([
      'unknown excess-signer: multisig scores are not known: the node lists no validator as part of consensus',
      'unknown commitment-above-bond: commitments above their bond: not known, because provisions of one market could not be read: no market is known',
      'unknown provision-change: provisions that change at the next epoch: not known, because provisions of one market could not be read: no market is known',
      'unknown validator-performance: performance is not known: the node lists no validators',
      'unknown validator-outside: the consensus set is not known: the node lists no validators',
      'info history: the node lists no history segments',
    ]);
  });

  it.each<readonly [string, readonly string[], string]>([
    ['none', ['', ''], '2 validators (not known how many in consensus)'],
    ['some', ['VALIDATOR_NODE_STATUS_TENDERMINT', ''], '2 validators (1 in consensus, 1 not known)'],
    ['all', ['VALIDATOR_NODE_STATUS_ERSATZ', 'VALIDATOR_NODE_STATUS_ERSATZ'], '2 validators (0 in consensus)'],
  ])(
    'The overview counts no validator without a status as outside consensus: %s has one',
    async (_, statuses, text) => {
      const nodes = statuses.map((status, index) => ({ id: `0${index}`, name: '', rankingScore: { status } }));
      const { overview } = await overviewFrom({ ...SOUND, nodes: page('nodes', nodes) });
      expect(networkFact(overview.network).parts).toContain(text);
    },
  );

  it('The overview of a node with only the documented interface knows what that interface has', async () => {
    await using node = await startStrictNode();
    const asked = await ask(node.url);
    expect(asked.overview.node).toMatchObject({ kind: 'read', value: { version: null, behindBlocks: null } });
    expect(asked.overview.epoch).toEqual({ kind: 'unread', why: 'not served by this node' });
    expect(rulesOf(asked, 'unknown')).toEqual(
      expect.arrayContaining([
        'excess-signer',
        'bundle',
        'oracle-overdue',
        'commitment-above-bond',
        'validator-outside',
      ]),
    );
    expect(rulesOf(asked, 'critical')).toEqual([]);
    expect(asked.paths.length).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
  });

  it('The overview requests in the following minutes what had no room in its first requests', async () => {
    await using node = await startStrictNode();
    const client = createClient({ base: new URL(node.url) });
    const options = { signal: new AbortController().signal };
    let answers = await requestOverview(client, options);
    expect(answers.marketFees).toMatchObject({ why: 'not requested, to limit the number of requests' });
    const asked: string[] = [];
    while (answers.marketFees.kind !== 'answered' && asked.length < 5) {
      asked.push(nextPart(answers));
      answers = await requestOverviewPart(client, nextPart(answers), { ...options, answers });
    }
    expect(asked).toEqual(['statistics', 'provisions', 'statistics', 'marketFees']);
  });

  it('The overview gives the asset of amounts with unknown decimals, and charts the market with most fees', async () => {
    const markets = ['9', 'a', 'b'].map(digit => digit.repeat(64));
    const listed = markets.map((market, index) => fee(41, String(100 + 50 * (index % 2)), { market }));
    const chain = { ...SOUND, assets: undefined, 'liquidity/paidfees': page('paidLiquidityFees', listed) };
    const { overview, answers } = await overviewFrom(chain);
    expect(overview.fees).toMatchObject({
      value: { totals: [{ text: `350 smallest units of ${IDS.asset.slice(0, 5)}..${IDS.asset.slice(-5)}` }] },
    });
    expect(answers.marketFees).toMatchObject({ value: { marketId: markets[1] } });
  });

  it('The overview sends a dead node two requests, and reports once in each line that it is dead', async () => {
    const asked = await ask('http://127.0.0.1:9');
    expect(asked.paths).toHaveLength(2);
    expect(asked.overview.node).toEqual({ kind: 'unread', why: expect.stringMatching(/refused|listening|connect/i) });
    expect(rulesOf(asked, 'critical')).toEqual(['node-behind']);
    expect(rulesOf(asked, 'unknown')).toHaveLength(RULES.length - 1);
  });

  it('The overview gives up on a node that never answers, after one wait', async () => {
    const url = await serving(() => {});
    const asked = await ask(url, { timeoutMs: 300 });
    expect(asked.paths).toHaveLength(1);
    expect(rulesOf(asked, 'critical')).toEqual(['node-behind']);
  });

  it('The overview shows at once what is known while a slow node answers', async () => {
    const node = await startFaultyNode({ faults: ['slow:20'] });
    closers.push(() => node.close());
    const client = createClient({ base: new URL(node.url) });
    const parts: string[] = [];
    await requestOverview(client, {
      signal: new AbortController().signal,
      onAnswer: answers => {
        const {
          node: own,
          epoch,
          fees,
        } = createOverview(answers, { nowMs: Date.now(), limit: { ms: 60_000, isLive: false } });
        parts.push([own, epoch, fees].map(({ kind }) => kind).join(' '));
      },
    });
    expect(parts[0]).toBe('read read waiting');
    expect(parts.at(-1)).toBe('read read read');
  });

  it('The overview is never refused by a node that allows five requests a second', async () => {
    let now = Date.now();
    const clock = () => now;
    const node = await startNode({ clock, rateLimit: { ratePerSecond: 5, burst: 5 } });
    closers.push(() => node.close());
    const wait = async (ms: number) => {
      now += ms;
    };
    const { statuses, overview } = await ask(node.url, { nowMs: clock, wait });
    expect(statuses.filter(status => status !== 200)).toEqual([]);
    expect(overview.requests).toBe(statuses.length);
    expect(statuses.length).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
  });

  it.each([
    ['says how many are left', true, 0, []],
    // Two of the twelve requests are refused, so one part is left for later.
    ['does not say how many', false, 2, ['commitment-above-bond']],
  ])(
    'The overview continues with a proxy that allows five requests in any second and %s',
    async (_, isSaid, refusals, unknown) => {
      let now = Date.now();
      const nowMs = () => now;
      const node = await startNode({ clock: nowMs, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
      closers.push(() => node.close());
      const served: number[] = [];
      const url = await serving(async ({ url: path = '' }, response) => {
        const left = 5 - served.filter(atMs => atMs > now - 1000).length;
        const limits = isSaid ? { 'ratelimit-limit': '5', 'ratelimit-remaining': `${Math.max(0, left - 1)}` } : {};
        if (left > 0) served.push(now);
        const answer = left > 0 ? await fetch(`${node.url}${path}`) : new Response('', { status: 429 });
        const block = [...answer.headers].filter(([name]) => name.startsWith('x-block'));
        response.writeHead(answer.status, { ...Object.fromEntries(block), ...limits });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
      const wait = async (ms: number) => {
        now += ms;
      };
      const { statuses, overview } = await ask(url, { nowMs, wait });
      expect(statuses.filter(status => status === 429).length).toBe(refusals);
      expect(overview.requests).toBe(statuses.length);
      expect(statuses.length).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
      expect(rulesOf({ overview }, 'unknown')).toEqual(unknown);
    },
  );

  it('The overview retries a node that refuses every request a few times, with growing pauses', async () => {
    let now = Date.now();
    const startMs = now;
    const times: number[] = [];
    const url = await serving((_, response) => {
      times.push(now - startMs);
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end('{"code":8,"message":"api request rate limit exceeded","details":[]}');
    });
    const wait = async (ms: number) => {
      now += ms;
    };
    const asked = await ask(url, { nowMs: () => now, wait });
    expect(times).toEqual([0, 1000, 3000, 7000]);
    expect(new Set(asked.paths)).toEqual(new Set(['/statistics']));
    expect(asked.overview.requests).toBe(asked.paths.length);
    expect(rulesOf(asked, 'critical')).toEqual([]);
    expect(rulesOf(asked, 'unknown')).toHaveLength(RULES.length);
  });

  it('The overview refreshes one part per request, the core every other time, otherwise the oldest part', async () => {
    let now = Date.now();
    const node = await startNode({ clock: () => now, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
    closers.push(() => node.close());
    const paths: string[] = [];
    const nowMs = () => now;
    const client = createClient({
      base: new URL(node.url),
      nowMs,
      onRequest: ({ url }) => paths.push(new URL(url).pathname),
    });
    const options = { signal: new AbortController().signal, nowMs };
    let answers = await requestOverview(client, options);
    const sent = paths.splice(0).length;
    for (let minute = 0; minute < 28; minute++) {
      now += 60_000;
      answers = await requestOverviewPart(client, nextPart(answers), { ...options, answers });
    }
    expect(paths).toHaveLength(28);
    expect(answers.requests).toBe(sent + 28);
    expect(paths.filter((_, index) => index % 2 === 0)).toEqual(Array.from({ length: 14 }, () => '/statistics'));
    expect(new Set(paths).size).toBe(11);
    expect(answers.block.atMs).toBe(now);
  });

  it('The overview calls no value late, and no change near, by a block newer than the values', async () => {
    let now = START_MS;
    const node = await startNode({ live: true, clock: () => now, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
    closers.push(() => node.close());
    const nowMs = () => now;
    const client = createClient({ base: new URL(node.url), nowMs });
    const options = { signal: new AbortController().signal, nowMs };
    const found = (answers: OverviewAnswers, rule: string): readonly string[] =>
      createOverview(answers, { nowMs: now, limit: { ms: 60_000, isLive: false } })
        .attention.filter(judged => judged.rule === rule)
        .flatMap(({ findings }) => findings.map(({ severity, key }) => `${severity} ${key}`));
    const first = await requestOverview(client, options);
    expect(found(first, 'provision-change')).toEqual([expect.stringMatching(/^info /)]);
    now += 4 * 60_000;
    const later = await requestOverviewPart(client, 'statistics', { ...options, answers: first });
    expect(later.block.atMs).toBe(now);
    expect(found(later, 'oracle-overdue')).toEqual(found(first, 'oracle-overdue'));
    expect(found(later, 'provision-change')).toEqual([found(first, 'provision-change')[0]?.replace('info', 'unknown')]);
    expect(nextPart(later)).toBe('provisions');
    const again = await requestOverviewPart(client, 'provisions', { ...options, answers: later });
    expect(found(again, 'provision-change').join()).not.toContain('unknown');
    expect(nextPart(again)).not.toBe('provisions');
  });

  it('The overview notices a new epoch by the clock of the chain, however wrong the local clock is', async () => {
    let now = START_MS;
    const node = await startNode({ live: true, clock: () => now, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
    closers.push(() => node.close());
    for (const wrongMs of [20 * 60_000, -20 * 60_000]) {
      const nowMs = () => now + wrongMs;
      const client = createClient({ base: new URL(node.url), nowMs });
      const options = { signal: new AbortController().signal, nowMs };
      const first = await requestOverview(client, options);
      const severities = (answers: OverviewAnswers) =>
        createOverview(answers, { nowMs: nowMs(), limit: { ms: 60_000, isLive: false } })
          .attention.filter(({ rule }) => rule === 'provision-change')
          .flatMap(({ findings }) => findings.map(({ severity }) => severity));
      expect(severities(first)).not.toContain('unknown');
      now += 4 * 60_000;
      expect(severities(await requestOverviewPart(client, 'statistics', { ...options, answers: first }))).toEqual([
        'unknown',
      ]);
    }
  });

  it('The overview refreshes provisions after each new epoch, and leaves every second turn to other old parts', async () => {
    let now = START_MS;
    const node = await startNode({ live: true, clock: () => now, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
    closers.push(() => node.close());
    const nowMs = () => now;
    const client = createClient({ base: new URL(node.url), nowMs });
    const options = { signal: new AbortController().signal, nowMs };
    let answers = await requestOverview(client, options);
    const asked: string[] = [];
    for (let minute = 0; minute < 48; minute++) {
      now += 60_000;
      const part = nextPart(answers);
      asked.push(part);
      answers = await requestOverviewPart(client, part, { ...options, answers });
    }
    const others = asked.filter((_, index) => index % 2 === 1);
    expect(new Set(asked.filter((_, index) => index % 2 === 0))).toEqual(new Set(['statistics']));
    expect(others.filter((_, index) => index % 2 === 0)).toEqual(Array.from({ length: 12 }, () => 'provisions'));
    expect(new Set(others).size).toBeGreaterThanOrEqual(9);
  });

  it('The overview requests only the core of a dead node, until it is back', async () => {
    const answers = await requestOverview(createClient({ base: new URL('http://127.0.0.1:9') }), {
      signal: new AbortController().signal,
    });
    expect(nextPart(answers)).toBe('statistics');
  });

  it('The overview ignores an epoch that is not a number', async () => {
    const { overview } = await overviewFrom({ ...SOUND, statistics: statistics({ epochSeq: 'x' }) });
    expect(overview.epoch).toEqual({ kind: 'unread', why: 'the node does not report the current epoch' });
  });
});
