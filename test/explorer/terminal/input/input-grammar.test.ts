import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputDecoder } from '../../../../src/explorer/terminal/input/bytes-to-text.ts';
import { InputGrammar, type InputToken } from '../../../../src/explorer/terminal/input/input-grammar.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs } from '../../../support/runs.ts';

const ESC = '\u001b';

/** Bytes: UTF-8, but for characters that are written as one byte of 8 bits each. */
const bytesOf = (text: string, raw = false): Uint8Array => Buffer.from(text, raw ? 'latin1' : 'utf8');

/** What the program is told, with text that follows text joined; `|` is a silence. */
function heard(pieces: readonly (Uint8Array | '|')[]) {
  const decoder = new InputDecoder();
  const grammar = new InputGrammar();
  const tokens: InputToken[] = [];
  for (const piece of pieces) {
    const next = piece === '|' ? grammar.lapse() : grammar.push(decoder.decode(piece));
    for (const token of next) {
      const last = tokens.at(-1);
      if (token.kind === 'text' && last?.kind === 'text')
        tokens[tokens.length - 1] = { kind: 'text', text: last.text + token.text };
      else tokens.push(token);
    }
  }
  return { tokens, keys: tokens.map(spelt).join(''), grammar };
}

function spelt(token: InputToken): string {
  switch (token.kind) {
    case 'text':
      return token.text;
    case 'key':
      return `<${token.sequence.replaceAll(ESC, 'ESC ')}>`;
    case 'paste':
      return `{${token.text}}`;
    case 'background':
    case 'attributes':
      return '';
  }
}

const keysOf = (...pieces: readonly string[]): string =>
  heard(pieces.map(piece => (piece === '|' ? piece : bytesOf(piece)))).keys;

const repliesOf = (...pieces: readonly string[]): readonly string[] =>
  heard(pieces.map(piece => (piece === '|' ? piece : bytesOf(piece)))).tokens.flatMap(token =>
    token.kind === 'background' ? [token.background] : token.kind === 'attributes' ? ['attributes'] : [],
  );

/** What terminals and what is between have been seen to send unasked, or late. */
const REPLIES: readonly string[] = [
  `${ESC}]11;rgb:1e1e/1e1e/1e1e${ESC}\\`,
  `${ESC}]11;rgb:ffff/ffff/ffff\u0007`,
  `${ESC}]10;rgb:0/0/0${ESC}\\`,
  `${ESC}]4;1;rgb:cd/0/0\u0007`,
  `${ESC}]52;c;aGVsbG8=${ESC}\\`,
  `${ESC}]l\u6f22\u5b57 title\u271c${ESC}\\`,
  `${ESC}P>|tmux 3.3a${ESC}\\`,
  `${ESC}P1$r0 q${ESC}\\`,
  `${ESC}P1+r5463=1b${ESC}\\`,
  `${ESC}P!|00000000${ESC}\\`,
  `${ESC}_Gi=31;OK${ESC}\\`,
  `${ESC}^private message${ESC}\\`,
  `${ESC}Xstart of string${ESC}\\`,
  `${ESC}[?62;22c`,
  `${ESC}[?1;2c`,
  `${ESC}[>41;330;0c`,
  `${ESC}[0n`,
  `${ESC}[?2026;2$y`,
  `${ESC}[4;2$y`,
  `${ESC}[8;24;80t`,
  `${ESC}[4;600;800t`,
  `${ESC}[I`,
  `${ESC}[O`,
  `${ESC}[?997;1n`,
  `${ESC}[?1u`,
  `${ESC}[97;1:3u`,
  `${ESC}[1;1:3A`,
  `${ESC}[201~`,
  // The mouse, left on by another program.
  `${ESC}[<0;12;5M`,
  `${ESC}[<0;12;5m`,
  `${ESC}[<81;300;99M`,
  `${ESC}[M ,%`,
  `${ESC}[6;2R`,
  `${ESC}[24;80R`,
];

const TYPED = ['j', 'G', ' ', '\r', '\t', '\u007f', '\u0015', '\u6f22', '\u00e9', '\u{1f680}', ']', 'P', 'm', ';'];
const KEYS = [
  ...[`${ESC}[A`, `${ESC}[1;5C`, `${ESC}[15~`, `${ESC}[3~`, `${ESC}[Z`, `${ESC}[H`, `${ESC}[[A`, `${ESC}[3$`],
  ...[`${ESC}OP`, `${ESC}OM`, `${ESC}x`, `${ESC}\u007f`, `${ESC}\u6f22`, `${ESC}[97;5u`, `${ESC}${ESC}[A`],
];
const PASTES = ['plain', `with ${ESC}[6;2R, ${ESC}]0;x\u0007 and\r\nlines`, '\u6f22', ''].map(
  text => `${ESC}[200~${text}${ESC}[201~`,
);

