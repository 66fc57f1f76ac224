import { describe, expect, it } from 'vitest';
import {
  layersAfterSwitch,
  notifyRoots,
  openScreen,
  sendToLayer,
  settleLayers,
} from '../../../src/explorer/app/layers.ts';
import {
  coveringScreen,
  type Layers,
  layerArea,
  layerContext,
  shownDataTimeMs,
} from '../../../src/explorer/app/open-screens.ts';
import { eraseScreenTypes, type Screens } from '../../../src/explorer/core/any-screen.ts';
import { isTabCovered, layersKeptByTabs, shownLayers, topLayer } from '../../../src/explorer/core/layer.ts';
import type { FormScreen } from '../../../src/explorer/core/screen.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { PAGE } from '../core/own-screen.ts';
import { startSession } from '../support/fake-world.ts';

interface Words {
  readonly text: string;
  readonly isTyping: boolean;
}

type WordsEvent = { readonly type: 'edited'; readonly text: string } | { readonly type: 'type' };

const edit = (text: string): WordsEvent => ({ type: 'edited', text });

const words: FormScreen<Words, WordsEvent, string> = {
  kind: 'form',
  title: 'words',
  ...PAGE,
  open: text => ({ text, isTyping: false }),
  keys: [],
  handlers: {
    type: state => ({ state: { ...state, isTyping: true } }),
    edited: (state, { text }) => ({ state: { ...state, text } }),
  },
  // What has no words is closed.
  settle: state => (state.text === '' ? null : state),
  input: {
    field: ({ text, isTyping }) =>
      isTyping
        ? { value: { text, at: text.length }, label: 'words', edited: value => ({ type: 'edited', text: value.text }) }
        : undefined,
  },
  body: () => [],
};

const menu: FormScreen<Words, WordsEvent, string> = { ...words, isOverlay: true };
const files: typeof words = {
  ...words,
  tab: { id: 'history', afterSwitch: state => ({ ...state, text: 'kept' }) },
};
const list: typeof words = {
  ...words,
  tab: {
    id: opening => opening,
    afterSwitch: () => null,
    root: {
      news: (state, news) => ({
        state: news.type === 'arrived' && news.isAgain ? { ...state, text: 'come to again' } : state,
        messages: [{ type: 'noticed', text: state.text }],
      }),
      asOfMs: ({ text }) => text.length,
    },
  },
  around: {
    head: () => [],
    place: () => '',
    foot: { rows: (_, { isCovered }) => (isCovered ? 0 : 2), draw: () => [] },
  },
};
const fees: typeof words = { ...words, tab: { id: 'fees', afterSwitch: () => null } };

const SCREENS: Screens = eraseScreenTypes({ words, menu, files, list, fees });

/** The session with no screens but these, each opened while that tab is shown. */
async function opened(...screens: readonly (readonly [name: string, tab?: string])[]): Promise<SessionState> {
  const { session } = await startSession();
  let state: SessionState = { ...session.state(), layers: [], lastId: 0 };
  for (const [screen, tab = 'provisions'] of screens)
    state = openScreen({ ...state, tab }, { screen, opening: screen }, SCREENS);
  return state;
}

/** Lists that are tabs themselves. */
async function roots(...tabs: readonly string[]): Promise<Layers> {
  const first = await opened();
  return tabs.reduce((state, opening) => openScreen(state, { screen: 'list', opening }, SCREENS), first).layers;
}

const names = (layers: Layers): readonly string[] => layers.map(({ screen }) => screen);

