import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { searchText } from '../../../../../src/chain/resources/record-search.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { TreeNode } from '../../../../../src/chain/resources/tree.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { moveWindow, selectLine } from '../../../../../src/explorer/core/window.ts';
import {
  cutLongText,
  nodeValueText,
  openInspector,
  rawLines,
  recordTreeNodes,
  treeLines,
} from '../../../../../src/explorer/screens/browse/record/inspector.ts';
import type { Inspector } from '../../../../../src/explorer/screens/browse/state.ts';
import { FULL_RECORDS } from '../../../../chain/resources/full-records.ts';
import { cpuMs } from '../../../../support/cpu-time.ts';
import { answerPage, browserOf, press, told } from '../../../support/fake-world.ts';
import { overlayOf } from '../../../support/layers.ts';
import { showing } from '../../../support/list-scenes.ts';
import { hexId, loaded, pageOf, provision } from '../../../support/provision-pages.ts';

const order = { liquidityOrder: { offset: '1', proportion: '2', reference: 'PEGGED_REFERENCE_MID' }, orderId: 'ab' };

async function inspecting(members: JsonObject = { buys: [order, order] }, size = { columns: 80, rows: 24 }) {
  const { session } = await showing(pageOf([provision(1, members), provision(2)]), size);
  press(session, 'enter');
  await told();
  return session;
}

function linesOf(session: Session) {
  const resource = resourceById(session.state().tab);
  const { inspector } = browserOf(session);
  if (resource === undefined || inspector === null) throw new Error('nothing is inspected');
  return treeLines(resource, inspector);
}

const labels = (session: Session) => linesOf(session).map(({ node }) => node.label);
const inspectorOf = (session: Session) => browserOf(session).inspector;

const NEXT_PAGE = { type: 'move', by: 'page', direction: 1 } as const;
const PAGE_BEFORE = { ...NEXT_PAGE, direction: -1 } as const;

