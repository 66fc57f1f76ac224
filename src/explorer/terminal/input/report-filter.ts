/** Reports of a terminal among the keys. */
export type Report =
  /** Where the cursor is; 1, 1 is the top left. */
  | { readonly kind: 'cursor'; readonly row: number; readonly column: number }
  /** A press of the first button, or a turn of the wheel; 0, 0 is the top left. */
  | {
      readonly kind: 'mouse';
      readonly what: 'press' | 'wheel-up' | 'wheel-down';
      readonly row: number;
      readonly column: number;
    };

/**
 * Takes reports out of what the terminal sends, also when a slow link cuts one in two; keys and pastes go through as they
 * came. What may be the begin of a report is held back until its rest has come, or `release` says that none comes.
 */
export class ReportFilter {
  #held = '';
  /** Was released as keys, and may have been the begin of a report after all. */
  #released = '';
  /** The end of what was pasted so far; undefined outside of a paste. */
  #pasted: string | undefined;

  /** Keys and reports, in their order. `isExpecting` when a report may come any time: then a lone Esc is held too. */
  push(chunk: string, isExpecting: boolean): readonly (string | Report)[] {
    let rest = LATE_REPORT.test(this.#released + chunk) ? this.#released + chunk : this.#held + chunk;
    const parts: (string | Report)[] = [];
    this.#held = '';
    this.#released = '';
    while (rest !== '') {
      if (this.#pasted !== undefined) rest = this.#paste(rest, parts);
      // Who has sent a report may be sending another, whether it is expected or not.
      else if (PARTIAL.test(rest) && (isExpecting || rest !== ESC || parts.some(part => typeof part !== 'string'))) {
        this.#held = rest;
        break;
      } else rest = next(rest, parts);
      if (parts.at(-1) === PASTE_START) this.#pasted = '';
    }
    if (this.#pasted === undefined && rest === '' && parts.at(-1) === ESC) this.#released = ESC;
    return parts;
  }

  /** Whether what is held may be keys, so that it has to be released after a while; a cut report never is. */
  get mayBeKeys(): boolean {
    return this.#held !== '' && !/^\u001b\[[<M]/.test(this.#held);
  }

  /** Gives up waiting: what was held, as keys. */
  release(): string {
    if (!this.mayBeKeys) return '';
    const keys = this.#held;
    this.#held = '';
    this.#released = keys;
    return keys;
  }

  #paste(rest: string, parts: (string | Report)[]): string {
    const before = this.#pasted ?? '';
    const end = (before + rest).indexOf(PASTE_END);
    const length = end < 0 ? rest.length : end + PASTE_END.length - before.length;
    this.#pasted = end < 0 ? (before + rest).slice(1 - PASTE_END.length) : undefined;
    parts.push(rest.slice(0, length));
    return rest.slice(length);
  }
}

const ESC = '\u001b';
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';

const SGR_MOUSE = /^\u001b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])/;
/** Of terminals that know no other: three characters, 32 more than what they say. */
const OLD_MOUSE = /^\u001b\[M([\s\S])([\s\S])([\s\S])/u;
const CURSOR = /^\u001b\[(\d{1,5});(\d{1,5})R/;
const PARTIAL = /^\u001b(?:\[(?:<[\d;]{0,20}|M[\s\S]{0,2}|[\d;]{0,12})?)?$/u;
/** A report whose end is missing, since something else has come. */
const BROKEN = /^\u001b\[<[\d;]*[Mm]?/;
const LATE_REPORT = /^\u001b\[(?:[<M]|\d{1,5};\d{1,5}R)/;

/** Takes the next key, text or report off the beginning. */
function next(rest: string, parts: (string | Report)[]): string {
  const mouse = SGR_MOUSE.exec(rest) ?? OLD_MOUSE.exec(rest);
  if (mouse !== null) {
    parts.push(...mouseReport(mouse));
    return rest.slice(mouse[0].length);
  }
  const cursor = CURSOR.exec(rest);
  if (cursor !== null) {
    parts.push({ kind: 'cursor', row: Number(cursor[1]), column: Number(cursor[2]) });
    return rest.slice(cursor[0].length);
  }
  const broken = BROKEN.exec(rest);
  if (broken !== null) return rest.slice(broken[0].length);
  const text = rest.startsWith(PASTE_START) ? PASTE_START : (/^[\s\S][^\u001b]*/.exec(rest)?.[0] ?? rest);
  parts.push(text);
  return rest.slice(text.length);
}

const SHIFT_META_CTRL = 4 | 8 | 16;

function mouseReport([, first = '', second = '', third = '', end]: RegExpExecArray): readonly Report[] {
  const numbers =
    end === undefined ? [first, second, third].map(text => text.charCodeAt(0) - 32) : [first, second, third];
  const [button = 0, column = 0, row = 0] = numbers.map(Number);
  const what = end === 'm' ? undefined : WHATS[button & ~SHIFT_META_CTRL];
  return what === undefined ? [] : [{ kind: 'mouse', what, row: row - 1, column: column - 1 }];
}

const WHATS: { readonly [button: number]: Extract<Report, { readonly kind: 'mouse' }>['what'] } = {
  0: 'press',
  64: 'wheel-up',
  65: 'wheel-down',
};
