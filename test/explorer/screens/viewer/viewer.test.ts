import { describe, expect, it } from 'vitest';
import { copyItems } from '../../../../src/explorer/app/copying.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import type { ShownCounts } from '../../../../src/explorer/screens/counts/state.ts';
import { fitNumberText } from '../../../../src/explorer/screens/viewer/cells.ts';
import { placedColumns } from '../../../../src/explorer/screens/viewer/columns.ts';
import { currentRowFormat } from '../../../../src/explorer/screens/viewer/row-format.ts';

import { HISTORY_KEY } from '../../../../src/explorer/tabs.ts';
import { fakeTables } from '../../support/fake-tables.ts';
import { FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { openState, overlayOf, topState } from '../../support/layers.ts';
import { run, type } from '../../support/list-scenes.ts';
import { openTable, tableOf, type ViewerOptions, viewerOf, viewing } from '../../support/viewer-scenes.ts';

/** The rows with the account of the selected one that pays: an account holds one asset. */
const OF_ONE_ACCOUNT = ['=', 'j', 'j', 'j', 'enter'];

const viewOf = (session: Session) => tableOf(session).view;
const countsIn = (session: Session) => openState<ShownCounts>(session, 'counts');

async function pressed(session: Session, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    press(session, key);
    await told();
    await told();
  }
}

async function found(session: Session, text: string): Promise<void> {
  press(session, '/');
  type(session, text);
  await pressed(session, 'enter');
}

/** Questions of a kind are not answered until a test says so. */
function heldBack(kind: string) {
  const waiting: { readonly asked: string; readonly signal: AbortSignal; readonly answer: () => void }[] = [];
  const gate = async (asked: string, signal: AbortSignal): Promise<void> => {
    if (!asked.startsWith(kind)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(signal.reason));
    waiting.push({ asked, signal, answer: resolve });
    await promise;
  };
  return { waiting, gate };
}

describe('Viewer rows', () => {
  it('The viewer rows are read where the window is, and rarely while a key is held down', async () => {
    const { session, source } = await viewing({ table: { rows: 100_000 } });
    expect(source.asked).toEqual(['rows 0 64']);
    for (let line = 0; line < 300; line++) await pressed(session, 'j');
    expect(viewOf(session).row).toBe(300);
    expect(source.asked.length).toBeLessThan(12);
    await pressed(session, 'G');
    expect(source.asked.at(-1)).toBe('rows 99936 64');
    expect(viewOf(session)).toMatchObject({ row: 99_999 });
    await pressed(session, 'home');
    expect(viewOf(session)).toMatchObject({ row: 0, top: 0 });
  });

  it('The viewer rows are not read again when they are there, nor while another tab is shown', async () => {
    const { session, source } = await viewing();
    const { length } = source.asked;
    await pressed(session, 'j', 'k', '1');
    session.dispatch({ type: 'resized', screen: { columns: 200, rows: 90 } });
    await told();
    expect(source.asked).toHaveLength(length);
  });

  it('The viewer rows that arrive too late, for rows no longer shown, change nothing', async () => {
    const rows = heldBack('rows');
    const { session } = await viewing({ table: { gate: rows.gate } });
    await pressed(session, 's', 'enter');
    rows.waiting[0]?.answer();
    await told();
    expect(rows.waiting[0]?.signal.aborted).toBe(true);
    expect(viewOf(session).loaded).toBeNull();
  });

  it('The viewer rows that can no longer be read are reported once, and r opens the file again', async () => {
    let isGone = false;
    const gate = async (): Promise<void> => {
      if (isGone) throw new Error('No files found that match "/out/part-0.parquet"');
    };
    const { session, source } = await viewing({ table: { rows: 5000, gate } });
    isGone = true;
    await pressed(session, 'G');
    const { length } = source.asked;
    expect(viewOf(session).problem).toContain('part-0.parquet');
    await pressed(session, 'k', 'k', 'pageup');
    expect(source.asked).toHaveLength(length);
    isGone = false;
    await pressed(session, 'r');
    expect(viewOf(session).problem).toBeNull();
    expect(viewOf(session).loaded).not.toBeNull();
  });

  it('The viewer rows stay in range when the screen becomes smaller', async () => {
    const { session } = await viewing({ screen: { columns: 80, rows: 40 } });
    await pressed(session, 'G');
    session.dispatch({ type: 'resized', screen: { columns: 80, rows: 16 } });
    await told();
    const { row, top } = viewOf(session);
    expect(row).toBe(99);
    expect(row - top).toBeLessThan(10);
  });
});