describe('Layers over the tabs', () => {
  it('The layers wait behind their tab, and those without a tab are over any', async () => {
    const { layers } = await opened(['files', 'history'], ['words']);
    expect(names(shownLayers({ layers, tab: 'history' }))).toEqual(['files', 'words']);
    expect(names(shownLayers({ layers, tab: 'fees' }))).toEqual(['words']);
    expect(names(layersKeptByTabs({ layers }))).toEqual(['files']);
  });

  it('The layers have no effect on a tab that none of them is over', async () => {
    const { layers } = await opened(['files', 'history']);
    expect(topLayer({ layers, tab: 'fees' })).toBeUndefined();
    expect([isTabCovered({ layers, tab: 'history' }), isTabCovered({ layers, tab: 'fees' })]).toEqual([true, false]);
  });

  it('The layers can be roots of several tabs, each of the tab that it was opened for', async () => {
    expect(await roots('fees', 'epochs')).toMatchObject([
      { isRoot: true, tab: 'fees' },
      { isRoot: true, tab: 'epochs' },
    ]);
  });

  it('The layers leave rows for their footer until a screen covers them, and those above have the whole body', async () => {
    const [fees, epochs] = await roots('fees', 'epochs');
    const { layers } = await opened(['words'], ['menu']);
    const [over, menuLayer] = layers.map(layer => ({ ...layer, id: layer.id + 10 }));
    if (!fees || !epochs || !over || !menuLayer) throw new Error('not all are open');
    const state = { ...(await opened()), tab: 'fees', screen: { columns: 80, rows: 25 } };
    const rows = (shown: Layers) => shown.map(layer => layerArea({ ...state, layers: shown }, layer, SCREENS).rows);
    expect(rows([fees, epochs, menuLayer])).toEqual([18, 18, 20]);
    expect(rows([fees, over])).toEqual([20, 20]);
    // Where nothing of the kind is known, they have all of it.
    expect(rows([menuLayer])).toEqual([20]);
  });

  it('The layers know what covers them, even while their tab waits', async () => {
    const [fees, epochs] = await roots('fees', 'epochs');
    const [over] = (await opened(['fees', 'fees'])).layers;
    if (!fees || !epochs || !over) throw new Error('not all are open');
    const own = { ...over, id: 3 };
    const cover = (layer: typeof own, tab: string) =>
      coveringScreen({ layers: [fees, epochs, own], tab }, layer, SCREENS);
    expect([cover(fees, 'fees'), cover(fees, 'epochs')]).toMatchObject([{ layer: own }, { layer: own }]);
    expect([cover(epochs, 'fees'), cover(own, 'fees')]).toEqual([undefined, undefined]);
  });

  it('The layers report when the content of the tab came from the node, whatever covers it', async () => {
    const state = (await startSession()).session.state();
    const layers = [...(await roots('fees', 'epochs')), ...(await opened(['words'])).layers];
    const ages = ['fees', 'epochs', 'provisions'].map(tab => shownDataTimeMs({ ...state, layers, tab }, SCREENS));
    expect(ages).toEqual([4, 6, undefined]);
  });

  it('The layers leave a tab visible below an overlay, which the next screen replaces', async () => {
    const { layers } = await opened(['menu']);
    expect(isTabCovered({ layers, tab: 'fees' })).toBe(false);
    expect(names((await opened(['words'], ['menu'], ['menu'])).layers)).toEqual(['words', 'menu']);
    expect(names((await opened(['menu'], ['words'])).layers)).toEqual(['words']);
  });

  it('The layers are read live by what they open, until they are closed', async () => {
    const state = await opened(['words']);
    const [layer] = state.layers;
    if (layer === undefined) throw new Error('nothing is open');
    const text = layerContext(state, layer).live(state => (state as Words).text, 'closed');
    const edited = sendToLayer(state, { layer: 1, event: edit('other') }, SCREENS).layers;
    expect([state.layers, edited, []].map(now => text({ ...state, layers: now }))).toEqual([
      'words',
      'other',
      'closed',
    ]);
  });

  it('The layers keep only what their screens leave when the node changes', async () => {
    const state = await opened(['files', 'history'], ['fees', 'fees'], ['words']);
    expect(layersAfterSwitch(state, false, SCREENS)).toMatchObject([{ screen: 'files', state: { text: 'kept' } }]);
  });

  it('The layers receive events, each for itself, and have messages for the program', async () => {
    const state = { ...(await opened()), layers: await roots('fees', 'epochs') };
    const told = (isAgain: boolean, hears = (tab: string): boolean => tab === 'fees') =>
      notifyRoots(state, tab => (hears(tab) ? { type: 'arrived', isAgain } : undefined), SCREENS);
    expect(told(true)).toMatchObject({
      layers: [{ state: { text: 'come to again' } }, state.layers[1]],
      outbox: [{ type: 'noticed', text: 'fees' }],
    });
    expect(told(false).layers).toBe(state.layers);
    expect(told(true, () => false)).toBe(state);
  });

  it('The layers report which field has the focus, with its current text', async () => {
    const state = await opened(['words']);
    expect(state.layers[0]?.field).toBeNull();
    const typing = sendToLayer(state, { layer: 1, event: { type: 'type' } }, SCREENS);
    expect(typing.layers[0]?.field).toEqual({ text: 'words', at: 5, label: 'words', isProposed: false, isStep: false });
    const edited = sendToLayer(typing, { layer: 1, event: edit('ab') }, SCREENS).layers;
    expect(edited[0]?.field).toMatchObject({ text: 'ab', at: 2 });
  });

  it('The layers are closed by their own screen when nothing is left to show', async () => {
    const state = await opened(['words'], ['menu']);
    const edited = sendToLayer(state, { layer: 1, event: edit('') }, SCREENS);
    expect(names(settleLayers(edited, SCREENS).layers)).toEqual(['menu']);
    expect(settleLayers(state, SCREENS)).toBe(state);
  });
});
