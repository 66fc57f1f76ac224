import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../../src/chain/resources/resource.ts';
import { currentBindings } from '../../../../src/explorer/app/keymap.ts';
import { withoutOverlays } from '../../../../src/explorer/app/open-screens.ts';
import type { SessionState } from '../../../../src/explorer/core/state.ts';
import { newList } from '../../../../src/explorer/screens/browse/open-list.ts';
import { SCREENS } from '../../../../src/explorer/screens/registry.ts';
import { TABS } from '../../../../src/explorer/tabs.ts';
import { press } from '../../support/fake-world.ts';
import { paintedLines, plain, renderFrame } from '../../support/frame.ts';
import { menuItems, overlayOf } from '../../support/layers.ts';
import { onFirstPage } from '../../support/list-scenes.ts';
import { onOverview } from '../../support/overview-scenes.ts';

const MAIN_KEYS = 5;

/** The help at this moment: its first line, and the keys in their order with their groups. */
function helpOf(state: SessionState) {
  const overlay = overlayOf(state);
  if (overlay?.kind !== 'menu') throw new Error('no help is open');
  const groups = new Map(currentBindings(withoutOverlays(state)).map(({ title, group }) => [title, group]));
  const items = menuItems(state, overlay).map(({ label }) => groups.get(label));
  const sentence = renderFrame(state)
    .split('\n')
    .find((_, row, lines) => lines[row + 1]?.startsWith(' Keys: ') === true);
  return { groups: items, sentence: sentence?.trim() ?? '' };
}

describe('Help', () => {
  it('The help lists every digit that leads to a tab', async () => {
    const { session } = await onFirstPage();
    press(session, '?', '/');
    session.dispatch({ type: 'type-text', value: 'go to that' });
    expect(renderFrame(session.state())).toContain(`${TABS[0]?.key}-${TABS.at(-1)?.key}       go to that tab`);
  });

  it.each([
    ...TABS.map(({ id, key }) => [id, [key]] as const),
    ['a record', ['2', 'enter']] as const,
    ['the log of requests', ['L']] as const,
  ])('The help begins on %s with a description and the main keys, and ends with the movement keys', async (_, keys) => {
    const { session } = await onFirstPage();
    press(session, ...keys, '?');
    const { groups, sentence } = helpOf(session.state());
    expect(sentence).toMatch(/^[A-Z].{20,}/);
    const others = groups.filter(group => group !== undefined);
    const firstMove = others.indexOf('Move');
    if (firstMove >= 0) expect(new Set(others.slice(firstMove))).toEqual(new Set(['Move']));
    expect(others.slice(0, MAIN_KEYS)).not.toContain('Move');
  });

  it('The help replaces the description of the screen below, above and below the status line', async () => {
    const { session } = await onOverview();
    const lines = () => paintedLines(session.state()).map(line => plain(line).trim());
    expect([lines()[2], lines().at(-2)]).not.toContain('');
    expect(lines().at(-4)).toMatch(/^\u2500 Details \u2500+$/);
    press(session, '?');
    expect(lines()[2]).toMatch(/^\u2500+$/);
    expect(lines().at(-2)).toMatch(/^\u2500+$/);
    // Below the keys two lines are for what a row has cut.
    expect(lines().at(-5)).not.toBe('');
  });

  it('The help has a description of each screen that it can be opened on, short enough for 80 cells', () => {
    for (const screen of Object.values(SCREENS)) {
      if (screen.isOverlay) continue;
      const { title, description } = screen;
      const said = typeof description === 'string' ? [description] : RESOURCES.map(asList).map(description);
      for (const text of said) expect(text, title).toMatch(/^.{10,78}$/);
    }
  });
});

const asList = (resource: Resource) => newList(resource, {});