const INTRODUCERS = [
  ['[', '\u009b'],
  ['O', '\u008f'],
  [']', '\u009d'],
  ['P', '\u0090'],
  ['_', '\u009f'],
  ['^', '\u009e'],
  ['X', '\u0098'],
] as const;

/** A sequence of any family, of 7 or 8 bits, that is no key, as bytes. */
const anyForeign = fc.oneof(
  fc.constantFrom(...REPLIES).map(text => bytesOf(text)),
  fc
    .record({
      family: fc.constantFrom(...INTRODUCERS.slice(2)),
      form: fc.constantFrom('7 bits', 'one byte', 'one character'),
      content: fc.string({ unit: fc.constantFrom(...'019;:rgb/?>= |\r\n\t\u271c\u6f22\u00e9'), maxLength: 12 }),
      end: fc.constantFrom(`${ESC}\\`, '\u0007', 'st'),
    })
    .map(({ family: [seven, eight], form, content, end }) =>
      Buffer.concat([
        form === '7 bits' ? bytesOf(`${ESC}${seven}`) : bytesOf(eight, form === 'one byte'),
        bytesOf(content),
        end === 'st' ? bytesOf('\u009c', form === 'one byte') : bytesOf(end),
      ]),
    ),
  fc
    .record({
      form: fc.constantFrom('7 bits', 'one byte', 'one character'),
      prefix: fc.constantFrom('?', '>', '=', '<'),
      parameters: fc.string({ unit: fc.constantFrom(...'0123456789;:'), maxLength: 8 }),
      between: fc.constantFrom('', ' ', '$', '"', "'"),
      final: fc.constantFrom(...'@ABCRSZ^cmnqtuxy{|}~'),
    })
    .map(({ form, prefix, parameters, between, final }) =>
      Buffer.concat([
        form === '7 bits' ? bytesOf(`${ESC}[`) : bytesOf('\u009b', form === 'one byte'),
        bytesOf(`${prefix}${parameters}${between}${final}`),
      ]),
    ),
  fc.constantFrom(`${ESC}OI`, `${ESC}Op`, `${ESC}O `, `${ESC}Ox`).map(text => bytesOf(text)),
);

const anyKey = fc.constantFrom(...TYPED, ...KEYS, ...PASTES).map(text => bytesOf(text));

