import { describe, expect, it } from 'vitest';
import { safeText } from '../../../src/base/text/safe-text.ts';
import { tabVerb } from '../../../src/explorer/app/commands/screen-verbs.ts';
import { drawStatus } from '../../../src/explorer/app/frame/chrome.ts';
import { KEYMAP, layerBindings } from '../../../src/explorer/app/keymap.ts';
import { acceptsUnbracketedPaste, focusName, pasteAction } from '../../../src/explorer/app/layer-input.ts';
import { openOver } from '../../../src/explorer/app/layers.ts';
import { reduce } from '../../../src/explorer/app/reduce.ts';
import { eraseScreenTypes } from '../../../src/explorer/core/any-screen.ts';
import { span } from '../../../src/explorer/core/line.ts';
import type { ListScreen, ScreenKey } from '../../../src/explorer/core/screen.ts';
import { startSession } from '../support/fake-world.ts';
import { openAlone, PAGE } from './own-screen.ts';

interface Panes {
  readonly pane: 'left' | 'right';
}

type PanesEvent = { readonly type: 'look' };

const key = (name: string, position?: 'first' | 'last'): ScreenKey<Panes, PanesEvent> => ({
  ...{ keys: [name], event: { type: 'look' }, title: name, group: 'Look' },
  ...(position && { position }),
});

const panes: ListScreen<Panes, PanesEvent, null> = {
  kind: 'list',
  title: 'two panes',
  ...PAGE,
  open: () => ({ pane: 'left' }),
  keys: [key('behind', 'last'), key('amid'), key('before', 'first')],
  pane: ({ pane }) => pane,
  move: state => state,
  handlers: { look: state => ({ state }) },
  around: { head: () => [], place: () => '', progress: () => [span(safeText`two rows`, 'good')] },
  input: {
    field: () => ({ value: { text: '', at: 0 }, label: 'filter', edited: () => ({ type: 'look' }) }),
    takesUnmarkedPaste: ({ pane }) => pane === 'left',
    pasted: (_, text, { area }) => (text.length > area.columns ? { type: 'look' } : undefined),
  },
  tab: {
    id: 'provisions',
    afterSwitch: () => null,
    verbs: {
      behind: {
        help: ['behind', 'what the panes are behind'],
        read: (_, __, { coveredBy }) => ({ problem: coveredBy?.title ?? 'nothing' }),
      },
    },
    root: { news: state => ({ state }) },
  },
  body: () => [],
};

async function shown() {
  const state = (await startSession()).session.state();
  return { state, top: openAlone(state, panes) };
}

describe('Screen with panes', () => {
  it('A screen with panes has keys before those of movement and keys after those of the program', async () => {
    const { top } = await shown();
    const program = KEYMAP.filter(({ targets }) => targets.includes('screen'));
    const order = layerBindings(top, program).map(({ title }) => title);
    const at = (title: string): number => order.indexOf(title);
    expect(at('before')).toBe(0);
    expect(at('before') < at('down') && at('down') < at('amid') && at('amid') < at('command line')).toBe(true);
    expect(at('behind')).toBe(order.length - 1);
  });

  it('A screen with panes has the focus in one of its panes', async () => {
    const { state, top } = await shown();
    const right = { ...top, layer: { ...top.layer, state: { pane: 'right' } } };
    expect(new Set([focusName(state), focusName(state, top), focusName(state, right)]).size).toBe(3);
  });

  it('A screen with panes decides first what becomes of pasted text, though a field has the focus', async () => {
    const { state, top } = await shown();
    expect(pasteAction(state, 'x'.repeat(81), top)).toMatchObject({ type: 'in-layer', layer: top.layer.id });
    expect(pasteAction(state, 'x', top)).toBeUndefined();
    expect([acceptsUnbracketedPaste(state, top), acceptsUnbracketedPaste(state)]).toEqual([true, false]);
  });

  it('A screen with panes has commands that are read on its tab only, and knows then what covers it', async () => {
    const { state, top } = await shown();
    const verb = tabVerb(['behind', ''], 'there are no panes here', eraseScreenTypes({ own: panes }));
    const layers = [top.layer];
    const over = openOver({ ...state, layers }, 'requests', null);
    expect(verb.read({ ...state, layers }, [])).toEqual({ problem: 'nothing' });
    expect(verb.read(over, [])).toEqual({ problem: 'the requests' });
    expect(verb.read({ ...state, layers, tab: 'fees' }, [])).toEqual({ problem: 'there are no panes here' });
  });

  it('A screen with panes says what it waits for in its own colours, followed by a notice', async () => {
    const { state, top } = await shown();
    expect(drawStatus(state, top)).toContainEqual(span(safeText`two rows`, 'good'));
    const noticed = reduce(state, { type: 'noticed', text: 'a word' });
    expect(drawStatus(noticed, top).map(({ text }) => text.trim())).toContain('a word');
  });
});

describe('Notice that replaces another', () => {
  it('A notice that replaces another is shown only where that one still is, or where there is none', async () => {
    const { state } = await shown();
    const quiet = { ...state, notice: null };
    const say = (before: typeof state, text: string, inPlaceOf: string) =>
      reduce(before, { type: 'noticed', text, inPlaceOf });
    const said = say(quiet, 'filters as left: ab', '');
    expect(said.notice?.text).toBe('filters as left: ab');
    expect(say(said, 'other', '').notice?.text).toBe('filters as left: ab');
    expect(say(said, 'filters as left: Alpha', 'filters as left: ab').notice?.text).toBe('filters as left: Alpha');
    expect(say(said, 'other', 'what was said before').notice?.text).toBe('filters as left: ab');
  });
});