describe('Inspector', () => {
  it('The inspector keeps its cursor on a line if a reload shortens the record, and in sight on a smaller screen', async () => {
    const { session, world } = await showing(
      pageOf([provision(1, { id: 'ab', extra: parseJson('[1,2,3,4,5,6,7,8]') })]),
    );
    press(session, 'enter', 'R', 'G');
    const before = browserOf(session).inspector?.cursor ?? 0;
    session.dispatch({ type: 'resized', screen: { columns: 80, rows: 12 } });
    expect(browserOf(session).inspector).toMatchObject({ cursor: before, top: before - 5 });
    press(session, 'r');
    await answerPage(world, pageOf([provision(1, { id: 'ab' })]));
    const inspector = browserOf(session).inspector;
    expect(inspector?.cursor).toBeLessThan(before);
    expect(inspector?.cursor).toBe(rawLines(inspector?.row ?? {}).length - 1);
  });

  it('The inspector folds a branch and unfolds it again', async () => {
    const session = await inspecting();
    const before = labels(session);
    press(session, 'space');
    expect(labels(session).length).toBeLessThan(before.length);
    press(session, 'space');
    expect(labels(session)).toEqual(before);
  });

  it('The inspector goes to the parent branch on left, and folds it on left again', async () => {
    const session = await inspecting();
    press(session, 'j', 'j', 'left');
    expect(inspectorOf(session)?.cursor).toBe(0);
    press(session, 'left');
    expect(labels(session).slice(0, 2)).toEqual(['Commitment', 'Identity']);
  });

  it('The inspector folds and unfolds everything', async () => {
    const session = await inspecting();
    press(session, '-');
    expect(linesOf(session).every(({ depth }) => depth === 0)).toBe(true);
    press(session, '+');
    expect(labels(session)).toContain('orderId');
  });

  it('The inspector opens one branch after the other once everything is folded', async () => {
    const session = await inspecting();
    press(session, '-', 'G', 'right');
    expect(labels(session).slice(-3)).toEqual(['Orders', 'buys', 'sells']);
    press(session, 'j', 'right');
    const from = labels(session).indexOf('buys');
    expect(labels(session).slice(from, from + 4)).toEqual(['buys', '0', 'liquidityOrder', 'offset']);
  });

  it('The inspector first opens every section and each branch of at most twelve, and nothing that is empty', async () => {
    const members = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`member${index}`, 'x']));
    const orders = (count: number) => Array.from({ length: count }, () => order);
    const session = await inspecting({ ...members, buys: orders(12), sells: orders(13) });
    const open = linesOf(session).filter(({ isOpen }) => isOpen);
    expect(open.map(({ node }) => node.label)).toEqual(
      expect.arrayContaining(['Orders', 'buys', 'liquidityOrder', 'Other members']),
    );
    expect(open.map(({ node }) => node.label)).not.toContain('sells');
    expect(open.every(({ node }) => node.size > 0)).toBe(true);
  });

  it('The inspector first shows a document in a value closed', async () => {
    const { session } = await showing(pageOf([{ key: 'a.b', value: '{"name":["x"]}' }]), { tab: 'parameters' });
    press(session, 'enter');
    await told();
    expect(labels(session)).not.toContain('name');
    press(session, 'G', 'right', 'G', 'right');
    expect(labels(session)).toContain('name');
  });

  it('The inspector shows a long value cut and marked, and one that is just short enough whole', async () => {
    const session = await inspecting({ reference: 'r'.repeat(1001), status: 's'.repeat(1000) });
    const shown = new Map(
      linesOf(session).map(({ node }) => [node.label, nodeValueText(node, NO_NAMES, 1_800_000_000_000)]),
    );
    expect(shown.get('reference')).toBe(`${'r'.repeat(1000)}\u2026`);
    expect(shown.get('status')).toBe('s'.repeat(1000));
    expect(shown.get('fee')).toBe('0.001  (0.1 %)');
    expect(shown.get('buys')).toBe('empty list');
    expect(cutLongText('r'.repeat(1001))).toBe(`${'r'.repeat(1000)}\u2026`);
    expect(cutLongText('r'.repeat(1000))).toBe('r'.repeat(1000));
  });

  it('The inspector has a line of the raw record for each line of its JSON', async () => {
    const session = await inspecting();
    const row = inspectorOf(session)?.row ?? {};
    expect(rawLines(row).slice(0, 2)).toEqual(['{', `  "id": "${hexId(1)}",`]);
    expect(rawLines(row).at(-1)).toBe('}');
  });

  it('The inspector searches inside the record and keeps the way to what it found', async () => {
    const session = await inspecting();
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'best_bid' });
    expect(labels(session)).toEqual([]);
    session.dispatch({ type: 'type-text', value: 'reference_mid' });
    expect(labels(session)).toEqual([
      ...['Orders', 'buys', '0', 'liquidityOrder', 'reference'],
      ...['1', 'liquidityOrder', 'reference'],
    ]);
    press(session, 'enter', 'esc');
    expect(inspectorOf(session)?.find).toBe('');
  });

  it('The inspector finds what a line shows, however deep it is, as the list does', async () => {
    const shown = (nodes: readonly TreeNode[]): readonly string[] =>
      nodes.flatMap(node => [nodeValueText(node, NO_NAMES, 1_800_000_000_000), ...shown(node.children())]);
    const deep = parseJson(`${'{"a":'.repeat(900)}"bottom"${'}'.repeat(900)}`);
    for (const [id, record] of FULL_RECORDS) {
      const resource = resourceById(id);
      if (resource === undefined) throw new Error(`no resource ${id}`);
      const row = { ...record, deep };
      const page = loaded(pageOf([row]));
      const opened: Inspector = { ...openInspector(resource, row, page, 1), meaning: { status: 'none' } };
      for (const text of new Set(shown(recordTreeNodes(resource, opened)))) {
        if (text === '' || /^\d+ elements?$/.test(text)) continue;
        expect(treeLines(resource, { ...opened, find: text }).length, `${id}: ${text}`).toBeGreaterThan(0);
        if (text !== '""' && !text.startsWith('empty '))
          expect(searchText(resource, row, page, NO_NAMES), id).toContain(
            text.toLowerCase().replaceAll('\u240a', '\n'),
          );
      }
    }
  });

  it('The inspector shows the JSON as it came in raw mode, where nothing folds', async () => {
    const session = await inspecting();
    press(session, 'R', 'space');
    expect(inspectorOf(session)?.isRaw).toBe(true);
    expect(session.state().notice?.text).toBe('raw JSON does not fold: R goes back to the tree');
  });

  it('The inspector steps through records and keeps what is folded', async () => {
    const session = await inspecting();
    press(session, '-', 'J');
    expect(inspectorOf(session)?.row.reference).toBe('reference-2');
    expect(linesOf(session).every(({ depth }) => depth === 0)).toBe(true);
    press(session, 'J', 'K');
    expect(inspectorOf(session)?.row.reference).toBe('reference-1');
  });

  it('The inspector opens one value in full and scrolls to its end', async () => {
    const session = await inspecting({ status: 'x'.repeat(5000) });
    press(session, 'j', 'enter');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value', title: 'status', top: 0 });
    press(session, 'pagedown');
    expect(overlayOf(session.state())).toMatchObject({ top: 18 });
    press(session, 'esc', 'esc');
    expect(inspectorOf(session)).toBeNull();
  });

  it('The inspector survives a record nested deeper than any tree', async () => {
    let deep: JsonObject = { leaf: 'x' };
    for (let depth = 0; depth < 500; depth++) deep = { deep };
    const session = await inspecting({ deep });
    press(session, '+', 'G', 'home');
    expect(Math.max(...linesOf(session).map(({ depth }) => depth))).toBe(64);
  });

  it('The inspector unfolds a document of 2 MiB in a moment, and moves in it as in a small one', async () => {
    const type = { type: 'uint256', internalType: 'uint256' };
    const functions = Array.from({ length: 20_000 }, (_, index) => ({
      name: `getRound${index}`,
      inputs: [type, type],
    }));
    const session = await inspecting({ functions });
    const startedMs = cpuMs();
    press(session, '+');
    expect(linesOf(session).length).toBeGreaterThan(20_000);
    // Unfolding ends at so many branches, however many there are.
    expect(Object.keys(inspectorOf(session)?.folds ?? {}).length).toBe(20_000);
    press(session, 'G', 'home', ...Array.from({ length: 1000 }, () => 'j'));
    expect(inspectorOf(session)?.cursor).toBe(1000);
    // A pass over everything for each of so many branches or keys took a minute.
    expect(cpuMs() - startedMs).toBeLessThan(5000);
  });

  it('The inspector leaves no empty screen when a branch above the window is folded', async () => {
    const orders = Array.from({ length: 12 }, () => order);
    const session = await inspecting({ buys: orders, sells: orders });
    press(session, '+', 'G', 'home', ...Array.from({ length: 40 }, () => 'j'));
    while ((linesOf(session)[inspectorOf(session)?.cursor ?? 0]?.node.label ?? '') !== 'buys') press(session, 'left');
    press(session, 'left');
    const { top = 0 } = inspectorOf(session) ?? {};
    expect(top).toBeLessThanOrEqual(Math.max(0, linesOf(session).length - 18));
  });
});

