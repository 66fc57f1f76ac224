/** Takes what a program writes to a terminal, piece by piece. */
export interface SequenceHandler {
  /** Characters without any control character. */
  readonly print: (text: string) => void;
  /** One control character that starts no sequence. */
  readonly control: (character: string) => void;
  /** `ESC [`: parameters with their prefix and intermediates, and the final character. */
  readonly csi: (parameters: string, final: string, sequence: string) => void;
  /** Every other sequence, whole. */
  readonly other: (sequence: string) => void;
}

const ESCAPE = 0x1b;

/** Hands over the pieces of the text; returns a sequence that has begun at its end and is not complete. */
export function parseOutput(text: string, taker: SequenceHandler): string {
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === ESCAPE) {
      const end = sequenceEnd(text, at);
      if (end === -1) return text.slice(at);
      handleSequence(text, at, end, taker);
      at = end;
    } else if (isControl(code)) {
      taker.control(text.charAt(at));
      at++;
    } else {
      const end = printableEnd(text, at);
      taker.print(text.slice(at, end));
      at = end;
    }
  }
  return '';
}

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);

function printableEnd(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && !isControl(text.charCodeAt(end))) end++;
  return end;
}

function handleSequence(text: string, at: number, end: number, taker: SequenceHandler): void {
  const sequence = text.slice(at, end);
  if (text.charAt(at + 1) === '[') taker.csi(text.slice(at + 2, end - 1), text.charAt(end - 1), sequence);
  else taker.other(sequence);
}

/** Behind the sequence that begins here; -1 when it is not complete. */
function sequenceEnd(text: string, at: number): number {
  switch (text.charAt(at + 1)) {
    case '':
      return -1;
    case '[':
      return indexInRange(text, at + 2, 0x40, 0x7e);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return stringEnd(text, at + 2);
    default:
      // Intermediates and one final character: ESC ( B, ESC 7.
      return indexInRange(text, at + 1, 0x30, 0x7e);
  }
}

// A control character within a sequence that breaks it off ends it here too: it is passed on as it came.
function indexInRange(text: string, from: number, lowest: number, highest: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= lowest && code <= highest) return at + 1;
    if (code < 0x20 || code > highest) return at;
  }
  return -1;
}

// OSC, DCS and their kind end with BEL or ESC \; tmux doubles the escapes that it is to pass on.
const STRING_END = /\u0007|\u001b\\/g;
const TMUX_END = /(?<!\u001b)(?:\u001b\u001b)*\u001b\\/g;

function stringEnd(text: string, from: number): number {
  const pattern = text.startsWith('tmux;', from) ? TMUX_END : text.charAt(from - 1) === ']' ? STRING_END : /\u001b\\/g;
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
