import { describe, expect, it } from 'vitest';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import { bindingFor } from '../../../../../src/explorer/app/keymap.ts';
import { openOver } from '../../../../../src/explorer/app/layers.ts';
import { reduce } from '../../../../../src/explorer/app/reduce.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { isTooSmall } from '../../../../../src/explorer/core/area.ts';
import type { SessionState } from '../../../../../src/explorer/core/state.ts';
import { shownColumns, visibleRows } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { valueLines } from '../../../../../src/explorer/screens/value/lines.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, press, startSession } from '../../../support/fake-world.ts';
import { layoutOf, overlayOf } from '../../../support/layers.ts';
import { onFirstPage, onOnlyPage, showing } from '../../../support/list-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../../../support/provision-pages.ts';

function inView(session: Session) {
  const resource = resourceById(session.state().tab);
  if (resource === undefined) throw new Error('no list');
  return visibleRows(resource, browserOf(session));
}

const names = (session: Session) =>
  inView(session)
    .slice()
    .map(({ reference }) => reference);

function columnsOf(session: Session): readonly string[] {
  const resource = resourceById(session.state().tab);
  if (resource === undefined) throw new Error('no list');
  return shownColumns(resource, browserOf(session)).map(({ id }) => id);
}

async function committed(...amounts: readonly string[]) {
  const { session, world } = await startSession();
  const rows = amounts.map((commitmentAmount, index) => provision(index, { commitmentAmount }));
  await answerPage(world, pageOf(rows));
  return { session, world };
}

describe('Loaded rows', () => {
  it('The loaded rows are sorted as numbers where they are numbers, and equal ones stay in the order of the node', async () => {
    const { session } = await committed('9', '100', '20', '9');
    tell(session, { type: 'sort-by', column: 'commitment' });
    expect(names(session)).toEqual(['reference-1', 'reference-2', 'reference-0', 'reference-3']);
    tell(session, { type: 'sort-by', column: 'commitment' });
    expect(names(session)).toEqual(['reference-0', 'reference-3', 'reference-2', 'reference-1']);
    tell(session, { type: 'sort-by', column: '' });
    expect(names(session)).toEqual(['reference-0', 'reference-1', 'reference-2', 'reference-3']);
  });

  it('The loaded rows stay in the order of the node when the sort column does not exist', async () => {
    const { session } = await committed('2', '1');
    tell(session, { type: 'sort-by', column: 'absent' });
    expect(names(session)).toEqual(['reference-0', 'reference-1']);
  });

  it('The loaded rows are sorted among those that match, and computed once for the same choice', async () => {
    const { session } = await committed('3', '2', '1');
    tell(session, { type: 'sort-by', column: 'commitment', isDescending: false });
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'Reference-' });
    expect(names(session)).toEqual(['reference-2', 'reference-1', 'reference-0']);
    expect(inView(session)).toBe(inView(session));
    session.dispatch({ type: 'type-text', value: 'reference-1' });
    expect(names(session)).toEqual(['reference-1']);
    session.dispatch({ type: 'type-text', value: '' });
    expect(names(session).length).toBe(3);
  });
});

describe('Columns of the loaded rows', () => {
  const fee = { market: hexId(1), asset: hexId(2), epochSeq: '4', totalFeesPaid: '10', feesPaidPerParty: [] };

  it('The columns leave out those that a filter makes equal in every row, but never the first', async () => {
    const { session, world } = await showing(pageOf([fee]), { tab: 'fees' });
    expect(columnsOf(session)).toEqual(['epoch', 'market', 'total', 'parties', 'top', 'top-share', 'asset']);
    tell(session, { type: 'set-filter', name: 'epochSeq', value: '4' });
    tell(session, { type: 'set-filter', name: 'marketId', value: hexId(1) });
    expect(columnsOf(session)).toEqual(['epoch', 'market', 'total', 'parties', 'top', 'top-share', 'asset']);
    await answerPage(world, pageOf([fee]));
    expect(columnsOf(session)).toEqual(['epoch', 'total', 'parties', 'top', 'top-share', 'asset']);
  });

  it('The columns are those of the list before anything is loaded', async () => {
    const { session } = await startSession({ tab: 'fees' });
    expect(columnsOf(session)).toEqual(['epoch', 'market', 'total', 'parties', 'top', 'top-share', 'asset']);
  });

  it('The columns keep the one whose values still differ under several filter values', async () => {
    const { session, world } = await showing(pageOf([fee]), { tab: 'fees' });
    press(session, 'f', 'shift-tab');
    session.dispatch({ type: 'type-text', value: `,${hexId(1)}, ,${hexId(2)},` });
    press(session, 'enter');
    await answerPage(world, pageOf([fee]));
    expect(browserOf(session).filters).toEqual({ partyIds: [hexId(1), hexId(2)] });
    expect(columnsOf(session)).toEqual(['epoch', 'market', 'paid', 'share', 'total', 'parties', 'asset']);
  });
});

