import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type Patch, patched, patches, readPatches } from '../../build/patches.ts';

const PATCHES = readPatches();

describe.each(PATCHES)('Library patch $name', patch => {
  it('The patch applies to the pinned library and states its reason, gain and upstream status', async () => {
    const source = await readFile(`node_modules/${patch.file}`, 'utf8');
    expect(patched(source, patch)).not.toBe(source);
    expect(patch.diff).toMatch(/^Why: .+\n(?:.+\n)*Gains: .+\n(?:.+\n)*Upstream: .+\n/);
  });
});

describe('Patch application', () => {
  const patch: Patch = {
    name: 'a.diff',
    file: 'library/index.js',
    diff: 'Why: a test\n\n--- a/library/index.js\n+++ b/library/index.js\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
  };

  it('A patch changes only the lines in its diff', () => {
    expect(patched('one\ntwo\nthree\n', patch)).toBe('one\n2\nthree\n');
  });

  it.each([
    ['the line it takes away', 'one\nTWO\nthree\n'],
    ['a line beside it', 'one\ntwo\nTHREE\n'],
  ])('A patch fails to apply if %s has changed', (_, source) => {
    expect(() => patched(source, patch)).toThrow('patches/a.diff does not apply: library/index.js has changed');
  });

  it('A patch fails if its file is no longer in the bundle', async () => {
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
