import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { REFUSALS, SixOperations } from '../support/six-operations.ts';
import { startStrictNode } from '../support/strict-node.ts';
import { run } from './run-command.ts';

const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
const six = new SixOperations(node.url);
let url = '';
let market = '';
let party = '';
let live: readonly string[] = [];
beforeAll(async () => {
  url = await urlOf(six.server);
  const { markets } = JSON.parse(await (await fetch(`${node.url}/api/v2/markets`)).text());
  market = markets.edges[0].node.id;
  const path = `api/v2/liquidity/provisions?live=true&marketId=${market}&pagination.first=5000`;
  const { liquidityProvisions } = JSON.parse(await (await fetch(`${node.url}/${path}`)).text());
  live = liquidityProvisions.edges.map((edge: { readonly node: { readonly id: string } }) => edge.node.id);
  party = liquidityProvisions.edges[0].node.partyId;
});
afterAll(async () => {
  six.close();
  await node.close();
});

const onSix = (...words: readonly string[]) => run([...words, '--node', url]);

const HINT = 'note: for an amended provision this node lists only the pending version, not the current one\n';

/** Words that belong to a node that refuses everybody, or a mistake of the user. */
const FALSE_ADVICE = /login|REST root|check the filters|REST address/;

describe.each(REFUSALS)('Node that serves six operations and answers all others with %s', (...refusal) => {
  beforeAll(() => {
    six.refusal = refusal;
  });

  it('`list provisions` lists every live provision, with one hint', async () => {
    const { code, out, err } = await onSix(
      'list',
      'provisions',
      '--market-id',
      market,
      '--live',
      '--all',
      '-o',
      'ndjson',
    );
    expect([code, err]).toEqual([0, HINT]);
    const ids = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).id);
    expect(ids).toEqual(live);
  });

  it('`what` recognises a market and a party by their provisions, and does not claim that either is missing', async () => {
    const ofMarket = await onSix('what', market);
    expect(ofMarket.code).toBe(0);
    expect(ofMarket.out).toContain('market with liquidity provisions: ');
    expect(ofMarket.out).not.toMatch(/not among (?:the \d+ )?(?:markets|assets|validators)/);
    expect((await onSix('what', party)).out).toContain('party with liquidity provisions: ');
    const nothing = await onSix('what', 'ab'.repeat(32));
    expect(nothing.out.split('Not checked\n')[1]).toMatch(/markets: .*\n +assets: .*\n +validators: /);
  });

  it('`segments` says that the node does not list its segments, and what to do', async () => {
    const { code, out, err } = await onSix('segments');
    expect(out).toBe('');
    expect(err).toContain('\n  try: ');
    // Others say what a proxy answered instead.
    if (!/HTTP (?:404|405|410|501)/.test(err)) return;
    expect(code).toBe(3);
    expect(err).toMatch(/^blockglass: this node does not list its history segments \(HTTP \d+\)\n/);
    expect(err).toMatch(/\n {2}try: use a node with network history; export still works here/);
    expect(err).not.toMatch(FALSE_ADVICE);
  });

  it('The overview and `check` have provisions for their rules', async () => {
    for (const command of ['overview', 'check']) {
      const { out } = await onSix(command);
      expect(out).not.toMatch(/provisions of one market could not be read/);
      expect(out).not.toMatch(FALSE_ADVICE);
    }
  });
});

it('`what` finds live provisions on a node that includes them only on request', async () => {
  await using strict = await startStrictNode();
  const path = `${strict.url}/api/v2/liquidity/provisions`;
  const rowsOf = async (query: string): Promise<readonly { readonly marketId: string; readonly partyId: string }[]> => {
    const answer = JSON.parse(await (await fetch(`${path}?pagination.first=5000${query}`)).text());
    return answer.liquidityProvisions.edges.map(({ node }: { readonly node: object }) => node);
  };
  const [ended, all] = [await rowsOf(''), await rowsOf('&live=true')];
  const only = all.find(({ partyId }) => ended.every(row => row.partyId !== partyId)) ?? all[0];
  const { out } = await run(['what', only?.partyId ?? '', '--node', strict.url]);
  expect(out).toContain('party with liquidity provisions: ');
  const whole = await run(['what', only?.marketId ?? '', '--node', strict.url]);
  expect(whole.out).toContain('market with liquidity provisions: ');
});

it('`record` stores a node that reports no chain under the given chain, with provisions by market', async () => {
  [six.refusal = six.refusal] = REFUSALS;
  const folder = await mkdtemp(join(tmpdir(), 'six-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { XDG_STATE_HOME: folder };
  expect((await run(['record', '--once', '--node', url], { env })).err).toContain(
    'set the chain with blockglass record --chain ID',
  );
  const { code, out } = await run(['record', '--once', '--node', url, '--chain', 'six-1'], { env });
  expect([code, out]).toEqual([0, expect.stringMatching(/^snapshot 1 of six-1, .* in 1\d lists, all new\n$/)]);
});

it('A refusal that demands filters is not taken as a sign that the better path is missing', async () => {
  six.also = path => path === '/api/v2/liquidity/all-provisions';
  six.asked.length = 0;
  const { code, err } = await onSix('list', 'provisions', '--live');
  expect([code, err]).toEqual([3, expect.stringContaining('provisions need --market-id or --party-id on this node')]);
  expect(six.asked).toEqual(['/api/v2/liquidity/all-provisions?live=true&pagination.first=50']);
});
