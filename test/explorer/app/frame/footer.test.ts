import { describe, expect, it } from 'vitest';
import type { modeOf } from '../../../../src/explorer/app/focus.ts';
import { bindingsOf } from '../../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { isTooSmall } from '../../../../src/explorer/core/area.ts';
import { answerPage, press } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { onFirstPage, onOnlyPage, showing, type } from '../../support/list-scenes.ts';
import { provisionPage } from '../../support/provision-pages.ts';
import { pressAtRandom } from '../../support/random-session.ts';

const footer = (session: Session): string => plain(paintedLines(session.state()).at(-1) ?? '').trim();

describe('the footer', () => {
  it('says of a list that is loaded whole which rows are drawn, of how many', async () => {
    const { session } = await onOnlyPage();
    expect(footer(session)).toMatch(/^1-18 of 50 {3}/);
    press(session, 'pagedown');
    expect(footer(session)).toMatch(/^19-36 of 50 {3}/);
    press(session, 'G', 'enter');
    expect(footer(session)).toMatch(/^50 of 50 {3}/);
  });

  it('says of a part which rows are loaded, and whether more follow', async () => {
    const { session, world } = await onFirstPage();
    expect(footer(session)).toMatch(/^rows 1-50, more {3}/);
    press(session, 'n');
    await answerPage(world, { ...provisionPage(2), hasNextPage: false });
    expect(footer(session)).toMatch(/^rows 51-100 {3}/);
    press(session, '>');
    await answerPage(world, { ...provisionPage(2), hasNextPage: false });
    expect(footer(session)).toMatch(/^last 50 rows {3}/);
  });

  it('does not call a page whole of which something cannot be read', async () => {
    const { session } = await showing({ ...provisionPage(1), hasNextPage: false, flaws: ['an edge without a node'] });
    expect(footer(session)).toMatch(/^rows 1-50 {3}/);
  });

  it('says that a sort and a search are of the rows loaded alone, where there are more', async () => {
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

  it('names the help whole or by its key alone, at any width', async () => {
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

  it.each([1, 2, 3])('names the help, and where there is none the way back (seed %i)', async seed => {
    await pressAtRandom(seed, 120, ({ session, after }) => {
      const state = session.state();
      const keys = bindingsOf(state).filter(({ off }) => off?.(state) === undefined);
      const hasHelp = keys.some(({ keys: [key] }) => key === '?');
      for (const columns of [40, 60, 80]) {
        const screen = { columns, rows: 24 };
        const line = plain(paintedLines({ ...state, screen }).at(-1) ?? '').trimEnd();
        if (hasHelp) expect(line, after).toMatch(/ \?(?: help)?$/);
        // Beside a long sentence about rows there is room for one.
        else if (columns > 40) expect(line, after).toMatch(/(?: esc back| {3}enter \S+)$/);
      }
    });
  });

  it.each([1, 2, 3])('offers no key that would do nothing (seed %i)', async seed => {
    await pressAtRandom(seed, 250, ({ session, after }) => {
      const state = session.state();
      if (isTooSmall(state.screen)) return;
      const line = footer(session);
      for (const { keys, footer: name, off } of bindingsOf(state))
        if (name !== undefined && off?.(state) !== undefined && !isNamedOtherwise(state, keys[0] ?? '', name))
          expect(` ${line} `, after).not.toContain(`  ${keys[0]} ${name} `);
    });
  });
});

/** Another binding of the mode has the same key and name, and may act. */
const isNamedOtherwise = (state: Parameters<typeof modeOf>[0], key: string, name: string): boolean =>
  bindingsOf(state).some(
    binding => binding.footer === name && binding.keys[0] === key && binding.off?.(state) === undefined,
  );
