import { asciiText } from '../../text/ascii.ts';
import { cutLine, type Line } from '../core/line.ts';
import type { Theme } from './theme.ts';

const painted = new WeakMap<Line, { readonly theme: Theme; readonly columns: number; readonly text: string }>();

/** A line cut to the width of the screen and painted; a line that was so before costs nothing. */
export function paintRow(line: Line, columns: number, theme: Theme): string {
  const known = painted.get(line);
  if (known?.theme === theme && known.columns === columns) return known.text;
  const text = paint(cutLine(line, columns), theme);
  painted.set(line, { theme, columns, text });
  return text;
}

/** The line as text with SGR sequences: the one place where safe text meets the terminal. */
export function paint(line: Line, { styles, backgrounds, isAscii }: Theme): string {
  let sequence = '';
  for (const { text, style, background } of line) {
    const shown = isAscii ? asciiText(text) : text;
    const seen = BLANK.test(shown) && COLOUR_ALONE.test(styles[style]) ? 'plain' : style;
    const sgr = background === undefined ? styles[seen] : backgrounds[background][seen];
    sequence += sgr === '' || shown === '' ? shown : sgr === UNDERLINE ? underlined(shown) : styled(shown, sgr);
  }
  return sequence;
}

// Blanks do not show the colour of letters: without it they are the cells that are there already.
const BLANK = /^ *$/;
const COLOUR_ALONE = /^(?:2|[39]\d|38;5;\d+)$/;

const styled = (text: string, sgr: string): string => `\u001b[${sgr}m${text}\u001b[0m`;

const UNDERLINE = '4';

// Room around words is no part of them.
const underlined = (text: string): string => text.replace(/[^ ](?:.*[^ ])?/, words => styled(words, UNDERLINE));
