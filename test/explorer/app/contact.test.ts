import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainDoubt } from '../../../src/chain/api/client.ts';
import { NetworkError, RateLimitedError, RefusedError } from '../../../src/chain/api/errors.ts';
import { drawHeader } from '../../../src/explorer/app/frame/header.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { shownTrust } from '../../../src/explorer/app/trust.ts';
import type { Preferences } from '../../../src/explorer/services/preferences.ts';
import { paint } from '../../../src/explorer/terminal/paint.ts';
import { ClockWorld } from '../support/clock-world.ts';
import { answerPage, browserOf, chainSaid, last, press, startSession, told } from '../support/fake-world.ts';
import { MONO, paintedLines, plain } from '../support/frame.ts';
import { pageOf, provision, provisionPage } from '../support/provision-pages.ts';

type Mood = 'answers' | 'knows no such path' | 'refuses connections' | 'hangs' | 'has a proxy that says 502';

const refusal = (status: number): RefusedError =>
  new RefusedError(status, { code: 5, message: 'no', details: [] }, { url: '', hint: '' });
const refusedConnection = (): NetworkError => new NetworkError('connection refused', { url: '', hint: '' });

/** A node that is as a test says, and counts how often it was asked how it is. */
class MoodyNode extends ClockWorld {
  mood: Mood = 'answers';
  doubts: readonly ChainDoubt[] = [];
  asks = 0;

  override readonly chain: ClockWorld['chain'] = async signal => {
    this.asks++;
    switch (this.mood) {
      case 'answers':
        return {
          ...chainSaid({ chainId: 'fake-chain-1', core: null, facts: this.facts }, this.clockMs),
          doubts: this.doubts,
        };
      case 'refuses connections':
        throw refusedConnection();
      case 'hangs':
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      case 'has a proxy that says 502':
        throw refusal(502);
      case 'knows no such path':
        throw refusal(404);
    }
  };

  get facts() {
    return { rate: {}, blockHeight: '7', blockTimeNs: `${this.clockMs - 500}000000` };
  }
}

const headerOf = (session: Session): string => plain(paint(drawHeader(session.state()), MONO));

async function opened(preferences: Preferences = {}, tab = 'parameters') {
  const world = new MoodyNode();
  world.connected = Promise.resolve({ label: 'demo', address: 'http://127.0.0.1:3008', preferences, notice: null });
  const { session } = await startSession({ columns: 80, rows: 24, tab, world, preferences });
  await answerPage(world, provisionPage(1), world.facts);
  await told();
  return { world, session };
}

