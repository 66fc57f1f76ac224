import { describe, expect, it } from 'vitest';
import type { Binding } from '../../../../src/explorer/app/binding.ts';
import { serviceEffects } from '../../../../src/explorer/app/effects.ts';
import { isTyping } from '../../../../src/explorer/app/focus.ts';
import { drawFooter } from '../../../../src/explorer/app/frame/footer.ts';
import {
  bindingFor,
  currentBindings,
  disabledReasonOf,
  footerLabel,
  KEYMAP,
  SCREEN_KEYS,
} from '../../../../src/explorer/app/keymap.ts';
import { layerEffects } from '../../../../src/explorer/app/layers.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { matchingChoices } from '../../../../src/explorer/core/choices.ts';
import { topLayer } from '../../../../src/explorer/core/layer.ts';
import type { SessionState } from '../../../../src/explorer/core/state.ts';
import type { Pane } from '../../../../src/explorer/screens/browse/panes.ts';
import { type IdentifiedValue, whatChoices } from '../../../../src/explorer/screens/what/state.ts';
import { TABS } from '../../../../src/explorer/tabs.ts';
import { typedText } from '../../../../src/explorer/terminal/keys.ts';
import { paint } from '../../../../src/explorer/terminal/paint.ts';
import { wizardIn } from '../../support/export-scenes.ts';
import { MONO, paintedLines, plain, renderFrame } from '../../support/frame.ts';
import { KEY_SCENES } from '../../support/key-scenes.ts';
import { menuItems, overlayOf, placeOf, topState } from '../../support/layers.ts';

const EVERY_KEY = [...new Set([...KEYMAP, ...SCREEN_KEYS].flatMap(({ keys }) => keys))];

/** Wide enough for every key. */
const WIDE = 1000;

function footerOf(state: SessionState): string {
  const wide = { ...state, screen: { ...state.screen, columns: WIDE } };
  return ` ${plain(paint(drawFooter(wide), MONO))} `;
}

function isInFooter(state: SessionState, binding: Binding): boolean {
  const word = footerLabel(state, binding);
  return word !== undefined && footerOf(state).includes(` ${binding.keys[0]} ${word} `);
}

/** What of a state can be seen, or is done for it in the world. */
function seen(state: SessionState) {
  const quiet = { ...state, notice: null };
  const effects = [...serviceEffects(state), ...layerEffects(state)].filter(
    ({ isBackground }) => isBackground !== true,
  );
  return JSON.stringify([paintedLines(quiet), effects.map(({ key }) => key), state.isEnded]);
}

/** The notice is said on top of what is seen. */
const isSame = (before: SessionState, after: SessionState): boolean =>
  Object.entries({ ...after, notice: before.notice }).every(([name, value]) => Reflect.get(before, name) === value);

interface Pressed {
  readonly before: SessionState;
  readonly isTaken: boolean;
  /** Something on the screen or in the world is otherwise. */
  readonly hasEffect: boolean;
  readonly notice: string | undefined;
  /** What is typed is wrong, which stays said until it is mended. */
  readonly isWrong: boolean;
}

function pressed(session: Session, key: string, seenBefore: string): Pressed {
  const before = session.state();
  const isTaken = session.press(key);
  const state = session.state();
  const notice = state.notice === before.notice ? undefined : state.notice?.text;
  const overlay = overlayOf(state);
  const isWizardOpen = state.layers.some(({ screen }) => screen === 'export');
  const isWrong =
    overlay?.kind === 'prompt' ? overlay.problem !== null : isWizardOpen && wizardIn(state).problem !== null;
  const hasEffect = !isSame(before, state) && seenBefore !== seen(state);
  return { before, isTaken, hasEffect, notice, isWrong };
}

/** What the screen does with them, and the state does not. */
const DRAWN_AGAIN = ['redraw', 'suspend'];

/** At the end of what they move in, they do nothing; that each moves somewhere has a test of its own. */
const MOVES = ['move', 'move-to', 'scroll-columns'];

/** The keys of the binding that lead somewhere else: the digit of the tab that is shown does not. */
const keysToPress = ({ tab }: SessionState, { action, keys }: Binding): readonly string[] =>
  action.type === 'go-to-tab' ? keys.filter(key => TABS.find(shown => shown.key === key)?.id !== tab) : keys;

const hasNoTestHere = ({ action: { type }, group }: Binding): boolean =>
  DRAWN_AGAIN.includes(type) || MOVES.includes(type) || group === 'Move';

/** Of a key that is shown in a scene: what is wrong with it. */
function shownWrongly(binding: Binding, key: string, { before, hasEffect, isWrong, notice }: Pressed) {
  if (isTyping(before) && typedText(key) !== undefined) return [`${key} never comes: the field has it`];
  if (hasEffect || (key === 'enter' && isWrong)) return [];
  if (isInFooter(before, binding)) return [`${key} is in the footer, and does nothing (${notice ?? 'in silence'})`];
  return notice === undefined ? [`${key} (${binding.title}) does nothing, in silence`] : [];
}