describe('Sorting, filtering and searching in the viewer', () => {
  it('The viewer sorts by a column, reverses on the same column again, and restores the file order by x', async () => {
    const { session, source } = await viewing();
    await pressed(session, 's', 'j', 'j', 'enter');
    expect(viewOf(session).shown.look.sort).toEqual({ column: 'quantity', isDescending: true });
    await pressed(session, 's', 'j', 'j', 'enter');
    expect(viewOf(session).shown.look.sort).toEqual({ column: 'quantity', isDescending: false });
    expect(viewOf(session).loaded?.rows[0]?.[3]).toBe('0');
    await pressed(session, 'x');
    expect(viewOf(session).shown).toMatchObject({ look: { sort: null, filters: [] }, count: 100 });
    expect(source.asked.filter(asked => asked.startsWith('arrange'))).toHaveLength(2);
  });

  it('The viewer shows the previous rows while it sorts, and Esc leaves them so', async () => {
    const arrange = heldBack('arrange');
    const { session } = await viewing({ table: { gate: arrange.gate } });
    await pressed(session, 'j', 's', 'enter');
    await pressed(session, 'j');
    expect(viewOf(session)).toMatchObject({ row: 2, shown: { look: { sort: null } } });
    await pressed(session, 'esc');
    expect(arrange.waiting[0]?.signal.aborted).toBe(true);
    expect(viewOf(session)).toMatchObject({ row: 2, arranging: null });
    expect(viewerOf(session)).not.toBeNull();
    await pressed(session, 'esc');
    expect(viewerOf(session)).toBeNull();
  });

  it('The viewer shows the rows of one value by Enter on it, and by those of a row', async () => {
    const { session } = await viewing();
    await pressed(session, 'F', 'j', 'enter', 'enter');
    expect(viewOf(session).shown).toMatchObject({
      count: 34,
      look: { filters: [{ column: 'type', value: 'TRANSFER_TYPE_DEPOSIT' }] },
    });
    await pressed(session, ...OF_ONE_ACCOUNT);
    expect(viewOf(session).shown.look.filters.map(({ column }) => column)).toEqual(['type', 'account_from_id']);
    expect(viewOf(session).shown.count).toBeLessThan(34);
  });

  it('The viewer leads back to the counts from the rows of a value, counted once, and from there to the rows before', async () => {
    const { session, source } = await viewing();
    await pressed(session, 's', 'enter', 'F', 'j', 'enter', 'j');
    const { shown } = viewOf(session);
    const { counts } = countsIn(session);
    const isBack = () =>
      expect(countsIn(session)).toMatchObject({ opening: { column: { id: 'type' } }, counts, row: 1 });
    await pressed(session, 'enter', 'j', 'esc');
    isBack();
    expect(viewOf(session)).toMatchObject({ counted: null, shown: { look: shown.look, count: 100 } });
    await pressed(session, 'enter', 's', 'j', 'enter', 'F', 'enter', 'enter', 'esc', 'esc', 'esc');
    isBack();
    expect(viewOf(session).shown.look).toEqual(shown.look);
    expect(source.asked.filter(asked => asked.startsWith('count'))).toHaveLength(2);
    await pressed(session, 'esc', 'esc', 'esc');
    expect(viewerOf(session)).toBeNull();
  });

  it('The viewer aborts loading the rows of a value on Esc, and returns to the counts', async () => {
    const arrange = heldBack('arrange');
    const { session } = await viewing({ table: { gate: arrange.gate } });
    await pressed(session, 'F', 'j', 'enter', 'enter');
    expect(viewOf(session)).toMatchObject({ arranging: { look: { filters: [{ column: 'type' }] } } });
    await pressed(session, 'esc');
    expect(arrange.waiting[0]?.signal.aborted).toBe(true);
    expect(viewOf(session).arranging).toBeNull();
    expect(countsIn(session)).toMatchObject({ opening: { column: { id: 'type' } }, counts: { rows: 100 } });
  });

  it('The viewer keeps its counts on its tab while another one is shown', async () => {
    const { session } = await viewing();
    await pressed(session, 'F', 'j', 'enter', 'j');
    const before = countsIn(session);
    await pressed(session, '1');
    expect(topState(session.state(), 'counts')).toBeUndefined();
    await pressed(session, HISTORY_KEY);
    expect(countsIn(session)).toBe(before);
  });

  it('The viewer has its rows counted as they were, whatever arrives under the counts', async () => {
    const arrange = heldBack('arrange');
    const { session } = await viewing({ table: { gate: arrange.gate } });
    await pressed(session, 'F', 'j', 'enter', 'enter');
    arrange.waiting[0]?.answer();
    await pressed(session, 's', 'enter', 'esc', 'esc');
    expect(countsIn(session)).toMatchObject({ counts: { rows: 100 } });
    await pressed(session, 'j', 'enter');
    expect(viewOf(session).arranging?.look.filters).toEqual([{ column: 'type', value: 'TRANSFER_TYPE_REWARD_PAYOUT' }]);
  });

  it('The viewer distinguishes NULL from an empty text', async () => {
    const { session } = await viewing();
    await pressed(session, '=', 'j', 'j', 'j', 'j', 'j', 'enter');
    expect(viewOf(session).shown).toMatchObject({
      count: 25,
      look: { filters: [{ column: 'transfer_id', value: null }] },
    });
  });

  it('The viewer searches from the selected row on, again by n and N, and says when there is no match', async () => {
    const { session, source } = await viewing();
    await pressed(session, 'j');
    await found(session, '1000111');
    expect(viewOf(session).row).toBe(3);
    expect(session.state().notice?.text).toContain('quantity of row 4');
    await found(session, 'NEW');
    await pressed(session, 'n');
    expect(viewOf(session).row).toBe(8);
    await pressed(session, 'N');
    expect(viewOf(session).row).toBe(5);
    await found(session, 'nowhere');
    expect(viewOf(session).row).toBe(5);
    expect(session.state().notice).toMatchObject({ tone: 'bad' });
    expect(source.asked.filter(asked => asked.startsWith('find'))).toEqual([
      'find 1000111 1 1',
      'find NEW 3 1',
      'find NEW 6 1',
      'find NEW 7 -1',
      'find nowhere 5 1',
    ]);
  });

  it('The first Esc after a search in the viewer ends the search, however soon it was over, and the next closes it', async () => {
    const find = heldBack('find');
    for (const text of ['1000111', 'nowhere']) {
      const { session } = await viewing();
      await found(session, text);
      const { row } = viewOf(session);
      await pressed(session, 'esc');
      expect(viewOf(session)).toMatchObject({ row, find: '', finding: null });
      await pressed(session, 'n');
      expect(session.state().notice?.text).toBe('/ finds something first');
      await pressed(session, 'esc');
      expect(viewerOf(session)).toBeNull();
    }
    const { session } = await viewing({ table: { gate: find.gate } });
    await found(session, '1000111');
    await pressed(session, 'esc');
    expect(viewOf(session)).toMatchObject({ find: '', finding: null });
  });

  it('The viewer is not closed by an Esc that came too late to stop a sort or a filter', async () => {
    for (const keys of [
      ['s', 'enter'],
      ['=', 'j', 'enter'],
    ]) {
      const { session } = await viewing();
      await pressed(session, ...keys);
      const { look } = viewOf(session).shown;
      await pressed(session, 'esc');
      expect(viewOf(session).shown.look).toEqual(look);
      await pressed(session, 'esc');
      expect(viewerOf(session)).toBeNull();
      const other = await viewing();
      await pressed(other.session, ...keys, 'j', 'esc');
      expect(viewerOf(other.session)).toBeNull();
    }
  });

  it.each([60, 80, 120, 1000])(
    'The viewer scrolls columns as long as some are hidden, on %i columns',
    async columns => {
      const { session } = await viewing({ screen: { columns, rows: 24 } });
      const frames = new Set<string>();
      for (let times = 0; times < 20; times++) {
        frames.add(`${viewOf(session).left}`);
        await pressed(session, 'right');
      }
      const { left } = viewOf(session);
      expect(
        placedColumns(tableOf(session), currentRowFormat(tableOf(session), session.state()), columns).hiddenRight,
      ).toBe(0);
      expect(frames.size).toBe(left + 1);
      await pressed(session, 'left');
      expect(viewOf(session).left).toBe(Math.max(0, left - 1));
    },
  );

  it('The viewer counts the filtered rows', async () => {
    const { session } = await viewing();
    await pressed(session, '=', 'j', 'enter', 'F', 'j', 'enter');
    expect(countsIn(session)).toMatchObject({ counts: { rows: 34, distinct: 1 } });
  });

  it('The viewer menu of columns to count offers a sum only when all rows are of one asset', async () => {
    const { session } = await viewing();
    await pressed(session, 'F');
    expect(renderFrame(session.state())).toContain('quantity');
    expect(renderFrame(session.state())).not.toContain('with its sum');
    await pressed(session, 'esc', ...OF_ONE_ACCOUNT, 'F');
    expect(renderFrame(session.state())).toMatch(/quantity +with its sum/);
    expect(renderFrame(session.state()).match(/with its sum/g)).toHaveLength(1);
  });

  it('The viewer stays unchanged when counting a column fails, and the reason is shown', async () => {
    const gate = async (asked: string): Promise<void> => {
      if (asked.startsWith('count')) throw new Error('Out of Memory');
    };
    const { session } = await viewing({ table: { gate } });
    await pressed(session, 'F', 'enter');
    expect(topState(session.state(), 'counts')).toBeUndefined();
    expect(session.state().notice).toMatchObject({ text: 'Out of Memory', tone: 'bad' });
  });
});

