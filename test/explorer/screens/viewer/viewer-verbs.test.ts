import { describe, expect, it } from 'vitest';
import { VERBS } from '../../../../src/explorer/app/commands/command.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import type { ShownCounts } from '../../../../src/explorer/screens/counts/state.ts';
import { COLUMNS } from '../../support/fake-tables.ts';
import { browserOf, press, told } from '../../support/fake-world.ts';
import { listsOf, openState, overlayOf, topState } from '../../support/layers.ts';
import { onFirstPage, type } from '../../support/list-scenes.ts';
import { tableOf, viewing } from '../../support/viewer-scenes.ts';

const viewOf = (session: Session) => tableOf(session).view;

async function entered(session: Session, line: string): Promise<void> {
  press(session, ':');
  type(session, line);
  press(session, 'enter');
  await told();
  await told();
}

function problemOf(state: ReturnType<Session['state']>): string | null {
  const overlay = overlayOf(state);
  return overlay?.kind === 'prompt' ? overlay.problem : null;
}

function offered(session: Session, line: string): readonly string[] {
  press(session, ':');
  type(session, line);
  const overlay = overlayOf(session.state());
  const labels = overlay?.kind === 'prompt' ? overlay.offered.map(({ label }) => label) : [];
  press(session, 'esc');
  return labels;
}

