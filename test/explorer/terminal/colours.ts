/** Colours of SGR parameters, as xterm has them. */
export interface Look {
  readonly foreground?: string;
  readonly background?: string;
  readonly isReversed: boolean;
}

export function looksOf(sgr: string): Look {
  const codes = sgr.split(';').map(Number);
  let look: Look = { isReversed: false };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 7) look = { ...look, isReversed: true };
    if (code === 38 || code === 48) {
      const colour = colourOf(codes[at + 2] ?? 0);
      look = code === 38 ? { ...look, foreground: colour } : { ...look, background: colour };
      at += 2;
    } else if (code >= 30 && code <= 37) look = { ...look, foreground: colourOf(code - 30) };
    else if (code >= 90 && code <= 97) look = { ...look, foreground: colourOf(code - 90 + 8) };
    else if (code >= 40 && code <= 47) look = { ...look, background: colourOf(code - 40) };
  }
  return look;
}

/** The contrast ratio of WCAG: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const SIXTEEN = [
  '#000000',
  '#cd0000',
  '#00cd00',
  '#cdcd00',
  '#0000ee',
  '#cd00cd',
  '#00cdcd',
  '#e5e5e5',
  '#7f7f7f',
  '#ff0000',
  '#00ff00',
  '#ffff00',
  '#5c5cff',
  '#ff00ff',
  '#00ffff',
  '#ffffff',
];

function colourOf(number: number): string {
  if (number < 16) return SIXTEEN[number] ?? '';
  if (number >= 232) return hex([0, 0, 0].map(() => 8 + (number - 232) * 10));
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const place = number - 16;
  return hex([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level));
}

const hex = (parts: readonly number[]): string => `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