describe('Files opened by the viewer', () => {
  const opened = async (options: ViewerOptions = {}) => viewing(options);

  it('The viewer files are closed when the viewer is closed', async () => {
    const { session, source } = await opened();
    await pressed(session, '1', HISTORY_KEY);
    expect(source.isClosed).toBe(false);
    await pressed(session, 'esc');
    expect(source.isClosed).toBe(true);
  });

  it('The viewer files are closed at the end of the explorer, which waits for it', async () => {
    const { session, source } = await opened();
    await session.close();
    expect(source.isClosed).toBe(true);
  });

  it('The viewer files are closed before the explorer is: it waits as long as that takes', async () => {
    const world = new FakeWorld();
    const source = fakeTables();
    const { promise: mayClose, resolve } = Promise.withResolvers<void>();
    world.opens = async () => ({ ...source, close: () => mayClose.then(() => source.close()) });
    const { session } = await startSession({ tab: 'history', world });
    openTable(session);
    await told();
    const ended = session.close().then(() => source.isClosed);
    await told();
    expect(source.isClosed).toBe(false);
    resolve();
    expect(await ended).toBe(true);
  });

  it('The viewer files are closed when opening them was aborted', async () => {
    const world = new FakeWorld();
    const source = fakeTables();
    const { promise, resolve } = Promise.withResolvers<typeof source>();
    world.opens = () => promise;
    const { session } = await startSession({ tab: 'history', world });
    openTable(session);
    await pressed(session, 'esc');
    resolve(source);
    await told();
    expect(source.isClosed).toBe(true);
    expect(viewerOf(session)).toBeNull();
  });

  it('The viewer files that cannot be opened show why, and what can be done', async () => {
    const world = new FakeWorld();
    world.opens = () => Promise.reject(Object.assign(new Error('no DuckDB'), { hint: 'install it' }));
    const { session } = await startSession({ tab: 'history', world });
    openTable(session);
    await told();
    expect(viewerOf(session)?.files).toEqual({ status: 'failed', problem: 'no DuckDB', hint: 'install it' });
    await pressed(session, 'esc');
    expect(viewerOf(session)).toBeNull();
  });

  it('The viewer files stay open when another node is chosen, and send no request to it', async () => {
    const { session, source, world } = await opened();
    const before = world.pages.length;
    run(session, 'node http://127.0.0.1:9');
    await told();
    expect(source.isClosed).toBe(false);
    expect(world.pages).toHaveLength(before);
  });

  it.each([
    ['arrange', ['s', 'enter']],
    ['count', ['F', 'enter']],
  ])('The viewer files continue with %s while another node is chosen', async (kind, keys) => {
    const held = heldBack(kind);
    const { session, source } = await opened({ table: { gate: held.gate } });
    await pressed(session, ...keys);
    run(session, 'node http://127.0.0.1:9');
    await told();
    expect(held.waiting.map(({ signal }) => signal.aborted)).toEqual([false]);
    held.waiting[0]?.answer();
    await told();
    await told();
    const { shown } = viewOf(session);
    const counted = topState<ShownCounts>(session.state(), 'counts')?.counts ?? null;
    expect(shown.look.sort !== null || counted !== null).toBe(true);
    expect(source.isClosed).toBe(false);
  });

  it('The viewer files finish opening while another node is chosen, and a replaced answer is closed', async () => {
    const world = new FakeWorld();
    const sources = [fakeTables(), fakeTables()];
    const openings = sources.map(() => Promise.withResolvers<(typeof sources)[number]>());
    let place = 0;
    world.opens = async () => (await openings[place++]?.promise) ?? fakeTables();
    const { session } = await startSession({ tab: 'history', world });
    const question = { name: 'balance', title: 'balance', party: '' };
    openTable(session, '/out/ledger.zip', question);
    await told();
    openTable(session, '/out/ledger.zip', { ...question, name: 'received' });
    await told();
    run(session, 'node http://127.0.0.1:9');
    await told();
    for (const [at, opening] of openings.entries()) opening.resolve(sources[at] ?? fakeTables());
    await told();
    await told();
    expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(viewerOf(session)).toMatchObject({
      opening: { question: { name: 'received' } },
      files: { status: 'open' },
    });
  });
});

