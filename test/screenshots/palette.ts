import type { Cell, CellColour } from '../support/terminal-frame.ts';

/** The colours of a terminal and of the window around it. */
export interface Palette {
  readonly foreground: string;
  readonly background: string;
  readonly frame: string;
  readonly bar: string;
  /** The sixteen of the terminal, as they can be read on the background. */
  readonly ansi: readonly string[];
}

export const DARK: Palette = {
  foreground: '#d6dce4',
  background: '#11151c',
  frame: '#39424e',
  bar: '#1b212b',
  ansi: [
    ...['#3b4350', '#f47067', '#57c26a', '#d9a63c', '#6cb0f5', '#c297ff', '#4cc4d6', '#c3cad3'],
    ...['#8994a3', '#ff938a', '#7ee08f', '#f0c866', '#96cbff', '#dcbdff', '#7fe0ef', '#ffffff'],
  ],
};

export const LIGHT: Palette = {
  foreground: '#24292f',
  background: '#ffffff',
  frame: '#d0d7de',
  bar: '#f0f2f5',
  ansi: [
    ...['#24292f', '#cf222e', '#116329', '#4d2d00', '#0969da', '#8250df', '#1b7c83', '#6e7781'],
    ...['#57606a', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#8c959f'],
  ],
};

/** How much of a dim character's colour is left. */
const DIM = 0.62;

/** How the text of a cell is drawn. */
export interface Look {
  readonly colour: string;
  readonly isBold: boolean;
  readonly isUnderlined: boolean;
}

export function lookOf(cell: Cell, palette: Palette): Look {
  const [front, back] = coloursOf(cell, palette);
  return { colour: cell.dim ? mixed(front, back) : front, isBold: cell.bold, isUnderlined: cell.underline };
}

/** The colour behind a cell; undefined where it is that of the screen. */
export function backdropOf(cell: Cell, palette: Palette): string | undefined {
  const [, back] = coloursOf(cell, palette);
  return back === palette.background ? undefined : back;
}

function coloursOf({ fg, bg, inverse }: Cell, palette: Palette): readonly [front: string, back: string] {
  const [front, back] = [colourOf(fg, palette.foreground, palette), colourOf(bg, palette.background, palette)];
  return inverse ? [back, front] : [front, back];
}

function colourOf(colour: CellColour, byDefault: string, { ansi }: Palette): string {
  if (colour === 'default') return byDefault;
  if (colour.startsWith('#')) return colour;
  const index = Number(colour.slice('ansi-'.length));
  const known = ansi[index] ?? ofMany(index);
  if (known === undefined) throw new RangeError(`the palette of pictures has no ${colour}`);
  return known;
}

const LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** The other 240 of the 256 colours, which are the same on every terminal: a cube of six levels, and 24 greys. */
function ofMany(index: number): string | undefined {
  const place = index - ANSI_COLOURS;
  if (place < 0 || index > 255) return undefined;
  const grey = 8 + 10 * (place - CUBE);
  const level = (at: number): number => LEVELS[Math.floor(at) % 6] ?? 0;
  return hex(place < CUBE ? [level(place / 36), level(place / 6), level(place)] : [grey, grey, grey]);
}

const CUBE = 216;
const ANSI_COLOURS = 16;

function mixed(front: string, back: string): string {
  const channels = [1, 3, 5].map(at => {
    const [from, to] = [back, front].map(colour => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * DIM);
  });
  return hex(channels);
}

const hex = (channels: readonly number[]): string =>
  `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
