import { describe, expect, it } from 'vitest';
import { isTyping, modeOf } from '../../src/session/model/mode.ts';
import { bindingFor, KEYMAP } from '../../src/session/reduce/keymap.ts';
import { menuItems } from '../../src/session/reduce/menu.ts';
import type { Session } from '../../src/session/session.ts';
import { press } from './fake-world.ts';
import { KEY_SCENES } from './key-scenes.ts';
import { onFirstPage } from './list-scenes.ts';

/** Keys that other programs have, and some that nobody has. */
const HABITS = ['space', 'd', 'u', 'b', 'i', 'e', 'g', '0', '9', 'delete', 'ctrl-x', 'alt-x', 'F', 'Z', '~', 'ö'];

const markUnder = (session: Session): string | undefined => {
  const { overlay } = session.state();
  return overlay?.kind === 'menu' ? menuItems(session.state(), overlay)[overlay.cursor]?.mark : undefined;
};

describe('a key that the mode has no use for', () => {
  it.each(Object.entries(KEY_SCENES))('is said to do nothing, and leaves all else as it is: %s', async (_, enter) => {
    for (const key of HABITS) {
      const { session } = await enter();
      const { notice: _before, ...before } = session.state();
      const mode = modeOf(session.state());
      if (isTyping(mode) || bindingFor(mode, key) !== undefined) continue;
      const isMarked = menuMarks(session).includes(key);
      expect(session.press(key)).toBe(false);
      const { notice, ...after } = session.state();
      if (isMarked) expect(markUnder(session)?.split(' ')).toContain(key);
      else {
        expect(notice?.text).toMatch(new RegExp(`^${key} does nothing here(; \\? shows the keys)?$`));
        expect(after).toEqual(before);
      }
    }
  });

  it('names the key for the keys only where there is one', async () => {
    const { session } = await onFirstPage();
    session.press('d');
    expect(session.state().notice?.text).toBe('d does nothing here; ? shows the keys');
    press(session, 'y');
    session.press('d');
    expect(session.state().notice?.text).toBe('d does nothing here');
  });
});

describe('a key that is shown in front of a line of a menu', () => {
  it('goes to that line, and to the next with it when pressed again', async () => {
    const { session } = await onFirstPage();
    press(session, 'g');
    const marks = menuMarks(session);
    const [mark = ''] = marks.filter((one, index) => marks.indexOf(one) !== index);
    const places = marks.flatMap((one, index) => (one === mark ? [index] : []));
    expect(places.length).toBeGreaterThan(1);
    const seen = [...places, ...places].map(() => {
      session.press(mark);
      const { overlay } = session.state();
      return overlay?.kind === 'menu' ? overlay.cursor : undefined;
    });
    const [first = -1, ...others] = places;
    const fromFirst = first === 0 ? [...others, first] : places;
    expect(seen).toEqual([...fromFirst, ...fromFirst]);
  });

  it('shows in the help what it does, unless the help itself has it', async () => {
    const { session } = await onFirstPage();
    const shown = KEYMAP.filter(({ modes }) => modes.includes('table')).flatMap(({ keys }) => keys);
    press(session, '?');
    for (const key of shown.filter(one => bindingFor('menu', one) === undefined)) {
      session.press(key);
      expect(markUnder(session)?.split(' ')).toContain(key);
    }
  });
});

function menuMarks(session: Session): readonly string[] {
  const { overlay } = session.state();
  return overlay?.kind === 'menu' ? menuItems(session.state(), overlay).map(({ mark }) => mark) : [];
}
