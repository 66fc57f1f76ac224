import { describe, expect, it } from 'vitest';
import { contextOf, shownAsOfMs } from '../../../src/explorer/app/layers.ts';
import { isTabCovered, layersOfTabs, shownLayers, topLayer } from '../../../src/explorer/core/layer.ts';
import type { Screen, ScreenContext } from '../../../src/explorer/core/screen.ts';
import {
  afterSwitch,
  areaOf,
  coverOf,
  informed,
  type Layers,
  settled,
  stepped,
  withOpened,
} from '../../../src/explorer/core/stack.ts';
import { type Screens, untyped } from '../../../src/explorer/core/untyped.ts';
import { startSession } from '../support/fake-world.ts';

interface Words {
  readonly text: string;
  readonly isTyping: boolean;
}

type WordsEvent = { readonly type: 'edited'; readonly text: string } | { readonly type: 'type' };

const edit = (text: string): WordsEvent => ({ type: 'edited', text });

const words: Screen<Words, WordsEvent, string> = {
  title: 'words',
  open: text => ({ text, isTyping: false }),
  keys: [],
  handlers: {
    type: state => ({ state: { ...state, isTyping: true } }),
    edited: (state, { text }) => ({ state: { ...state, text } }),
  },
  // What has no words is closed.
  settle: state => (state.text === '' ? null : state),
  field: ({ text, isTyping }) =>
    isTyping
      ? { value: { text, at: text.length }, label: 'words', edited: value => ({ type: 'edited', text: value.text }) }
      : undefined,
  body: () => [],
};

const menu: typeof words = { ...words, isOverlay: true };
const files: typeof words = {
  ...words,
  tab: 'export',
  afterSwitch: state => ({ ...state, text: 'kept' }),
  news: (state, news) => ({
    state: news.type === 'arrived' && news.isAgain ? { ...state, text: 'come to again' } : state,
    messages: [{ type: 'noticed', text: state.text }],
  }),
};
const list: typeof words = {
  ...words,
  tab: opening => opening,
  isRoot: true,
  footRows: (_, { isCovered }) => (isCovered ? 0 : 2),
  asOfMs: ({ text }) => text.length,
};
const fees: typeof words = { ...words, tab: 'fees' };

const SCREENS: Screens = untyped({ words, menu, files, list, fees });

/** The layers after these screens were opened, each while that tab is shown. */
async function opened(...screens: readonly (readonly [name: string, tab?: string])[]) {
  const state = (await startSession()).session.state();
  const seen = (layer: Parameters<typeof contextOf>[1]): ScreenContext => contextOf(state, layer);
  const open = (layers: Layers, [name, tab = 'provisions']: readonly [name: string, tab?: string]): Layers =>
    withOpened(
      SCREENS,
      layers,
      { id: layers.length + 1, name, opening: name, shown: shownLayers({ layers, tab }) },
      seen,
    );
  return { layers: screens.reduce(open, []), seen };
}

/** Lists that are tabs themselves. */
async function roots(...tabs: readonly string[]): Promise<Layers> {
  const { seen } = await opened();
  return tabs.reduce<Layers>(
    (before, opening) =>
      withOpened(SCREENS, before, { id: before.length + 1, name: 'list', opening, shown: before }, seen),
    [],
  );
}

const names = (layers: Layers): readonly string[] => layers.map(({ screen }) => screen);

