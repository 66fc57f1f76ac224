import { describe, expect, it } from 'vitest';
import { safeText } from '../../../../../src/base/text/safe-text.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { span } from '../../../../../src/explorer/core/line.ts';
import { lineCount, treeLines } from '../../../../../src/explorer/screens/browse/record/inspector.ts';
import { paint } from '../../../../../src/explorer/terminal/paint.ts';
import { THEMES } from '../../../../../src/explorer/terminal/theme.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { overlayOf, placeOf } from '../../../support/layers.ts';
import { pageOf, provision } from '../../../support/provision-pages.ts';

const order = { liquidityOrder: { offset: '1', proportion: '2', reference: 'PEGGED_REFERENCE_MID' }, orderId: 'ab' };

async function inspecting() {
  const { session, world } = await startSession();
  const rows = [1, 2, 3].map(number => provision(number, { buys: [order, order] }));
  await answerPage(world, pageOf(rows));
  press(session, 'j', 'enter');
  await told();
  return { session, world };
}

function inspectorOf(session: Session) {
  const { inspector } = browserOf(session);
  if (inspector === null) throw new Error('nothing is inspected');
  return inspector;
}

function linesOf(session: Session) {
  const resource = resourceById(session.state().tab);
  if (resource === undefined) throw new Error('no list');
  return { lines: treeLines(resource, inspectorOf(session)), count: lineCount(resource, inspectorOf(session)) };
}

const cursorAfter = (session: Session, ...keys: readonly string[]): number => {
  press(session, ...keys);
  return inspectorOf(session).cursor;
};

describe('Keys of the inspector', () => {
  it('The inspector keys step through the rows in view and stop at both ends, with the table behind it', async () => {
    const { session } = await inspecting();
    const shown = (key: string) => {
      press(session, key);
      return [inspectorOf(session).row.reference, browserOf(session).view.row];
    };
    expect(['J', 'J', 'K', 'K', 'K'].map(shown)).toEqual([
      ['reference-3', 2],
      ['reference-3', 2],
      ['reference-2', 1],
      ['reference-1', 0],
      ['reference-1', 0],
    ]);
  });

  it('The inspector has the selection bar in its pane, and the row in the table keeps only its marks', async () => {
    const { session } = await inspecting();
    session.dispatch({ type: 'resized', screen: { columns: 120, rows: 24 } });
    const bar = paint([{ ...span(safeText` `), background: 'selection' }], THEMES.auto.utf8).replace(/m.*$/, '');
    const lines = paintedLines(session.state(), THEMES.auto.utf8).slice(3, -2);
    const [table, record] = [0, 1].map(pane => lines.map(line => line.split('\u2502')[pane] ?? ''));
    expect(table?.filter(line => line.includes(bar))).toEqual([]);
    expect(table?.filter(line => plain(line).startsWith('>'))).toHaveLength(1);
    expect(record?.filter(line => line.includes(bar))).toHaveLength(1);
    press(session, 'esc');
    expect(paintedLines(session.state(), THEMES.auto.utf8).slice(3, -2).join('')).toContain(bar);
  });

  it('The inspector keeps the raw view over a step, from its first line on', async () => {
    const { session } = await inspecting();
    press(session, 'R', 'j', 'j');
    expect(inspectorOf(session)).toMatchObject({ isRaw: true, cursor: 2 });
    press(session, 'J');
    expect(inspectorOf(session)).toMatchObject({ isRaw: true, cursor: 0, top: 0 });
    press(session, 'j', 'R');
    expect(inspectorOf(session)).toMatchObject({ isRaw: false, cursor: 0 });
  });

  it('The inspector keys move by lines, screens and to the ends of the tree, and of the raw record', async () => {
    const { session } = await inspecting();
    const { count } = linesOf(session);
    expect(cursorAfter(session, 'j', 'down')).toBe(2);
    expect(cursorAfter(session, 'k')).toBe(1);
    expect(cursorAfter(session, 'G')).toBe(count - 1);
    expect(cursorAfter(session, 'j')).toBe(count - 1);
    expect(cursorAfter(session, 'home')).toBe(0);
    press(session, 'R');
    const raw = linesOf(session).count;
    expect(raw).toBeGreaterThan(count);
    expect(cursorAfter(session, 'G')).toBe(raw - 1);
    expect(inspectorOf(session).top).toBe(raw - 18);
  });

  it('The inspector opens and closes a branch by Enter, and shows a leaf in full', async () => {
    const { session } = await inspecting();
    const { count } = linesOf(session);
    press(session, 'enter');
    expect(linesOf(session).count).toBeLessThan(count);
    expect(overlayOf(session.state())).toBeNull();
    press(session, 'enter');
    expect(linesOf(session).count).toBe(count);
    press(session, 'j', 'enter');
    expect(overlayOf(session.state())).toEqual({ kind: 'value', title: 'status', text: 'STATUS_ACTIVE', top: 0 });
  });

  it('The inspector shows an empty list as it was sent', async () => {
    const { session } = await inspecting();
    press(session, 'G', 'enter');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value', title: 'sells', text: '[]' });
  });

  it('The inspector has nothing to show in full in the raw view', async () => {
    const { session } = await inspecting();
    press(session, 'R', 'enter');
    expect(overlayOf(session.state())).toBeNull();
    for (const key of ['left', 'right', '-', '+', '/']) {
      press(session, key);
      expect(session.state().notice?.text).toBe('raw JSON does not fold: R goes back to the tree');
    }
    expect(placeOf(session.state())).toBe('record');
  });

  it('The right key unfolds a branch once, and does nothing on a line that is unfolded or has nothing below it', async () => {
    const { session } = await inspecting();
    const { count } = linesOf(session);
    press(session, 'right');
    expect(linesOf(session).count).toBe(count);
    press(session, 'left');
    const folded = linesOf(session).count;
    expect(folded).toBeLessThan(count);
    expect(cursorAfter(session, 'left')).toBe(0);
    press(session, 'right', 'j', 'right');
    expect([inspectorOf(session).cursor, linesOf(session).count]).toEqual([1, count]);
  });

  it('The inspector undoes a search before it closes the record', async () => {
    const { session } = await inspecting();
    press(session, 'j', 'j', '/');
    session.dispatch({ type: 'type-text', value: 'reference_mid' });
    expect(inspectorOf(session)).toMatchObject({ find: 'reference_mid', top: 0 });
    press(session, 'enter');
    expect(overlayOf(session.state())).toBeNull();
    const pathHere = () => linesOf(session).lines[inspectorOf(session).cursor]?.node.path;
    const found = pathHere();
    expect(found).toMatch(/reference$/);
    press(session, 'esc');
    expect([inspectorOf(session).find, pathHere()]).toEqual(['', found]);
    press(session, 'esc');
    expect(browserOf(session).inspector).toBeNull();
    expect(placeOf(session.state())).toBe('list');
  });

  it('The inspector finds by the name of a member as well as by its value', async () => {
    const { session } = await inspecting();
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'ORDERID' });
    expect(linesOf(session).lines.map(({ node, depth }) => [node.label, depth])).toEqual([
      ['Orders', 0],
      ['buys', 1],
      ['0', 2],
      ['orderId', 3],
      ['1', 2],
      ['orderId', 3],
    ]);
    press(session, 'esc');
    expect(inspectorOf(session).find).toBe('');
  });

  it('The reload key in the inspector requests the page again', async () => {
    const { session, world } = await inspecting();
    press(session, 'r');
    expect(world.pages.length).toBe(2);
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'first' });
    expect(browserOf(session).loading?.move).toBe('reload');
  });
});
