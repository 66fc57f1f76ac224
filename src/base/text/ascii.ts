import { clusters } from './clusters.ts';
import { sanitize } from './safe-text.ts';
import { widthCells } from './width.ts';

/** The text in ASCII, in as many cells: marks and line art by what looks like them, anything else by `?`. */
export const asciiText = (text: string): string => text.replace(NOT_ASCII, toAscii);

// A character with the marks on it, so that it takes as many cells as before.
const NOT_ASCII = /[\x20-\x7e]?[^\x00-\x7f]+ ?/gu;

const ASCII: { readonly [glyph: string]: string } = {
  '…': '~',
  '─': '-',
  '│': '|',
  '▸': '+',
  '▾': '-',
  '▲': '^',
  '▼': 'v',
  '━': '=',
  '╸': '-',
  '┊': ':',
  '·': '.',
  '█': '#',
  '▓': '+',
  '▒': '=',
  '░': '-',
  '▉': '#',
  '▊': '#',
  '▋': '#',
  '▌': '#',
  '▍': '-',
  '▎': '-',
  '▏': '-',
  '▇': '#',
  '▆': '#',
  '▅': '+',
  '▄': '+',
  '▃': '+',
  '▂': '_',
  '▁': '_',
  '▀': '+',
  '▔': '-',
  '┌': '+',
  '┬': '+',
  '┐': '+',
  '├': '+',
  '┼': '+',
  '┤': '+',
  '└': '+',
  '┴': '+',
  '⠖': '|',
  '⠲': '/',
  '⠴': '-',
  '⠦': '\\',
  '┘': '+',
};

function toAscii(text: string): string {
  const drawn = [...clusters(text)].map(({ segment }) =>
    /^(?:[\x20-\x7e]|[\u2264\u2265])$/.test(segment) ? segment : asciiOf(segment),
  );
  // Two cells replace two: the space after the sign is removed. Half of a sign would have another meaning.
  return drawn
    .join('')
    .replaceAll('≥ ', '>=')
    .replaceAll('≤ ', '<=')
    .replace(/[\u2264\u2265]/g, '?');
}

const asciiOf = (segment: string): string =>
  (Object.hasOwn(ASCII, segment) ? ASCII[segment] : undefined) ?? '?'.repeat(widthCells(sanitize(segment)));
