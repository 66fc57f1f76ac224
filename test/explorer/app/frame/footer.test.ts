import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { answerPage, press } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { onFirstPage, onOnlyPage, showing, type } from '../../support/list-scenes.ts';
import { provisionPage } from '../../support/provision-pages.ts';

const footer = (session: Session): string => plain(paintedLines(session.state()).at(-1) ?? '').trim();

describe('Footer', () => {
  it('The footer of a fully loaded list says which rows are drawn, of how many', async () => {
    const { session } = await onOnlyPage();
    expect(footer(session)).toMatch(/^1-18 of 50 {3}/);
    press(session, 'pagedown');
    expect(footer(session)).toMatch(/^19-36 of 50 {3}/);
    press(session, 'G', 'enter');
    expect(footer(session)).toMatch(/^50 of 50 {3}/);
  });

  it('The footer of a partly loaded list says which rows are loaded, and whether more follow', async () => {
    const { session, world } = await onFirstPage();
    expect(footer(session)).toMatch(/^rows 1-50, more {3}/);
    press(session, 'n');
    await answerPage(world, { ...provisionPage(2), hasNextPage: false });
    expect(footer(session)).toMatch(/^rows 51-100 {3}/);
    press(session, '>');
    await answerPage(world, { ...provisionPage(2), hasNextPage: false });
    expect(footer(session)).toMatch(/^last 50 rows {3}/);
  });

  it('The footer begins in the second column, with the keys when nothing is counted', async () => {
    const { session } = await onOnlyPage();
    const line = () => plain(paintedLines(session.state()).at(-1) ?? '');
    expect(line()).toMatch(/^ 1-18 of 50 {3}\S/);
    press(session, 'y');
    expect(line()).toMatch(/^ enter choose {2}/);
  });

  it('The footer does not call a page complete when part of it cannot be read', async () => {
    const { session } = await showing({ ...provisionPage(1), hasNextPage: false, flaws: ['an edge without a node'] });
    expect(footer(session)).toMatch(/^rows 1-50 {3}/);
  });

  it('The footer says that a sort and a search cover only the loaded rows, when there are more', async () => {
    const { session } = await onFirstPage();
    press(session, 's', 'j', 'enter');
    expect(footer(session)).toMatch(/^rows 1-50, more {2}sorted: these 50 rows only \(S sorts all\) {3}/);
    press(session, '/');
    type(session, 'reference-1');
    press(session, 'enter');
    expect(footer(session)).toContain('rows 1-50, more, 11 found  sorted: these 50 rows only (S sorts all)');
    const whole = await onOnlyPage();
    press(whole.session, 's', 'j', 'enter');
    expect(footer(whole.session)).toMatch(/^1-18 of 50, sorted {3}/);
  });

  it('The footer shows the help in full or by its key only, at any width', async () => {
    const { session } = await onFirstPage();
    press(session, '/');
    type(session, 'found nowhere');
    press(session, 'enter');
    const state = session.state();
    for (let columns = 40; columns <= 130; columns++) {
      const line = plain(paintedLines({ ...state, screen: { columns, rows: 24 } }).at(-1) ?? '').trimEnd();
      expect(line, String(columns)).toMatch(/ {2}\?(?: help)?$/);
    }
  });
});
