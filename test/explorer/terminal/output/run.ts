import { CellScreen, type ScreenSink } from '../../../../src/explorer/terminal/output/cell-screen.ts';
import { randomFrom } from '../../../support/random-numbers.ts';
import { difference, type Emulator, emulatorOf, feed, picture } from './emulator.ts';
import { RandomFrames } from './random-frames.ts';

// Lines wrap: for once asked for, since the cell output does not do it by itself.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7h\u001b[H';

export interface RunResult {
  /** What differed, by seed; empty when the screens were equal after every frame. */
  readonly differences: readonly string[];
  /** As the program wrote them, and as they reached the terminal. */
  readonly charactersIn: number;
  readonly charactersOut: number;
}

/** One random program on a random screen: straight to one emulator, and through the cell output to another. */
class Run {
  readonly random: () => number;
  readonly source: RandomFrames;
  readonly straight: Emulator;
  readonly through: Emulator;
  readonly screen: CellScreen;
  charactersIn = 0;
  charactersOut = 0;

  constructor(seed: number, write: (run: Run, text: string) => boolean) {
    this.random = randomFrom(seed);
    const size = this.size();
    this.straight = emulatorOf(size.columns, size.rows);
    this.through = emulatorOf(size.columns, size.rows);
    const sink: ScreenSink = { write: text => write(this, text) };
    const canScroll = this.random() < 0.8;
    this.screen = new CellScreen(sink, size, { canScroll, canSynchronize: true });
    this.source = new RandomFrames(size.columns, size.rows, this.random);
    this.draw([ENTER]);
  }

  // Not one row: there the emulator blanks what is left before a wrap in the wrong row.
  size() {
    return { columns: 2 + Math.floor(this.random() * 40), rows: 2 + Math.floor(this.random() * 14) };
  }

  draw(writes: readonly string[]): void {
    for (const text of writes) {
      this.charactersIn += text.length;
      feed(this.straight, text);
      this.screen.write(text);
    }
  }

  resize(): void {
    const size = this.size();
    this.straight.resize(size.columns, size.rows);
    this.through.resize(size.columns, size.rows);
    this.source.resize(size.columns, size.rows);
    this.screen.resize(size);
  }

  /** Hands bytes to the terminal. */
  deliver(text: string): void {
    this.charactersOut += text.length;
    feed(this.through, text);
  }
}

function deliverAtOnce(run: Run, text: string): boolean {
  run.deliver(text);
  return true;
}

/** The screens are compared after every frame; now and then the terminal gets another size, or is drawn anew. */
export function runFrames(seed: number, frames: number, resizes = 0): RunResult {
  const run = new Run(seed, deliverAtOnce);
  const differences: string[] = [];
  for (let frame = 0; frame < frames; frame++) {
    if (run.random() < resizes) run.resize();
    run.draw(run.source.next());
    run.screen.settled();
    const found = difference(run.straight, run.through);
    if (found !== '') differences.push(`seed ${seed}, frame ${frame}: ${found}`);
  }
  return { differences, charactersIn: run.charactersIn, charactersOut: run.charactersOut };
}

/** A terminal that takes one write at a time and long for it: it only ever shows frames that were drawn, in order. */
export function runSlowly(seed: number, frames: number, resizes = 0): RunResult {
  const sent: string[] = [];
  const differences: string[] = [];
  const run = new Run(seed, (_, text) => {
    if (sent.length > 0) differences.push(`seed ${seed}: sent while the terminal had enough`);
    sent.push(text);
    return false;
  });
  const drawn = [picture(run.straight)];
  // The one that is shown, or a later one: never back, never half.
  const deliver = (): void => {
    for (const text of sent.splice(0)) run.deliver(text);
    const shown = drawn.indexOf(picture(run.through));
    if (shown === -1) differences.push(`seed ${seed}: shown was never drawn`);
    drawn.splice(0, shown);
    run.screen.drained();
  };
  for (let frame = 0; frame < frames; frame++) {
    if (run.random() < resizes) {
      for (const text of sent.splice(0)) run.deliver(text);
      run.resize();
      drawn.length = 0;
      run.draw(run.source.next());
      run.screen.settled();
      if (sent.length === 0) run.screen.drained();
    } else run.draw(run.source.next());
    drawn.push(picture(run.straight));
    if (run.random() < 0.3) deliver();
  }
  while (sent.length > 0) deliver();
  const found = difference(run.straight, run.through);
  if (found !== '') differences.push(`seed ${seed}, at the end: ${found}`);
  return { differences, charactersIn: run.charactersIn, charactersOut: run.charactersOut };
}
