import { describe, expect, it } from 'vitest';
import type { CoreStatus } from '../../../src/chain/api/core-status.ts';
import { NetworkError } from '../../../src/chain/api/errors.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { shownTrust } from '../../../src/explorer/app/trust.ts';
import { coreHealth, shownVersion } from '../../../src/explorer/services/node/health.ts';
import { tell } from '../support/browse-scenes.ts';
import { answerPage, chainSaid, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { renderFrame } from '../support/frame.ts';
import { listOf } from '../support/layers.ts';
import { pageOf, provision } from '../support/provision-pages.ts';

const LEVEL: CoreStatus = {
  version: 'v0.74.9',
  state: 'connected',
  height: 7n,
  timeMs: null,
  behindBlocks: 0n,
  behindMs: 0,
};

class AskedWorld extends FakeWorld {
  readonly asked: string[] = [];
  override readonly chain = async () => {
    this.asked.push('chain');
    return chainSaid(
      { chainId: 'fake-chain-1', core: this.core, facts: { rate: {}, blockHeight: '41' } },
      this.clockMs,
    );
  };
  override version = async () => {
    this.asked.push('version');
    return 'v0.74.10';
  };
}

async function start(core: CoreStatus | null = LEVEL, world = new AskedWorld(), columns = 80) {
  world.core = core;
  const { session } = await startSession({ columns, rows: 24, world });
  return { session, world, state: session.state };
}

const page = pageOf([provision(1)]);

describe('Node health in the explorer', () => {
  it('Node health is requested after the first page, with one request more than the chain', async () => {
    const { world, state } = await start();
    expect([world.asked, coreHealth(state()), shownVersion(state())]).toEqual([[], undefined, '']);
    await answerPage(world, page);
    await told();
    expect(world.asked).toEqual(['chain', 'version']);
    expect(coreHealth(state())).toEqual({ text: 'core in sync', isBad: false, isInSync: true, atMs: world.clockMs });
    expect(shownVersion(state())).toBe('v0.74.10');
  });

  it('Node health is not shown next to stale rows, unless the node is behind', async () => {
    for (const [behindMs, said] of [
      [0, false],
      [300_000, true],
    ] as const) {
      const core = { ...LEVEL, behindMs, behindBlocks: BigInt(behindMs / 1000) };
      const { session, world, state } = await start(core, new AskedWorld(), 120);
      await answerPage(world, page);
      await told();
      world.clockMs += 600_000;
      press(session, '3');
      await answerPage(world, page);
      await told();
      const line = /in sync \(|behind core \(/;
      expect(renderFrame(state())).toMatch(line);
      press(session, '2');
      expect(renderFrame(state())).toContain('stale 10 min');
      expect(line.test(renderFrame(state()))).toBe(said);
    }
  });

  it('Node health is not shown for a node that no longer answers', async () => {
    const { session, world, state } = await start(LEVEL, new AskedWorld(), 120);
    await answerPage(world, page);
    await told();
    expect(renderFrame(state())).toContain('in sync (');
    press(session, 'r');
    last(world.pages).fail(new NetworkError('connection refused', { url: '', hint: '' }));
    await told();
    expect(renderFrame(state())).toContain('offline since');
    expect(renderFrame(state())).not.toContain('in sync (');
  });

  it('Node health is requested again after a reload, at most every ten seconds', async () => {
    const { session, world, state } = await start();
    await answerPage(world, page);
    await told();
    world.core = { ...LEVEL, behindBlocks: 229n, behindMs: 240_000 };
    for (const afterMs of [2000, 2000, 2000, 2000, 2000, 2000]) {
      world.clockMs += afterMs;
      press(session, 'r');
      await answerPage(world, page);
      await told();
    }
    expect(world.asked).toEqual(['chain', 'version', 'chain', 'version']);
    expect(coreHealth(state())).toEqual({
      text: '229 blocks behind core',
      isBad: true,
      isInSync: false,
      atMs: world.clockMs - 2000,
    });
  });

  it('Node health is requested once a minute while a list is watched', async () => {
    const { session, world, state } = await start();
    await answerPage(world, page);
    await told();
    press(session, 'w');
    const everyMs = (listOf(state(), 'provisions')?.watchS ?? 0) * 1000;
    for (let ms = 0; ms < 120_000; ms += everyMs) {
      world.clockMs += everyMs;
      tell(session, { type: 'watch-due' });
      await answerPage(world, page);
      await told();
    }
    expect(everyMs).toBeGreaterThan(0);
    expect(world.asked.filter(asked => asked === 'chain')).toHaveLength(3);
  });

  it('Node health is requested again after any page a minute later, and is hidden after five minutes', async () => {
    const { session, world, state } = await start();
    await answerPage(world, page);
    await told();
    for (const tab of ['5', '6']) {
      world.clockMs += 30_000;
      press(session, tab);
      await answerPage(world, page);
      await told();
    }
    expect(world.asked).toEqual(['chain', 'version', 'chain', 'version']);
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 299_999 });
    expect(coreHealth(state())).toBeDefined();
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 300_000 });
    expect(coreHealth(state())).toBeUndefined();
  });

  it('Node health reports a core that does not follow the chain, and the core version when the node has none', async () => {
    class Silent extends AskedWorld {
      override version = async () => {
        throw new Error('no such operation');
      };
    }
    const { world, state } = await start({ ...LEVEL, state: 'replaying', behindBlocks: 1n }, new Silent());
    await answerPage(world, page);
    await told();
    expect(coreHealth(state())).toMatchObject({ text: 'core is replaying, 1 block behind it', isBad: true });
    expect(shownVersion(state())).toBe('core v0.74.9');
  });

  it('Node health is no longer claimed once the node does not report it', async () => {
    const { session, world, state } = await start();
    await answerPage(world, page);
    await told();
    world.core = null;
    world.clockMs += 10_000;
    press(session, 'r');
    await answerPage(world, page);
    await told();
    expect(coreHealth(state())).toBeUndefined();
  });

  it('Node health is requested after the segments if the export tab is first, and has the newest block there', async () => {
    const world = new AskedWorld();
    world.core = LEVEL;
    const { session } = await startSession({ tab: 'history', world });
    last(world.segments).answer({ boundaries: listedBoundaries([]), hint: null });
    await told();
    expect(world.asked).toEqual(['chain', 'version']);
    expect(shownTrust(session.state())).toMatchObject({
      kind: 'current',
      atMs: world.clockMs,
    });
    expect(session.state().node.height?.block).toBe('41');
  });
});
