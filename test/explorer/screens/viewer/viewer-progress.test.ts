import { describe, expect, it } from 'vitest';
import { press, told } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { type } from '../../support/list-scenes.ts';
import { tellViewer, viewerOf, viewing } from '../../support/viewer-scenes.ts';

/** Questions to all of the table never end. */
const gate = (asked: string): Promise<void> =>
  asked.startsWith('rows') ? Promise.resolve() : new Promise<void>(() => {});

const WORK = [
  { name: 'sorting', keys: ['s', 'enter'], said: 'sorting' },
  { name: 'narrowing', keys: ['=', 'enter'], said: 'looking' },
  { name: 'finding', keys: ['/', ...'9'.repeat(40), 'enter'], said: 'finding' },
];

async function working(keys: readonly string[], columns: number, seconds: number) {
  const { session, world } = await viewing({ table: { gate }, screen: { columns, rows: 16 } });
  for (const key of keys) {
    if (/^\d$/.test(key)) type(session, '9'.repeat(40));
    else press(session, key);
    await told();
  }
  for (let second = 0; second < seconds; second++) {
    world.waits.findLast(({ asked }) => asked.ms === 1000)?.answer();
    await told();
  }
  const status = () => plain(paintedLines(session.state()).at(-2) ?? '');
  return { session, world, status };
}

describe('Viewer progress', () => {
  it.each(WORK)(
    'The viewer shows what it is working on, for how long, and that Esc stops it, at any width: $name',
    async ({ keys, said }) => {
      for (const columns of [40, 60, 80, 120]) {
        const { session, status } = await working(keys, columns, 12);
        expect(status(), String(columns)).toContain(said);
        expect(status()).toMatch(/, 12 s \.\.\. {2}Esc stops/);
        press(session, 'esc');
        await told();
        expect(status()).not.toContain('12 s');
      }
    },
  );

  it('The viewer shows how far a search is, out of all rows', async () => {
    const { session, status } = await working(['/', '9', 'enter'], 120, 1);
    tellViewer(session, { type: 'finding', done: 37 });
    expect(status()).toContain('37 of 100 rows, 1 s');
    const narrow = await working(['/', '9', 'enter'], 40, 1);
    tellViewer(narrow.session, { type: 'finding', done: 37 });
    expect(narrow.status()).toContain('finding: 37 %, 1 s ...  Esc stops');
  });

  it('The viewer counts seconds only for the running work, and only while they are visible', async () => {
    const { session, world, status } = await working(['s', 'enter'], 80, 3);
    expect(status()).toContain('sorting by ledger_entry_time, 3 s');
    press(session, 's', 'j', 'enter');
    await told();
    expect(status()).toContain('sorting by type ...');
    const waiting = () => world.waits.filter(({ asked, signal }) => asked.ms === 1000 && !signal.aborted).length;
    const before = waiting();
    press(session, '1');
    await told();
    expect(waiting()).toBe(before - 1);
    expect(viewerOf(session)).not.toBeNull();
  });

  it.each([40, 60, 80, 120])(
    'The counts say that all rows are counted, for how long, and that Esc stops it: %i columns',
    async columns => {
      const { session, world, status } = await working(['F', 'enter'], columns, 0);
      for (const ms of [500, ...Array.from({ length: 8 }, () => 250)]) {
        world.clockMs += ms;
        world.waits.findLast(({ asked, signal }) => asked.ms === ms && !signal.aborted)?.answer();
        await told();
      }
      expect(status()).toMatch(/counting all rows, 2 s {2}Esc stops/);
      press(session, 'esc');
      await told();
      expect(status()).not.toContain('counting');
    },
  );

  it('The viewer runs no timer while no work is running', async () => {
    const { world } = await viewing();
    expect(world.waits.filter(({ asked }) => asked.ms === 1000)).toEqual([]);
  });
});
