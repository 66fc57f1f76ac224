import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { inkTable } from './ink-table.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

// One minified ES module with everything in it; heavy parts are evaluated when first imported.
await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/blockglass.js',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  // With a node target esbuild turns regular-expression literals into constructors, which costs at each key.
  target: 'esnext',
  legalComments: 'none',
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    BLOCKGLASS_VERSION: JSON.stringify(version),
  },
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as blockglassRequire } from 'node:module';\nconst require = blockglassRequire(import.meta.url);",
  },
  alias: { 'react-devtools-core': './build/empty.ts' },
  plugins: [inkTable],
});