describe('Node contact in the explorer', () => {
  it('The node stays in sync for ten minutes, with about one request per minute', async () => {
    const { world, session } = await opened();
    const before = world.asks;
    for (let second = 0; second < 290; second++) {
      await world.pass(1000);
      expect(headerOf(session)).toMatch(/in sync/);
    }
    // The rows themselves are old then.
    await world.pass(310_000);
    expect(headerOf(session)).toContain('stale 10 min');
    press(session, 'r');
    await answerPage(world, provisionPage(1), world.facts);
    expect(headerOf(session)).toContain('in sync ');
    expect(world.asks - before).toBeLessThanOrEqual(12);
    expect(world.asks - before).toBeGreaterThanOrEqual(9);
  });

  it.each(['refuses connections', 'hangs'] as const)(
    'The node is shown as offline within a minute when it %s',
    async mood => {
      const { world, session } = await opened();
      await world.pass(120_000);
      world.mood = mood;
      await world.pass(60_000);
      expect(headerOf(session)).toMatch(mood === 'hangs' ? /stale \d|offline/ : /offline since 08:0\d:\d\d/);
      await world.pass(15_000);
      const since = /offline since [\d:]+/.exec(headerOf(session))?.[0];
      expect(since).toBeDefined();
      // Since when it is gone does not move while it stays so.
      await world.pass(180_000);
      expect(headerOf(session)).toContain(since);
      world.mood = 'answers';
      // A check that hangs has its ten seconds first.
      await world.pass(70_000);
      expect(headerOf(session)).not.toContain('offline');
    },
  );

  it('The node is shown as offline at once when a connection is refused, and as back without a key', async () => {
    const { world, session } = await opened();
    world.mood = 'refuses connections';
    press(session, 'r');
    last(world.pages).fail(refusedConnection());
    await told();
    expect(headerOf(session)).toContain('offline since 08:00:00');
    await world.pass(30_000);
    world.mood = 'answers';
    const asked = world.pages.length;
    await world.pass(60_000);
    // The list that could not be had is asked for again.
    expect(world.pages).toHaveLength(asked + 1);
    await answerPage(world, provisionPage(1), world.facts);
    expect(headerOf(session)).toContain('in sync');
    expect(browserOf(session).failure).toBe(null);
  });

  it('The node is asked again for a failed list when the list is shown again and the cause is over', async () => {
    const { world, session } = await opened();
    const failed = async (error: Error): Promise<number> => {
      press(session, '3', 'r');
      last(world.pages).fail(error);
      await told();
      press(session, '1');
      return world.pages.length;
    };
    const asked = await failed(refusedConnection());
    press(session, '3', '1');
    // It is still away, as far as is known.
    expect(world.pages).toHaveLength(asked);
    await world.pass(60_000);
    press(session, '3');
    expect(world.pages).toHaveLength(asked + 1);
    await answerPage(world, provisionPage(1), world.facts);
    const again = await failed(new RateLimitedError('429', { url: '', retryAtMs: world.clockMs + 5000 }));
    press(session, '3', '1');
    expect(world.pages).toHaveLength(again);
    await world.pass(6000);
    press(session, '3', '1', '3');
    expect(world.pages).toHaveLength(again + 1);
  });

  it('The node is called neither stale nor in sync when it does not serve its statistics', async () => {
    const { world, session } = await opened();
    world.mood = 'knows no such path';
    await world.pass(240_000);
    expect(headerOf(session)).toContain('answered ');
    world.mood = 'has a proxy that says 502';
    await world.pass(120_000);
    expect(headerOf(session)).toMatch(/stale \d min/);
  });

  it('The node gets no requests while it reports too many requests', async () => {
    const { world, session } = await opened();
    await world.pass(10_000);
    press(session, 'r');
    const retryAtMs = world.clockMs + 240_000;
    last(world.pages).fail(new RateLimitedError('429', { url: '', retryAtMs }));
    await told();
    const before = world.asks;
    await world.pass(238_000);
    expect(world.asks).toBe(before);
    expect(headerOf(session)).toMatch(/stale \d min/);
    await world.pass(10_000);
    expect(world.asks).toBe(before + 1);
  });

  it('The node is not polled when the user turned that off, and the header shows the age of its answer', async () => {
    const { world, session } = await opened({ nodeCheck: 'off' });
    const before = world.asks;
    await world.pass(29_000);
    expect(headerOf(session)).toMatch(/in sync {2}block/);
    await world.pass(1000);
    expect(headerOf(session)).toContain('in sync 30 s ago');
    await world.pass(30_000);
    expect(headerOf(session)).toContain('stale 1 min');
    await world.pass(540_000);
    expect(headerOf(session)).toContain('stale 10 min');
    expect(world.asks).toBe(before);
  });

  it('The node is not in sync while its answers are of two chains, or of nodes far apart', async () => {
    const { world, session } = await opened();
    world.doubts = [{ severity: 'untrusted', sentence: 'its history is from b, its core from a' }];
    await world.pass(60_000);
    expect(headerOf(session)).toMatch(/two chains {2}block/);
    world.doubts = [{ severity: 'noted', sentence: 'its newest block went back from 6010 to 5002' }];
    await world.pass(60_000);
    expect(headerOf(session)).toMatch(/blocks jump {2}block/);
    world.doubts = [];
    await world.pass(60_000);
    expect(headerOf(session)).toContain('in sync');
  });

  it('The node is stale for as long as it did not answer, whatever failed since', async () => {
    const { world, session } = await opened({ nodeCheck: 'off' });
    await world.pass(70_000);
    const atMs = session.state().node.contact.answeredAtMs;
    expect(shownTrust(session.state())).toEqual({ kind: 'stale', atMs, ageMs: 60_000, isDue: false });
  });

  it.each([
    ['behind 1 h', 229n],
    ['stalled 1 h', 0n],
  ])('The node is %s when its core is %s blocks ahead of an old block', async (words, behindBlocks) => {
    const { session } = await opened();
    const state = session.state();
    const atMs = state.node.contact.answeredAtMs ?? 0;
    const status = { version: 'v1', state: null, height: 7n, timeMs: null, behindBlocks, behindMs: 0 };
    const height = { block: '7', ageMs: 3_600_000, readAtMs: atMs };
    const node = { ...state.node, height, core: { status, atMs } };
    expect(plain(paint(drawHeader({ ...state, node }), MONO))).toContain(words);
  });

  it('The explorer draws nothing by itself after a minute with clock times and without polling', async () => {
    const { world, session } = await opened({ nodeCheck: 'off', times: 'clock' }, 'provisions');
    await world.pass(60_000);
    const frame = paintedLines(session.state());
    expect(headerOf(session)).toContain('stale since 08:00:00');
    let changes = 0;
    session.subscribe(() => changes++);
    await world.pass(3_600_000);
    expect(paintedLines(session.state())).toEqual(frame);
    expect(changes).toBe(0);
  });

  it('The explorer never shows an old answer as a current one, whatever the node does', async () => {
    const moods = fc.constantFrom<Mood>('answers', 'refuses connections', 'hangs', 'has a proxy that says 502');
    const plan = fc.array(fc.tuple(moods, fc.integer({ min: 1, max: 150 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(plan, async phases => {
        const { world, session } = await opened();
        let goodMs = world.clockMs;
        let awayS = 0;
        for (const [mood, seconds] of phases) {
          world.mood = mood;
          for (let second = 0; second < seconds; second++) {
            const before = world.asks;
            await world.pass(1000);
            if (world.asks > before && mood === 'answers') goodMs = world.clockMs;
            awayS = mood === 'answers' ? 0 : awayS + 1;
            const header = headerOf(session);
            // Half a second of rounding, and the second in which it was asked.
            if (world.clockMs - goodMs > 31_000) expect(header).not.toMatch(/in sync {2}/);
            if (awayS > 60) expect(header).toMatch(/offline|stale/);
          }
        }
        await session.close();
      }),
      { numRuns: 15 },
    );
  });
});

describe('Ages on the screen', () => {
  const bornAt = (world: ClockWorld, beforeMs: number) => `${world.clockMs - beforeMs}000000`;

  it('Ages tick every second below a minute, then every minute, and nothing else is drawn', async () => {
    const world = new MoodyNode();
    const { session } = await startSession({ columns: 120, rows: 24, world });
    const rows = [
      provision(1, { updatedAt: bornAt(world, 50_000) }),
      provision(2, { updatedAt: bornAt(world, 7_200_000) }),
    ];
    await answerPage(world, pageOf(rows), world.facts);
    const lines = () => paintedLines(session.state()).map(plain);
    const before = lines();
    for (let age = 51; age < 60; age++) {
      await world.pass(1000);
      expect(lines()[4]).toContain(`${age} s ago`);
    }
    expect(lines().toSpliced(4, 1)).toEqual(before.toSpliced(4, 1));
    await world.pass(1000);
    expect(lines()[4]).toContain('  1 min  ');
    await world.pass(540_000);
    expect(lines()[4]).toContain(' 10 min  ');
    await world.pass(3_100_000);
    expect(lines()[4]).toContain('1 h ago');
    expect(lines()[5]).toContain('3 h ago');
  });

  it('Ages of a record tick too', async () => {
    const world = new MoodyNode();
    const { session } = await startSession({ columns: 80, rows: 40, world });
    await answerPage(world, pageOf([provision(1, { updatedAt: bornAt(world, 10_000) })]), world.facts);
    press(session, 'enter', '+');
    await told();
    const screen = () => paintedLines(session.state()).map(plain).join('\n');
    expect(screen()).toContain('(10 s ago)');
    await world.pass(5000);
    expect(screen()).toContain('(15 s ago)');
  });

  it('Ages do not delay `session.idle`', async () => {
    const { world, session } = await opened({}, 'provisions');
    world.mood = 'hangs';
    await world.pass(56_000);
    await session.idle();
    expect(headerOf(session)).toContain('in sync 50 s ago');
  });
});
