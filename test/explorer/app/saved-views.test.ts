import { describe, expect, it } from 'vitest';
import type { SavedView } from '../../../src/base/settings/saved-view.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { viewToSave } from '../../../src/explorer/app/saved-views.ts';
import { createSession } from '../../../src/explorer/app/session.ts';
import { directoryWith, market } from '../../chain/directory/directories.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { LIVE, run } from '../support/list-scenes.ts';
import { answerNames, NamingWorld } from '../support/naming-world.ts';
import { answerNode, offered } from '../support/node-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../support/provision-pages.ts';

const MARKET = hexId(5);
const VIEW: SavedView = {
  tab: 'provisions',
  lists: {
    provisions: {
      filters: { marketId: [MARKET], live: ['true'] },
      sort: { column: 'fee', isDescending: true },
      pageSize: 7,
      columns: { fee: true },
    },
    fees: { filters: { epochSeq: ['40'] } },
  },
};

/** An explorer that is opened as it was left, and connected to its node. */
async function opened(view: SavedView, preferences = {}, world = new FakeWorld()) {
  world.connected = Promise.resolve({ label: 'main', address: 'http://main', preferences, view, notice: null });
  const screen = { columns: 80, rows: 24 };
  const start = { screen, tab: view.tab ?? 'parameters', label: 'main', destination: '.', nowMs: world.clockMs };
  const session = createSession({ ...start, preferences, view }, world);
  return { session, world };
}

const kept = ({ session }: Awaited<ReturnType<typeof opened>>) => viewToSave(session.state());

