import { describe, expect, it } from 'vitest';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { columnLayout, descriptorColumnId } from '../../../../../src/explorer/screens/browse/list/column-layout.ts';
import { THEMES } from '../../../../../src/explorer/terminal/theme.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { browserOf, press } from '../../../support/fake-world.ts';
import { paintedLines } from '../../../support/frame.ts';
import { layoutOf, menuItems, overlayOf } from '../../../support/layers.ts';
import { onFirstPage, showing } from '../../../support/list-scenes.ts';
import { hexId, pageOf } from '../../../support/provision-pages.ts';

function columnsShown(session: Session): readonly string[] {
  const browser = browserOf(session);
  const resource = resourceById(browser.resource);
  if (resource === undefined || browser.page === null) throw new Error('there is no list');
  const { fitted } = columnLayout(resource, browser, browser.page, layoutOf(session.state()).tableColumns);
  return fitted.map(({ column }) => descriptorColumnId(column.id));
}

const marked = (session: Session): string | null => browserOf(session).cellColumn;

function onColumn(session: Session, wanted: string): void {
  for (let steps = 0; steps < 30 && marked(session) !== wanted; steps++) press(session, 'right');
  expect(marked(session)).toBe(wanted);
}

const items = (session: Session) => {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'menu' ? menuItems(session.state(), overlay) : [];
};

const PAID = {
  market: hexId(1),
  asset: hexId(2),
  epochSeq: '41',
  totalFeesPaid: '100',
  feesPaidPerParty: [{ party: hexId(3), amount: '60' }],
};

describe('Marked cell of a list', () => {
  it('The marked cell goes through every column, always one that is shown, and back to the whole row', async () => {
    const { session } = await onFirstPage();
    expect(marked(session)).toBeNull();
    const right = Array.from({ length: 30 }, () => {
      press(session, 'right');
      expect(columnsShown(session)).toContain(marked(session));
      return marked(session);
    });
    const passed = [...new Set(right)];
    expect(passed.length).toBeGreaterThan(columnsShown(session).length);
    const left = Array.from({ length: passed.length - 1 }, () => {
      press(session, 'left');
      expect(columnsShown(session)).toContain(marked(session));
      return marked(session);
    });
    expect(left).toEqual(passed.slice(0, -1).toReversed());
    press(session, 'left', 'left');
    expect(marked(session)).toBeNull();
    expect(browserOf(session).view.left).toBe(0);
  });

  it('The marked cell is what g, y, s and F begin with', async () => {
    const { session } = await onFirstPage();
    press(session, 'g');
    const usual = items(session)[0]?.label;
    expect(usual).toMatch(/of this market$/);
    press(session, 'esc');
    onColumn(session, 'party');
    press(session, 'g');
    expect(items(session)[0]?.label).toMatch(/of this party$/);
    press(session, 'esc', 'y');
    expect(items(session)[0]?.label).toBe('party');
    for (const [key, type] of [
      ['s', 'sort-by'],
      ['F', 'count-column'],
    ] as const) {
      press(session, 'esc', key);
      const overlay = overlayOf(session.state());
      const item = overlay?.kind === 'menu' ? items(session)[overlay.cursor] : undefined;
      expect(item?.action, key).toMatchObject({ event: { type, column: 'party' } });
    }
  });

  it('The marked cell is unset while its column is not shown: hidden, on a narrower screen, behind a record', async () => {
    const { session } = await showing(pageOf([PAID, PAID]), { tab: 'fees' });
    press(session, 'g');
    const usual = items(session).map(({ label }) => label);
    press(session, 'esc', 'y');
    const usualCopies = items(session).map(({ label }) => label);
    press(session, 'esc');
    onColumn(session, 'top');
    tell(session, { type: 'toggle-column', column: 'top' });
    expect(columnsShown(session)).not.toContain('top');
    press(session, 'g');
    expect(items(session).map(({ label }) => label)).toEqual(usual);
    press(session, 'esc', 'y');
    expect(items(session).map(({ label }) => label)).toEqual(usualCopies);
    press(session, 'esc');
    // Then the next key begins on the left again, and every column is reached.
    const reached = Array.from({ length: 30 }, () => {
      press(session, 'right');
      expect(columnsShown(session)).toContain(marked(session));
      return marked(session);
    });
    expect(reached[0]).toBe(columnsShown(session)[0]);
    for (const columns of [40, 200, 60, 80]) {
      session.dispatch({ type: 'resized', screen: { columns, rows: 24 } });
      for (const key of ['left', 'right', 'left', 'left', 'right']) {
        press(session, key);
        expect([null, ...columnsShown(session)]).toContain(marked(session));
      }
    }
  });

  it('The marked cell shows only in the heading, so that a row down costs no extra byte', async () => {
    const { session } = await onFirstPage();
    const before = paintedLines(session.state(), THEMES.mono.utf8);
    onColumn(session, 'party');
    const after = paintedLines(session.state(), THEMES.mono.utf8);
    const changed = after.filter((line, index) => line !== before[index]);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(/\u001b\[7mPARTY/);
  });
});
