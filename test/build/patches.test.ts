import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type Patch, patched, patches, readPatches } from '../../build/patches.ts';

const PATCHES = readPatches();

describe.each(PATCHES)('patches/$name', patch => {
  it('applies to the pinned library, and says why it is there, what it gains and whether it was offered', async () => {
    const source = await readFile(`node_modules/${patch.file}`, 'utf8');
    expect(patched(source, patch)).not.toBe(source);
    expect(patch.diff).toMatch(/^Why: .+\n(?:.+\n)*Gains: .+\n(?:.+\n)*Upstream: .+\n/);
  });
});

describe('a patch', () => {
  const patch: Patch = {
    name: 'a.diff',
    file: 'library/index.js',
    diff: 'Why: a test\n\n--- a/library/index.js\n+++ b/library/index.js\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
  };

  it('changes the lines it names', () => {
    expect(patched('one\ntwo\nthree\n', patch)).toBe('one\n2\nthree\n');
  });

  it.each([
    ['the line it takes away', 'one\nTWO\nthree\n'],
    ['a line beside it', 'one\ntwo\nTHREE\n'],
  ])('fails when %s is another', (_, source) => {
    expect(() => patched(source, patch)).toThrow('patches/a.diff does not apply: library/index.js has changed');
  });

  it('fails when its file is in the bundle no more', async () => {
    const input = { contents: 'export default 1;', resolveDir: '.' };
    const bundled = build({
      stdin: input,
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [patches([patch])],
    });
    await expect(bundled).rejects.toThrow('not in the bundle any more, so not patched: library/index.js');
  });
});

describe('patches/string-width.diff', () => {
  it('misses no emoji that the expression it puts off knows', async () => {
    const source = await readFile('patches/string-width.diff', 'utf8');
    const pattern = /^\+const maybeEmojiRegex = \/(.+)\/u;$/m.exec(source)?.[1] ?? '';
    const maybe = new RegExp(pattern, 'u');
    const missed = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter(code => code < 0xd800 || code > 0xdfff)
      .map(code => String.fromCodePoint(code))
      // Sequences have one of these, a keycap (U+20E3), a style (U+FE0F), or a flag, skin tone or tag beyond U+1F000.
      .filter(character => /^\p{RGI_Emoji}$/v.test(character) && !maybe.test(character));
    expect(missed).toEqual([]);
    expect(['\u20e3', '\ufe0f', '\u{1f1e6}', '\u{1f3fb}'].every(part => maybe.test(part))).toBe(true);
    expect(maybe.test('\u00e9\u2500\u65e5')).toBe(false);
  });
});
