import { randomFrom } from '../support/random-numbers.ts';

/** What a terminal does without its person asking: the sequences a hostile text would smuggle in, 7-bit. */
const SEQUENCES: readonly string[] = [
  // Titles, icon names, working folder, hyperlinks, notifications, colours of the palette, progress, marks of shells.
  ...['0', '1', '2'].map(kind => `]${kind};pwned`),
  ']4;1;rgb:ff/00/00',
  ']7;file://host/pwned',
  ']8;;http://evil.example/',
  ']9;pwned',
  ']9;4;1;50',
  ']10;#ff0000',
  ']11;?',
  ']104',
  ']133;C',
  ']777;notify;pwned;pwned',
  ']1337;SetUserVar=pwned=cHduZWQ=',
  // Clipboards, written and asked for.
  ']52;c;cHduZWQ=',
  ']52;p;cHduZWQ=',
  ']52;c;?',
  // Device control, application, privacy and start-of-string.
  'Ptmux;\u001b\u001b]52;c;cHduZWQ=\u0007',
  'P$q"p',
  'P+q544e',
  'Pq#0;2;0;0;0~',
  '_Gf=100;pwned',
  '^pwned',
  'Xpwned',
  // Cursor, screen, scroll region, tabs, colours, reports, windows, modes.
  ...['A', '99B', '99C', '99D', 'H', '1;1H', '2J', '3J', 'K', '99L', '99M', '99P', '99@', '99S', '99T', 'Z', '3g'].map(
    rest => `[${rest}`,
  ),
  ...['31m', '7m', '8m', '1;5;7m', '38;2;1;2;3m', '48;5;9m', '4:3m', '58;5;1m', '0m'].map(rest => `[${rest}`),
  ...[
    '1;2r',
    's',
    'u',
    '6n',
    'c',
    '>c',
    '=c',
    '0q',
    '2 q',
    '!p',
    '"p',
    '8;1;1t',
    '21t',
    '22;0t',
    '4i',
    '5i',
    '12l',
  ].map(rest => `[${rest}`),
  ...[1, 3, 5, 6, 7, 12, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1047, 1048, 1049, 2004, 2026].flatMap(mode => [
    `[?${mode}h`,
    `[?${mode}l`,
  ]),
  '[>4;2m',
  '[=1;1u',
  '[>1u',
  // One letter: reset, save, restore, index, next line, tab stop, keypads, character sets, all E.
  ...['c', '7', '8', 'D', 'E', 'H', 'M', 'Z', '=', '>', '(0', ')0', '*0', 'n', 'o', '#8', '%@', '%G', ' F', 'N', 'O'],
];

/** As they come in 8-bit form: the letter behind ESC as one character of C1. */
const eightBit = (sequence: string): string =>
  /^[@-_]/.test(sequence) ? String.fromCharCode(sequence.charCodeAt(0) + 0x40) + sequence.slice(1) : sequence;

const ENDS = ['', '\u0007', '\u001b\\', '\u009c'] as const;

/** Single characters that are no text, one at least of each kind that Unicode and terminals know. */
const CHARACTERS: readonly string[] = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(0x7f + code)),
  ...'\u00ad\u034f\u0600\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f',
  ...'\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064\u2065\u2066\u2069\u206f\u3164\ufe00\ufe0f\ufeff\uffa0',
  ...'\ufff0\ufff9\ufffa\ufffb\ufffe\uffff\ufdd0\ufdef\u{1fffe}\u{10ffff}\u{110bd}\u{1bca0}\u{1d173}\u{e0001}\u{e0041}\u{e0100}',
  ...'\ue000\uf8ff\u{f0000}\u{10fffd}\u0378\u{1ffff}',
  '\ud800',
  '\udfff',
  '\udc00\ud800',
];

/** Text that is no control sequence and yet breaks lines, columns, shells, CSV or JSON where somebody is careless. */
const TEXTS: readonly string[] = [
  '\r\n\r\n',
  'a\rb',
  'a\tb',
  'a\u000bb\u000cc\u0085d',
  '",\r\n"',
  "'; rm -rf ~ #",
  '$(touch pwned)',
  '=HYPERLINK("http://evil.example")',
  '\\u001b]0;pwned\\u0007',
  '%1b]0;pwned%07',
  '&#27;]0;pwned&#7;',
  '\\x1b[2J',
  '\u0300\u0301',
  `a${'\u0300'.repeat(60)}`,
  `${'\u0e49'.repeat(60)}`,
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1f1e9}\u{1f1ea}\u{1f1e9}',
  '\u202e0.0001\u202c',
  '漢字かな交じり文',
  'שלום עולם مرحبا',
  `${'x'.repeat(5000)}`,
  '__proto__',
  'constructor',
  'toString',
  '',
];

/** All there are: each sequence in both forms with each end, each character alone and between text, each text. */
function everything(): readonly string[] {
  const sequences = SEQUENCES.flatMap(sequence =>
    [`\u001b${sequence}`, eightBit(sequence)].flatMap(start => ENDS.map(end => `a${start}${end}b`)),
  );
  return [...sequences, ...CHARACTERS.flatMap(character => [character, `a${character}b`]), ...TEXTS];
}

/**
 * So many hostile strings, every one another: two thirds as listed, and mixtures of them. The same seed gives the same
 * strings.
 */
export function hostileStrings(seed: number, count: number): readonly string[] {
  const random = randomFrom(seed);
  const all = everything();
  const pick = (): string => all[Math.floor(random() * all.length)] ?? '';
  const strings = new Set<string>(['']);
  while (strings.size < count) strings.add(random() < 0.67 ? pick() : [pick(), pick(), pick()].join(''));
  return [...strings];
}