describe('Copying and saving in the viewer', () => {
  it('The viewer copies all filtered rows, to the digit', async () => {
    const { session, world } = await viewing();
    await pressed(session, '=', 'j', 'enter', 'y', '/');
    type(session, 'csv');
    await pressed(session, 'enter', 'enter');
    const lines = world.copies[0]?.text.split('\r\n') ?? [];
    expect(lines[0]).toBe(
      'ledger_entry_time,account_from_id,account_to_id,quantity,tx_hash,vega_time,account_to_balance,type,transfer_id',
    );
    expect(lines).toHaveLength(36);
    expect(lines[34]).toContain(',99000000000000000000000000000000,TRANSFER_TYPE_DEPOSIT,""');
    expect(lines[1]?.endsWith('TRANSFER_TYPE_DEPOSIT,')).toBe(true);
  });

  it('The viewer copies a value of the row as the file has it', async () => {
    const { session, world } = await viewing();
    await pressed(session, 'j', 'y', 'j', 'enter');
    expect(world.copies).toEqual([{ what: 'type', text: 'TRANSFER_TYPE_REWARD_PAYOUT' }]);
  });

  it('The viewer saves in the format of the file name', async () => {
    const { session, world } = await viewing();
    await pressed(session, 'W');
    const overlay = overlayOf(session.state());
    expect(overlay?.kind === 'prompt' && overlay.value).toMatch(/^ledger-.*\.csv$/);
    await pressed(session, 'enter');
    expect(last(world.saves).asked).toMatchObject({ content: { kind: 'table-rows', form: 'csv' }, what: '100 rows' });
  });
});