describe('Terminal sequences that are not keys', () => {
  it.each(REPLIES)('The input grammar ignores %j', sequence => {
    expect(keysOf(`j${sequence}k`)).toBe('jk');
  });

  it('The input grammar leaves keys intact around a sequence, whatever its family, position and splits', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anyKey.map(bytes => ({ bytes, isKey: true })),
            anyForeign.map(bytes => ({ bytes, isKey: false })),
          ),
          { maxLength: 10 },
        ),
        fc.array(fc.nat(200)),
        fc.boolean(),
        (pieces, cuts, isBytewise) => {
          const all = Buffer.concat(pieces.map(({ bytes }) => bytes));
          const own = Buffer.concat(pieces.filter(({ isKey }) => isKey).map(({ bytes }) => bytes));
          const places = isBytewise
            ? [...all.keys()]
            : [...new Set(cuts.map(cut => Math.min(cut, all.length)))].toSorted((a, b) => a - b);
          const chunks = [0, ...places].map((from, index) => all.subarray(from, places[index]));
          const { keys, grammar } = heard(chunks);
          expect(keys).toBe(heard([own]).keys);
          expect(grammar.waiting).toBe('nothing');
        },
      ),
      { numRuns: runs(1500, 20_000) },
    );
  });

  it('The input grammar returns keys and replies in order', () => {
    expect(heard([bytesOf(`j${ESC}[?6ck`)]).tokens).toEqual([
      { kind: 'text', text: 'j' },
      { kind: 'attributes' },
      { kind: 'text', text: 'k' },
    ]);
  });

  it('The input grammar consumes a sequence by whole characters, and leaves no half as a key', () => {
    for (const text of [`${ESC}[M \u{1f680}\u{1f680}j`, `${ESC}[M\u{1f680}\u{1f680}\u{1f680}j`])
      for (const [cut] of text.split('').entries()) expect(keysOf(text.slice(0, cut), text.slice(cut))).toMatch(/j$/);
  });

  it('The input grammar ends a sequence when another input comes, and that input counts', () => {
    expect(keysOf(`${ESC}[<0;12${ESC}[A`)).toBe('<ESC [A>');
    expect(keysOf(`${ESC}]11;rgb:00${ESC}[A`)).toBe('<ESC [A>');
    expect(keysOf(`${ESC}]11;rgb:00`, '\u0003')).toBe('\u0003');
    expect(keysOf(`${ESC}[12;`, '\u0003')).toBe('\u0003');
    expect(keysOf(`${ESC}[<0;12\r`)).toBe('\r');
    expect(keysOf(`${ESC}]11;rgb\u0018j`)).toBe('j');
    expect(keysOf(`${ESC}[<Mj`)).toBe('j');
  });

  it('The input grammar drops a sequence whose end never comes, and loses no key after the silence', () => {
    for (const begun of [`${ESC}[<0;12`, `${ESC}[12;`, `${ESC}]11;rgb`, `${ESC}P1$`, '\u009b', '\u009d', `${ESC}[M `])
      expect(keysOf(begun, '|', 'j', 'k')).toBe('jk');
  });

  it('The input grammar does not turn the late rest of a sequence into keys', () => {
    for (const sequence of REPLIES)
      for (let cut = 1; cut < sequence.length - 1; cut++) {
        // Nothing tells that a key was none when it stands alone.
        const first = keysOf(sequence.slice(0, cut), '|');
        expect(keysOf(sequence.slice(0, cut), '|', sequence.slice(cut), 'j'), `${sequence} cut at ${cut}`).toBe(
          `${first}j`,
        );
      }
  });

  it('The input grammar does not swallow what a person types after Esc', () => {
    expect(keysOf(ESC, '|', ']', '1', '1', ';', 'j')).toBe('<ESC [27u>]11;j');
    expect(keysOf(ESC, '|', 'jk')).toBe('<ESC [27u>jk');
    expect(keysOf(ESC, '|', '|', '[A')).toBe('<ESC [27u>[A');
    expect(keysOf(ESC, '|', ESC, '|')).toBe('<ESC [27u><ESC [27u>');
  });

  it('The input grammar never throws, and invents no text', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 3 }),
      fc.constantFrom(ESC, '[', '<', 'M', 'R', ';', '1', '200~', '|', ']', '\u009d', '\u009c'),
    );
    fc.assert(
      fc.property(fc.array(piece), chunks => {
        const { tokens } = heard(chunks.map(chunk => (chunk === '|' ? chunk : bytesOf(chunk))));
        const left = [...chunks.join('')];
        for (const token of tokens)
          for (const character of token.kind === 'text' || token.kind === 'paste' ? token.text : '') {
            const at = left.indexOf(character);
            expect(at).toBeGreaterThanOrEqual(0);
            left.splice(0, at + 1);
          }
      }),
    );
  });
});

describe('Keys in the input grammar', () => {
  it.each([
    [ESC, '<ESC [27u>'],
    [`${ESC}${ESC}`, '<ESC [27u><ESC [27u>'],
    [`${ESC}[`, '<ESC [91;3u>'],
    [`${ESC}O`, '<ESC [79;3u>'],
    [`${ESC}]`, '<ESC ]>'],
    [`${ESC}P`, '<ESC P>'],
    [`${ESC}${ESC}]`, '<ESC [27u><ESC ]>'],
  ])('The input grammar returns a key that may begin a sequence when nothing follows: %j', (begun, key) => {
    expect(heard([bytesOf(begun)]).grammar.waiting).toBe('key');
    expect(keysOf(begun)).toBe(begun.startsWith(`${ESC}${ESC}]`) ? '<ESC [27u>' : '');
    expect(keysOf(begun, '|')).toBe(key);
    expect(keysOf(begun, '|', 'j')).toBe(`${key}j`);
  });

  it.each([
    ['\u009bA', '<ESC [A>'],
    ['\u008fP', '<ESC OP>'],
    ['\u009b3~', '<ESC [3~>'],
  ])('The input grammar treats an 8-bit key as the 7-bit one: %j', (text, key) => {
    expect(heard([bytesOf(text, true)]).keys).toBe(key);
    expect(keysOf(text)).toBe(key);
  });

  it('The input grammar does not lose a key before a reply', () => {
    expect(keysOf(`${ESC}${ESC}]11;rgb:0/0/0${ESC}\\`)).toBe('<ESC [27u>');
    expect(keysOf(`${ESC}${ESC}[6;2R`)).toBe('<ESC [27u>');
  });

  it('The input grammar reads text in every language, though its bytes are 8-bit controls elsewhere', () => {
    const text = '\u271c\u6f22\u00db\u{1f39b}\u1f9b';
    expect(heard([...bytesOf(text)].map(byte => Uint8Array.of(byte))).keys).toBe(text);
    expect(heard([Uint8Array.of(0xe9, 0x6a, 0xff, 0xc0)]).keys).toBe('\ufffdj\ufffd\ufffd');
  });
});