describe('Inspector window', () => {
  it('The inspector window moves as little as possible, and never past an end', () => {
    expect(selectLine({ row: 0, top: 0 }, 12, 100, 10)).toEqual({ row: 12, top: 3 });
    expect(selectLine({ row: 12, top: 3 }, 5, 100, 10)).toEqual({ row: 5, top: 3 });
    expect(selectLine({ row: 5, top: 3 }, 500, 100, 10)).toEqual({ row: 99, top: 90 });
    expect(selectLine({ row: 5, top: 3 }, 2, 0, 10)).toEqual({ row: 0, top: 0 });
    expect(selectLine({ row: 0, top: 0 }, 10, 100, 10)).toEqual({ row: 10, top: 1 });
    expect(selectLine({ row: 48, top: 45 }, 48, 50, 10)).toEqual({ row: 48, top: 40 });
  });

  it('The inspector window pages by its height, and the selection with it until the last line', () => {
    expect(moveWindow({ row: 4, top: 0 }, NEXT_PAGE, 100, 10)).toEqual({ row: 14, top: 10 });
    expect(moveWindow({ row: 97, top: 90 }, NEXT_PAGE, 100, 10)).toEqual({ row: 99, top: 90 });
    expect(moveWindow({ row: 85, top: 85 }, NEXT_PAGE, 100, 10)).toEqual({ row: 95, top: 90 });
    expect(moveWindow({ row: 38, top: 38 }, NEXT_PAGE, 60, 19), 'a long menu').toEqual({ row: 57, top: 41 });
    expect(moveWindow({ row: 57, top: 41 }, PAGE_BEFORE, 60, 19)).toEqual({ row: 38, top: 22 });
    expect(moveWindow({ row: 3, top: 0 }, PAGE_BEFORE, 100, 10)).toEqual({ row: 0, top: 0 });
  });
});