describe('Row commands in the viewer', () => {
  it('The `sort` command in the viewer accepts a column in any case, and the requested order', async () => {
    const { session } = await viewing();
    await entered(session, 'sort Quantity');
    expect(viewOf(session).shown.look.sort).toEqual({ column: 'quantity', isDescending: true });
    await entered(session, 'sort quantity:asc');
    expect(viewOf(session).shown.look.sort).toEqual({ column: 'quantity', isDescending: false });
  });

  it('The `find` command in the viewer finds in all rows', async () => {
    const { session, source } = await viewing();
    await entered(session, 'find 1000111');
    expect(source.asked).toContain('find 1000111 0 1');
    expect(viewOf(session).row).toBe(3);
  });

  it('The `freq` command in the viewer counts a column, and another one over that', async () => {
    const { session } = await viewing();
    for (const [line, column] of [
      ['freq type', 'type'],
      ['sum quantity', 'quantity'],
    ] as const) {
      await entered(session, line);
      expect(openState<ShownCounts>(session, 'counts').opening.column.id).toBe(column);
    }
    press(session, 'esc');
    expect(topState(session.state(), 'counts')).toBeUndefined();
  });

  it.each(['find 1000111', 'sort type', 'range e1..e2'])(
    'A row command in the viewer leaves rows behind what was counted as they are: %s',
    async line => {
      const { session } = await viewing();
      await entered(session, 'freq type');
      const { view } = tableOf(session);
      await entered(session, line);
      expect(problemOf(session.state())).toBe('the rows are behind the counts: Esc goes back to them');
      expect(viewOf(session)).toBe(view);
    },
  );

  it('The row commands in the viewer list the columns, those that can be added up, and report no pages', async () => {
    const { session } = await viewing();
    for (const [line, said] of [
      ['sort quantiti', 'did you mean quantity?'],
      ['freq nonsense', 'there are ledger_entry_time, type, quantity'],
      ['sum type', 'type cannot be added up: there are quantity, account_to_balance'],
      ['find', 'find needs'],
      ['size 20', 'a table on the disk has no pages'],
    ] as const) {
      await entered(session, line);
      expect(problemOf(session.state()), line).toContain(said);
      press(session, 'esc');
    }
  });

  it('The row commands in the viewer are completed by the columns of the table, whatever they are called', async () => {
    const odd = ['two words', 'end:desc', '', 'it\'s "so"', '\u001b[31mred', 'a\nb'].map((name, index) => ({
      ...(COLUMNS[index === 1 ? 7 : 3] ?? never()),
      name,
    }));
    const { session } = await viewing({ table: { columns: odd, rows: 3, row: () => odd.map(() => '1') } });
    expect(offered(session, 'sort t')).toEqual(['two words']);
    expect(offered(session, 'sort two w')).toEqual(['two words']);
    expect(offered(session, 'sum ')).not.toContain('end:desc');
    for (const name of ['two words', 'end:desc', 'it\'s "so"', '\u001b[31mred', 'a\nb']) {
      await entered(session, `sort ${name}`);
      expect(viewOf(session).shown.look.sort).toEqual({ column: name, isDescending: name !== 'end:desc' });
    }
    await entered(session, 'sort end:desc:desc');
    expect(viewOf(session).shown.look.sort).toEqual({ column: 'end:desc', isDescending: true });
  });

  it.each(['type', 'x', '5', '', 'ledger e1..e2'])(
    'Every command with "%s" after it in the viewer changes no hidden list, and gives feedback',
    async words => {
      for (const over of ['table', 'counts', 'empty'])
        for (const verb of Object.keys(VERBS)) {
          const { session } = await viewing(over === 'empty' ? { table: { rows: 0 } } : {});
          if (over === 'counts') await entered(session, 'freq type');
          await told();
          const before = session.state();
          await entered(session, `${verb} ${words}`);
          const after = session.state();
          const { tab } = after;
          // Another node has lists of its own.
          const isSameNode = after.node.requestId === before.node.requestId;
          const lists = listsOf(tab === 'history' && isSameNode ? after : before);
          for (const [id, list] of Object.entries(listsOf(before)))
            expect(lists[id], `${verb} over ${over}`).toBe(list);
          const isSaid = problemOf(after) !== null || after.notice !== null;
          const seen = ['tab', 'looks', 'node', 'layers'] as const;
          const isSilent = verb !== 'export' && !isSaid && seen.every(part => after[part] === before[part]);
          expect(isSilent, `${verb} ${words} over ${over}`).toBe(false);
          await session.close();
        }
    },
  );

  it('The row commands in the viewer report that no table is open while it is being opened', async () => {
    const { session } = await viewing();
    press(session, 'r');
    await entered(session, 'sort type');
    expect(problemOf(session.state())).toBe('the table is not open');
  });

  it('The `find` command searches again after the rows were sorted meanwhile', async () => {
    const waiting: (() => void)[] = [];
    const gate = (): Promise<void> => new Promise(resolve => waiting.push(resolve));
    const isHeld = { now: false };
    const { session, source } = await viewing({ table: { gate: async () => (isHeld.now ? gate() : undefined) } });
    isHeld.now = true;
    await entered(session, 'sort type');
    await entered(session, 'find 1000111');
    expect(viewOf(session)).toMatchObject({ finding: { from: 0 }, arranging: { look: { sort: { column: 'type' } } } });
    isHeld.now = false;
    waiting[0]?.();
    await told();
    await told();
    expect(source.asked.filter(asked => asked.startsWith('find'))).toHaveLength(2);
    expect(viewOf(session).finding).toBeNull();
    expect(viewOf(session).row).toBeGreaterThan(3);
  });
});

describe('Row commands over a list', () => {
  it.each(['sort status', 'find a', 'freq status', 'sum commitment', 'size 20'])(
    'The row commands report that the rows are behind the requests: %s',
    async line => {
      const { session } = await onFirstPage();
      press(session, 'L');
      const before = browserOf(session);
      await entered(session, line);
      expect(problemOf(session.state())).toBe('the rows are behind the requests: Esc goes back to them');
      expect(browserOf(session)).toBe(before);
    },
  );

  it('The `sort` command sorts no list behind a frequency screen, and `freq` counts another column of it', async () => {
    const { session } = await onFirstPage();
    await entered(session, 'freq status');
    await entered(session, 'sort status');
    expect(problemOf(session.state())).toBe('the rows are behind the counts: Esc goes back to them');
    press(session, 'esc');
    await entered(session, 'freq market');
    expect(openState<ShownCounts>(session, 'counts').opening.column.id).toBe('market');
  });
});

const never = (): never => {
  throw new Error('no column');
};