describe('the layers over the tabs', () => {
  it('wait behind their tab, and those of no tab are over any', async () => {
    const { layers } = await opened(['files', 'export'], ['words']);
    expect(names(shownLayers({ layers, tab: 'export' }))).toEqual(['files', 'words']);
    expect(names(shownLayers({ layers, tab: 'fees' }))).toEqual(['words']);
    expect(names(layersOfTabs({ layers }))).toEqual(['files']);
  });

  it('have nothing to say of a tab that none of them is over', async () => {
    const { layers } = await opened(['files', 'export']);
    expect(topLayer({ layers, tab: 'fees' })).toBeUndefined();
    expect([isTabCovered({ layers, tab: 'export' }), isTabCovered({ layers, tab: 'fees' })]).toEqual([true, false]);
  });

  it('are the roots of several tabs, each of the tab that it was opened for', async () => {
    expect(await roots('fees', 'epochs')).toMatchObject([
      { isRoot: true, tab: 'fees' },
      { isRoot: true, tab: 'epochs' },
    ]);
  });

  it('leave rows for their foot until a screen has their place; what lies over them has all of the body', async () => {
    const [fees, epochs] = await roots('fees', 'epochs');
    const { layers } = await opened(['words'], ['menu']);
    const [over, menuLayer] = layers.map(layer => ({ ...layer, id: layer.id + 10 }));
    if (!fees || !epochs || !over || !menuLayer) throw new Error('not all are open');
    const body = { columns: 80, rows: 20 };
    const rows = (shown: Layers) =>
      shown.map(layer => areaOf(SCREENS, { layers: shown, tab: 'fees', body }, layer).rows);
    expect(rows([fees, epochs, menuLayer])).toEqual([18, 18, 20]);
    expect(rows([fees, over])).toEqual([20, 20]);
    // Where nothing of the kind is known, they have all of it.
    expect(rows([menuLayer])).toEqual([20]);
  });

  it('know what has their place, also while their tab waits', async () => {
    const [fees, epochs] = await roots('fees', 'epochs');
    const [over] = (await opened(['fees', 'fees'])).layers;
    if (!fees || !epochs || !over) throw new Error('not all are open');
    const own = { ...over, id: 3 };
    const cover = (layer: typeof own, tab: string) => coverOf(SCREENS, { layers: [fees, epochs, own], tab }, layer);
    expect([cover(fees, 'fees'), cover(fees, 'epochs')]).toMatchObject([{ layer: own }, { layer: own }]);
    expect([cover(epochs, 'fees'), cover(own, 'fees')]).toEqual([undefined, undefined]);
  });

  it('say when what the tab shows came from the node, whatever lies over it', async () => {
    const state = (await startSession()).session.state();
    const layers = [...(await roots('fees', 'epochs')), ...(await opened(['words'])).layers];
    const ages = ['fees', 'epochs', 'provisions'].map(tab => shownAsOfMs({ ...state, layers, tab }, SCREENS));
    expect(ages).toEqual([4, 6, undefined]);
  });

  it('leave a tab to be seen below an overlay, whose place the next screen takes', async () => {
    const { layers } = await opened(['menu']);
    expect(isTabCovered({ layers, tab: 'fees' })).toBe(false);
    expect(names((await opened(['words'], ['menu'], ['menu'])).layers)).toEqual(['words', 'menu']);
    expect(names((await opened(['menu'], ['words'])).layers)).toEqual(['words']);
  });

  it('are read live by what they open, until they are closed', async () => {
    const { layers, seen } = await opened(['words']);
    const session = (await startSession()).session.state();
    const [layer] = layers;
    if (layer === undefined) throw new Error('nothing is open');
    const text = contextOf(session, layer).live(state => (state as Words).text, 'closed');
    const edited = stepped(SCREENS, layers, { layer: 1, event: edit('other') }, seen).layers;
    expect([layers, edited, []].map(now => text({ ...session, layers: now }))).toEqual(['words', 'other', 'closed']);
  });

  it('keep of another node only what their screens leave', async () => {
    const { layers, seen } = await opened(['files', 'export'], ['fees', 'fees'], ['words']);
    expect(afterSwitch(SCREENS, layers, { contextOf: seen, isStep: false })).toMatchObject([
      { screen: 'files', state: { text: 'kept' } },
    ]);
  });

  it('hear news, each for itself, and have messages for the program', async () => {
    const { layers, seen } = await opened(['files', 'export'], ['fees', 'fees'], ['words']);
    const told = (isAgain: boolean, hears = () => true) =>
      informed(SCREENS, layers, () => (hears() ? { type: 'arrived', isAgain } : undefined), seen);
    expect(told(true)).toMatchObject({
      layers: [{ state: { text: 'come to again' } }, layers[1], layers[2]],
      messages: [{ type: 'noticed', text: 'files' }],
    });
    expect(told(false).layers).toBe(layers);
    expect(told(true, () => false)).toEqual({ layers, messages: [] });
  });

  it('tell which field has the focus, with its text as it is now', async () => {
    const { layers, seen } = await opened(['words']);
    expect(layers[0]?.field).toBeNull();
    const typing = stepped(SCREENS, layers, { layer: 1, event: { type: 'type' } }, seen).layers;
    expect(typing[0]?.field).toEqual({ text: 'words', at: 5, label: 'words', isProposed: false, isStep: false });
    const edited = stepped(SCREENS, typing, { layer: 1, event: edit('ab') }, seen).layers;
    expect(edited[0]?.field).toMatchObject({ text: 'ab', at: 2 });
  });

  it('are closed by their own screen when nothing is left to show', async () => {
    const { layers, seen } = await opened(['words'], ['menu']);
    const edited = stepped(SCREENS, layers, { layer: 1, event: edit('') }, seen).layers;
    expect(names(settled(SCREENS, edited, seen))).toEqual(['menu']);
    expect(settled(SCREENS, layers, seen)).toBe(layers);
  });
});
