import type { Cell, CellColour } from '../support/terminal-frame.ts';

export const FOREGROUND = '#d6dce4';
export const BACKGROUND = '#11151c';
export const FRAME = '#39424e';
export const BAR = '#1b212b';

/** A terminal's sixteen colours, as they can be read on the background. */
const ANSI: readonly string[] = [
  ...['#3b4350', '#f47067', '#57c26a', '#d9a63c', '#6cb0f5', '#c297ff', '#4cc4d6', '#c3cad3'],
  ...['#8994a3', '#ff938a', '#7ee08f', '#f0c866', '#96cbff', '#dcbdff', '#7fe0ef', '#ffffff'],
];

/** How much of a dim character's colour is left. */
const DIM = 0.62;

/** How the text of a cell is drawn. */
export interface Look {
  readonly colour: string;
  readonly isBold: boolean;
  readonly isUnderlined: boolean;
}

export function lookOf(cell: Cell): Look {
  const [front, back] = coloursOf(cell);
  return { colour: cell.dim ? mixed(front, back) : front, isBold: cell.bold, isUnderlined: cell.underline };
}

/** The colour behind a cell; undefined where it is that of the screen. */
export function backdropOf(cell: Cell): string | undefined {
  const [, back] = coloursOf(cell);
  return back === BACKGROUND ? undefined : back;
}

function coloursOf({ fg, bg, inverse }: Cell): readonly [front: string, back: string] {
  const [front, back] = [colourOf(fg, FOREGROUND), colourOf(bg, BACKGROUND)];
  return inverse ? [back, front] : [front, back];
}

function colourOf(colour: CellColour, byDefault: string): string {
  if (colour === 'default') return byDefault;
  if (colour.startsWith('#')) return colour;
  const index = Number(colour.slice('ansi-'.length));
  const known = ANSI[index] ?? ofMany(index);
  if (known === undefined) throw new RangeError(`the palette of pictures has no ${colour}`);
  return known;
}

const LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** The other 240 of the 256 colours, which are the same on every terminal: a cube of six levels, and 24 greys. */
function ofMany(index: number): string | undefined {
  const place = index - ANSI.length;
  if (place < 0 || index > 255) return undefined;
  const grey = 8 + 10 * (place - CUBE);
  const level = (at: number): number => LEVELS[Math.floor(at) % 6] ?? 0;
  return hex(place < CUBE ? [level(place / 36), level(place / 6), level(place)] : [grey, grey, grey]);
}

const CUBE = 216;

function mixed(front: string, back: string): string {
  const channels = [1, 3, 5].map(at => {
    const [from, to] = [back, front].map(colour => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * DIM);
  });
  return hex(channels);
}

const hex = (channels: readonly number[]): string =>
  `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
