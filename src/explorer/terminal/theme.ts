import { isUtf8Terminal } from '../../base/text/locale.ts';
import { type DisplaySupport, pickTheme, type ThemeName, usesAscii } from '../core/appearance.ts';
import type { Background, Style } from '../core/line.ts';
import type { SessionState } from '../core/state.ts';
import { backgroundFromEnvironment } from './background.ts';

/** Which sequences and characters may be drawn. */
export interface Theme {
  readonly name: ThemeName;
  /** SGR parameters by style; '' for none. */
  readonly styles: Palette;
  /** The same for text on a bar. */
  readonly backgrounds: { readonly [background in Background]: Palette };
  /** Only ASCII may be drawn: line art and marks are replaced, one cell for one cell. */
  readonly isAscii: boolean;
}

export type Palette = { readonly [style in Style]: string };

/** What the terminal shows, from its environment: NO_COLOR, TERM, COLORFGBG, the locale. */
export function detectDisplaySupport(env: NodeJS.ProcessEnv, wantsColour = true): DisplaySupport {
  return {
    hasColour: wantsColour && !env.NO_COLOR && env.TERM !== 'dumb' && env.TERM !== 'vt100',
    hasManyColours: !FEW_COLOURS.test(env.TERM ?? ''),
    isUtf8: isUtf8Terminal(env),
    background: backgroundFromEnvironment(env),
  };
}

const FEW_COLOURS = /^(?:ansi|cons25|cygwin|sun|vt\d)|-(?:8|16|88)?color$/;

/** The same object for the same looks, since painted lines are kept by it. */
export function currentTheme(state: Pick<SessionState, 'looks'>): Theme {
  const name = pickTheme(state);
  const themes = name === 'auto' && !state.looks.terminal.hasManyColours ? FEW_COLOURS_THEME : THEMES[name];
  return themes[usesAscii(state) ? 'ascii' : 'utf8'];
}

// The terminal's own palette, so that light and dark backgrounds both work.
const AUTO: Palette = {
  plain: '',
  strong: '1',
  quiet: '2',
  good: '32',
  // Yellow letters vanish on white.
  pending: '30;43',
  bad: '31',
  // The only one of the eight colours that is readable on both black and white, also when bright.
  accent: '35',
  selected: '1;35',
  mark: '7',
  match: '30;43',
  head: '1',
  tab: '1;7',
  'tab-edge': '7',
  'node-green': '30;42',
  'node-yellow': '30;43',
  'node-red': '97;41',
  'node-blue': '97;44',
  'node-magenta': '97;45',
  'node-cyan': '30;46',
};

/** A tab stands out on both black and white. */
const TAB = { tab: '1;38;5;16;48;5;141', 'tab-edge': '38;5;141;48;5;141' } as const satisfies Partial<Palette>;

/**
 * For a background that is not known: no colour can be read on white and on every dark grey, so words keep the colour of
 * the terminal, and those of a status bring their background with them.
 */
const ON_ANY = {
  good: '38;5;16;48;5;114',
  bad: '38;5;231;48;5;124',
  pending: '38;5;16;48;5;221',
  accent: '1',
  selected: '1',
  quiet: '',
  head: '1',
  match: '38;5;16;48;5;221',
} as const satisfies Partial<Palette>;

// The following use the 256 colours, which no terminal settings change. Text on a colour needs no background of its own.
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
  quiet: '38;5;248',
  good: '38;5;114',
  pending: '38;5;221',
  bad: '38;5;210',
  accent: '38;5;141',
  selected: '1;38;5;141',
  mark: '7',
  match: '38;5;16;48;5;221',
  head: '1',
  ...TAB,
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
  head: '1',
  tab: '1;38;5;231;48;5;54',
  'tab-edge': '38;5;54;48;5;54',
  ...ON_COLOURS,
};

// Nothing is faint, and coloured text brings its own background.
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
  head: '1;4',
  tab: '1;7',
  'tab-edge': '1;7',
  ...ON_COLOURS,
};

const MONO: Palette = {
  plain: '',
  strong: '1',
  quiet: '2',
  good: '',
  pending: '4',
  bad: '1',
  accent: '1',
  selected: '1',
  mark: '7',
  match: '7',
  head: '1;4',
  tab: '1;7',
  'tab-edge': '7',
  'node-green': '7',
  'node-yellow': '7',
  'node-red': '7',
  'node-blue': '7',
  'node-magenta': '7',
  'node-cyan': '7',
};

export const PALETTES: { readonly [theme in ThemeName]: Palette } = {
  auto: { ...AUTO, ...TAB, ...ON_ANY, ...ON_COLOURS },
  dark: DARK,
  light: LIGHT,
  contrast: CONTRAST,
  mono: MONO,
};

type Bars = Theme['backgrounds'];

/** The palette on a bar. Styles with their own background keep it. */
const onBar = (palette: Palette, sgrOn: (sgr: string) => string): Palette => ({
  ...palette,
  plain: sgrOn(palette.plain),
  strong: sgrOn(palette.strong),
  quiet: sgrOn(palette.quiet),
  good: sgrOn(palette.good),
  pending: sgrOn(palette.pending),
  bad: sgrOn(palette.bad),
  accent: sgrOn(palette.accent),
  selected: sgrOn(palette.selected),
  head: sgrOn(palette.head),
});

/** A bar in one of the 256 colours. */
const tinted = (palette: Palette, colour: number): Palette => onBar(palette, sgr => `${sgr};48;5;${colour}`);

/** A bar of the terminal's two colours exchanged, on which no other colour could be relied on. */
const reversed = (palette: Palette): Palette => onBar(palette, sgr => (/^1(?:;|$)/.test(sgr) ? '1;7' : '7'));

const reversedBars = (palette: Palette): Bars => ({ selection: reversed(palette), title: reversed(palette) });

// Brighter than elsewhere, since the bars are lighter than the screen.
const ON_DARK: Palette = {
  ...DARK,
  plain: '38;5;255',
  strong: '1;38;5;255',
  quiet: '38;5;250',
  bad: '38;5;217',
  accent: '38;5;183',
  selected: '1;38;5;183',
  head: '1;38;5;255',
};
const ON_LIGHT: Palette = {
  ...LIGHT,
  plain: '38;5;16',
  strong: '1;38;5;16',
  quiet: '38;5;238',
  pending: '38;5;58',
  head: '1;38;5;16',
};
const DARK_BARS: Bars = { selection: tinted(ON_DARK, 238), title: tinted(ON_DARK, 236) };

const BARS: { readonly [theme in ThemeName]: Bars } = {
  // The same on black and on white, since the background is unknown.
  auto: DARK_BARS,
  dark: DARK_BARS,
  light: { selection: tinted(ON_LIGHT, 253), title: tinted(ON_LIGHT, 254) },
  contrast: reversedBars(CONTRAST),
  mono: reversedBars(MONO),
};

const inBoth = (name: ThemeName, styles = PALETTES[name], backgrounds = BARS[name]) => ({
  utf8: { name, styles, backgrounds, isAscii: false },
  ascii: { name, styles, backgrounds, isAscii: true },
});

const FEW_COLOURS_THEME = inBoth('auto', AUTO, reversedBars(AUTO));

export const THEMES: { readonly [theme in ThemeName]: { readonly utf8: Theme; readonly ascii: Theme } } = {
  auto: inBoth('auto'),
  dark: inBoth('dark'),
  light: inBoth('light'),
  contrast: inBoth('contrast'),
  mono: inBoth('mono'),
};
