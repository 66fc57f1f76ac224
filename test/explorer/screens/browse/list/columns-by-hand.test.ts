import { describe, expect, it } from 'vitest';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../../../src/chain/resources/resource.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { columnLayout } from '../../../../../src/explorer/screens/browse/list/column-layout.ts';
import { answerPage, browserOf, press, startSession } from '../../../support/fake-world.ts';
import { layoutOf, menuItems, overlayOf } from '../../../support/layers.ts';
import { onFirstPage, run, showing } from '../../../support/list-scenes.ts';
import { pageOf, provisionPage } from '../../../support/provision-pages.ts';

const resourceOf = (session: Session): Resource => {
  const resource = resourceById(session.state().tab);
  if (resource === undefined) throw new Error('no list');
  return resource;
};

function layoutIn(session: Session) {
  const browser = browserOf(session);
  if (browser.page === null) throw new Error('no page');
  return columnLayout(resourceOf(session), browser, browser.page, layoutOf(session.state()).tableColumns);
}

const onScreen = (session: Session) => layoutIn(session).fitted.map(({ column }) => column.id);
const cellsOf = (session: Session, id: string) =>
  layoutIn(session).fitted.find(({ column }) => column.id === id)?.cells;

const never = (): never => {
  throw new Error('no page');
};

/** The list of columns with the cursor on one of them. */
function onColumn(session: Session, title: string): void {
  press(session, 'c');
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'menu') throw new Error('no menu');
  const at = menuItems(session.state(), overlay).findIndex(({ label }) => label === title);
  expect(at).toBeGreaterThanOrEqual(0);
  press(session, 'home', ...Array.from({ length: at }, () => 'j'));
}

describe('a column in the list of columns', () => {
  it('gets wider and narrower, at once and by as many cells as the key says', async () => {
    const { session } = await onFirstPage();
    const before = cellsOf(session, 'status') ?? 0;
    onColumn(session, 'STATUS');
    press(session, '>', '>');
    expect(cellsOf(session, 'status')).toBe(before + 4);
    press(session, '<', '<', '<');
    expect(cellsOf(session, 'status')).toBe(before - 2);
    expect(browserOf(session).columnWidths).toEqual({ status: before - 2 });
  });

  it('has a least and a most width', async () => {
    const { session } = await onFirstPage();
    onColumn(session, 'STATUS');
    for (let step = 0; step < 60; step++) press(session, '<');
    expect(browserOf(session).columnWidths.status).toBe(3);
    for (let step = 0; step < 60; step++) press(session, '>');
    expect(browserOf(session).columnWidths.status).toBe(90);
  });

  it('goes earlier and later among those on the screen, and the cursor goes with it', async () => {
    const { session } = await onFirstPage();
    const before = onScreen(session);
    const place = before.indexOf('commitment');
    onColumn(session, 'COMMITMENT');
    press(session, '[');
    expect(onScreen(session).indexOf('commitment')).toBe(place - 1);
    press(session, ']', ']');
    const overlay = overlayOf(session.state());
    const item = overlay?.kind === 'menu' ? menuItems(session.state(), overlay)[overlay.cursor] : undefined;
    expect(item?.label).toBe('COMMITMENT');
    expect(layoutIn(session).order.indexOf('commitment')).toBe(place + 1);
    expect(layoutIn(session).order.toSorted()).toEqual([...new Set(layoutIn(session).order)].toSorted());
  });

  it('never takes the place of the first one', async () => {
    const { session } = await onFirstPage();
    const before = onScreen(session);
    onColumn(session, 'PARTY');
    press(session, '[');
    expect(session.state().notice?.text).toBe('the first column stays first: it is always shown');
    press(session, 'home', ']');
    expect(session.state().notice?.text).toBe('the first column stays first: it is always shown');
    expect(onScreen(session)).toEqual(before);
    expect(browserOf(session).columnOrder).toEqual([]);
  });

  it('says so where it is not shown', async () => {
    const { session } = await onFirstPage();
    for (const key of ['<', '>', '[', ']']) {
      onColumn(session, 'BUYS');
      press(session, key);
      expect(session.state().notice?.text).toBe('it is not shown: Enter shows it');
      press(session, 'esc');
    }
  });

  it('is as the list has it again by the last line of the list', async () => {
    const { session } = await onFirstPage();
    const before = layoutIn(session);
    onColumn(session, 'STATUS');
    press(session, '>', ']', 'enter');
    expect(layoutIn(session)).not.toEqual(before);
    press(session, 'G', 'enter', 'esc');
    expect(layoutIn(session)).toEqual(before);
    expect(browserOf(session)).toMatchObject({ columnChoice: {}, columnOrder: [], columnWidths: {} });
  });

  it('stays by hand where answers have no room: the hand has said so', async () => {
    const { session } = await onFirstPage();
    session.dispatch({ type: 'resized', screen: { columns: 60, rows: 24 } });
    onColumn(session, 'REFERENCE');
    for (let step = 0; step < 12; step++) press(session, '[');
    press(session, 'esc');
    expect(onScreen(session)[1]).toBe('reference');
  });

  it('keeps place and width through filters, reloads and the way to another list and back', async () => {
    const { session, world } = await onFirstPage();
    onColumn(session, 'STATUS');
    press(session, '>', ']', 'esc');
    const kept = { columnOrder: browserOf(session).columnOrder, columnWidths: browserOf(session).columnWidths };
    press(session, 'r');
    await answerPage(world, provisionPage(1));
    run(session, 'provisions live=false');
    await answerPage(world, provisionPage(1));
    press(session, 'g', 'enter', 'backspace');
    expect(browserOf(session)).toMatchObject(kept);
  });

  it('moves below the headings of groups as well', async () => {
    const rows = ['a.b.c', 'a.b.d', 'e'].map(key => ({ key, value: '1' }));
    const { session } = await showing(pageOf(rows), { tab: 'parameters' });
    onColumn(session, 'VALUE');
    press(session, ']', '>');
    expect(layoutIn(session).order).toEqual(['key', 'value', 'words']);
    press(session, 'home', '>');
    expect(browserOf(session).columnWidths.key).toBeGreaterThan(3);
    expect(layoutIn(session).fitted[0]?.cells).toBe(browserOf(session).columnWidths.key);
  });

  it.each([Number.NaN, -5, 0, 1e9, Number.POSITIVE_INFINITY, 7.9])(
    'is drawn whatever width was kept: %d',
    async cells => {
      const { session } = await onFirstPage();
      const browser = {
        ...browserOf(session),
        columnWidths: { status: cells },
        columnOrder: ['nonsense', 'fee', 'fee'],
      };
      const resource = resourceOf(session);
      const { fitted, order } = columnLayout(resource, browser, browser.page ?? never(), 80);
      expect(fitted.every(column => column.cells >= 3 && column.cells <= 90)).toBe(true);
      expect(new Set(order).size).toBe(order.length);
    },
  );

  it('is never of a menu that is none of columns', async () => {
    const { session } = await onFirstPage();
    press(session, 's', ']', '>');
    expect(session.state().notice?.text).toBe('> does nothing here');
    expect(browserOf(session)).toMatchObject({ columnOrder: [], columnWidths: {} });
  });

  it('has nothing done to it before there are rows', async () => {
    const { session } = await startSession();
    press(session, 'c', 'j', '>', ']');
    expect(browserOf(session)).toMatchObject({ columnOrder: [], columnWidths: {} });
  });
});
