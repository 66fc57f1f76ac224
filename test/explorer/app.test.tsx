import { cleanup, render } from 'ink-testing-library';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { focusedField } from '../../src/explorer/app/focus.ts';
import type { Session } from '../../src/explorer/app/session.ts';
import { App } from '../../src/explorer/app.tsx';
import { openTab } from '../support/tabs.ts';
import { answerPage, browserOf, keysShown, startSession, told } from './support/fake-world.ts';
import { NO_STOPS, plain } from './support/frame.ts';
import { overlayOf } from './support/layers.ts';
import { barTexts } from './support/list-scenes.ts';
import { hexId, provisionPage } from './support/provision-pages.ts';
import { result, SAVED } from './support/scenes.ts';

// The terminal of the library has no height: Ink would start programs to find one.
vi.stubEnv('COLUMNS', '100');
vi.stubEnv('LINES', '24');
afterEach(cleanup);
afterAll(vi.unstubAllEnvs);

const DOWN = '\u001b[B';
const PASTE = (text: string): string => `\u001b[200~${text}\u001b[201~`;

/** The explorer drawn by Ink on a terminal of 100 columns. */
async function drawn(session: Session) {
  const app = render(<App session={session} repaint={() => {}} stops={NO_STOPS} />);
  const screen = (): string => plain(app.lastFrame() ?? '');
  const until = async (isThere: () => boolean): Promise<void> => {
    const deadline = Date.now() + 5000;
    while (!isThere()) {
      if (Date.now() > deadline) throw new Error(`it never came; the last frame was\n${screen()}`);
      await told();
    }
  };
  // One write is one event of the terminal, as when a person presses one key after the other.
  const type = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      app.stdin.write(key);
      await told();
      await told();
    }
  };
  await until(() => screen().includes('blockglass'));
  return { screen, until, type };
}

async function onTable() {
  const { session, world } = await startSession();
  await answerPage(world, provisionPage(1));
  return { session, world, ...(await drawn(session)) };
}

describe('Explorer on a terminal', () => {
  it('The explorer takes the size of the terminal and draws the rows', async () => {
    const { session, until, screen } = await onTable();
    await until(() => session.state().screen.columns === 100);
    await until(() => screen().includes('> 0000'));
    expect(screen()).toContain(openTab('provisions'));
  });

  it('The explorer passes keys to the session, including several in one event', async () => {
    const { session, type, until, screen } = await onTable();
    await type('jjj');
    expect(browserOf(session).view.row).toBe(3);
    await type('\r');
    await until(() => screen().includes('liquidity provision'));
  });

  it('The explorer types into a field and not into the keymap', async () => {
    const { session, type, until, screen } = await onTable();
    await type('/', 'r', 'e', 'f', 'q', '?');
    expect(session.state().isEnded).toBe(false);
    expect(browserOf(session).find).toBe('refq?');
    await until(() => screen().includes('find in the loaded rows: refq?'));
  });

  it('The explorer edits in the middle of a field', async () => {
    const { session, type } = await onTable();
    await type('/', 'a', 'c', '\u001b[D', 'b');
    expect(browserOf(session).find).toBe('abc');
  });

  it('The explorer edits a field with the keys of a shell, as a terminal sends them', async () => {
    const { session, type } = await onTable();
    const [left, right, home, end, erase, forwards] = [
      '\u001b[D',
      '\u001b[C',
      '\u001b[H',
      '\u001bOF',
      '\u007f',
      '\u001b[3~',
    ];
    await type('/', 'one two', `${left}${left}${left}`, '流', left, forwards, erase);
    expect(browserOf(session).find).toBe('onetwo');
    await type(home, right, '\u000b', end, ' six', '\u0017');
    expect(browserOf(session).find).toBe('o ');
    await type('\u0001', 'x', '\u0005', 'y', PASTE('z\n'));
    expect(browserOf(session).find).toBe('xo yz ');
  });

  it('The explorer empties the field on Ctrl-U, and does not type the letter', async () => {
    const { session, type } = await onTable();
    await type('/', 'a', 'b', '\u0015');
    expect(browserOf(session).find).toBe('');
    await type('c');
    expect(browserOf(session).find).toBe('c');
  });

  it('The explorer pastes into the field, and types on after it', async () => {
    const { session, type, until } = await onTable();
    await type('f', PASTE(hexId(7)));
    await until(() => focusedField(session.state()).text === hexId(7));
    await told();
    await type('a');
    expect(focusedField(session.state()).text).toBe(`${hexId(7)}a`);
  });

  it('The explorer puts the cursor after a suggestion', async () => {
    const { session, type } = await onTable();
    await type('f', DOWN);
    const offered = focusedField(session.state()).text;
    expect(offered).toHaveLength(64);
    await type('f');
    expect(focusedField(session.state()).text).toBe(`${offered}f`);
  });

  it('The explorer says what to do with a paste when there is no field', async () => {
    const { session, type, until, screen } = await onTable();
    await type(PASTE('x'));
    await until(() => screen().includes('paste goes into a field'));
    expect(keysShown(session).length).toBe(50);
  });

  it('The explorer does not lose what is typed ahead of the field', async () => {
    const { session, type } = await onTable();
    await type('/abc');
    expect(browserOf(session).find).toBe('abc');
  });
});