/** What help says of the keys: by title, why they are off. */
function helpOf(session: Session): ReadonlyMap<string, string | undefined> | undefined {
  if (bindingFor(session.state(), '?') === undefined) return undefined;
  session.press('?');
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'menu') return undefined;
  return new Map(menuItems(session.state(), overlay).map(({ label, disabledReason: off }) => [label, off]));
}

/** The open menu, or what an id is, has a line with this key in front of it, which it leads to. */
function isMark(state: SessionState, key: string): boolean {
  const overlay = overlayOf(state);
  const roles = topState<IdentifiedValue>(state, 'what');
  const choices = roles === undefined ? [] : matchingChoices(whatChoices(roles), roles.list);
  const items = overlay?.kind === 'menu' ? menuItems(state, overlay) : choices;
  return items.some(({ mark }) => mark.split(' ').includes(key));
}

const scenes = Object.entries(KEY_SCENES);

describe('Shown keys and working keys', () => {
  it('The key scenes cover every place of the explorer', async () => {
    const places = new Set<string>();
    for (const [, enter] of scenes) places.add(placeOf((await enter()).session.state()));
    const panes: readonly Pane[] = ['list', 'record', 'filters', 'offered-filters'];
    const targets = KEYMAP.flatMap(binding => binding.targets);
    expect([...places].toSorted()).toEqual([...new Set([...targets, ...panes])].toSorted());
  });

  it('An error in the place of rows offers none of the row keys', async () => {
    const scene = await KEY_SCENES['no answer over rows']?.();
    const state = scene?.session.state();
    if (scene === undefined || state === undefined) throw new Error('there is no such scene');
    for (const key of ['enter', 'g', 'T', 'F', 'W', '/', 'v', '=']) {
      const binding = bindingFor(state, key);
      expect(binding && disabledReasonOf(state, binding), key).toBeDefined();
      scene.session.press(key);
      expect(placeOf(scene.session.state()), key).toBe('list');
    }
  });

  it('A key that is mentioned where a table would be is among the keys', async () => {
    const named = ['a table that cannot be opened', 'a table that cannot be read any more'];
    for (const name of named) {
      const state = (await KEY_SCENES[name]?.())?.session.state();
      if (state === undefined) throw new Error(`there is no scene ${name}`);
      const lines = renderFrame(state).trimEnd().split('\n');
      expect(lines.join('\n'), name).toMatch(/^ +r opens .*again, Esc /m);
      expect(lines.at(-1), name).toMatch(/ r open again {2}esc back /);
    }
  });

  it('The step that Esc takes back before it closes a table is first among the keys', async () => {
    const words = { 'a table searched': 'end find', 'a table being searched': 'stop', 'a table being sorted': 'stop' };
    for (const [name, word] of Object.entries(words)) {
      const state = (await KEY_SCENES[name]?.())?.session.state();
      expect(state && renderFrame(state).trimEnd().split('\n').at(-1), name).toContain(`esc ${word}  enter `);
    }
  });

  it.each(scenes)('Every key that is shown works, and every key that works is shown: %s', async (_, enter) => {
    const { session } = await enter();
    const state = session.state();
    const bindings = currentBindings(state);
    // The help takes the place of a value in full: it has the keys of what lies below.
    const help = topLayer(state)?.screen === 'value' ? undefined : helpOf((await enter()).session);
    const wrong: string[] = [];
    // A key that leaves all as it was needs no new scene after it.
    const seenFirst = seen(state);
    let [fresh, first] = [session, state];
    const pressedFirst = async (key: string): Promise<Pressed> => {
      if (!isSame(first, fresh.state())) {
        ({ session: fresh } = await enter());
        first = fresh.state();
      }
      return pressed(fresh, key, seenFirst);
    };
    for (const binding of bindings) {
      const off = disabledReasonOf(state, binding);
      if (help !== undefined && (!help.has(binding.title) || help.get(binding.title) !== off))
        wrong.push(`help does not have ${binding.title} as it is`);
      if (off !== undefined && isInFooter(state, binding)) wrong.push(`${binding.keys[0]} is in the footer, and off`);
      for (const key of keysToPress(state, binding))
        if (off === undefined) {
          if (!hasNoTestHere(binding)) wrong.push(...shownWrongly(binding, key, await pressedFirst(key)));
        } else {
          const { hasEffect, notice } = await pressedFirst(key);
          if (hasEffect || notice !== off) wrong.push(`${key} is off, and does something`);
        }
    }
    const known = new Set(bindings.flatMap(({ keys }) => keys));
    for (const key of EVERY_KEY.filter(other => !known.has(other))) {
      if (isTyping(state) && typedText(key) !== undefined) continue;
      const isInMenu = isMark(state, key);
      const { isTaken, hasEffect } = await pressedFirst(key);
      if (isTaken || (hasEffect && !isInMenu)) wrong.push(`${key} is shown nowhere, and does something`);
    }
    expect(wrong.join('\n')).toBe('');
  });
});
