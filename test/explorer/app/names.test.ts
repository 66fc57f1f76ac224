import { describe, expect, it } from 'vitest';
import type { KnownNames } from '../../../src/chain/directory/cached-names.ts';
import type { Row } from '../../../src/chain/resources/resource.ts';
import { directoryWith, market } from '../../chain/directory/directories.ts';
import { answerPage, last, press, startSession, told } from '../support/fake-world.ts';
import { listOf, listsOf } from '../support/layers.ts';
import { answerNames, NamingWorld } from '../support/naming-world.ts';
import { pageOf, provision } from '../support/provision-pages.ts';

const MARKET = 'aa';
const known = directoryWith({ markets: [[MARKET, market({ code: 'HELDA/HUSD' })]] });
const on = (marketId: string): Row => provision(1, { marketId });

async function start() {
  const world = new NamingWorld();
  const { session } = await startSession({ world });
  const answer = (value: KnownNames) => answerNames(world, value);
  const from = () => world.names.map(({ asked }) => asked.from);
  return { world, session, answer, from };
}

const OLD: KnownNames = { names: {}, isOld: true };
const FRESH: KnownNames = { names: known, isOld: false };

describe('Names in the explorer', () => {
  it('Names are requested when the first page and the name of the chain are there, and not before', async () => {
    const { world, session, from } = await start();
    expect(from()).toEqual([]);
    await answerPage(world, pageOf([on(MARKET)]));
    await told();
    expect(world.names.map(({ asked }) => asked)).toEqual([
      expect.objectContaining({ from: 'cache', chainId: 'fake-chain-1' }),
    ]);
    expect(session.state().directory.markets.size).toBe(0);
  });

  it('Names in the cache that are fresh send no request', async () => {
    const { world, session, answer, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    await answer(FRESH);
    expect(session.state().directory.markets.get(MARKET)?.code).toBe('HELDA/HUSD');
    expect(from()).toEqual(['cache']);
    await session.idle();
  });

  it('Names in the cache that are old are shown, and the node is asked in the background', async () => {
    const { world, session, answer, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    await answer({ ...FRESH, isOld: true });
    expect(from()).toEqual(['cache', 'node']);
    expect(session.state().directory.markets.size).toBe(1);
    await answer({ names: { markets: new Map([[MARKET, market({ code: 'NEW' })]]) }, isOld: false });
    expect(session.state().directory.markets.get(MARKET)?.code).toBe('NEW');
    expect(from()).toHaveLength(2);
  });

  it('Names are requested again when an ID without one comes, at most every ten minutes', async () => {
    const { world, answer, from, session } = await start();
    const arrive = async (marketId: string, afterMs: number): Promise<void> => {
      world.clockMs += afterMs;
      press(session, 'r');
      await answerPage(world, pageOf([on(marketId)]));
    };
    await answerPage(world, pageOf([on('bb')]));
    await answer(FRESH);
    expect(from()).toEqual(['cache', 'node']);
    await answer({ names: known, isOld: false });
    await arrive('bb', 900_000);
    expect(from()).toHaveLength(2);
    await arrive('cc', 1000);
    expect(from()).toHaveLength(3);
    await answer({ names: known, isOld: false });
    await arrive('dd', 599_000);
    expect(from()).toHaveLength(3);
    await arrive('ee', 2000);
    expect(from()).toHaveLength(4);
  });

  it('Names of a node that has none are requested once, and IDs stay IDs', async () => {
    const { world, session, answer, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    await answer(OLD);
    const { directory } = session.state();
    await answer({ names: { markets: new Map(), assets: new Map(), validators: new Map() }, isOld: false });
    expect(session.state().directory).toBe(directory);
    world.clockMs += 3_600_000;
    press(session, 'r');
    await answerPage(world, pageOf([on('bb')]));
    expect(from()).toEqual(['cache', 'node']);
  });

  it('Names that cannot be loaded do not fail the list, and are not requested again at once', async () => {
    const { world, session, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    last(world.names).fail(new Error('no disk'));
    await told();
    last(world.names).fail(new Error('no node'));
    await told();
    expect(from()).toEqual(['cache', 'node']);
    expect(session.state().notice).toBeNull();
    expect(listOf(session.state(), 'provisions')?.failure).toBeNull();
    await session.idle();
  });

  it('Names that failed, even in part, are requested again when the node answers, at growing intervals', async () => {
    const { world, session, answer, from } = await start();
    const checkAfter = async (ms: number): Promise<void> => {
      world.clockMs += ms;
      session.dispatch({ type: 'check-due' });
      await told();
    };
    await answerPage(world, pageOf([on(MARKET)]));
    await answer(OLD);
    await answer({ names: { markets: known.markets }, isOld: false });
    await checkAfter(29_000);
    expect(from()).toEqual(['cache', 'node']);
    await checkAfter(2000);
    expect(from()).toEqual(['cache', 'node', 'node']);
    await answer({ names: {}, isOld: false });
    await checkAfter(59_000);
    expect(from()).toHaveLength(3);
    await checkAfter(2000);
    expect(from()).toHaveLength(4);
    await answer({ names: {}, isOld: false });
    world.clockMs += 6000;
    press(session, 'r');
    await answerPage(world, pageOf([on(MARKET)]));
    await told();
    expect(from()).toHaveLength(5);
    await answer({ names: known, isOld: false });
    await checkAfter(3_600_000);
    expect(from()).toHaveLength(5);
  });

  it('Names from the user are there from the beginning, whatever the chain says', async () => {
    const world = new NamingWorld();
    const preferences = { aliases: { AA: 'my market' } };
    world.connected = Promise.resolve({ label: '', address: 'http://n', preferences, notice: null });
    const { session } = await startSession({ world });
    expect(session.state().directory.aliases.get(MARKET)).toBe('my market');
    await answerPage(world, pageOf([on(MARKET)]));
    last(world.names).answer(FRESH);
    await told();
    expect(session.state().directory).toMatchObject({
      aliases: new Map([[MARKET, 'my market']]),
      markets: known.markets,
    });
  });

  it('Names update the explanation on the screen when they come, and the old text stays until then', async () => {
    const { world, session, answer } = await start();
    press(session, '6');
    const texts = ['before', 'after'];
    world.explains = async () => ({
      parts: [{ title: '', lines: [{ label: '', text: texts.shift() ?? '' }] }],
      json: {},
      copies: [],
    });
    await answerPage(world, pageOf([{ id: MARKET }]));
    press(session, 'enter');
    await told();
    await answer(FRESH);
    await told();
    expect(texts).toEqual([]);
    expect(listOf(session.state(), 'markets')?.inspector?.meaning).toMatchObject({
      status: 'known',
      explanation: { parts: [{ lines: [{ text: 'after' }] }] },
    });
  });

  it('Names of a chain are dropped at once when the node is on another one, and those from the user stay', async () => {
    const { world, session, answer, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]), { blockHeight: '500000' });
    await answer(FRESH);
    press(session, 'j', 'l', 'r');
    world.chainId = async () => 'fake-chain-2';
    await answerPage(world, pageOf([on(MARKET)]), { blockHeight: '12' });
    await told();
    const { directory, node } = session.state();
    expect(node).toMatchObject({ chainId: 'fake-chain-2', isChainDoubted: false });
    expect(directory.markets.size).toBe(0);
    expect(Object.values(listsOf(session.state())).filter(({ names }) => names.markets.size > 0)).toEqual([]);
    expect(last(world.names).asked).toMatchObject({ from: 'cache', chainId: 'fake-chain-2' });
    expect(from()).toEqual(['cache', 'cache']);
  });

  it('Names stay when the chain is the same or no longer reported, however its height jumps', async () => {
    const { world, session, answer } = await start();
    await answerPage(world, pageOf([on(MARKET)]), { blockHeight: '500000' });
    await answer(FRESH);
    let asked = 0;
    for (const said of ['fake-chain-1', '', new Error('down')]) {
      world.chainId = async () => {
        asked++;
        if (said instanceof Error) throw said;
        return said;
      };
      for (const blockHeight of ['500000', '499990', '12']) {
        press(session, 'r');
        await answerPage(world, pageOf([on(MARKET)]), { blockHeight });
      }
      await told();
      expect(session.state().node).toMatchObject({ chainId: 'fake-chain-1', isChainDoubted: false });
      expect(session.state().directory.markets.size).toBe(1);
    }
    expect(asked).toBe(3);
  });

  it('Names are requested by the current chain when an ID without one comes', async () => {
    const { world, answer, session } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    await answer(FRESH);
    world.chainId = async () => 'fake-chain-2';
    press(session, 'r');
    await answerPage(world, pageOf([on('dd')]));
    await told();
    expect(last(world.names).asked).toMatchObject({ chainId: 'fake-chain-2' });
    expect(session.state().directory.markets.size).toBe(0);
  });

  it('Names are requested again even when the clock was set back', async () => {
    const { world, answer, session, from } = await start();
    await answerPage(world, pageOf([on('bb')]));
    await answer(FRESH);
    await answer({ names: known, isOld: false });
    world.clockMs -= 1e9;
    press(session, 'r');
    await answerPage(world, pageOf([on('cc')]));
    await told();
    expect(from()).toEqual(['cache', 'node', 'node']);
  });

  it('Names leave rows, cursor, page and notice as they were when they come', async () => {
    const { world, session, answer } = await start();
    await answerPage(world, pageOf(Array.from({ length: 40 }, (_, row) => provision(row, { marketId: MARKET }))));
    press(session, 'G', 'k', 'l', '/', 'esc');
    const before = listOf(session.state(), 'provisions');
    await answer(FRESH);
    const after = listOf(session.state(), 'provisions');
    expect([after?.page, after?.view, after?.loading]).toEqual([before?.page, before?.view, before?.loading]);
  });
});
