import { describe, expect, it } from 'vitest';
import { isTyping } from '../../../src/explorer/app/focus.ts';
import { bindingFor, currentBindings } from '../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { topLayer } from '../../../src/explorer/core/layer.ts';
import { wizardOf } from '../support/export-scenes.ts';
import { press } from '../support/fake-world.ts';
import { KEY_SCENES } from '../support/key-scenes.ts';
import { listOf, menuItems, overlayOf, placeOf } from '../support/layers.ts';
import { onFirstPage } from '../support/list-scenes.ts';

/** Keys that other programs have, and some that nobody has. */
const HABITS = ['space', 'd', 'u', 'b', 'i', 'e', 'g', '0', '9', 'delete', 'ctrl-x', 'alt-x', 'F', 'Z', '~', 'ö'];

const whereItIs = (session: Session) => {
  const { tab, isEnded, notice } = session.state();
  const overlay = overlayOf(session.state());
  return { place: placeOf(session.state()), tab, overlay, isEnded, said: notice?.text };
};

describe('Unbound key', () => {
  it.each(Object.entries(KEY_SCENES))(
    'An unbound key is reported to do nothing, and leaves everything else as it is: %s',
    async (_, enter) => {
      let { session } = await enter();
      for (const key of HABITS) {
        const { notice: _before, ...before } = session.state();
        if (isTyping(session.state()) || bindingFor(session.state(), key) !== undefined) continue;
        const isShown = menuMarks(session).some(mark => mark.split(' ').includes(key));
        expect(session.press(key)).toBe(false);
        // What a key does that a menu shows has tests of its own.
        if (isShown) {
          ({ session } = await enter());
          continue;
        }
        const { notice, ...after } = session.state();
        expect(notice?.text).toMatch(new RegExp(`^${key} does nothing here(; \\? shows the keys)?$`));
        // Where the clock stood still for a while, a key sets it.
        const { nowMs } = after.node;
        expect(after).toEqual({ ...before, node: { ...before.node, nowMs } });
      }
    },
  );

  it('An unbound key is reported with the help key only when there is one', async () => {
    const { session } = await onFirstPage();
    session.press('d');
    expect(session.state().notice?.text).toBe('d does nothing here; ? shows the keys');
    press(session, 'y');
    session.press('d');
    expect(session.state().notice?.text).toBe('d does nothing here');
  });
});

describe('Key shown in front of a menu line', () => {
  it('A mark in front of a menu line is not a key when it shows a state: a v for a descending order', async () => {
    const { session } = await onFirstPage();
    press(session, 's', 'j', 'j', 'enter', 's', 'enter', 's');
    const before = listOf(session.state(), 'provisions')?.sort;
    const marks = menuMarks(session).filter(mark => mark.trim() !== '');
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) session.press(mark);
    expect(listOf(session.state(), 'provisions')?.sort).toEqual(before);
  });

  it('A key in front of a menu line goes to that line, and when pressed again to the next with that key', async () => {
    const { session } = await onFirstPage();
    press(session, 'g');
    const marks = menuMarks(session);
    const [mark = ''] = marks.filter((one, index) => marks.indexOf(one) !== index);
    const places = marks.flatMap((one, index) => (one === mark ? [index] : []));
    expect(places.length).toBeGreaterThan(1);
    const seen = [...places, ...places].map(() => {
      session.press(mark);
      const overlay = overlayOf(session.state());
      return overlay?.kind === 'menu' ? overlay.cursor : undefined;
    });
    const [first = -1, ...others] = places;
    const fromFirst = first === 0 ? [...others, first] : places;
    expect(seen).toEqual([...fromFirst, ...fromFirst]);
  });

  it('A key in front of a menu line does at once what its line does, when no other line shows it', async () => {
    const { session } = await onFirstPage();
    press(session, 'g');
    const marks = menuMarks(session);
    const [mark = ''] = marks.filter(one => one !== '' && marks.filter(other => other === one).length === 1);
    expect(mark).not.toBe('');
    session.press(mark);
    expect(overlayOf(session.state())).toBeNull();
    expect(session.state().trail).toHaveLength(mark === 'T' ? 0 : 1);
  });

  // A key of the help's own, as / and j, does there what it does in every menu.
  it('A key in front of a help line does what it does without the help, wherever it is pressed', async () => {
    const seen = new Set<string>();
    for (const enter of Object.values(KEY_SCENES)) {
      const { session: first } = await enter();
      // Each screen has keys of its own, and so has each step of an export.
      const layer = topLayer(first.state());
      const step = layer?.screen === 'export' ? wizardOf(first).step : '';
      const place = [placeOf(first.state()), layer?.screen, step].join(' ');
      if (seen.has(place) || bindingFor(first.state(), '?') === undefined) continue;
      seen.add(place);
      for (const [key = ''] of currentBindings(first.state()).map(({ keys }) => keys)) {
        // The help has closed the value already.
        if (layer?.screen === 'value' && key === 'backspace') continue;
        const { session: plain } = await enter();
        plain.press(key);
        const { notice } = plain.state();
        const there = whereItIs(plain);
        const { session: helped } = await enter();
        helped.press('?');
        if (bindingFor(helped.state(), key) !== undefined) continue;
        helped.press(key);
        // A refused key leaves the help open.
        if (notice?.refused !== undefined) expect(helped.state().notice?.text, `${place} ${key}`).toBe(notice.text);
        else expect(whereItIs(helped), `${place} ${key}`).toEqual(there);
      }
    }
    expect(seen.size).toBeGreaterThan(10);
  });
});

function menuMarks(session: Session): readonly string[] {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'menu' ? menuItems(session.state(), overlay).map(({ mark }) => mark) : [];
}
