import { clusters } from '../text/clusters.ts';
import { sanitize } from '../text/safe-text.ts';
import { widthCells } from '../text/width.ts';
import { cutLine, type Line, type Style } from './line.ts';

export interface Theme {
  readonly hasColour: boolean;
  /** Only ASCII may be drawn: line art and marks are replaced, one cell for one cell. */
  readonly isAscii: boolean;
}

/** What the terminal can do, from its environment (NO_COLOR, TERM, the locale). */
export function themeFrom(env: NodeJS.ProcessEnv, wantsColour = true): Theme {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return {
    hasColour: wantsColour && !env.NO_COLOR && env.TERM !== 'dumb' && env.TERM !== 'vt100',
    isAscii: !/utf-?8/i.test(locale) || env.TERM === 'vt100',
  };
}

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
export function paint(line: Line, theme: Theme): string {
  let sequence = '';
  for (const { text, style } of line) {
    const shown = theme.isAscii ? text.replace(NOT_ASCII, toAscii) : text;
    const sgr = theme.hasColour ? COLOURED[style] : MONO[style];
    sequence += sgr === '' || shown === '' ? shown : `\u001b[${sgr}m${shown}\u001b[0m`;
  }
  return sequence;
}

// The terminal's own palette, so that light and dark backgrounds both work.
const COLOURED: { readonly [style in Style]: string } = {
  plain: '',
  strong: '1',
  quiet: '2',
  good: '32',
  pending: '33',
  bad: '31',
  // Of the eight colours this one alone can be read on black and on white, bright as well.
  accent: '35',
  selected: '1;35',
  mark: '7',
};

const MONO: { readonly [style in Style]: string } = {
  plain: '',
  strong: '1',
  quiet: '2',
  good: '',
  pending: '',
  bad: '1',
  accent: '',
  selected: '1',
  mark: '7',
};

// A character with the marks on it, so that it takes as many cells as before.
const NOT_ASCII = /[\x20-\x7e]?[^\x00-\x7f]+ ?/gu;

const ASCII: { readonly [glyph: string]: string } = {
  '…': '~',
  '─': '-',
  '│': '|',
  '▸': '+',
  '▾': '-',
  '━': '=',
  '┊': ':',
  '·': '.',
  '█': '#',
  '▉': '#',
  '▊': '#',
  '▋': '#',
  '▌': '#',
  '▍': '-',
  '▎': '-',
  '▏': '-',
};

function toAscii(text: string): string {
  const drawn = [...clusters(text)].map(({ segment }) =>
    /^(?:[\x20-\x7e]|[\u2264\u2265])$/.test(segment) ? segment : asciiOf(segment),
  );
  // Two cells for two: the space behind the sign goes. Half a sign would say something else.
  return drawn
    .join('')
    .replaceAll('≥ ', '>=')
    .replaceAll('≤ ', '<=')
    .replace(/[\u2264\u2265]/g, '?');
}

const asciiOf = (segment: string): string =>
  (Object.hasOwn(ASCII, segment) ? ASCII[segment] : undefined) ?? '?'.repeat(widthCells(sanitize(segment)));
