import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { COMMANDS } from '../src/cli/commands.ts';
import { coldStart } from './cold-start.ts';
import { firstFrames } from './first-frames.ts';
import { inkTable } from './ink-table.ts';
import { requiredBuiltins } from './required-builtins.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

// One ES module file to copy anywhere. Parsing all of it would cost 40 ms at every start, so esbuild cuts it where the
// program imports lazily; the parts stand in one comment behind the stub, which takes each out when it is imported.
const { outputFiles } = await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  write: false,
  splitting: true,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  // With a node target esbuild turns regular-expression literals into constructors, which costs at each key.
  target: 'esnext',
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
  chunkNames: '[hash]',
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    BLOCKGLASS_VERSION: JSON.stringify(version),
  },
  alias: { 'react-devtools-core': './build/empty.ts' },
  plugins: [requiredBuiltins, coldStart, inkTable],
});

const parts = outputFiles.map(({ path, text }) => {
  if (/[^\x00-\x7f]/.test(text)) throw new Error(`${path} is not ASCII: its bytes could not be counted in characters`);
  return { name: basename(path), text: text.replaceAll('*/', '*\u0001/') };
});
const behind = parts.map(({ text }) => text).join('');
const closing = '*/\n';
let fromEnd = behind.length + closing.length;
const index = Object.fromEntries(
  parts.map(({ name, text }) => {
    const place = [fromEnd, text.length];
    fromEnd -= text.length;
    return [name, place];
  }),
);
const stub = await build({
  entryPoints: ['build/stub.ts'],
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'esnext',
  charset: 'ascii',
  define: {
    PARTS: JSON.stringify(index),
    FIRST_FRAMES: JSON.stringify(firstFrames()),
    COMMAND_NAMES: JSON.stringify(Object.keys(COMMANDS)),
  },
});

await mkdir('dist', { recursive: true });
await writeFile('dist/blockglass.js', `#!/usr/bin/env node\n${stub.outputFiles[0]?.text}/*${behind}${closing}`);
await chmod('dist/blockglass.js', 0o755);
