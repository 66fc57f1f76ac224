import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { isTyping } from '../../../src/explorer/app/focus.ts';
import { currentBindings } from '../../../src/explorer/app/keymap.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { TAB_IDS } from '../../../src/explorer/tabs.ts';
import { told } from '../../explorer/support/fake-world.ts';
import { FakeTerminal, silentKeyboard } from '../../explorer/terminal/output/fake-terminal.ts';
import { bytesOfPaste, writesOfKey } from '../../support/terminal-keys.ts';
import { type Random, randomOf } from '../random.ts';
import { RandomWorld } from '../random-world.ts';
import type { Section } from '../section.ts';
import { differenceFrom } from '../shown-frame.ts';

const KEYS_A_WALK = 200;
/** A lone escape counts as a key when nothing followed it for a while. */
const ESCAPE_MS = 30;
/** A new size is drawn for when there was time to lay out for it. */
const RESIZED_MS = 40;
const SIZES: readonly (readonly [columns: number, rows: number])[] = [
  [80, 24],
  [120, 40],
  [40, 12],
  [101, 33],
];
const TEXTS = [
  '',
  '0',
  'true',
  'a'.repeat(64),
  '\u001b]0;owned\u0007',
  '\u009b31m\u202eevil',
  '漢字',
  'STATUS_ACTIVE',
  'e41',
];

/** Keys as bytes, several in one read now and then: what stands on the terminal is the frame of the state, always. */
export const typing: Section = {
  name: 'typing',
  trials: 200,
  perProcess: 20,
  patienceMs: 60_000,
  run: async ({ seed, indexes }, report) => {
    for (const index of indexes) {
      report.begins(index);
      const { what, keys } = await walk(randomOf(seed, index));
      report.counts('keys', keys);
      if (what !== '') report.finds(index, what);
    }
  },
};

async function walk(random: Random): Promise<{ readonly what: string; readonly keys: number }> {
  // Components are not for every loader.
  const { openScreen } = await import('../screen.tsx');
  const world = new RandomWorld(random, TEXTS);
  const terminal = new FakeTerminal(...random.pick(SIZES));
  const keyboard = new Readable({ read: () => {} });
  const { session, drawn, close } = openScreen({
    world,
    tab: random.pick(TAB_IDS),
    stdout: terminal.stdout,
    stdin: silentKeyboard(keyboard),
  });
  const pressed: string[] = [];
  let what = '';
  for (let key = 0; key < KEYS_A_WALK && what === '' && !session.state().isEnded; key++) {
    world.clockMs += random.below(1000);
    if (random.chance(0.4)) world.answerOne();
    if (random.chance(0.01)) {
      terminal.resize(...random.pick(SIZES));
      await wait(RESIZED_MS);
    }
    const { name, bytes } = nextKeys(session, random);
    pressed.push(name);
    keyboard.push(bytes);
    if (bytes.endsWith('\u001b')) await wait(ESCAPE_MS);
    what = await shownIn(session, terminal, drawn);
  }
  const keys = pressed.length;
  const closed = close();
  while (world.waiting > 0) world.answerOne();
  await closed;
  return { what: what === '' ? '' : `${what}; after ${pressed.slice(-15).join(' ')}`, keys };
}

/** A key that does something here, a few of them in one read, or a paste. */
function nextKeys(session: Session, random: Random): { readonly name: string; readonly bytes: string } {
  if (isTyping(session.state()) && random.chance(0.3)) {
    const text = random.pick(TEXTS);
    return { name: `(paste ${JSON.stringify(text)})`, bytes: bytesOfPaste(text, true) };
  }
  const bindings = currentBindings(session.state()).filter(
    ({ action }) => action.type !== 'quit' && action.type !== 'suspend',
  );
  const one = (): string => (bindings.length === 0 ? 'esc' : random.pick(random.pick(bindings).keys));
  const keys = Array.from({ length: random.chance(0.2) ? 2 + random.below(3) : 1 }, one);
  const names = isTyping(session.state()) && random.chance(0.4) ? ['a', '1'] : keys;
  const bytes = names.flatMap(name => writesOfKey(name === 'esc' ? 'escape' : name, false)).join('');
  return { name: names.join('+'), bytes };
}

const MAX_LOOKS = 60;

/** How the terminal differs from the frame of the state once it had time to be drawn; '' when it does not. */
async function shownIn(session: Session, terminal: FakeTerminal, drawn: () => Promise<void>): Promise<string> {
  let found = '';
  for (let look = 0; look < MAX_LOOKS; look++) {
    await told();
    await drawn();
    found = session.state().isEnded ? '' : differenceFrom(session.state(), terminal.emulator);
    if (found === '') break;
    if (look > 10) await wait(5);
  }
  terminal.writes.length = 0;
  return found;
}