describe('Viewer without rows', () => {
  it.each(['enter', '=', '/', 's', 'F'])(
    'The viewer reports that there are no rows when %s would need one',
    async key => {
      const { session } = await viewing({ table: { rows: 0 } });
      press(session, key);
      expect(session.state().notice?.text).toMatch(/^no rows/);
      expect(overlayOf(session.state())).toBeNull();
    },
  );
});

describe('Work that ends while another tab is shown', () => {
  it.each([
    ['find', ['/']],
    ['find in vain', ['/']],
    ['arrange', ['s', 'enter']],
  ])('The end of viewer work is reported without keys that do something else on that tab: %s', async (kind, keys) => {
    const [first = ''] = kind.split(' ');
    const held = heldBack(first);
    const { session } = await viewing({ table: { gate: held.gate } });
    await pressed(session, ...keys);
    if (first === 'find') {
      type(session, kind === 'find' ? '1000111' : 'nowhere');
      await pressed(session, 'enter');
    }
    await pressed(session, '1');
    held.waiting[0]?.answer();
    await told();
    await told();
    expect(session.state().tab).not.toBe('history');
    expect(session.state().notice?.text ?? '').not.toMatch(/\bn\b|\by\b|Esc/);
    await pressed(session, HISTORY_KEY);
    expect(viewOf(session)).toMatchObject({ finding: null, arranging: null });
    expect(viewOf(session).loaded).not.toBeNull();
    await pressed(session, 'esc');
    expect(viewerOf(session)).not.toBeNull();
  });
});

