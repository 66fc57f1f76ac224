import { diffFrames } from './frame-diff.ts';
import { Grid } from './grid.ts';
import { parseOutput, type SequenceHandler } from './parse-output.ts';
import { type CursorPlace, UNKNOWN } from './pen.ts';
import { ScreenModel } from './screen-model.ts';
import type { TerminalAbilities } from './terminal-abilities.ts';

/** The terminal's end: a tty, or a stream in front of a tty. */
export interface ScreenSink {
  /** False when it wants no more until it has drained. */
  readonly write: (text: string, written?: (error?: Error | null) => void) => boolean;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

type Written = (error?: Error | null) => void;

/**
 * Stands between a program that draws whole lines and the terminal. While the alternate screen is on it keeps two
 * screens, the one the program has drawn and the one the terminal shows, and writes the cells in which they differ:
 * one write a frame. Before and after everything goes through as it comes.
 */
export class CellScreen {
  readonly #sink: ScreenSink;
  readonly #abilities: TerminalAbilities;
  #size: Size;
  readonly #model: ScreenModel;
  /** What the terminal shows; undefined when that is not known. */
  #shown: Grid | undefined;
  #shownPlace: CursorPlace = { row: UNKNOWN, column: UNKNOWN };
  /** Undefined when not known. */
  #isShownCursorVisible: boolean | undefined;
  #isActive = false;
  #isWithinFrame = false;
  #isBlocked = false;
  #isHeld = false;
  /** Goes out before the next frame. */
  #passedOn = '';
  /** The start of a sequence whose end has not come yet. */
  #rest = '';
  #written: Written[] = [];

  constructor(sink: ScreenSink, size: Size, abilities: TerminalAbilities) {
    this.#sink = sink;
    this.#size = size;
    this.#abilities = abilities;
    this.#model = new ScreenModel(size.columns, size.rows);
  }

  /** Takes what the program writes. False when the terminal is behind: later frames replace those not sent yet. */
  write(text: string, written?: Written): boolean {
    if (written !== undefined) this.#written.push(written);
    const rest = parseOutput(this.#rest + text, this.#taker);
    this.#rest = this.#isActive ? rest : '';
    if (!this.#isActive) this.#passedOn += rest;
    this.#flush();
    return !this.#isBlocked;
  }

  /** The terminal has accepted the data sent to it. */
  drained(): void {
    this.#isBlocked = false;
    this.#flush();
  }

  /** No further drain event will come. */
  closed(): void {
    this.#isBlocked = false;
    for (const written of this.#written.splice(0)) written();
  }

  /**
   * The terminal has another size. The next drawing may still be for the old one, so nothing is shown until `settled`.
   */
  resize(size: Size): void {
    this.#isHeld = true;
    this.#size = size;
    this.#model.resize(size.columns, size.rows);
    this.#forget();
  }

  /** Redraws everything, whatever the terminal shows. */
  repaint(): void {
    this.#forget();
    this.#flush();
  }

  /** The program has had the time to draw for the new size. */
  settled(): void {
    this.#isHeld = false;
    this.#flush();
  }

  readonly #taker: SequenceHandler = {
    print: text => {
      if (this.#isActive) this.#model.print(text);
      else this.#passedOn += text;
    },
    control: character => {
      if (!this.#isActive || !this.#model.control(character)) this.#passOn(character);
    },
    csi: (parameters, final, sequence) => {
      if (parameters === '?1049' && (final === 'h' || final === 'l')) this.#switch(sequence, final === 'h');
      else if (!this.#isActive) this.#passOn(sequence);
      else if (parameters === '?2026' && (final === 'h' || final === 'l')) this.#isWithinFrame = final === 'h';
      else if (!this.#model.csi(parameters, final)) this.#passOn(sequence);
    },
    other: sequence => this.#passOn(sequence),
  };

  #passOn(sequence: string): void {
    this.#passedOn += sequence;
    if (this.#isActive && touchesScreen(sequence)) this.#forget();
  }

  #forget(): void {
    this.#shown = undefined;
    this.#isShownCursorVisible = undefined;
  }

  // On leaving, nothing more is drawn, but the cursor is left in the state that the program wants.
  #switch(sequence: string, isOn: boolean): void {
    if (isOn) {
      this.#model.reset(this.#size.columns, this.#size.rows);
      // Ink counts a line as a row. Lines that it still draws for a wider terminal would otherwise push all rows down.
      this.#model.isWrapping = false;
      this.#forget();
    } else if (this.#isActive) this.#passedOn += this.#cursorChange();
    this.#passedOn += sequence;
    this.#isActive = isOn;
    this.#isWithinFrame = false;
  }

  #flush(): void {
    if (this.#isActive && (this.#isBlocked || this.#isHeld || this.#isWithinFrame)) return;
    const text = this.#passedOn + (this.#isActive ? this.#drawing() : '');
    this.#passedOn = '';
    const written = this.#written.splice(0);
    if (text === '' && written.length === 0) return;
    const isReady = this.#sink.write(text, error => {
      for (const each of written) each(error);
    });
    if (!isReady) this.#isBlocked = true;
  }

  /** The output that brings the terminal to the last frame; from then on, that frame counts as shown. */
  #drawing(): string {
    if (this.#model.grid.table.isFull) {
      this.#model.renumber();
      this.#shown = undefined;
    }
    const { grid, row, column, isCursorVisible } = this.#model;
    const { text, bytes, place } = diffFrames(this.#shown, grid, {
      canScroll: this.#abilities.canScroll,
      from: this.#shownPlace,
      cursor: isCursorVisible ? { row, column: Math.min(column, grid.columns - 1) } : null,
    });
    const cursor = this.#cursorChange();
    this.#shown ??= new Grid(grid.columns, grid.rows, grid.table);
    this.#shown.copyFrom(grid);
    this.#shownPlace = place;
    const drawn = isCursorVisible ? text + cursor : cursor + text;
    const isWorthAFrame = bytes > WORTH_A_FRAME && this.#abilities.canSynchronize;
    return isWorthAFrame ? `\u001b[?2026h${drawn}\u001b[?2026l` : drawn;
  }

  #cursorChange(): string {
    const { isCursorVisible } = this.#model;
    if (isCursorVisible === this.#isShownCursorVisible) return '';
    this.#isShownCursorVisible = isCursorVisible;
    return isCursorVisible ? '\u001b[?25h' : '\u001b[?25l';
  }
}

// The brackets of a synchronized update take 16 bytes; a short frame is not seen half drawn.
const WORTH_A_FRAME = 1_000;

/**
 * Whether a sequence that the screen model does not know could have changed the content of the screen, or where and how
 * the next character appears. Titles, clipboard, modes, queries and the keyboard protocol cannot.
 */
export const touchesScreen = (sequence: string): boolean => !HARMLESS.some(pattern => pattern.test(sequence));

const HARMLESS = [
  // BEL, NUL, DEL.
  /^[\u0007\u0000\u007f]$/,
  /^\u001b\]/,
  // Modes, but for 132 columns and the origin of cursor positions.
  /^\u001b\[\??(?!(?:[\d;]*;)?[36](?:;|[hl]))[\d;]*[hl]$/,
  // The kitty keyboard protocol and xterm's key options.
  /^\u001b\[[?<>=][\d;]*[um]$/,
  // Queries, the shape of the cursor, the window.
  /^\u001b\[[?>=]?[\d;]*[cnt]$/,
  /^\u001b\[[?>]?[\d;]*[ $]?[qp]$/,
  /^\u001b[=>]$/,
  // Device control strings, but for pictures (sixel, ReGIS).
  /^\u001bP(?![\d;]*[qp])/,
];