describe('Saved views of lists', () => {
  it('A saved view is requested with its filters and its size from the first request on, and says so', async () => {
    const { session, world } = await opened(VIEW);
    expect(session.state().notice?.text).toBe('as you left it: market=00000..00005; x clears');
    await told();
    expect(world.pages).toHaveLength(1);
    expect(last(world.pages).asked).toMatchObject({
      resource: 'provisions',
      request: { filters: { marketId: [MARKET], ...LIVE }, size: 7 },
    });
    expect(browserOf(session)).toMatchObject({
      sort: { column: 'fee', isDescending: true },
      columnChoice: { fee: true },
    });
    expect(session.state().notice?.text).toContain('as you left it');
    await answerPage(world, provisionPage(1));
    press(session, 'j', '3');
    expect(session.state().notice?.text).toBe('as you left it: epoch=40; x clears');
    await answerPage(world, pageOf([]));
    press(session, 'x', '2', '3');
    expect(session.state().notice).toBe(null);
    expect(browserOf(session, 'fees').filters).toEqual({});
  });

  it('A saved view shows its market by name once that is known, and only when the market is still mentioned', async () => {
    for (const keys of [[], ['j']]) {
      const world = new NamingWorld();
      const { session } = await opened(VIEW, {}, world);
      await told();
      await answerPage(world, provisionPage(1));
      press(session, ...keys);
      const names = directoryWith({ markets: [[MARKET, market({ code: 'HELDA/HUSD' })]] });
      await answerNames(world, { names, isOld: false });
      const said = keys.length > 0 ? undefined : 'as you left it: market=HELDA/HUSD; x clears';
      expect(session.state().notice?.text).toBe(said);
      // On another chain it may be another market.
      session.dispatch({ type: 'chain-known', chainId: 'another-1' });
      expect(session.state().notice?.text).toBe(
        keys.length > 0 ? undefined : 'as you left it: market=00000..00005; x clears',
      );
    }
  });

  it('A saved view keeps nothing when nothing was changed, and else what was changed', async () => {
    for (const view of [{}, VIEW, { tab: 'nowhere', lists: { none: {} } }]) {
      const scene = await opened({ ...view, tab: 'provisions' });
      expect(kept(scene)).toBe(undefined);
      await told();
      expect(kept(scene)).toBe(undefined);
    }
    const scene = await opened(VIEW);
    await told();
    await answerPage(scene.world, provisionPage(1));
    press(scene.session, 'x', '3');
    const { live: _, ...filters } = VIEW.lists?.provisions?.filters ?? {};
    expect(filters).toEqual({ marketId: [MARKET] });
    const { filters: __, ...list } = VIEW.lists?.provisions ?? {};
    expect(kept(scene)).toEqual({
      name: 'main',
      view: { tab: 'fees', lists: { provisions: list, fees: { filters: { epochSeq: ['40'] } } } },
      before: expect.objectContaining({ lists: { fees: VIEW.lists?.fees, provisions: expect.objectContaining(list) } }),
    });
  });

  it('A saved view remembers that a default filter was removed', async () => {
    const scene = await opened({ tab: 'provisions' });
    await told();
    press(scene.session, 'a');
    const view = kept(scene)?.view ?? {};
    expect(view.lists?.provisions?.filters).toEqual({});
    const again = await opened({ tab: 'provisions', ...view });
    expect(again.session.state().notice?.text).toMatch(/^as you left it: live=/);
    await told();
    expect(last(again.world.pages).asked.request.filters).toEqual({});
  });

  it('A saved view that is opened is saved again as the very same', async () => {
    const { session, world } = await opened({ tab: 'provisions' });
    await told();
    await answerPage(world, pageOf([provision(1)]));
    run(session, `provisions market=${MARKET}`);
    press(session, 'o', 'c', 'j', 'enter', 'esc', 's', 'enter');
    run(session, 'size 9');
    const left = viewToSave(session.state())?.view ?? {};
    expect(Object.keys(left.lists?.provisions ?? {})).toEqual(
      expect.arrayContaining(['filters', 'sort', 'pageSize', 'columns']),
    );
    const again = await opened(left);
    press(again.session, '1');
    expect(kept(again)?.view.lists).toEqual(left.lists);
  });

  it('A saved view drops what a list no longer knows, and what it would not accept', async () => {
    const wild: SavedView = {
      lists: Object.fromEntries(
        RESOURCES.map(({ id }) => [
          id,
          {
            filters: { nothing: ['x'], marketId: ['no hex!'], epochSeq: ['-1', '4', '5'], live: ['perhaps'] },
            sort: { column: 'nothing', isDescending: true },
            newestFirst: false,
            pageSize: 5000,
            columns: { nothing: true },
          },
        ]),
      ),
    };
    const { session } = await opened(wild);
    for (const { id, filters } of RESOURCES) {
      const browser = browserOf(session, id);
      const isEpoch = filters.some(({ name }) => name === 'epochSeq');
      expect([id, browser.filters]).toEqual([id, isEpoch ? { epochSeq: ['4'] } : {}]);
      expect(browser).toMatchObject({ sort: null, columnChoice: {} });
    }
  });

  it('A saved view overrides the settings in what was changed by hand, and follows them in the rest', async () => {
    const preferences = { pageSize: 20, columns: { provisions: { fee: false, status: false } } };
    const { session } = await opened({ lists: { provisions: { columns: {} } } }, preferences);
    expect(browserOf(session, 'provisions')).toMatchObject({ columnChoice: {}, pageSize: 20 });
    const plain = await opened({}, preferences);
    expect(browserOf(plain.session, 'provisions').columnChoice).toEqual({ fee: false, status: false });
    expect(kept(plain)).toBe(undefined);
  });

  it("A saved view shows a filter by the user's alias from the first line on", async () => {
    const preferences = { aliases: { [MARKET]: 'mine' } };
    const { session } = await opened(VIEW, preferences);
    const said = 'as you left it: market=@mine; x clears';
    expect(session.state().notice?.text).toBe(said);
    await told();
    expect(session.state().notice?.text).toBe(said);
  });

  it('A saved view is neither stored nor expected when nothing is to be restored', async () => {
    const scene = await opened({}, { restore: 'off' });
    await told();
    press(scene.session, '3', '4');
    expect(kept(scene)).toBe(undefined);
    scene.session.dispatch({ type: 'choose-node', to: offered('backup') });
    await told();
    expect(scene.world.kept).toEqual([]);
  });

  it('A saved view leaves what is done before the node is connected as it was done', async () => {
    const { session, world } = await startSession();
    session.dispatch({ type: 'choose-node', to: offered('backup') });
    run(session, `provisions market=${hexId(9)}`);
    await answerNode(world, { label: 'backup', address: 'http://backup', view: VIEW });
    expect(last(world.pages).asked.request).toMatchObject({ filters: { marketId: [hexId(9)], ...LIVE }, size: 7 });
  });

  it('A saved view is stored when the node is switched, and those of the other come with it on the shown tab', async () => {
    const { session, world } = await opened(VIEW);
    await told();
    await answerPage(world, provisionPage(1));
    press(session, '3');
    session.dispatch({ type: 'choose-node', to: offered('backup') });
    await told();
    expect(world.kept).toEqual([{ name: 'main', view: { ...VIEW, tab: 'fees' }, before: { ...VIEW, tab: 'fees' } }]);
    expect(browserOf(session).filters).toEqual({});
    await answerNode(world, {
      ...{ label: 'backup', address: 'http://backup' },
      view: { tab: 'markets', lists: { fees: { filters: { epochSeq: ['7'] } } } },
    });
    expect(session.state()).toMatchObject({ tab: 'fees', notice: { text: 'as you left it: epoch=7; x clears' } });
    expect(last(world.pages).asked.request.filters).toEqual({ epochSeq: ['7'] });
    expect(kept({ session, world })).toBe(undefined);
  });

  it('A saved view that cannot be stored is reported in a sentence', async () => {
    const { session, world } = await opened(VIEW);
    world.saveView = () => Promise.reject(new Error('the disk is full'));
    await told();
    press(session, '1');
    session.dispatch({ type: 'choose-node', to: offered('backup') });
    await told();
    expect(session.state().notice?.text).toBe('the state of the lists was not saved: the disk is full');
    expect(session.state().views.saving).toBe(null);
  });
});
