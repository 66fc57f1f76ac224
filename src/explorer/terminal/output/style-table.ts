/** Styles of cells as small numbers: equal styles have equal numbers. 0 is plain. */
export const PLAIN = 0;

/** The style after an SGR sequence with these parameters. Unknown parameters change nothing. */
export function styleAfter(style: number, parameters: string): number {
  const { after } = styleOf(style);
  const known = after.get(parameters);
  if (known !== undefined) return known;
  const found = intern(applied(styleOf(style), parameters.split(';')));
  after.set(parameters, found);
  return found;
}

/**
 * The shortest SGR sequence from one style to another. Attributes are ended by a reset, which every terminal supports. On
 * a background of 256 colours that stays, bold and dim are ended by their own code, since the reset would cost both
 * colours.
 */
export function styleChange(from: number, to: number): string {
  if (from === to) return '';
  const { changes } = styleOf(from);
  const known = changes.get(to);
  if (known !== undefined) return known;
  const change = changed(styleOf(from), styleOf(to));
  changes.set(to, change);
  return change;
}

/** The look of erased cells in this style: terminals that erase with the background colour preserve only that. */
export function erasedStyle(style: number): number {
  const { background } = styleOf(style);
  return background === '' ? PLAIN : intern({ attributes: 0, foreground: '', background });
}

interface Look {
  readonly attributes: number;
  /** SGR parameters; '' for the terminal's own colour. */
  readonly foreground: string;
  readonly background: string;
}

interface Style extends Look {
  readonly after: Map<string, number>;
  readonly changes: Map<number, string>;
}

const PLAIN_STYLE: Style = { attributes: 0, foreground: '', background: '', after: new Map(), changes: new Map() };
const styles: Style[] = [PLAIN_STYLE];
const numbers = new Map([['0//', PLAIN]]);

const styleOf = (style: number): Style => styles[style] ?? PLAIN_STYLE;

function intern({ attributes, foreground, background }: Look): number {
  const key = `${attributes}/${foreground}/${background}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, styles.length);
  return styles.push({ attributes, foreground, background, after: new Map(), changes: new Map() }) - 1;
}

const ATTRIBUTES = [1, 2, 3, 4, 5, 7, 8, 9] as const;
const bitOf = (code: number): number => 1 << code;

// 22 ends both bold and dim; 21 is a double underline in most terminals.
const ENDED: { readonly [code: number]: number } = {
  22: bitOf(1) | bitOf(2),
  23: bitOf(3),
  24: bitOf(4),
  25: bitOf(5),
  27: bitOf(7),
  28: bitOf(8),
  29: bitOf(9),
};

function applied(look: Look, parameters: readonly string[]): Look {
  let { attributes, foreground, background } = look;
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index] ?? '';
    const code = Number.parseInt(parameter || '0', 10);
    if (code === 0) [attributes, foreground, background] = [0, '', ''];
    else if (code === 4 || code === 21)
      attributes = parameter === '4:0' ? attributes & ~bitOf(4) : attributes | bitOf(4);
    else if (code <= 9 && code !== 6) attributes |= bitOf(code);
    else if (ENDED[code] !== undefined) attributes &= ~ENDED[code];
    else if (code === 39) foreground = '';
    else if (code === 49) background = '';
    else if (code === 38 || code === 48) {
      const colour = extendedColour(parameters, index);
      index += colour.split(';').length - 1;
      if (code === 38) foreground = colour;
      else background = colour;
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) foreground = `${code}`;
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) background = `${code}`;
  }
  return { attributes, foreground, background };
}

// 38;5;n and 38;2;r;g;b; with colons it is one parameter.
function extendedColour(parameters: readonly string[], index: number): string {
  if (parameters[index]?.includes(':')) return parameters[index];
  return parameters.slice(index, index + (parameters[index + 1] === '5' ? 3 : 5)).join(';');
}

function changed(from: Look, to: Look): string {
  const isPlain = to.attributes === 0 && to.foreground === '' && to.background === '';
  if (isPlain) return '\u001b[m';
  const isLess =
    (from.attributes & ~to.attributes) !== 0 ||
    (from.foreground !== '' && to.foreground === '') ||
    (from.background !== '' && to.background === '');
  const endsWeight = isLess && losesOnlyWeight(from, to);
  const old = endsWeight ? { ...from, attributes: from.attributes & ~WEIGHT } : isLess ? PLAIN_STYLE : from;
  const codes = [
    ...(endsWeight ? ['22'] : isLess ? ['0'] : []),
    ...ATTRIBUTES.filter(code => (to.attributes & ~old.attributes & bitOf(code)) !== 0),
    ...(to.foreground === old.foreground ? [] : [to.foreground]),
    ...(to.background === old.background ? [] : [to.background]),
  ];
  return `\u001b[${codes.join(';')}m`;
}

const WEIGHT = bitOf(1) | bitOf(2);

const losesOnlyWeight = (from: Look, to: Look): boolean =>
  (from.attributes & ~to.attributes & ~WEIGHT) === 0 &&
  to.foreground !== '' &&
  to.background === from.background &&
  to.background.startsWith('48');
