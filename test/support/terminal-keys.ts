/** What xterm sends for a key: the name a test uses, and the bytes. */
const keyBytes: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  backspace: '\u007f',
  space: ' ',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  insert: '\u001b[2~',
  delete: '\u001b[3~',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  'shift-up': '\u001b[1;2A',
  'shift-down': '\u001b[1;2B',
  'ctrl-left': '\u001b[1;5D',
  'ctrl-right': '\u001b[1;5C',
  f1: '\u001bOP',
  f2: '\u001bOQ',
  f3: '\u001bOR',
  f4: '\u001bOS',
  f5: '\u001b[15~',
};

const applicationCursorKeys: ReadonlySet<string> = new Set(['up', 'down', 'right', 'left', 'home', 'end']);

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The writes one `press` argument stands for: one for a named key, `ctrl-<letter>` or `alt-<character>`, and one for
 * each character of anything else, as fingers would send them.
 */
export function writesOfKey(key: string, isApplicationCursorMode: boolean): readonly string[] {
  const named = Object.hasOwn(keyBytes, key) ? keyBytes[key] : undefined;
  if (named !== undefined) {
    return [isApplicationCursorMode && applicationCursorKeys.has(key) ? named.replace('[', 'O') : named];
  }
  const control = /^ctrl-([a-z])$/.exec(key)?.[1];
  if (control !== undefined) return [String.fromCharCode(control.charCodeAt(0) & 0x1f)];
  const alt = /^alt-(.)$/u.exec(key)?.[1];
  if (alt !== undefined) return [`\u001b${alt}`];
  return Array.from(graphemes.segment(key), part => part.segment);
}

/** What a terminal sends for a paste: newlines as Return, wrapped only where the program asked for it. */
export function bytesOfPaste(text: string, isBracketed: boolean): string {
  const typed = text.replaceAll(/\r?\n/g, '\r');
  return isBracketed ? `\u001b[200~${typed}\u001b[201~` : typed;
}