describe('Movement in a table', () => {
  it('Movement in a table is by lines, screens and half screens', async () => {
    const { session } = await onOnlyPage(100);
    const row = (key: string) => {
      press(session, key);
      return browserOf(session).view.row;
    };
    expect(['j', 'pagedown', 'ctrl-d', 'ctrl-u', 'pageup', 'G', 'k', 'home'].map(row)).toEqual([
      1, 19, 28, 19, 1, 99, 98, 0,
    ]);
  });

  it('Movement in a text shown in full is by the same steps', async () => {
    const { session } = await onOnlyPage();
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    let state: SessionState = openOver(session.state(), 'value', { title: 'text', text });
    const top = (key: string): number => {
      const action = bindingFor(state, key)?.action;
      if (action !== undefined) state = reduce(state, action);
      const value = overlayOf(state);
      return value?.kind === 'value' ? value.top : -1;
    };
    expect(['j', 'pagedown', 'ctrl-d', 'ctrl-u', 'pageup', 'G', 'k', 'home'].map(top)).toEqual([
      1, 19, 28, 19, 1, 82, 81, 0,
    ]);
  });

  it('Movement keys do not open the inspector when there is no row, and say so', async () => {
    const { session, world } = await startSession();
    tell(session, { type: 'inspect' });
    await answerPage(world, pageOf([]));
    press(session, 'enter');
    expect(session.state().notice?.text).toBe('no record here');
    tell(session, { type: 'inspect' });
    expect(browserOf(session).inspector).toBeNull();
  });
});

describe('Screen layout', () => {
  it.each([
    [40, 12, false],
    [39, 12, true],
    [40, 11, true],
    [200, 11, true],
    [39, 60, true],
  ])('A screen of %i by %i is too small: %j', (columns, rows, isSmall) => {
    expect(isTooSmall({ columns, rows })).toBe(isSmall);
  });

  it('The screen is shared by table and inspector from 110 columns on, with room for the main content', async () => {
    const { session } = await showing(provisionPage(1), { columns: 110, rows: 24 });
    expect(layoutOf(session.state())).toMatchObject({ tableColumns: 110, inspectorColumns: 0 });
    press(session, 'enter');
    expect(layoutOf(session.state())).toMatchObject({ tableColumns: 60, inspectorColumns: 49 });
    session.dispatch({ type: 'resized', screen: { columns: 109, rows: 24 } });
    expect(layoutOf(session.state())).toMatchObject({ tableColumns: 0, inspectorColumns: 109 });
  });

  it('The screen gives the rows of the filter bar back when it closes', async () => {
    const { session } = await onFirstPage();
    press(session, 'f');
    expect(layoutOf(session.state())).toMatchObject({ barRows: 6, bodyRows: 13, tableRows: 12 });
    press(session, 'esc');
    expect(layoutOf(session.state())).toMatchObject({ barRows: 0, bodyRows: 19, tableRows: 18 });
  });
});

describe('Value in full', () => {
  it('A value in full is broken into lines of the available width, and where it has lines of its own', () => {
    const view = { title: 'it', text: `${'a'.repeat(30)}\nbc` };
    expect(valueLines(view, 24)).toEqual(['a'.repeat(20), 'a'.repeat(10), 'bc']);
    expect(valueLines(view, 5)).toEqual([...Array.from({ length: 3 }, () => 'a'.repeat(10)), 'bc']);
  });

  it('A value in full is broken between words if it is a sentence, and otherwise keeps every blank', () => {
    const linesOf = (text: string) => valueLines({ title: 'it', text }, 24);
    expect(linesOf('as signed by any of 2 signers')).toEqual(['as signed by any of', '2 signers']);
    for (const text of [
      '{"a": "as signed by any of 2"}',
      'as  signed by any of two signers',
      ' as signed by any of two',
    ])
      expect(linesOf(text).join('')).toBe(text);
  });

  it('A value in full is broken between words when the program wrote it, with the indent of each line', () => {
    const text = 'rows\n  as signed by any of 2 signers\n\n  id    2  of any of these';
    const view = { title: 'it', text, isProse: true } as const;
    const lines = ['rows', '  as signed by any', '  of 2 signers', '', '  id    2  of any of', ' these'];
    expect(valueLines(view, 24)).toEqual(lines);
  });

  it('A value in full is broken into lines once, however far it is scrolled', () => {
    const view = { title: 'it', text: 'a\nb\nc' };
    const lines = valueLines(view, 24);
    expect(valueLines(view, 24)).toBe(lines);
    expect(valueLines(view, 30)).not.toBe(lines);
  });
});
