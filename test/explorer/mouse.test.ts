import { describe, expect, it } from 'vitest';
import { drawTabs, tabAt } from '../../src/explorer/app/frame/tab-bar.ts';
import type { Session } from '../../src/explorer/app/session.ts';
import { handleMouse } from '../../src/explorer/mouse.ts';
import type { ShownCounts } from '../../src/explorer/screens/counts/state.ts';
import type { NodePicker } from '../../src/explorer/screens/nodes/state.ts';
import { TABS } from '../../src/explorer/tabs.ts';
import { browserOf, FakeWorld, last, press, told } from './support/fake-world.ts';
import { paintedLines, plain } from './support/frame.ts';
import { openState, overlayOf } from './support/layers.ts';
import { inPicker, offered } from './support/node-scenes.ts';
import { requestsTold } from './support/requests-told.ts';
import { table } from './support/scenes.ts';
import { tableOf, viewing } from './support/viewer-scenes.ts';

const USUAL = { columns: 80, rows: 24 };

const click = (session: Session, row: number, column = 5): void => handleMouse(session, { what: 'press', row, column });
const turn = (session: Session, what: 'wheel-up' | 'wheel-down'): void =>
  handleMouse(session, { what, row: 10, column: 5 });
const lines = (session: Session): readonly string[] => paintedLines(session.state()).map(plain);

describe('Mouse click', () => {
  it('A click selects the very row that is drawn there, on every row of the screen', async () => {
    const { session } = await table(USUAL);
    for (let row = 5; row < 22; row++) {
      click(session, row);
      expect(lines(session).findIndex(line => line.startsWith('> '))).toBe(row);
    }
  });

  it('A click inspects the row that is selected', async () => {
    const { session } = await table(USUAL);
    click(session, 7);
    expect(browserOf(session).inspector).toBeNull();
    click(session, 7);
    expect(browserOf(session).inspector).not.toBeNull();
  });

  it('A click selects a line of the record, and opens it when it is selected', async () => {
    const { session } = await table(USUAL);
    press(session, 'enter');
    await told();
    click(session, 6);
    expect(lines(session)[6]).toMatch(/^> /);
    click(session, 6);
    expect(overlayOf(session.state())?.kind).toBe('value');
  });

  it('A click shows another record, when the list is next to it', async () => {
    const { session } = await table({ columns: 140, rows: 24 });
    press(session, 'enter');
    await told();
    click(session, 8);
    expect(browserOf(session).view.row).toBe(4);
    expect(browserOf(session).inspector?.row).toBe(browserOf(session).page?.rows[4]);
  });

  it('A click selects an item of a menu, and chooses the one that is selected', async () => {
    const { session } = await table(USUAL);
    press(session, 's');
    click(session, 7);
    expect(overlayOf(session.state())).toMatchObject({ kind: 'menu', cursor: 2 });
    expect(lines(session)[7]).toMatch(/^> /);
    click(session, 7);
    expect(overlayOf(session.state())).toBeNull();
    expect(browserOf(session).sort).not.toBeNull();
  });

  it('A click selects the very node that is drawn there, however many there are and whatever is above them', async () => {
    for (const problem of [null, 'config.json is not used'])
      for (const count of [2, 40]) {
        const fake = new FakeWorld();
        const profiles = Array.from({ length: count }, (_, index) => offered(`node-${index}`));
        fake.profiles = async () => ({ profiles, problem });
        const { session } = await inPicker(fake);
        press(session, 'end', 'up');
        const drawn = lines(session).flatMap((line, row) =>
          /^[ >][ *] \S+ +(?:asking|starts)/.test(line) ? [row] : [],
        );
        expect(drawn.length).toBe(Math.min(count + 1, problem === null ? 13 : 12));
        for (const row of drawn.filter(shown => !lines(session)[shown]?.startsWith('>'))) {
          const [name = ''] = lines(session)[row]?.slice(3).split(' ') ?? [];
          click(session, row);
          const { offered: nodes, list } = openState<NodePicker>(session, 'nodes');
          expect(nodes?.[list.row]?.name).toBe(name);
          press(session, 'end', 'up');
        }
        for (const row of [3, 4, (drawn[0] ?? 0) - 1, (drawn.at(-1) ?? 0) + 1]) {
          const before = session.state();
          click(session, row);
          expect(session.state()).toBe(before);
        }
      }
  });

  it('A click selects the very request that is drawn there, and shows all of the selected one', async () => {
    const { session, world } = await table(USUAL);
    press(session, 'L');
    last(world.tells).answer({ version: 1, requests: requestsTold(40) });
    await told();
    press(session, 'end');
    for (let row = 4; row < 22; row++) {
      click(session, row);
      expect(lines(session).findIndex(line => line.startsWith('> '))).toBe(row);
    }
    const before = session.state();
    for (const row of [2, 3, 22, 23]) click(session, row);
    expect(session.state()).toBe(before);
    click(session, 21);
    expect(overlayOf(session.state())?.kind).toBe('value');
  });

  it('A click selects the very row of a table on disk that is drawn there, and shows all of the selected one', async () => {
    for (const rows of [16, 24]) {
      const { session } = await viewing({ screen: { columns: 80, rows } });
      press(session, 'pagedown', 'pagedown');
      await told();
      for (let row = 5; row < rows - 2; row++) {
        click(session, row);
        expect(lines(session).findIndex(line => line.startsWith('> '))).toBe(row);
      }
      const before = session.state();
      for (const row of [2, 3, rows - 2, rows - 1]) click(session, row);
      expect(session.state()).toBe(before);
      click(session, rows - 3);
      expect(overlayOf(session.state())?.kind).toBe('value');
    }
  });

  it('A click selects the very counted value that is drawn there, and leaves its rows on the selected one', async () => {
    const { session } = await viewing({ screen: USUAL });
    press(session, 'F', 'j', 'j', 'enter');
    await told();
    await told();
    for (let row = 6; row < 22; row++) {
      click(session, row);
      expect(lines(session).findIndex(line => line.startsWith('> '))).toBe(row);
    }
    for (const row of [2, 3, 4]) click(session, row);
    expect(lines(session).findIndex(line => line.startsWith('> '))).toBe(21);
    click(session, 21);
    await told();
    expect(tableOf(session).view.shown.look.filters).toHaveLength(1);
  });

  it('A click changes nothing in a table on disk that is being opened, has no rows, or is drawn as a chart', async () => {
    const empty = await viewing({ table: { rows: 0 } });
    const chart = await viewing();
    press(chart.session, 'C', 'enter');
    await told();
    const opening = await viewing();
    press(opening.session, 'r');
    for (const { session } of [empty, chart, opening]) {
      const before = session.state();
      for (let row = 2; row < 24; row++) click(session, row);
      expect(session.state()).toBe(before);
    }
  });

  it('A click changes nothing when nothing can be selected', async () => {
    const { session } = await table(USUAL);
    const before = session.state();
    for (const row of [0, 2, 3, 22, 23, 99, -1]) click(session, row);
    expect(session.state()).toBe(before);
    press(session, ':');
    const typing = session.state();
    for (let row = 0; row < 24; row++) click(session, row);
    expect(session.state()).toBe(typing);
  });

  it('A click opens the tab whose digit or title it is on, at any width', async () => {
    for (const columns of [40, 60, 80, 200]) {
      const bar = drawTabs(TABS, 'provisions', columns)
        .map(({ text }) => text)
        .join('');
      for (const [index, { id, key, short }] of TABS.entries())
        expect(tabAt(TABS, 'provisions', columns, bar.indexOf(id === 'provisions' ? short : key))).toBe(index);
      expect(tabAt(TABS, 'provisions', columns, bar.length + 1)).toBeUndefined();
    }
    const { session } = await table(USUAL);
    click(session, 1, 1);
    expect(session.state().tab).toBe(TABS[0]?.id);
  });
});

