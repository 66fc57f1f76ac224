import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import type { World } from '../../../../../src/explorer/services/world.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { last, press, told } from '../../../support/fake-world.ts';
import { renderFrame } from '../../../support/frame.ts';
import { onFirstPage, onOnlyPage, showing, type } from '../../../support/list-scenes.ts';
import { provisionPage } from '../../../support/provision-pages.ts';
import { gathered, onWholeList } from '../../../support/whole-scenes.ts';

const lines = (session: Session): readonly string[] => renderFrame(session.state()).trimEnd().split('\n');

/** The line that says what is done, and the one below it. */
const status = (session: Session): readonly string[] => lines(session).slice(-2);

/** What narrows and orders the rows, above the table. */
const filterLine = (session: Session): string => lines(session).find(line => /^\u2500 .*rows/.test(line)) ?? '';

async function findAll(session: Session, text: string): Promise<void> {
  press(session, '/');
  type(session, text);
  press(session, 'enter');
  await session.idle();
}

async function sortAll(session: Session): Promise<void> {
  tell(session, { type: 'sort-by', column: 'commitment' });
  await session.idle();
}

/** Work that tells how far it is once, and never ends. */
const endless =
  (progress: Parameters<Parameters<World['arrange']>[1]>[0]): World['arrange'] =>
  async (_, onProgress) => {
    await Promise.resolve();
    onProgress(progress);
    return new Promise(() => {});
  };

describe('Whole list at 80 columns', () => {
  it('The whole list shows how far it is loaded, and how long the node wants it to wait', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'S');
    const { onProgress } = last(world.wholes).asked;
    onProgress({ rows: 1, pages: 1, waitMs: 0 });
    expect(status(session)[0]).toBe(' loading the whole list: 1 row, page 1  Esc cancels');
    onProgress({ rows: 4000, pages: 8, waitMs: 0 });
    expect(status(session)).toMatchInlineSnapshot(`
      [
        " loading the whole list: 4 000 rows, page 8  Esc cancels",
        " rows 1-50, more   enter inspect  g go to  f filter  / find  y copy  ? help",
      ]
    `);
    onProgress({ rows: 124_000, pages: 38, waitMs: 4000 });
    expect(status(session)[0]).toMatchInlineSnapshot(
      `" too many requests, waiting 4 s to continue: 124 000 rows, page 38  Esc cancels"`,
    );
  });

  it('The whole list says that it is complete, and how many of its rows are found and sorted', async () => {
    const { session } = await onWholeList(gathered(2000));
    expect(status(session)).toMatchInlineSnapshot(`
      [
        "────────────────────────────────────────────────────────────────────────────────",
        " 1-18 of 2 000, whole list   enter inspect  g go to  f filter  / find  ? help",
      ]
    `);
    await sortAll(session);
    expect(status(session)).toMatchInlineSnapshot(`
      [
        "────────────────────────────────────────────────────────────────────────────────",
        " 1 983-2 000 of 2 000, whole list  sorted: all 2 000   enter inspect  ? help",
      ]
    `);
    await findAll(session, 'reference-199');
    expect(status(session)).toMatchInlineSnapshot(`
      [
        "────────────────────────────────────────────────────────────────────────────────",
        " 1-11 of 11 found among 2 000, whole list  sorted: all 2 000   g go to  ? help",
      ]
    `);
    expect(filterLine(session)).toMatchInlineSnapshot(
      `"─ Provisions ─ 11 of 2 000 rows, sorted by commitment ─ find "reference-199" ───"`,
    );
    await findAll(session, 'no such thing');
    expect(renderFrame(session.state())).toContain('none of 2 000 loaded holds "no such thing" in any value');
    expect(status(session)[1]).toContain('none found among 2 000, sorted');
  });

  it('The whole list shows work in progress, and describes the rows only by work that is done', async () => {
    const { session, world } = await onWholeList();
    world.arrange = endless({ step: 'sort', done: 0.456 });
    tell(session, { type: 'sort-by', column: 'commitment' });
    await told();
    expect(status(session)).toMatchInlineSnapshot(`
      [
        " sorting 6 000 rows: 45 %",
        " 1-18 of 6 000, whole list   enter inspect  g go to  f filter  / find  ? help",
      ]
    `);
    expect(filterLine(session)).not.toContain('sorted');
    tell(session, { type: 'sort-by', column: '' });
    world.arrange = endless({ step: 'find', done: 0.999 });
    press(session, '/');
    type(session, 'x');
    press(session, 'enter');
    await told();
    expect(status(session)[0]).toBe(' finding in 6 000 rows: 99 %');
    expect(filterLine(session)).not.toContain('find');
  });

  it('The whole list says no more than was checked when it ended early', async () => {
    const { session } = await onWholeList(gathered(5500, 'connection reset'));
    expect(status(session)).toMatchInlineSnapshot(`
      [
        " connection reset",
        " 1-18 of 5 500, not all of it   enter inspect  g go to  f filter  ? help",
      ]
    `);
    await sortAll(session);
    expect(status(session)).toMatchInlineSnapshot(`
      [
        " connection reset",
        " 5 483-5 500 of 5 500, not all of it  sorted: these 5 500 rows only   ? help",
      ]
    `);
    expect(filterLine(session)).toContain('5 500 rows loaded, sorted by commitment');
    await findAll(session, 'reference-54');
    expect(filterLine(session)).toContain('111 of 5 500 rows loaded, sorted by commitment ─ find "reference-54"');
  });

  it('A list that fits on one page counts as whole: its rows are not "loaded" ones', async () => {
    const scenes = [
      [await onOnlyPage(), 'rows'],
      [await onFirstPage(), 'rows loaded'],
    ] as const;
    for (const [{ session }, rows] of scenes) {
      tell(session, { type: 'sort-by', column: 'commitment' });
      expect(filterLine(session)).toContain(`${rows}, sorted by commitment`);
      press(session, '/');
      type(session, 'reference-1');
      press(session, 'enter');
      expect(filterLine(session)).toMatch(new RegExp(`\\d+ of \\d+ ${rows}, sorted by commitment`));
    }
  });

  it('A list is sorted by a column under its heading, and shows that it has no rows', async () => {
    const { session, world } = await onFirstPage();
    tell(session, { type: 'sort-by', column: 'share' });
    expect(filterLine(session)).toContain('rows loaded, sorted by commit %');
    press(session, 'f', 'ctrl-u', 'enter');
    last(world.pages).answer({ page: provisionPage(1, 0), facts: { rate: {} }, size: 50 });
    await told();
    expect(renderFrame(session.state())).toMatch(/0 rows loaded, sorted by commit %/);
  });

  it('The whole list says in few words what it is on a narrow screen', async () => {
    const { session } = await onWholeList(gathered(6000), { columns: 60 });
    await sortAll(session);
    expect(status(session)[1]).toMatch(/^ [\d ]+-[\d ]+ of 6 000, sorted {3}/);
  });

  it('A sorted page says that only its rows are sorted, and what sorts all of them', async () => {
    const { session } = await showing(provisionPage(1));
    tell(session, { type: 'sort-by', column: 'commitment' });
    expect(status(session)[1]).toMatchInlineSnapshot(
      `" rows 1-50, more  sorted: these 50 rows only (S sorts all)   n next  ? help"`,
    );
  });
});
