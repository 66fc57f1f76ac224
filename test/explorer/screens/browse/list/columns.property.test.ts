import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { runs } from '../../../../support/runs.ts';
import { answerPage, browserOf, press, startSession } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { pageOf, provision, provisionPage } from '../../../support/provision-pages.ts';

const TITLES = (resourceById('provisions')?.columns ?? [])
  .filter(({ isExtra }) => isExtra === undefined)
  .map(({ title }) => title);

const resize = (session: Session, columns: number): void =>
  session.dispatch({ type: 'resized', screen: { columns, rows: 24 } });

const heading = (session: Session): string => plain(paintedLines(session.state())[3] ?? '');
const named = (session: Session): readonly string[] =>
  TITLES.filter(title => ` ${heading(session)} `.replaceAll(',', ' ').includes(`${title} `));

async function table(wide: string) {
  const { session, world } = await startSession({ columns: 80, rows: 24 });
  const page = provisionPage(1);
  const rows = [...page.rows, provision(99, { status: wide, commitmentAmount: wide, reference: wide })];
  await answerPage(world, pageOf(rows));
  return session;
}

const values = fc.constantFrom('x', '7'.repeat(70), 'long words '.repeat(20));
const widths = fc.array(fc.integer({ min: 40, max: 300 }), { minLength: 1, maxLength: 6 });

describe('Column visibility', () => {
  it('Every column is visible when there is room, whatever the size was and however they were scrolled', async () => {
    await fc.assert(
      fc.asyncProperty(values, widths, fc.nat(12), async (wide, sizes, presses) => {
        const session = await table(wide);
        for (const columns of sizes) {
          resize(session, columns);
          press(session, ...Array.from({ length: presses }, () => 'l'));
        }
        resize(session, 1000);
        expect(named(session)).toEqual(TITLES);
        expect(heading(session)).not.toMatch(/[<>]/);
      }),
      { numRuns: runs(15, 50) },
    );
  });

  it('Every column is reached by l at any width, and each press of h leads back', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 40, max: 200 }), async (wide, columns) => {
        const session = await table(wide);
        resize(session, columns);
        const starts = [heading(session)];
        for (let presses = 0; presses < 30; presses++) {
          press(session, 'l');
          starts.push(heading(session));
        }
        expect(starts.at(-1)).not.toContain('>');
        const shown = starts.join('\n');
        // Where there is no room at all a column of amounts says what they count in place of its title.
        for (const title of TITLES.filter(title => title !== 'COMMITMENT')) expect(shown).toContain(title.slice(0, 4));
        expect(shown).toMatch(/\braw\b|decimals not known|x 10\^\d+/);
        const { cellColumn } = browserOf(session);
        press(session, 'h');
        expect(browserOf(session).cellColumn).not.toBe(cellColumn);
        press(session, ...Array.from({ length: 30 }, () => 'h'));
        expect(heading(session)).toBe(starts[0]);
      }),
      { numRuns: runs(15, 50) },
    );
  });

  it('A hidden column comes back by the key that hid it', async () => {
    const session = await table('x');
    resize(session, 300);
    const before = heading(session);
    press(session, 'c', 'down', 'enter', 'down', 'enter', 'down', 'enter', 'esc');
    expect(named(session)).toEqual(TITLES.filter((_, index) => index < 1 || index > 3));
    press(session, 'c', 'down', 'enter', 'down', 'enter', 'down', 'enter', 'esc');
    expect(heading(session)).toBe(before);
  });

  it('A column made redundant by a filter returns when the filter goes, also after it was toggled', async () => {
    const { session, world } = await startSession({ columns: 200, rows: 24 });
    await answerPage(world, provisionPage(1));
    press(session, '=', 'enter');
    await answerPage(world, provisionPage(1));
    expect(named(session)).not.toContain('MARKET');
    press(session, 'c', 'down', 'enter', 'enter', 'esc', 'x');
    await answerPage(world, provisionPage(1));
    expect(browserOf(session).filters).toEqual({ live: ['true'] });
    expect(named(session)).toContain('MARKET');
  });
});
