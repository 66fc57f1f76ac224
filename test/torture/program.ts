import { mkdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { inkTable } from '../../build/ink-table.ts';

// Packages are taken from node_modules, but for the one that no ES module can load as it is.
const packagesOutside: Plugin = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('ink-table') ? undefined : { path, external: true },
    );
  },
};

/** What tries, as one file: Node alone cannot load components. Removed with `await using`. */
export async function buildTrials() {
  const folder = resolve('node_modules/.cache/blockglass');
  const path = `${folder}/torture-${process.pid}.mjs`;
  const { outputFiles } = await build({
    entryPoints: ['test/torture/trial-process.ts'],
    write: false,
    bundle: true,
    platform: 'node',
    target: 'esnext',
    format: 'esm',
    logLevel: 'warning',
    define: { BLOCKGLASS_VERSION: '"0.0.0"' },
    plugins: [inkTable, packagesOutside],
  });
  await mkdir(folder, { recursive: true });
  for (const { contents } of outputFiles) await writeFile(path, contents);
  return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
