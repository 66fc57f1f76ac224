import type { Key } from 'ink';

/** Names of the keys in one event; plain text is a key each, since a slow link may deliver several at once. */
export function pressedKeyNames(input: string, key: Key): readonly string[] {
  const special = SPECIAL.find(([flag]) => key[flag])?.[1];
  if (special === 'tab') return [key.shift ? 'shift-tab' : 'tab'];
  if (special !== undefined) return [special];
  if (key.ctrl) return [`ctrl-${input}`];
  if (key.meta) return [`alt-${input}`];
  return [...input.replaceAll('\r\n', '\r')].map(character => IN_TEXT[character] ?? controlName(character));
}

// Over a slow link a key may stand in one event with the text before it.
const IN_TEXT: { readonly [character: string]: string } = {
  ' ': 'space',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
};

// Ctrl-A to Ctrl-Z are 1 to 26; above them are Ctrl with a sign, such as Ctrl-\.
function controlName(character: string): string {
  const code = character.charCodeAt(0);
  return code < 32 ? `ctrl-${String.fromCharCode(code + (code <= 26 ? 0x60 : 0x40))}` : character;
}

const SPECIAL = [
  ['return', 'enter'],
  ['escape', 'esc'],
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const;

/** Whether an event is nothing but text to be typed. */
export const isText = (input: string, key: Key): boolean =>
  /^[^\x00-\x1f\x7f]+$/.test(input) && !key.ctrl && !key.meta && !SPECIAL.some(([flag]) => key[flag]);

/** What a key types into a field; undefined for one that types nothing. */
export const typedText = (name: string): string | undefined =>
  name === 'space' ? ' ' : [...name].length === 1 ? name : undefined;
