import { isTyping } from '../../../src/explorer/app/focus.ts';
import { currentBindings, KEYMAP, SCREEN_KEYS } from '../../../src/explorer/app/keymap.ts';
import { createSession, type Session } from '../../../src/explorer/app/session.ts';
import { TAB_IDS } from '../../../src/explorer/tabs.ts';
import { typedText } from '../../../src/explorer/terminal/keys.ts';
import { told } from '../../explorer/support/fake-world.ts';
import { falseInFrame } from '../frame-rules.ts';
import { type Random, randomOf } from '../random.ts';
import { RandomWorld } from '../random-world.ts';
import type { Report, Section } from '../section.ts';
import { falseIn, sketchOf } from '../state-rules.ts';

const KEYS_A_WALK = 1000;
const KEYS_A_FRAME = 5;
const MAX_FOUND = 3;

/** Random keys on the explorer without a terminal: a thousand walks of a thousand keys. */
export const keys: Section = {
  name: 'keys',
  trials: 1000,
  perProcess: 50,
  patienceMs: 60_000,
  run: async ({ seed, indexes }, report) => {
    for (const index of indexes) {
      report.begins(index);
      await new Walk(randomOf(seed, index), what => report.finds(index, what), report.counts).go();
    }
  },
};

const SIZES = [
  ...[1, 10, 39].map(columns => ({ columns, rows: 5 })),
  ...[40, 41, 60, 79, 80, 100, 109, 110, 120, 200, 350].flatMap(columns =>
    [12, 13, 16, 24, 40, 100].map(rows => ({ columns, rows })),
  ),
];
const EVERY_KEY = [...new Set([...KEYMAP, ...SCREEN_KEYS].flatMap(binding => binding.keys))];
const OTHER_KEYS = [
  'backspace',
  'delete',
  'a',
  'Z',
  '0',
  '9',
  'é',
  '漢',
  '\u0301',
  'ctrl-a',
  'alt-x',
  'f1',
  '',
  '-',
  '=',
];
const TEXTS = [
  '',
  ' ',
  '0',
  'true',
  '-1',
  '99999999999999999999',
  'a'.repeat(64),
  '8a2f'.repeat(16),
  '1700000000000000000',
  'e41',
  '2026-10-01',
  '\u001b]0;owned\u0007\u001b[2J',
  '\u009b31m\u202eevil\u2066\u200b\ufeff\ufff9',
  '漢字'.repeat(200),
  '👩‍👩‍👧 e\u0301\u0301\u0301\u0301\u0301',
  'line\r\nline\tline',
  'a'.repeat(5000),
  '\ud800 lone',
  'STATUS_ACTIVE',
  '__proto__',
  'constructor',
];
const COMMANDS = [
  ...TAB_IDS,
  'provisions market=8a2f live=true',
  `provisions market=${'8a2f'.repeat(16)}`,
  'fees epoch=41',
  'size 7',
  'size 5000',
  'sort version',
  'find e',
  'next page',
  'toString',
];

class Walk {
  readonly #random: Random;
  readonly #finds: (what: string) => void;
  readonly #counts: Report['counts'];
  readonly #pressed: string[] = [];
  #found = 0;

  constructor(random: Random, finds: (what: string) => void, counts: Report['counts']) {
    this.#random = random;
    this.#finds = finds;
    this.#counts = counts;
  }

  async go(): Promise<void> {
    for (let left = KEYS_A_WALK; left > 0; ) left -= await this.#visit(left);
    this.#counts('keys', KEYS_A_WALK);
  }

  /** Uses the explorer until it is quit or no key is left; the number of keys that took. */
  async #visit(most: number): Promise<number> {
    const world = new RandomWorld(this.#random, TEXTS);
    const session = createSession(
      {
        screen: this.#random.pick(SIZES),
        tab: this.#random.pick(TAB_IDS),
        label: this.#random.pick(['', 'demo']),
        destination: '.',
        nowMs: world.clockMs,
      },
      world,
    );
    this.#pressed.push('start');
    let used = 0;
    // What is false once mostly stays so: the next explorer starts sound.
    const before = this.#found;
    while (used < most && !session.state().isEnded && this.#found === before) {
      used++;
      await this.#step(session, world);
      this.#look(session, used);
    }
    for (const complaint of world.complaints) this.#find(session, complaint);
    // What cannot be broken off ends by itself, as a copy or a look at a folder does.
    const closed = session.close();
    while (world.waiting > 0) world.answerOne();
    await closed;
    this.#counts('visits');
    return this.#found < MAX_FOUND ? used : most;
  }

  async #step(session: Session, world: RandomWorld): Promise<void> {
    const random = this.#random;
    world.clockMs += random.below(2000);
    if (random.chance(0.3)) {
      this.#pressed.push('(answer)');
      world.answerOne();
      await told();
    }
    if (random.chance(0.02)) return this.#resize(session);
    const isInField = isTyping(session.state());
    if (random.chance(isInField ? 0.1 : 0.005)) return this.#paste(session);
    const key = this.#key(session);
    this.#pressed.push(key);
    // As the screen does it: letters belong to the field, if there is one.
    const typed = isInField ? typedText(key) : undefined;
    if (typed === undefined) session.press(key);
    else session.dispatch({ type: 'insert-text', text: typed });
    if (random.chance(0.5)) await told();
  }

  #resize(session: Session): void {
    const screen = this.#random.pick(SIZES);
    this.#pressed.push(`(${screen.columns}x${screen.rows})`);
    session.dispatch({ type: 'resized', screen });
  }

  #paste(session: Session): void {
    const text = this.#random.pick(this.#random.chance(0.3) ? COMMANDS : TEXTS);
    this.#pressed.push(`(paste ${JSON.stringify(text.slice(0, 80))})`);
    session.paste(text);
  }

  // Mostly keys that do something here; quitting is left to the few that are pressed blindly.
  #key(session: Session): string {
    const random = this.#random;
    if (random.chance(0.15)) return random.pick(random.chance(0.5) ? EVERY_KEY : OTHER_KEYS);
    if (random.chance(0.001)) return 'ctrl-c';
    const bindings = currentBindings(session.state()).filter(({ action }) => action.type !== 'quit');
    return bindings.length === 0 ? 'esc' : random.pick(random.pick(bindings).keys);
  }

  #look(session: Session, step: number): void {
    const state = session.state();
    const found = [...falseIn(state), ...(step % KEYS_A_FRAME === 0 ? falseInFrame(state) : [])];
    if (step % KEYS_A_FRAME === 0) this.#counts('frames');
    for (const what of found) this.#find(session, what);
  }

  #find(session: Session, what: string): void {
    if (++this.#found > MAX_FOUND) return;
    const last = this.#pressed.slice(this.#pressed.lastIndexOf('start')).slice(-25).join(' ');
    this.#finds(`${what}; ${sketchOf(session.state())}; after ${last}`);
  }
}
