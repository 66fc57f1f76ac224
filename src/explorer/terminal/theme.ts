import { drawsAscii, type TerminalFacts, type ThemeName, themeIn } from '../../session/model/looks.ts';
import type { SessionState } from '../../session/model/state.ts';
import type { Style } from '../core/line.ts';

/** Which sequences and characters may be drawn. */
export interface Theme {
  readonly name: ThemeName;
  /** SGR parameters by style; '' for none. */
  readonly styles: Palette;
  /** Only ASCII may be drawn: line art and marks are replaced, one cell for one cell. */
  readonly isAscii: boolean;
}

export type Palette = { readonly [style in Style]: string };

/** What the terminal shows, from its environment: NO_COLOR, TERM, the locale. */
export function terminalFacts(env: NodeJS.ProcessEnv, wantsColour = true): TerminalFacts {
  return {
    hasColour: wantsColour && !env.NO_COLOR && env.TERM !== 'dumb' && env.TERM !== 'vt100',
    hasManyColours: !FEW_COLOURS.test(env.TERM ?? ''),
    isUtf8: /utf-?8/i.test(localeOf(env)) && env.TERM !== 'vt100',
  };
}

const FEW_COLOURS = /^(?:ansi|cons25|cygwin|sun|vt\d)/;

/** What the locale says of characters; '' where it is silent, as it often is over ssh. `C` and `POSIX` are words. */
export const localeOf = (env: NodeJS.ProcessEnv): string => env.LC_ALL || env.LC_CTYPE || env.LANG || '';

/** The same object for the same looks, since painted lines are kept by it. */
export const themeOf = (state: Pick<SessionState, 'looks'>): Theme =>
  THEMES[themeIn(state)][drawsAscii(state) ? 'ascii' : 'utf8'];

// The terminal's own palette, so that light and dark backgrounds both work.
const AUTO: Palette = {
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
  match: '30;43',
  'node-green': '30;42',
  'node-yellow': '30;43',
  'node-red': '97;41',
  'node-blue': '97;44',
  'node-magenta': '97;45',
  'node-cyan': '30;46',
};

// What follows is of the 256 colours, which no terminal's settings change. Text on a colour needs no background of theirs.
const ON_COLOURS = {
  'node-green': '38;5;16;48;5;78',
  'node-yellow': '38;5;16;48;5;221',
  'node-red': '38;5;231;48;5;88',
  'node-blue': '38;5;231;48;5;18',
  'node-magenta': '38;5;231;48;5;90',
  'node-cyan': '38;5;16;48;5;80',
} as const satisfies Partial<Palette>;

const DARK: Palette = {
  plain: '',
  strong: '1',
  quiet: '38;5;246',
  good: '38;5;114',
  pending: '38;5;221',
  bad: '38;5;210',
  accent: '38;5;141',
  selected: '1;38;5;141',
  mark: '7',
  match: '38;5;16;48;5;221',
  ...ON_COLOURS,
};

const LIGHT: Palette = {
  plain: '',
  strong: '1',
  quiet: '38;5;240',
  good: '38;5;22',
  pending: '38;5;94',
  bad: '38;5;124',
  accent: '38;5;54',
  selected: '1;38;5;54',
  mark: '7',
  match: '38;5;16;48;5;222',
  ...ON_COLOURS,
};

// Nothing is faint, and what has a colour brings its background with it.
const CONTRAST: Palette = {
  plain: '',
  strong: '1',
  quiet: '',
  good: '38;5;16;48;5;120',
  pending: '38;5;16;48;5;226',
  bad: '1;38;5;231;48;5;88',
  accent: '1;4',
  selected: '1;7',
  mark: '1;7',
  match: '1;38;5;16;48;5;226',
  ...ON_COLOURS,
};

const MONO: Palette = {
  plain: '',
  strong: '1',
  quiet: '2',
  good: '',
  pending: '4',
  bad: '1',
  accent: '',
  selected: '1',
  mark: '7',
  match: '7',
  'node-green': '7',
  'node-yellow': '7',
  'node-red': '7',
  'node-blue': '7',
  'node-magenta': '7',
  'node-cyan': '7',
};

export const PALETTES: { readonly [theme in ThemeName]: Palette } = {
  auto: AUTO,
  dark: DARK,
  light: LIGHT,
  contrast: CONTRAST,
  mono: MONO,
};

const inBoth = (name: ThemeName) => ({
  utf8: { name, styles: PALETTES[name], isAscii: false },
  ascii: { name, styles: PALETTES[name], isAscii: true },
});

export const THEMES: { readonly [theme in ThemeName]: { readonly utf8: Theme; readonly ascii: Theme } } = {
  auto: inBoth('auto'),
  dark: inBoth('dark'),
  light: inBoth('light'),
  contrast: inBoth('contrast'),
  mono: inBoth('mono'),
};
