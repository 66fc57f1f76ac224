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

describe('names', () => {
  it('are asked for when the first page and the name of the chain are there, and not before', async () => {
    const { world, session, from } = await start();
    expect(from()).toEqual([]);
    await answerPage(world, pageOf([on(MARKET)]));
    await told();
    expect(world.names.map(({ asked }) => asked)).toEqual([
      expect.objectContaining({ from: 'cache', chainId: 'fake-chain-1' }),
    ]);
    expect(session.state().directory.markets.size).toBe(0);
  });

  it('that were kept and are fresh ask the node for nothing', async () => {
    const { world, session, answer, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    await answer(FRESH);
    expect(session.state().directory.markets.get(MARKET)?.code).toBe('HELDA/HUSD');
    expect(from()).toEqual(['cache']);
    await session.idle();
  });

  it('that are old are shown, and the node is asked behind them', async () => {
    const { world, session, answer, from } = await start();
    await answerPage(world, pageOf([on(MARKET)]));
    await answer({ ...FRESH, isOld: true });
    expect(from()).toEqual(['cache', 'node']);
    expect(session.state().directory.markets.size).toBe(1);
    await answer({ names: { markets: new Map([[MARKET, market({ code: 'NEW' })]]) }, isOld: false });
    expect(session.state().directory.markets.get(MARKET)?.code).toBe('NEW');
    expect(from()).toHaveLength(2);
  });

  it('are asked for again when an id comes that has none, and no more often than every ten minutes', async () => {
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

  it('of a node that has none are asked for once, and ids stay ids', async () => {
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

  it('that cannot be had are no failure of the list, and nothing asks again at once', async () => {
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

  it('that could not be had, or in part, are asked for again when the node answers, ever more rarely', async () => {
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

  it('of the user are there from the beginning, whatever the chain says', async () => {
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

  it('explain what is on the screen anew when they come, and what was said stays till then', async () => {
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

  it('of a chain are forgotten at once when the node is on another one, and the words of the person stay', async () => {
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

  it('stay where the chain is the same, or the node does not say any more, and its height jumps as it likes', async () => {
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

  it('are asked for by the chain of now when an id comes that has none', async () => {
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

  it('are asked for again also when the clock was set back', async () => {
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

  it('leave rows, cursor, page and notice as they were when they come', async () => {
    const { world, session, answer } = await start();
    await answerPage(world, pageOf(Array.from({ length: 40 }, (_, row) => provision(row, { marketId: MARKET }))));
    press(session, 'G', 'k', 'l', '/', 'esc');
    const before = listOf(session.state(), 'provisions');
    await answer(FRESH);
    const after = listOf(session.state(), 'provisions');
    expect([after?.page, after?.view, after?.loading]).toEqual([before?.page, before?.view, before?.loading]);
  });
});
