import type { TerminalBackground } from '../../core/appearance.ts';
import { parseBackgroundReply } from '../background.ts';

/** What a terminal sends, piece by piece. */
export type InputToken =
  /** Typed characters, control characters among them. */
  | { readonly kind: 'text'; readonly text: string }
  /** One key, as a sequence of 7 bits. */
  | { readonly kind: 'key'; readonly sequence: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** Replies to questions for the background and for the attributes. */
  | { readonly kind: 'background'; readonly background: TerminalBackground }
  | { readonly kind: 'attributes' };

/** Where input is in the grammar: Paul Williams' parser of DEC's terminals, as the program at the other end needs it. */
interface Position {
  readonly state: 'ground' | 'escape' | 'csi' | 'ss3' | 'string' | 'string-escape' | 'mouse' | 'paste';
  /** The character behind Esc that began it: with Alt it is a key too. Empty for an introducer of 8 bits. */
  readonly introducer: string;
  /** The characters since then, as far as they matter. */
  readonly collected: string;
  /** Another Esc stands before. */
  readonly isDoubled: boolean;
}

const GROUND: Position = { state: 'ground', introducer: '', collected: '', isDoubled: false };

const ESC = '\u001b';
/** As the kitty protocol has it: it cannot be taken for the begin of something else. */
const ESC_KEY = `${ESC}[27u`;

/** DCS, OSC, SOS, PM, APC. */
const STRINGS = 'P]X^_';
const OSC = ']';
const STRINGS_OF_8_BITS = '\u0090\u009d\u0098\u009e\u009f';
const OSC_OF_8_BITS = '\u009d';
const CSI_OF_8_BITS = '\u009b';
const SS3_OF_8_BITS = '\u008f';

const INTRODUCER = /[\u001b\u0080-\u009f]/g;
/** BEL and ST end a string; Ctrl-C, CAN, SUB and what begins something else break it off. */
const STRING_END = /[\u0003\u0007\u0018\u001a\u001b\u0080-\u009f]/g;
const ST_OF_8_BITS = '\u009c';
const ABORTS = '\u0018\u001a';
/** Ctrl-C and Ctrl-\. */
const ONLY_INTERRUPTS = /^[\u0003\u001c]+$/;

const PASTE_END = /(?:\u001b\[|\u009b)201~/;
const MAX_PASTE_END = 5;

/** A longer sequence is not a key. */
const MAX_COLLECTED = 64;
/** Fewer characters at once may have been typed. */
const MIN_REST = 8;

/** The keys of xterm, rxvt, the Linux console and the kitty protocol; a key that is let go (`:3`) is none. */
const CSI_KEY =
  /^(?:(?:1?;\d{1,3}(?::[12])?|\d{0,3})[A-HPQS]|[Za-e]|1;\d{1,3}Z|\[[A-E]|\[?\d{1,3}(?:;\d{1,3}(?::[12])?)?[~^]|\d{1,3}\$|\d{1,7}(?::\d*){0,2}(?:;\d{0,3}(?::[12])?(?:;[\d:]*)?)?u)$/;
/** The reply to DA1. */
const ATTRIBUTES = /^\?[\d;]*c$/;
const SS3_KEY = /^[\d;]{0,6}[A-HMPQRSa-e]$/;

/**
 * Reads input by the grammar of escape sequences, wherever it is split. Sequences other than a key, a paste or a reply
 * are dropped as a whole: no part is ever typed. Since Esc may begin a sequence, and a sequence may have lost its end,
 * the caller uses `lapse` to report that nothing has followed for the time that `waiting` requests.
 */
export class InputGrammar {
  #at = GROUND;
  /** The input before the last silence: the next input may be its rest. */
  #lapsed = GROUND;
  #isBroken = false;
  /** Whether the string under way is an OSC. */
  #isOsc = false;
  #pasted: string[] = [];
  /** The end of the pasted text, which may be the beginning of its end mark. */
  #pasteTail = '';
  #tokens: InputToken[] = [];

  /** Takes text whose controls of 8 bits are U+0080 to U+009F. */
  push(text: string): readonly InputToken[] {
    if (this.#at.state === 'paste' && ONLY_INTERRUPTS.test(text)) this.#endPaste(this.#pasteTail);
    let at = this.#resume(text);
    while (at < text.length) at = this.#step(text, at);
    return this.#tokens.splice(0);
  }

  /** What the grammar waits for: the rest of a possible key, of a sequence that cannot be a key, or of lapsed input. */
  get waiting(): 'nothing' | 'key' | 'rest' | 'late' {
    const { state, introducer, collected } = this.#at;
    if (state === 'ground') return this.#lapsed === GROUND ? 'nothing' : 'late';
    return state === 'escape' || (introducer !== '' && collected === '') ? 'key' : 'rest';
  }

  /** No more input followed: the unfinished sequence is a key, a paste or nothing. */
  lapse(): readonly InputToken[] {
    const { state, introducer, isDoubled } = this.#at;
    const isKey = this.waiting === 'key';
    this.#lapsed = this.#at;
    if (state === 'paste') this.#endUnfinishedPaste();
    if (isDoubled) this.#key(ESC_KEY);
    if (state === 'escape' || state === 'string-escape') this.#key(ESC_KEY);
    else if (isKey) this.#key(altKey(introducer));
    this.#at = GROUND;
    return this.#tokens.splice(0);
  }

  /** Takes what belongs to a sequence that has lapsed; returns where that ends. */
  #resume(text: string): number {
    const { state, collected } = this.#lapsed;
    this.#lapsed = GROUND;
    if (state === 'ground' || this.#at !== GROUND || (state === 'escape' && text.startsWith(ESC))) return 0;
    const isLong = text.length >= MIN_REST && !/[\r\n]/.test(text);
    this.#at = { state, collected, introducer: '', isDoubled: false };
    if (state === 'paste' && (isLong || PASTE_END.test(text))) return 0;
    this.#isBroken = false;
    let at = 0;
    while (state !== 'paste' && at < text.length && this.#at.state !== 'ground') at = this.#step(text, at);
    const isWhole = at >= (state === 'string-escape' ? 1 : 2) && this.#at.state === 'ground' && !this.#isBroken;
    if (isWhole || (isLong && this.#at.state === 'string')) return at;
    this.#tokens = [];
    this.#at = GROUND;
    return 0;
  }

  #step(text: string, at: number): number {
    switch (this.#at.state) {
      case 'ground':
        return this.#ground(text, at);
      case 'escape':
        return this.#escape(text, at);
      case 'csi':
        return this.#csi(text, at);
      case 'ss3':
        return this.#ss3(text, at);
      case 'string':
        return this.#string(text, at);
      case 'string-escape':
        if (text.charAt(at) !== '\\') return this.#begin('escape', at);
        return this.#endString(at + 1);
      case 'mouse':
        return this.#mouse(text, at);
      case 'paste':
        return this.#paste(text, at);
    }
  }

  #ground(text: string, at: number): number {
    const found = searchFrom(INTRODUCER, text, at);
    if (found > at) this.#tokens.push({ kind: 'text', text: text.slice(at, found) });
    if (found === text.length) return found;
    const character = text.charAt(found);
    if (character === ESC) return this.#begin('escape', found + 1);
    if (character === CSI_OF_8_BITS) return this.#begin('csi', found + 1);
    if (character === SS3_OF_8_BITS) return this.#begin('ss3', found + 1);
    if (!STRINGS_OF_8_BITS.includes(character)) return found + 1;
    return this.#beginString(character === OSC_OF_8_BITS, found + 1);
  }

  #escape(text: string, at: number): number {
    const character = characterAt(text, at);
    const { isDoubled } = this.#at;
    if (character === '[') return this.#begin('csi', at + 1, character);
    if (character === 'O') return this.#begin('ss3', at + 1, character);
    this.#at = GROUND;
    if (isDoubled) this.#key(ESC_KEY);
    if (character === ESC) {
      this.#at = { ...GROUND, state: 'escape', isDoubled: true };
      return at + 1;
    }
    if (STRINGS.includes(character)) return this.#beginString(character === OSC, at + 1, character);
    // A string that was broken off may have left its end, which no key looks like.
    if (character === '\\') return at + 1;
    if (/[\u0003\u0080-\u009f]/.test(character)) {
      this.#key(ESC_KEY);
      return at;
    }
    this.#key(altKey(character));
    return at + character.length;
  }

  #csi(text: string, at: number): number {
    const { collected, isDoubled } = this.#at;
    const character = text.charAt(at);
    if (/[\u0020-\u003f]/.test(character) && !(character === '$' && /^\d+$/.test(collected)))
      return this.#collect(character, at);
    // The Linux console sends its first function keys so.
    if (character === '[' && collected === '') return this.#collect(character, at);
    if (!/[\u0024\u0040-\u007e]/.test(character)) return this.#breakOff(ABORTS.includes(character) ? at + 1 : at);
    if (character === 'M' && collected === '') {
      if (isDoubled) this.#key(ESC_KEY);
      return this.#begin('mouse', at + 1);
    }
    this.#at = GROUND;
    const sequence = `${collected}${character}`;
    if (CSI_KEY.test(sequence) && !/^20[01]~$/.test(sequence)) {
      this.#key(`${isDoubled ? ESC : ''}${ESC}[${sequence}`);
      return at + 1;
    }
    if (isDoubled) this.#key(ESC_KEY);
    if (ATTRIBUTES.test(sequence)) this.#tokens.push({ kind: 'attributes' });
    if (sequence !== '200~') return at + 1;
    this.#pasted = [];
    this.#pasteTail = '';
    return this.#begin('paste', at + 1);
  }

  #ss3(text: string, at: number): number {
    const { collected, isDoubled } = this.#at;
    const character = text.charAt(at);
    if (/[\d;]/.test(character)) return this.#collect(character, at);
    if (!/[\u0020-\u007e]/.test(character)) return this.#breakOff(at);
    this.#at = GROUND;
    const isKey = SS3_KEY.test(`${collected}${character}`);
    if (isKey) this.#key(`${isDoubled ? ESC : ''}${ESC}O${collected}${character}`);
    else if (isDoubled) this.#key(ESC_KEY);
    return at + 1;
  }

  #string(text: string, at: number): number {
    const end = searchFrom(STRING_END, text, at);
    if (end > at) this.#collect(text.slice(at, end), at);
    if (end === text.length) return end;
    const character = text.charAt(end);
    if (character === ESC) {
      this.#at = { ...this.#at, state: 'string-escape', introducer: '' };
      return end + 1;
    }
    if (character === '\u0007' || character === ST_OF_8_BITS) return this.#endString(end + 1);
    return this.#breakOff(ABORTS.includes(character) ? end + 1 : end);
  }

  /** Three characters: an earlier program may have left the mouse on. */
  #mouse(text: string, at: number): number {
    const { collected } = this.#at;
    const character = characterAt(text, at);
    if (character < ' ') return this.#breakOff(at);
    this.#collect(character, at);
    if (Array.from(collected).length === 2) this.#at = GROUND;
    return at + character.length;
  }

  #paste(text: string, at: number): number {
    const joined = this.#pasteTail + text.slice(at);
    const end = PASTE_END.exec(joined);
    if (end === null) {
      this.#pasted.push(joined.slice(0, -MAX_PASTE_END));
      this.#pasteTail = joined.slice(-MAX_PASTE_END);
      return text.length;
    }
    const used = end.index + end[0].length - this.#pasteTail.length;
    this.#endPaste(joined.slice(0, end.index));
    return at + used;
  }

  #endPaste(tail: string): void {
    this.#tokens.push({ kind: 'paste', text: `${this.#pasted.join('')}${tail}` });
    this.#pasted = [];
    this.#pasteTail = '';
    this.#at = GROUND;
  }

  /** Of a paste that never ends an interrupt was pressed, not pasted: a busy program reads both at once. */
  #endUnfinishedPaste(): void {
    const [interrupt] = /[\u0003\u001c]/.exec(`${this.#pasted.join('')}${this.#pasteTail}`) ?? [];
    this.#endPaste(this.#pasteTail);
    if (interrupt !== undefined) this.#tokens.push({ kind: 'text', text: interrupt });
  }

  #begin(state: Position['state'], next: number, introducer = ''): number {
    this.#at = { ...GROUND, state, introducer, isDoubled: introducer !== '' && this.#at.isDoubled };
    return next;
  }

  #beginString(isOsc: boolean, next: number, introducer = ''): number {
    this.#isOsc = isOsc;
    return this.#begin('string', next, introducer);
  }

  /** Of strings only one is a reply that matters. */
  #endString(next: number): number {
    const background = this.#isOsc ? parseBackgroundReply(this.#at.collected) : undefined;
    if (background !== undefined) this.#tokens.push({ kind: 'background', background });
    this.#at = GROUND;
    return next;
  }

  #collect(characters: string, at: number): number {
    const { collected } = this.#at;
    if (collected.length < MAX_COLLECTED)
      this.#at = { ...this.#at, collected: `${collected}${characters}`.slice(0, MAX_COLLECTED) };
    return at + characters.length;
  }

  /** A character that is invalid in a sequence ends it, and is read on its own. */
  #breakOff(at: number): number {
    if (this.#at.isDoubled) this.#key(ESC_KEY);
    this.#isBroken = true;
    this.#at = GROUND;
    return at;
  }

  #key(sequence: string): void {
    this.#tokens.push({ kind: 'key', sequence });
  }
}

/** On their own, the characters after Esc that begin most sequences would be read as such a beginning. */
const altKey = (character: string): string =>
  '[O'.includes(character) ? `${ESC}[${character.charCodeAt(0)};3u` : `${ESC}${character}`;

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** Where the pattern is found first; the length of the text where it is not. */
function searchFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
