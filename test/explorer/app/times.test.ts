import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockTime, utcTime } from '../../../src/base/text/time.ts';
import { clockColumn, clockText } from '../../../src/chain/resources/clock-column.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { HISTORY_KEY } from '../../../src/explorer/tabs.ts';
import { answerPage, browserOf, press, startSession } from '../support/fake-world.ts';
import { renderFrame } from '../support/frame.ts';
import { onFirstPage, run } from '../support/list-scenes.ts';
import { provisionPage } from '../support/provision-pages.ts';

describe('Clock times', () => {
  it('Clock times are to the second, in UTC, for people and for programs', () => {
    expect(clockTime('1795354805123456789')).toBe('2026-11-22 13:40:05Z');
    expect(clockTime('0')).toBe('never');
    expect(clockTime('')).toBe('');
    expect(clockTime('-1')).toBe('-1');
  });

  it('Clock times accept any text, and change nothing but a time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String)), text => {
        const shown = clockTime(text);
        expect(shown === text || shown === 'never' || utcTime(text).startsWith(shown.slice(0, -1))).toBe(true);
      }),
    );
  });

  it('Clock times have a title with the zone, for every column of times, and for no other', () => {
    for (const column of RESOURCES.flatMap(({ columns }) => columns)) {
      const isTime = column.kind === 'time' || column.kind === 'unix-time';
      expect(clockColumn(column).title).toBe(isTime ? `${column.title} UTC` : column.title);
      expect(clockColumn(clockColumn(column)).title.match(/UTC/g)?.length ?? 0).toBe(isTime ? 1 : 0);
    }
  });

  it('Clock times are also made from seconds', () => {
    const column = { id: 'a', title: 'A', kind: 'unix-time', value: () => '' } as const;
    expect(clockText(column, '1795354805')).toBe('2026-11-22 13:40:05Z');
    expect(clockText(column, 'soon')).toBe('soon');
  });

  it('Clock times are toggled by a key, in every list, with widths that fit', async () => {
    const { session } = await onFirstPage();
    session.dispatch({ type: 'resized', screen: { columns: 160, rows: 12 } });
    const before = renderFrame(session.state());
    press(session, 't');
    const shown = renderFrame(session.state());
    expect(shown).toContain('UPDATED UTC');
    expect(shown).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
    expect(shown).not.toMatch(/\d (?:s|min|h|d) ago/);
    expect(session.state().notice?.text).toBe('times of the clock, in UTC');
    expect(session.state().times).toBe('clock');
    press(session, 't', 'j', 'k');
    expect(renderFrame(session.state())).toBe(before);
  });

  it('Clock times are used in the header too, on a tab without a list', async () => {
    const { session, world } = await onFirstPage();
    press(session, 't', HISTORY_KEY);
    const at = new Date(world.clockMs).toISOString().slice(11, 19);
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 40_000 });
    const frame = renderFrame(session.state());
    expect(frame).toContain(`answered at ${at} UTC`);
  });

  it('Clock times are what a search finds', async () => {
    const { session } = await onFirstPage();
    press(session, 't');
    run(session, 'find 2027-01-15 07:43:20z');
    const { rows } = await import('../../../src/explorer/screens/browse/list/visible-rows.ts').then(
      ({ visibleRows }) => ({
        rows: visibleRows(RESOURCES.find(({ id }) => id === 'provisions') ?? never(), browserOf(session)),
      }),
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  it('Clock times are there from the start when the user prefers them', async () => {
    const { session, world } = await startSession({ columns: 160, preferences: { times: 'clock' } });
    await answerPage(world, provisionPage(1));
    expect(renderFrame(session.state())).toContain('UPDATED UTC');
  });

  it('Clock times cost nothing at a key that follows: the lines are those of the previous frame', async () => {
    const { session } = await onFirstPage();
    press(session, 't');
    const { drawScreen } = await import('../../../src/explorer/app/frame/screen.ts');
    const rowsOf = () => drawScreen(session.state()).flatMap(row => (row.kind === 'line' ? [row.line] : []));
    const first = rowsOf();
    press(session, 'j');
    const second = rowsOf();
    const same = second.slice(6, 16).filter((line, index) => line === first[index + 6]);
    expect(same.length).toBe(10);
  });
});

describe('Raw JSON', () => {
  it('The raw JSON is left for the tree by Esc, and the tree for the table', async () => {
    const { session } = await onFirstPage();
    press(session, 'enter', 'R', 'j', 'j', 'esc');
    expect(browserOf(session).inspector).toMatchObject({ isRaw: false, cursor: 0, top: 0 });
    press(session, 'esc');
    expect(browserOf(session).inspector).toBeNull();
  });
});

const never = (): never => {
  throw new Error('no such list');
};
