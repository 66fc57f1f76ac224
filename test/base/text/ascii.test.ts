import { describe, expect, it } from 'vitest';
import { asciiText } from '../../../src/base/text/ascii.ts';
import { sourceFiles } from '../../structure/source.ts';

/** What stands for a character of somebody else's text that cannot be shown: `?` says the same. */
const FOR_A_CHARACTER = ['\u240a', '\u2421', '\ufffd', '\u25cc', '\u202e', '\u2009', '\u202f', '\u2062'];

/** Read, and never drawn: a microsecond's letter. */
const READ = ['\u00b5', '\u03bc'];

/** What ink-table draws with. */
const BOX = '┌┬┐├┼┤└┴┘│─';

/** What is read of the terminal. */
const NOT_DRAWN = ['explorer/terminal/input/input-grammar.ts'];

const DRAWING = /^(?:ui|explorer|session|insight|explain|export|what|resources|text|directory)\//;

/** Every character beyond ASCII in what the program writes itself: as such, or by its number. */
async function glyphs(): Promise<readonly string[]> {
  const files = (await sourceFiles()).filter(({ path }) => DRAWING.test(path) && !NOT_DRAWN.includes(path));
  const literals = files.flatMap(({ text }) =>
    [...text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').matchAll(/'[^'\n]*'|`[^`]*`/g)].map(([literal]) => literal),
  );
  const named = literals.flatMap(literal =>
    [...literal.matchAll(/\\u([0-9a-f]{4})/g)].map(([, digits = '']) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    ),
  );
  const written = literals.flatMap(literal => [...literal.matchAll(/[^\x00-\x7f]/gu)].map(([glyph]) => glyph));
  return [...new Set([...named, ...written, ...BOX])].filter(glyph => glyph > '\u007f');
}

describe('ASCII characters', () => {
  it('ASCII mode has its own replacement for each character that the program draws with', async () => {
    const drawn = await glyphs();
    expect(drawn.length).toBeGreaterThan(20);
    const lost = drawn.filter(
      glyph => ![...FOR_A_CHARACTER, ...READ].includes(glyph) && asciiText(`${glyph} `).includes('?'),
    );
    expect(lost.map(glyph => `${glyph} \\u${glyph.charCodeAt(0).toString(16)}`)).toEqual([]);
  });

  it('ASCII mode distinguishes a folded branch, an open one and a rule', () => {
    expect(asciiText('▸▾│')).toBe('+-|');
  });
});
