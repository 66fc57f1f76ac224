import type { TerminalBackground } from '../../core/appearance.ts';
import { overrideMethods } from '../override-methods.ts';
import { InputDecoder } from './bytes-to-text.ts';
import { InputGrammar, type InputToken } from './input-grammar.ts';

export interface TerminalInput<Terminal> {
  /** Passed to Ink in place of the terminal's input: it reads only whole keys and pastes. */
  readonly stdin: Terminal;
  readonly release: () => void;
}

interface InputListener {
  readonly onBackground: (background: TerminalBackground) => void;
  readonly onAttributes: () => void;
  /** Lines that came at once without the marks of a paste were dropped, all but the first. */
  readonly onLinesDropped: () => void;
}

/**
 * Waiting times: the rest of a key arrives sooner, and a user does not press the next one so soon after Esc. A reply or a
 * paste may pause on a slow link, but not indefinitely.
 */
const WAIT_MS = { key: 30, rest: 500, late: 1000 } as const;

/** Reads of one paste follow each other sooner, the pace of a guest's input included. */
const PASTE_PAUSE_MS = 300;

/** Reads the terminal by its grammar, for Ink. */
export function terminalInput<Terminal extends NodeJS.ReadStream>(
  terminal: Terminal,
  { onBackground, onAttributes, onLinesDropped }: InputListener,
): TerminalInput<Terminal> {
  const decoder = new InputDecoder();
  const grammar = new InputGrammar();
  const lines = new UnmarkedLines();
  const waiting: (InputToken | typeof LINES_DROPPED)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let reads = 0;
  const wait = (): void => {
    if (grammar.waiting !== 'nothing') timer = setTimeout(lapseUnlessRead, WAIT_MS[grammar.waiting], reads);
  };
  // After a busy period, input that has arrived in the meantime is read after timers that are due.
  const lapseUnlessRead = (before: number): void => void setImmediate(() => reads === before && lapse());
  const lapse = (): void => {
    waiting.push(...grammar.lapse());
    wait();
    if (waiting.length > 0) terminal.emit('readable');
  };
  /** The next keys; what else is before them is told. */
  const keys = (): string | null => {
    for (let token = waiting.shift(); token !== undefined; token = waiting.shift()) {
      if (token === LINES_DROPPED) onLinesDropped();
      else if (token.kind === 'background') onBackground(token.background);
      else if (token.kind === 'attributes') onAttributes();
      else return toInkInput(token);
    }
    return null;
  };
  const read = (): string | null => {
    for (let found = keys(); ; found = keys()) {
      if (found !== null) return found;
      const chunk: unknown = terminal.read();
      if (chunk === null) return null;
      reads++;
      clearTimeout(timer);
      waiting.push(...lines.of(grammar.push(decoder.decode(toBytes(chunk)))));
      wait();
    }
  };
  // Bytes are needed: where Ink has them decoded, controls of 8 bits are lost.
  const stdin = overrideMethods(terminal, { read, setEncoding: () => stdin });
  return {
    stdin,
    release: () => {
      clearTimeout(timer);
      reads = -1;
    },
  };
}

const toBytes = (chunk: unknown): Uint8Array => (chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));

function toInkInput(token: Extract<InputToken, { readonly kind: 'text' | 'key' | 'paste' }>): string {
  switch (token.kind) {
    case 'text':
      return token.text;
    case 'key':
      return token.sequence;
    case 'paste':
      return `\u001b[200~${token.text}\u001b[201~`;
  }
}

/** This number of characters at once, in several lines, is a paste from a terminal that does not mark pastes. */
const MIN_PASTE_LENGTH = 12;
const FIRST_LINE = /^[^\r\n]*(?:\r\n|[\r\n])/;
/** Ctrl-C and Ctrl-\. */
const INTERRUPT = /[\u0003\u001c]+$/;

/** Stands behind the keys that are left. */
const LINES_DROPPED = 'lines-dropped';

/**
 * Of lines that arrive at once, only the first acts as keys: the user has not seen how the program would react to the
 * others.
 */
class UnmarkedLines {
  #droppedAtMs = Number.NEGATIVE_INFINITY;

  /** The part that remains of input read at once. */
  of(tokens: readonly InputToken[]): readonly (InputToken | typeof LINES_DROPPED)[] {
    const text = tokens.map(token => (token.kind === 'text' ? token.text : '')).join('');
    const [interrupt] = INTERRUPT.exec(text) ?? [];
    if (text === '' || interrupt === text) return tokens;
    const nowMs = performance.now();
    const isGoingOn = nowMs - this.#droppedAtMs < PASTE_PAUSE_MS;
    const first = isGoingOn ? '' : (FIRST_LINE.exec(text)?.[0] ?? text);
    if (!isGoingOn && (text.length < MIN_PASTE_LENGTH || first === text)) return tokens;
    this.#droppedAtMs = nowMs;
    // A busy program reads keys pressed after a paste together with the paste.
    const pressed: readonly InputToken[] = interrupt === undefined ? [] : [{ kind: 'text', text: interrupt }];
    return [...takeLeading(tokens, first.length), ...pressed, LINES_DROPPED];
  }
}

/** Keys and text within this number of characters of text; all pastes and replies. */
function takeLeading(tokens: readonly InputToken[], characters: number): readonly InputToken[] {
  const taken: InputToken[] = [];
  let left = characters;
  for (const token of tokens) {
    if (token.kind === 'text' && left > 0) taken.push({ kind: 'text', text: token.text.slice(0, left) });
    if (token.kind === 'text') left = Math.max(0, left - token.text.length);
    else if (token.kind !== 'key' || left > 0) taken.push(token);
  }
  return taken;
}
