import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../src/base/text/width.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { THEMES } from '../../../src/explorer/terminal/theme.ts';
import { press } from '../support/fake-world.ts';
import { MONO, paintedLines, plain } from '../support/frame.ts';
import { onOnlyPage } from '../support/list-scenes.ts';

async function finding(text: string, columns = 40): Promise<Session> {
  const { session } = await onOnlyPage();
  session.dispatch({ type: 'resized', screen: { columns, rows: 12 } });
  press(session, '/');
  session.dispatch({ type: 'insert-text', text });
  return session;
}

const LABEL = ' find in the loaded rows: ';

/** The field with `[ ]` around what is drawn as the cursor. */
function drawn(session: Session, theme = MONO): string {
  const painted = paintedLines(session.state(), theme).find(line => plain(line).startsWith(LABEL)) ?? '';
  const marked = painted.replaceAll(/\u001b\[(?:1;)?7m(.*?)\u001b\[0m/g, '[$1]');
  return plain(marked).slice(LABEL.length);
}

describe('Drawn cursor of a field', () => {
  it('The drawn cursor is after the text, or on the character that it was moved to', async () => {
    const session = await finding('abc');
    expect(drawn(session)).toBe('abc[ ]');
    press(session, 'left');
    expect(drawn(session)).toBe('ab[c] ');
    press(session, 'home');
    expect(drawn(session)).toBe('[a]bc ');
  });

  it.each(Object.entries(THEMES))('The drawn cursor is visible in the theme %s', async (_, { utf8, ascii }) => {
    const session = await finding('abc');
    press(session, 'left');
    expect([drawn(session, utf8), drawn(session, ascii)]).toEqual(['ab[c] ', 'ab[c] ']);
  });

  it('The drawn cursor covers a wide character and its marks as a whole', async () => {
    const session = await finding('a流e\u0301');
    press(session, 'left');
    expect(drawn(session)).toBe('a流[e\u0301] ');
    press(session, 'left');
    expect(drawn(session)).toBe('a[流]e\u0301 ');
  });

  it('The drawn cursor is on the first character of what an empty field shows, and of what may follow', async () => {
    const { session } = await onOnlyPage();
    press(session, 'f');
    expect(paintedLines(session.state()).join('\n')).toContain('\u001b[7ma\u001b[0m\u001b[2mny');
    press(session, 'esc', ':');
    session.dispatch({ type: 'insert-text', text: 'relo' });
    expect(paintedLines(session.state()).join('\n')).toContain('relo\u001b[7ma\u001b[0m\u001b[2md');
  });
});

describe('Text longer than its field', () => {
  const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

  it('A text longer than its field shows what is around the cursor', async () => {
    const session = await finding(LETTERS);
    expect(drawn(session)).toBe('…opqrstuvwxyz[ ]');
    for (let step = 0; step < 13; step++) press(session, 'left');
    expect(drawn(session)).toBe('…hijklm[n]opqrs…');
    press(session, 'home');
    expect(drawn(session)).toBe('[a]bcdefghijklm…');
  });

  it('A text longer than its field is cut between wide characters', async () => {
    const session = await finding('流'.repeat(12));
    expect(drawn(session)).toBe('…流流流流流流[ ]');
    press(session, 'home', 'right', 'right', 'right', 'right', 'right', 'right');
    const shown = drawn(session);
    expect(shown).toContain('[流]');
    expect(widthCells(sanitize(shown.replaceAll(/[[\]]/g, '')))).toBe(40 - LABEL.length);
  });

  it('A text longer than its field leaves half of the room to the message after it', async () => {
    const { session } = await onOnlyPage();
    press(session, 'z');
    session.dispatch({ type: 'insert-text', text: '9'.repeat(100) });
    press(session, 'enter', 'home');
    const row =
      paintedLines(session.state())
        .map(plain)
        .find(line => line.startsWith(' rows a page')) ?? '';
    expect(row).toMatch(/^ rows a page \(1-5000\): 9{28}… {2}a page has 1 to 5000 rows.*…$/);
  });

  it('A text longer than its field keeps the cursor in view at every size, and the row within its width', async () => {
    const characters = fc.constantFrom('a', ' ', '流', 'e\u0301', '🇫🇷', '👍🏽', 'ש', '\u0301');
    const texts = fc.array(characters, { minLength: 1, maxLength: 120 }).map(parts => `x${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 40, max: 100 }), fc.nat(120), async (text, columns, steps) => {
        const session = await finding(text, columns);
        for (let step = 0; step < steps; step++) press(session, 'left');
        const row = paintedLines(session.state()).find(line => plain(line).startsWith(LABEL)) ?? '';
        expect(row).toContain('\u001b[7m');
        expect(widthCells(sanitize(plain(row)))).toBeLessThanOrEqual(columns);
      }),
      { numRuns: 40 },
    );
  });
});
