import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_OVERVIEW_REQUESTS } from '../../../../src/attention/overview/answers.ts';
import { createClient } from '../../../../src/chain/api/client.ts';
import type { Mine } from '../../../../src/chain/directory/mine.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import type { OverviewState } from '../../../../src/explorer/screens/overview/state.ts';
import { HISTORY_KEY } from '../../../../src/explorer/tabs.ts';
import type { RecentChanges } from '../../../../src/memory/diff/recent-changes.ts';
import { startFaultyNode } from '../../../support/faults/faulty-node.ts';
import { listening } from '../../../support/loopback.ts';
import { ClockWorld } from '../../support/clock-world.ts';
import { startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { rootLayer } from '../../support/layers.ts';

const MINUTE = 60_000;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface Watched {
  readonly ratePerSecond?: number;
  /** Things of the node are the user's, and snapshots of it are stored. */
  readonly isKnown?: boolean;
}

/** The overview of the embedded node, with a clock of the test's; every request that reaches the node is counted. */
async function watching({ ratePerSecond = 1e6, isKnown = false }: Watched = {}) {
  const world = new ClockWorld();
  // Limits of a rate are of real seconds.
  const isLimited = ratePerSecond < 100;
  world.clockMs = Date.UTC(2026, 10, 23, 12);
  const node = await startFaultyNode({
    clock: isLimited ? Date.now : world.nowMs,
    faults: ['growing:600'],
    rateLimit: { ratePerSecond, burst: ratePerSecond },
  });
  const answers: { readonly path: string; readonly status: number }[] = [];
  const server = await listening(
    createServer(async (request, response) => {
      const answered = await fetch(`${node.url}${request.url}`);
      answers.push({ path: request.url?.split('?')[0] ?? '', status: answered.status });
      const headers = Object.fromEntries([...answered.headers].filter(([name]) => /^x-block-|^ratelimit-/.test(name)));
      response.writeHead(answered.status, { 'content-type': 'application/json', ...headers });
      response.end(await answered.text());
    }),
  );
  if (isKnown) {
    world.mine = await mineOf(node.url);
    world.recent = RECENT;
  }
  const client = createClient({ base: new URL(server.url), ...(!isLimited && { nowMs: world.nowMs }) });
  world.client = () => client;
  const { session } = await startSession({ tab: 'overview', world, columns: 120, rows: 40 });
  closers.push(
    () => node.close(),
    () => server[Symbol.asyncDispose](),
    () => session.close(),
  );
  await rested(session);
  return { session, world, answers };
}

/** Two providers and a validator with its bundles, and a market. */
async function mineOf(url: string): Promise<Mine> {
  const first = async (path: string, wrapper: string): Promise<unknown> =>
    JSON.parse(await (await fetch(`${url}/api/v2/${path}`)).text())[wrapper].edges[0].node;
  const textsIn = (record: unknown, member: string): readonly string[] =>
    [...JSON.stringify(record).matchAll(new RegExp(`"${member}":"(\\w+)"`, 'g'))].map(([, text = '']) => text);
  const validator = await first('nodes', 'nodes');
  const fees = await first('liquidity/paidfees', 'paidLiquidityFees');
  return {
    party: new Set(textsIn(fees, 'party').slice(0, 2)),
    submitter: new Set(textsIn(validator, 'ethereumAddress')),
    node: new Set(textsIn(validator, 'id')),
    market: new Set(textsIn(fees, 'market')),
  };
}

const YESTERDAY = Date.UTC(2026, 10, 22, 12);
const RECENT: RecentChanges = {
  sinceYesterday: { takenMs: YESTERDAY, compared: 6, counts: [['parameters', 3]] },
  sinceLooked: { takenMs: YESTERDAY - 3_600_000, compared: 6, counts: [['markets', 1]] },
  untilMs: YESTERDAY + 3_600_000,
};

const stateOf = (session: Session) => rootLayer(session.state(), 'overview').state as OverviewState;

/** Until nothing is asked any more. */
async function rested(session: Session): Promise<void> {
  while (stateOf(session).asking !== null) await told();
}

describe('Overview of a real node', () => {
  it.each([
    ['of anybody', false],
    ["with what is the user's and stored snapshots", true],
  ])('The overview adds to its first requests only about one request a minute over an hour: %s', async (_, isKnown) => {
    const { session, world, answers } = await watching({ isKnown });
    const first = answers.splice(0).length;
    // One more for each of the two parties.
    expect(first).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS + (isKnown ? 2 : 0));
    for (let minute = 1; minute <= 60; minute++) {
      await world.pass(MINUTE);
      await rested(session);
      // What the second party provides is asked with what the first one does, every quarter of an hour or so.
      expect(answers.length).toBeGreaterThanOrEqual(minute);
      expect(answers.length - minute).toBeLessThanOrEqual(isKnown ? Math.ceil(minute / 12) : 0);
    }
    const frame = renderFrame(session.state());
    expect(/Changed +3 parameters/.test(frame)).toBe(isKnown);
    expect(stateOf(session).overview?.mine.length).toBe(isKnown ? 5 : 0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ path }) => path)).size).toBeGreaterThan(10);
    const { overview } = stateOf(session);
    expect(overview?.epoch).toMatchObject({ kind: 'read', value: { seq: '48' } });
    expect(session.state().node.contact.silentSinceMs).toBe(null);
  });

  it('The overview sends no requests on another tab, and requests everything again if old data is reopened', async () => {
    const { session, world, answers } = await watching();
    answers.splice(0);
    session.press(HISTORY_KEY);
    await told();
    await world.pass(4 * MINUTE);
    expect(answers).toEqual([]);
    session.press('0');
    await told();
    expect(answers).toEqual([]);
    session.press(HISTORY_KEY);
    await world.pass(4 * MINUTE);
    session.dispatch({ type: 'ticked', nowMs: world.clockMs });
    session.press('0');
    await rested(session);
    expect(answers.length).toBeGreaterThan(8);
    expect(answers.length).toBeLessThanOrEqual(MAX_OVERVIEW_REQUESTS);
  });

  it('The overview is never refused by a node that allows five requests a second', async () => {
    const { session, world, answers } = await watching({ ratePerSecond: 5, isKnown: true });
    for (let minute = 1; minute <= 25; minute++) {
      await world.pass(MINUTE);
      await rested(session);
    }
    session.press('r');
    await rested(session);
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
