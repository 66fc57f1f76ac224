import { describe, expect, it } from 'vitest';
import { untyped } from '../../src/explorer/core/layer.ts';
import { areaOf } from '../../src/explorer/core/stack.ts';
import type { Layer } from '../../src/session/model/layer.ts';
import { bodyArea } from '../../src/session/model/layout.ts';
import type { SessionState } from '../../src/session/model/state.ts';
import type { Binding } from '../../src/session/reduce/binding.ts';
import { bindingsOf, KEYMAP, offReason } from '../../src/session/reduce/keymap.ts';
import { contextOf, layerBindings, leftRoot, savedRoot, withRootReturned } from '../../src/session/reduce/layers.ts';
import { listContext } from '../../src/session/reduce/tab-list.ts';
import { browseScreen } from '../../src/ui/draw/browse-screen.ts';
import { press } from '../session/fake-world.ts';
import { onFirstPage, type } from '../session/list-scenes.ts';

const SCREENS = untyped({ browse: browseScreen });

/** The list of the tab shown as the screen of a layer, with what it sees. */
function asScreen(state: SessionState) {
  const list = state.browsers[state.tab];
  const screen = SCREENS.browse;
  if (list === undefined || screen === undefined) throw new Error('no list is shown');
  const field = browseScreen.field?.(list);
  const layer: Layer = {
    ...{ id: 1, screen: 'browse', tab: state.tab, isRoot: true, isOverlay: false },
    state: list,
    field: field === undefined ? null : { ...field.value, label: field.label, isProposed: false, isStep: false },
  };
  return { list, layer, screen, context: contextOf({ ...state, layers: [layer] }, layer) };
}

const SCENES: readonly (readonly [name: string, keys: readonly string[], find: string])[] = [
  ['a list', [], ''],
  ['a list that is searched', ['/'], '00'],
  ['a record', ['enter'], ''],
  ['a record that is searched', ['enter', '/'], '00'],
  ['its filters', ['f'], ''],
];

async function scene(keys: readonly string[], find: string): Promise<SessionState> {
  const { session } = await onFirstPage();
  press(session, ...keys);
  if (find !== '') {
    type(session, find);
    press(session, 'enter');
  }
  return session.state();
}

describe('the list as a screen', () => {
  it.each(SCENES)('has for %s the keys that it has now, in their order and with their reasons', async (_, ...done) => {
    const state = await scene(...done);
    const top = asScreen(state);
    const mode = top.layer.field === null ? 'layer' : 'layer-field';
    const program = KEYMAP.filter(({ modes }) => modes.includes(mode));
    const shown = (binding: Binding) =>
      `${binding.keys.join(' ')}: ${binding.title}, ${binding.footer} ${offReason(state, binding) ?? ''}`;
    expect(layerBindings(top, program).map(shown)).toEqual(bindingsOf(state).map(shown));
  });

  it.each(SCENES)('has for %s the room that it has now', async (_, ...done) => {
    const state = await scene(...done);
    const { layer, list } = asScreen(state);
    const body = bodyArea(state.screen);
    const { area } = listContext(state, list);
    expect(areaOf(SCREENS, { layers: [layer], tab: state.tab, body }, layer)).toEqual(area);
  });

  it('is left, come back to and saved as the lists are now', async () => {
    const { session } = await onFirstPage();
    session.dispatch({ type: 'sort-by', column: 'fee' });
    const screens = untyped({ browse: browseScreen });
    const before = asScreen(session.state());
    const state = { ...session.state(), layers: [before.layer] };
    const { state: left, rows } = leftRoot(state, state.tab, screens);
    expect(rows).toBe(50);
    const since = { ...before.layer, state: { ...before.list, columnWidths: { fee: 30 } } };
    const back = withRootReturned({ ...state, layers: [since] }, { tab: state.tab, left }, screens).layers[0]?.state;
    expect(back).toMatchObject({ sort: { column: 'fee' }, columnWidths: { fee: 30 }, page: before.list.page });
    expect(savedRoot(state, state.tab, screens)?.now).toEqual({ sort: before.list.sort });
  });
});