describe('Mouse wheel', () => {
  it('The mouse wheel moves three rows, in the list and in the record', async () => {
    const { session } = await table(USUAL);
    turn(session, 'wheel-down');
    turn(session, 'wheel-down');
    turn(session, 'wheel-up');
    expect(browserOf(session).view.row).toBe(3);
    press(session, 'enter');
    await told();
    turn(session, 'wheel-down');
    expect(browserOf(session).inspector?.cursor).toBe(3);
  });

  it('The mouse wheel moves three rows of a table on disk, and three counted values', async () => {
    const { session } = await viewing();
    turn(session, 'wheel-down');
    expect(tableOf(session).view.row).toBe(3);
    press(session, 'F', 'j', 'j', 'enter');
    await told();
    turn(session, 'wheel-down');
    turn(session, 'wheel-down');
    turn(session, 'wheel-up');
    expect(openState<ShownCounts>(session, 'counts').row).toBe(3);
  });

  it('The mouse wheel moves in a menu, and types nothing into a field', async () => {
    const { session } = await table(USUAL);
    press(session, '?');
    turn(session, 'wheel-down');
    expect(overlayOf(session.state())).toMatchObject({ cursor: 3 });
    press(session, 'esc', 'f');
    const typing = session.state();
    turn(session, 'wheel-down');
    expect(session.state()).toBe(typing);
  });
});

describe('Mouse help', () => {
  it('The help says how text is selected while the mouse is on, and turns the mouse on and off', async () => {
    const { session } = await table({ columns: 100, rows: 60 });
    press(session, '?', 'end');
    expect(lines(session).join('\n')).toContain('off: Enter turns it on');
    press(session, 'enter', '?', 'end');
    expect(lines(session).join('\n')).toMatch(/the mouse; Shift selects text +on: Enter turns it off/);
    press(session, 'enter', '?', 'end');
    expect(lines(session).join('\n')).toContain('off: Enter turns it on');
  });
});