describe('Search without a match', () => {
  it.each([
    [true, 'Esc clears the search; ] looks at the next page'],
    [false, 'Esc clears the search'],
  ])('A search without a match offers the next page when there is one (%s)', async (hasNextPage, hint) => {
    const { session, world } = await startSession();
    await answerPage(world, { ...provisionPage(1), hasNextPage });
    const { type, until, screen } = await drawn(session);
    await type('/', 'zzzz');
    await until(() =>
      screen()
        .split('\n')
        .some(line => line.trim() === hint),
    );
  });
});

describe('Keys that arrive in one event', () => {
  it('The explorer takes text and the Enter after it from one event, and closes the field', async () => {
    const { session, type } = await onTable();
    await type('/', 'ab\r');
    expect(browserOf(session).find).toBe('ab');
    expect(overlayOf(session.state())).toBeNull();
  });

  it('Keys in one event go to another field with the Tab after the text, and type on there', async () => {
    const { session, type, until, screen } = await onTable();
    await type('f');
    await until(() => screen().includes('> market'));
    await type('a', 'b\tcd\te');
    expect(barTexts(session)?.slice(0, 3)).toEqual(['ab', 'cd', 'e']);
    await type('f');
    expect(barTexts(session)?.[2]).toBe('ef');
  });

  it('Keys in one event empty a field with the Ctrl-U after its text', async () => {
    const { session, type } = await onTable();
    await type('/', 'ab\u0015cd');
    expect(browserOf(session).find).toBe('cd');
    await type('e', 'f');
    expect(browserOf(session).find).toBe('cdef');
  });

  it('Keys in one event act as keys again after the Enter that closed the field', async () => {
    const { session, type } = await onTable();
    await type('/', 'reference\rjj');
    expect(browserOf(session)).toMatchObject({ find: 'reference', view: { row: 2 } });
  });

  it('Keys in one event leave the cursor of a field at the end of its text when the field cannot use them', async () => {
    const { session, type } = await onTable();
    await type('/', 'ab', '\u000c', 'c', 'd', '\u001bx', 'e', 'f');
    expect(browserOf(session).find).toBe('abcdef');
  });

  it('Keys in one event move the cursor and open', async () => {
    const { session, type } = await onTable();
    await type('jj\r');
    expect(browserOf(session).inspector?.row.reference).toBe('reference-2');
  });
});

describe('Table of an archive', () => {
  it('The table of an archive is drawn by ink-table in as many rows as fit in its area', async () => {
    const { session } = await result({ columns: 100, rows: 24 }, SAVED);
    const { screen, until } = await drawn(session);
    await until(() => screen().includes('┘'));
    const lines = screen().split('\n');
    expect(lines.findIndex(line => line.includes('└')) - lines.findIndex(line => line.includes('┌'))).toBe(6);
    expect(lines.find(line => line.includes('CSV '))).toMatch(/│ CSV +│ rows +│ check +│/);
  });
});
