import { asciiText } from '../../base/text/ascii.ts';
import { cutLine, type Line, type Style } from '../core/line.ts';
import type { Theme } from './theme.ts';

/** A line cut to the width of the screen and painted. */
export const paintRow = (line: Line, columns: number, theme: Theme): string => paint(cutLine(line, columns), theme);

/** The line as text with SGR sequences: the one place where safe text meets the terminal. */
export function paint(line: Line, { styles, backgrounds, isAscii }: Theme): string {
  let sequence = '';
  for (const { text, style, background } of line) {
    const shown = isAscii ? asciiText(text) : text;
    if (background !== undefined)
      sequence += styled(shown, backgrounds[background][isBlank(shown) && ON_WORDS.has(style) ? 'plain' : style]);
    else sequence += ON_WORDS.has(style) ? styleWords(shown, styles[style]) : styled(shown, styles[style]);
  }
  return sequence;
}

// The room around these words does not belong to them: blanks remain the existing cells, or those of their bar.
const ON_WORDS: ReadonlySet<Style> = new Set<Style>([
  'plain',
  'strong',
  'quiet',
  'good',
  'pending',
  'bad',
  'accent',
  'selected',
]);

const isBlank = (text: string): boolean => /^ *$/.test(text);

const styleWords = (text: string, sgr: string): string =>
  sgr === '' ? text : text.replace(/[^ ](?:.*[^ ])?/, words => styled(words, sgr));

const styled = (text: string, sgr: string): string =>
  sgr === '' || text === '' ? text : `\u001b[${sgr}m${text}\u001b[0m`;
