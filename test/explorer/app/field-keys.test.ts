import { describe, expect, it } from 'vitest';
import { focusedField } from '../../../src/explorer/app/focus.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { atRange } from '../support/export-scenes.ts';
import { browserOf, press } from '../support/fake-world.ts';
import { overlayOf } from '../support/layers.ts';
import { insert, onOnlyPage } from '../support/list-scenes.ts';

/** The field in focus with `|` where the cursor stands. */
function field(session: Session): string {
  const { text, at } = focusedField(session.state());
  return `${text.slice(0, at)}|${text.slice(at)}`;
}

/** Each field of the explorer, as its keys open it. */
const FIELDS: readonly (readonly [string, () => Promise<Session>])[] = [
  ['the filter bar', async () => opened('f')],
  ['find', async () => opened('/')],
  ['find in a record', async () => opened('enter', '/')],
  ['the command line', async () => opened(':')],
  ['rows a page', async () => opened('z', 'ctrl-u')],
  ['the name of a file', async () => opened('W', 'ctrl-u')],
  ['the filter of a menu', async () => opened('?', '/')],
  ['a bound of an export', async () => cleared((await atRange()).session)],
  ['the place of an export', async () => destination()],
];

async function opened(...keys: readonly string[]): Promise<Session> {
  const { session } = await onOnlyPage();
  press(session, ...keys);
  return session;
}

function cleared(session: Session): Session {
  press(session, 'ctrl-u');
  return session;
}

async function destination(): Promise<Session> {
  const { session } = await atRange();
  press(session, 'enter', 'ctrl-u');
  return session;
}

describe.each(FIELDS)('Editing keys in %s', (_, open) => {
  it('Editing keys move the cursor, and text goes in where it is', async () => {
    const session = await open();
    insert(session, '13');
    press(session, 'left');
    insert(session, '2');
    expect(field(session)).toBe('12|3');
    press(session, 'home');
    insert(session, '0');
    expect(field(session)).toBe('0|123');
    press(session, 'ctrl-e');
    session.paste('45');
    expect(field(session)).toBe('012345|');
    press(session, 'ctrl-a', 'right');
    session.paste('9\n');
    expect(field(session)).toBe('09 |12345');
  });

  it('Editing keys remove characters, words, and everything on one side', async () => {
    const session = await open();
    insert(session, 'one two six');
    press(session, 'backspace');
    expect(field(session)).toBe('one two si|');
    press(session, 'ctrl-w');
    expect(field(session)).toBe('one two |');
    press(session, 'home', 'delete', 'right', 'right', 'right');
    expect(field(session)).toBe('ne |two ');
    press(session, 'ctrl-u');
    expect(field(session)).toBe('|two ');
    press(session, 'right', 'ctrl-k');
    expect(field(session)).toBe('t|');
  });

  it('Editing keys that have nothing to do say so', async () => {
    const session = await open();
    press(session, 'left');
    expect(session.state().notice?.text).toBe('the field is empty');
    insert(session, '12');
    press(session, 'delete');
    expect(session.state().notice?.text).toBe('the cursor is at the end');
    press(session, 'home', 'ctrl-w');
    expect(session.state().notice?.text).toBe('the cursor is at the start');
    expect(field(session)).toBe('|12');
  });
});

describe('Cursor of a field', () => {
  it('The cursor is at the end of a text that comes from elsewhere', async () => {
    const session = await opened(':');
    insert(session, 'relo');
    press(session, 'home', 'tab');
    expect(field(session)).toBe('reload|');
  });

  it('The cursor is at the end when a field is opened again', async () => {
    const session = await opened('/');
    insert(session, 'reference');
    press(session, 'home', 'enter', '/');
    expect(field(session)).toBe('reference|');
  });

  it('The cursor stays where it is when the line is refused', async () => {
    const session = await opened(':');
    insert(session, 'size 9999');
    press(session, 'left', 'left', 'enter');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'prompt', problem: expect.stringContaining('1 to 5000') });
    expect(field(session)).toBe('size 99|99');
  });

  it('The cursor is at the end of the next field, whatever its text', async () => {
    const session = await opened('f');
    insert(session, 'ab');
    press(session, 'tab');
    insert(session, 'ab');
    press(session, 'home', 'shift-tab');
    expect(field(session)).toBe('ab|');
  });

  it('The cursor accepts a suggestion with the right arrow only at the end', async () => {
    const session = await opened(':');
    insert(session, 'relo');
    press(session, 'left', 'right');
    expect(field(session)).toBe('relo|');
    press(session, 'right');
    expect(field(session)).toBe('reload|');
  });
});

describe('Proposed text in a field', () => {
  it('A proposed text is replaced by what is typed', async () => {
    const session = await opened('z');
    expect(field(session)).toBe('50|');
    insert(session, '7');
    expect(field(session)).toBe('7|');
  });

  it.each([
    ['left', '5|0', '57|0'],
    ['end', '50|', '507|'],
    ['home', '|50', '7|50'],
    ['backspace', '5|', '57|'],
  ])('A proposed text is accepted by %s, and edited from then on', async (key, moved, typed) => {
    const session = await opened('z');
    press(session, key);
    expect(field(session)).toBe(moved);
    insert(session, '7');
    expect(field(session)).toBe(typed);
  });
});

it('A search follows each edit', async () => {
  const session = await opened('/');
  insert(session, 'refXerence');
  press(session, 'home', 'right', 'right', 'right', 'delete');
  expect(browserOf(session).find).toBe('reference');
});
