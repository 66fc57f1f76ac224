import { build } from 'esbuild';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { lateStringWidth } from '../../build/late-string-width.ts';

/** What the bundle has for string-width. */
async function bundled(): Promise<typeof stringWidth> {
  const { outputFiles } = await build({
    stdin: { contents: "export { default } from 'string-width';", resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [lateStringWidth],
  });
  const [{ text } = { text: '' }] = outputFiles;
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
}

describe('string-width in the bundle', () => {
  it('The bundled string-width measures every text like the library', async () => {
    const late = await bundled();
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', ' ', '\u001b[1m', '\t', '\n', '流', 'e\u0301', '👩‍👩‍👧', '─') }),
    );
    fc.assert(
      fc.property(texts, text => {
        expect(late(text)).toBe(stringWidth(text));
      }),
    );
  });
});