describe('Bracketed paste', () => {
  it('A bracketed paste is one paste, whatever is in it and wherever it is split', () => {
    const paste = `${ESC}[200~a${ESC}[20b\u0003${ESC}[A\r\n\u6f22${ESC}[201~`;
    for (let cut = 0; cut <= paste.length; cut++)
      expect(keysOf(`j${paste.slice(0, cut)}`, `${paste.slice(cut)}k`)).toBe(`j{a${ESC}[20b\u0003${ESC}[A\r\n\u6f22}k`);
  });

  it('A bracketed paste without its end is pasted as far as it arrived, and keys are keys again', () => {
    expect(keysOf(`${ESC}[200~lost`, '|', 'q', ESC, '|', `${ESC}[B`)).toBe('{lost}q<ESC [27u><ESC [B>');
  });

  it('A bracketed paste ends at Ctrl-C', () => {
    expect(keysOf(`${ESC}[200~lost`, '\u0003')).toBe('{lost}\u0003');
    expect(keysOf(`${ESC}[200~lost`, '\u001c')).toBe('{lost}\u001c');
    expect(keysOf(`${ESC}[200~lost\u0003q`, '|')).toBe('{lost\u0003q}\u0003');
  });

  it('A bracketed paste continues when its rest comes late, and the rest is not a key', () => {
    expect(keysOf(`${ESC}[200~begin,`, '|', `rest\rq${ESC}[201~`, 'j')).toBe('{begin,}{rest\rq}j');
    expect(keysOf(`${ESC}[200~begin,`, '|', 'a longer part', `\rq${ESC}[201~`, 'j')).toBe(
      '{begin,}{a longer part\rq}j',
    );
    expect(keysOf(`${ESC}[200~begin,`, '|', 'j', `${ESC}[201~`, 'k')).toBe('{begin,}jk');
  });
});

describe('Replies of a terminal', () => {
  it.each([
    [[`${ESC}]11;rgb:0000/2b2b/3636${ESC}\\`], ['dark']],
    [[`${ESC}]11;rgb:fdfd/f6f6/e3e3\u0007`], ['light']],
    [[`${ESC}]11;rgba:ffff/ffff/ffff/8000\u0007`], ['light']],
    [[`${ESC}]11;rgb:0/0/0${ESC}`, '\\'], ['dark']],
    [[`\u009d11;rgb:ff/ff/ff\u009c`], ['light']],
    [
      [`${ESC}]11;rgb:00`, '00/0000/0000\u0007', `${ESC}[?64;1;9c`],
      ['dark', 'attributes'],
    ],
    // Its end comes after a silence.
    [[`${ESC}]11;rgb:0000/0000/`, '|', `0000${ESC}\\`], ['dark']],
    [[`${ESC}]10;rgb:0000/0000/0000\u0007`], []],
    [[`${ESC}]11;rgb:0000/0000\u0007`], []],
    [[`${ESC}]11;rgb:zzzz/0000/0000\u0007`], []],
    [[`${ESC}]11;rgb:00000/0000/0000\u0007`], []],
    [[`${ESC}P11;rgb:0000/0000/0000${ESC}\\`], []],
    [[`${ESC}]11;rgb:0000/0000/0000\u0018`], []],
    [[`${ESC}[?1;2c`], ['attributes']],
    [[`${ESC}[>0;276;0c`], []],
  ] as const)('Of %j the replies are %j, and nothing of it is typed', (pieces, replies) => {
    expect(repliesOf(...pieces)).toEqual(replies);
    expect(keysOf(...pieces)).toBe('');
  });

  it('Keys typed before and behind a reply are keys', () => {
    expect(keysOf(`j${ESC}]11;rgb:0000/0000/0000${ESC}\\${ESC}[?6ck${ESC}[A`)).toBe('jk<ESC [A>');
  });
});