describe('Notes of an answer', () => {
  const question = { name: 'balance', title: 'balance', party: '' };

  it('The notes of an answer are mentioned if the rows leave no room for them, and can be copied', async () => {
    const table = { rows: 100, notes: ['one thing', 'another'] };
    const { session } = await viewing({ table, question, screen: { columns: 80, rows: 24 } });
    expect(session.state().notice?.text).toBe('y copies 2 notes about the sources');
    const copied = copyItems(session.state()).find(({ label }) => label === 'notes');
    expect(copied?.action).toMatchObject({ content: { kind: 'text', text: 'one thing\nanother' } });
  });

  it('The notes of an answer are not mentioned when they are shown below the rows', async () => {
    const table = { rows: 4, notes: ['one thing', 'another'] };
    const { session } = await viewing({ table, question, screen: { columns: 80, rows: 24 } });
    expect(session.state().notice).toBeNull();
  });
});

describe('Number that does not fit its cells', () => {
  it.each([
    ['1234567', 9, '1 234 567'],
    ['1234567', 8, '…'],
    ['12345678', 9, '…'],
    ['123456789', 10, '1.… x 10^8'],
    ['123456789012345678901', 14, '1.234… x 10^20'],
    ['-123456789012345678901', 15, '-1.234… x 10^20'],
    ['234.235287918910141997', 12, '234.2352879…'],
    ['0.000009294819786938', 12, '0.000009294…'],
    ['7', 1, '7'],
  ] as const)('The number %s in %i cells is shown as %s', (value, cells, shown) => {
    expect(fitNumberText(value, cells)).toBe(shown);
  });
});

describe('Amount that is too long for a column', () => {
  it('A long amount is shortened below zero in the same way as above it', () => {
    for (const value of ['9'.repeat(38), `1${'0'.repeat(30)}`, '123456789012345678901234', '7'])
      expect(fitNumberText(`-${value}`, 41)).toBe(`-${fitNumberText(value, 40)}`);
  });
});
