import { parseOutput } from '../../../src/explorer/terminal/output/parse-output.ts';
import type { FakeTerminal } from '../../explorer/terminal/output/fake-terminal.ts';
import { UNSAFE } from '../frame-rules.ts';

/** What the explorer writes on purpose: cursor, erasing, scrolling in both directions, styles. */
const OWN_CSI = /^(?:\d*[ABCDGdSTJKX]|\d*(?:;\d*)?[Hr]|(?:\d+(?:;\d+)*)?m|\?(?:7|25|1049|2004|2026)[hl])$/;
const OWN_OTHER = new Set(['\u001b(B', '\u001bM']);
const OWN_CONTROLS = new Set(['\r', '\n', '\v', '\b', '\u000f']);
const CLIPBOARD = /^\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007$/;

/** Looks at everything that is written to a terminal and at what stands on it. */
export class ScreenJudge {
  readonly #terminal: FakeTerminal;
  readonly #titles: string[] = [];
  #open = '';

  constructor(terminal: FakeTerminal) {
    this.#terminal = terminal;
    terminal.emulator.onTitleChange(title => this.#titles.push(title));
  }

  /** What was done since the last look that should not have been; and what was put on the clipboard. */
  look(): { readonly deeds: readonly string[]; readonly copied: readonly string[] } {
    const deeds: string[] = [];
    const copied: string[] = [];
    this.#open = parseOutput(this.#open + this.#terminal.writes.splice(0).join(''), {
      print: text => {
        const found = UNSAFE.exec(text);
        if (found !== null) deeds.push(`text with ${JSON.stringify(found[0])}`);
      },
      control: character => {
        if (!OWN_CONTROLS.has(character)) deeds.push(`control ${JSON.stringify(character)}`);
      },
      csi: (parameters, final, sequence) => {
        if (!OWN_CSI.test(parameters + final)) deeds.push(`sequence ${JSON.stringify(sequence)}`);
      },
      other: sequence => {
        const payload = CLIPBOARD.exec(sequence)?.[1];
        if (payload !== undefined) copied.push(String(Buffer.from(payload, 'base64')));
        else if (!OWN_OTHER.has(sequence)) deeds.push(`sequence ${JSON.stringify(sequence.slice(0, 80))}`);
      },
    });
    if (this.#open !== '') deeds.push(`an open sequence ${JSON.stringify(this.#open.slice(0, 80))}`);
    return { deeds: [...deeds, ...this.#titles.splice(0).map(title => `title ${title}`), ...this.#cells()], copied };
  }

  #cells(): readonly string[] {
    const { buffer, rows, cols } = this.#terminal.emulator;
    const { active } = buffer;
    const found: string[] = [];
    for (let row = 0; row < rows; row++) {
      const text = active.getLine(active.baseY + row)?.translateToString() ?? '';
      const unsafe = UNSAFE.exec(text);
      if (unsafe !== null) found.push(`${JSON.stringify(unsafe[0])} stands in row ${row}`);
    }
    if (active.cursorY >= rows || active.cursorX > cols) found.push('the cursor is outside of the screen');
    return found;
  }
}
