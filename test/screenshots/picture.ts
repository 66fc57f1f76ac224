import { DARK, type Look, type Palette } from './palette.ts';
import { type Backdrop, backdrops, type TextRun, textRuns } from './runs.ts';
import type { Shot } from './shot.ts';

export interface Caption {
  /** In the bar above the screen: what was typed in a shell. */
  readonly bar: string;
  /** What is shown, for whoever cannot see it. */
  readonly about: string;
  /** The colours of the terminal; dark without it. */
  readonly palette?: Palette;
}

// A character of the fonts below is 0.6 em wide or nearly so.
const FONT_SIZE = 15;
const CELL = { width: 9, height: 17, baseline: 13 } as const;
const MARGIN = 12;
const BAR_HEIGHT = 32;

/** Fonts that are there where a picture is looked at: Apple's, Windows', Linux'. */
const FONTS = `ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace`;

/** A screen as an SVG of a terminal window, in which text is text. */
export const pictureOf = (shot: Shot, caption: Caption): string =>
  windowAround(sizeOf(shot), caption, drawShot(shot, caption.palette));

interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const sizeOf = (shot: Shot): Size => ({ columns: shot[0]?.length ?? 0, rows: shot.length });

/** The window, with what is drawn in its place; `rules` are style sheet rules of one's own. */
export function windowAround(
  { columns, rows }: Size,
  { bar, about, palette = DARK }: Caption,
  drawn: readonly string[],
  rules: readonly string[] = [],
): string {
  const [width, height] = [columns * CELL.width + 2 * MARGIN, rows * CELL.height + BAR_HEIGHT + 2 * MARGIN];
  const dots = ['#f47067', '#d9a63c', '#57c26a'].map(
    (fill, index) => `<circle cx="${20 + index * 20}" cy="${BAR_HEIGHT / 2}" r="5.5" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">`,
    `<title>${escaped(about)}</title>`,
    '<style>',
    `text{font-family:${FONTS};font-size:${FONT_SIZE}px;fill:${palette.foreground};white-space:pre}`,
    '.b{font-weight:bold}.u{text-decoration:underline}.bar{font-size:13px;text-anchor:middle}',
    ...rules,
    '</style>',
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${palette.background}" stroke="${palette.frame}"/>`,
    `<path d="M1 ${BAR_HEIGHT}V8.5A7.5 7.5 0 0 1 8.5 1H${width - 8.5}A7.5 7.5 0 0 1 ${width - 1} 8.5V${BAR_HEIGHT}Z" fill="${palette.bar}"/>`,
    ...dots,
    `<text class="bar" x="${width / 2}" y="${BAR_HEIGHT / 2 + 4.5}">${escaped(bar)}</text>`,
    `<g transform="translate(${MARGIN} ${BAR_HEIGHT + MARGIN})">`,
    ...drawn,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The elements of a screen, its top left corner at 0, 0. */
export const drawShot = (shot: Shot, palette: Palette = DARK): readonly string[] =>
  shot.flatMap((row, index) => [
    ...backdrops(row, palette).map(run => drawBackdrop(run, index)),
    ...textRuns(row, palette).map(run => drawText(run, index, palette)),
  ]);

const drawBackdrop = ({ column, cells, colour }: Backdrop, row: number): string =>
  `<rect x="${column * CELL.width}" y="${row * CELL.height}" width="${cells * CELL.width}" height="${CELL.height}" fill="${colour}"/>`;

// A length is given to each: in whatever font, it ends where its last cell ends.
function drawText({ column, cells, text, look }: TextRun, row: number, palette: Palette): string {
  const place = `x="${column * CELL.width}" y="${row * CELL.height + CELL.baseline}"`;
  const length = `textLength="${cells * CELL.width}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place} ${length}${attributesOf(look, palette)}>${escaped(text)}</text>`;
}

function attributesOf({ colour, isBold, isUnderlined }: Look, { foreground }: Palette): string {
  const classes = [...(isBold ? ['b'] : []), ...(isUnderlined ? ['u'] : [])].join(' ');
  return `${classes === '' ? '' : ` class="${classes}"`}${colour === foreground ? '' : ` style="fill:${colour}"`}`;
}

const ENTITIES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text as XML has it; what may not stand there becomes the mark for what cannot be shown. */
function escaped(text: string): string {
  return text
    .replace(/[&<>]/g, character => ENTITIES[character] ?? character)
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
