import { describe, expect, it } from 'vitest';
import { sendToRoots } from '../../../../src/explorer/app/layers.ts';
import { layerContext } from '../../../../src/explorer/app/open-screens.ts';
import type { SessionState } from '../../../../src/explorer/core/state.ts';
import type { BrowseEvent } from '../../../../src/explorer/screens/browse/events.ts';
import { tell } from '../../support/browse-scenes.ts';
import { browserOf, press } from '../../support/fake-world.ts';
import { listsOf } from '../../support/layers.ts';
import { onFirstPage } from '../../support/list-scenes.ts';

/** What the list of a tab sees. */
function contextOfList(state: SessionState, tab: string) {
  const root = state.layers.find(layer => layer.isRoot && layer.tab === tab);
  if (root === undefined) throw new Error(`there is no list ${tab}`);
  return layerContext(state, root);
}

const toList = (tab: string, event: BrowseEvent) => ({ screen: 'browse', tabs: [tab], event });

describe('Event sent to the list of a tab', () => {
  it('An event to a list changes only that list, whichever tab is shown', async () => {
    const { session } = await onFirstPage();
    const before = session.state();
    const { layers, ...others } = sendToRoots(before, toList('fees', { type: 'set-page-size', size: 20 }));
    const { fees, ...lists } = listsOf({ layers });
    expect(fees).toMatchObject({ pageSize: 20, loading: { request: { size: 20 } } });
    expect({ ...listsOf(before), ...lists }).toEqual(listsOf(before));
    expect({ ...before, ...others }).toEqual(before);
  });

  it('An event for an unknown list changes nothing', async () => {
    const { session } = await onFirstPage();
    const before = session.state();
    expect(sendToRoots(before, toList('export', { type: 'reset-columns' }))).toBe(before);
  });

  it('An event to a list returns its notice, and the program shows it', async () => {
    const { session } = await onFirstPage();
    const wrong = { type: 'set-filter', name: 'marketId', value: 'xyz' } as const;
    const { layers, outbox } = sendToRoots(session.state(), toList('provisions', wrong));
    expect(layers).toBe(session.state().layers);
    expect(outbox).toMatchObject([{ type: 'noticed', tone: 'bad' }]);
    tell(session, wrong);
    expect(session.state().notice).toMatchObject({ tone: 'bad' });
  });

  it('An event to a list still reaches it from what the list opened, when another tab is shown by then', async () => {
    const { session } = await onFirstPage();
    const { to } = contextOfList(session.state(), 'provisions');
    press(session, 'tab');
    session.dispatch(to({ type: 'sort-by', column: 'epoch' }));
    expect(browserOf(session, 'provisions').sort).toMatchObject({ column: 'epoch' });
    expect(browserOf(session).sort).toBeNull();
  });
});

describe('Space of a list', () => {
  it('A list sees the whole body when nothing covers it', async () => {
    const { session } = await onFirstPage();
    const { area, isOnTop, coveredBy } = contextOfList(session.state(), 'provisions');
    expect(area).toEqual({ columns: 80, rows: 19 });
    expect({ isOnTop, coveredBy }).toEqual({ isOnTop: true, coveredBy: undefined });
  });

  it.each([
    ['a menu', 's', undefined],
    ['the log of requests', 'L', { name: 'requests', title: 'the requests' }],
  ])('A list sees less with %s over it', async (_, key, cover) => {
    const { session } = await onFirstPage();
    press(session, key);
    const { isOnTop, coveredBy } = contextOfList(session.state(), 'provisions');
    expect({ isOnTop, coveredBy }).toEqual({ isOnTop: false, coveredBy: cover });
  });
});
