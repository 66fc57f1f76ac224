import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { type BuildOptions, build } from 'esbuild';
import { COMMANDS } from '../src/cli/commands.ts';
import { coldStart } from './cold-start.ts';
import { firstFrames } from './first-frames.ts';
import { inkTable } from './ink-table.ts';
import { takenBuiltins } from './taken-builtins.ts';

const common = {
  write: false,
  bundle: true,
  minify: true,
  platform: 'node',
  // With a node target esbuild turns regular-expression literals into constructors, which costs at each key.
  target: 'esnext',
  charset: 'ascii',
  logLevel: 'warning',
} as const satisfies BuildOptions;

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

// One file to copy anywhere: a stub that draws the first frame, and the program in a comment behind it. As a module of its
// own the program would be parsed at every start (40 ms); the stub takes what was compiled of it before.
const program = await buildProgram();
const closing = '*/\n';
const stub = await build({
  ...common,
  entryPoints: ['build/stub.ts'],
  format: 'iife',
  plugins: [takenBuiltins],
  define: {
    PROGRAM: JSON.stringify({ length: program.text.length, behind: closing.length, build: program.build }),
    SLASHES: JSON.stringify(program.slashes),
    FIRST_FRAMES: JSON.stringify(firstFrames()),
    COMMAND_NAMES: JSON.stringify(Object.keys(COMMANDS)),
  },
});
// Before anything that an older Node does not have.
const guard = `if(!process.getBuiltinModule||!process.getBuiltinModule("node:module").registerHooks){
process.stderr.write("blockglass needs Node 22.21 or newer, this is "+process.version+"\\n");process.exit(2)}`;
await mkdir('dist', { recursive: true });
// In a package of modules the stub would be loaded as one, which takes longer, above all in its threads.
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
await writeFile(
  'dist/blockglass.js',
  `#!/usr/bin/env node\n${guard}\n${stub.outputFiles[0]?.text}/*${program.text}${closing}`,
);
await chmod('dist/blockglass.js', 0o755);

/** The program as a function of the bundle it stands in, fit for a comment: its slashes after stars are blanks. */
async function buildProgram() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['src/main.ts'],
    format: 'iife',
    legalComments: 'none',
    define: {
      'process.env.NODE_ENV': '"production"',
      'import.meta.url': 'bundle.url',
      BLOCKGLASS_VERSION: JSON.stringify(version),
    },
    plugins: [takenBuiltins, coldStart, inkTable],
  });
  const whole = `(bundle => {${outputFiles[0]?.text}})`;
  if (/[^\x00-\x7f]/.test(whole))
    throw new Error('the program is not ASCII: its bytes could not be counted in characters');
  const slashes = Array.from(whole.matchAll(/\*\//g), ({ index }) => index + 1);
  const id = createHash('sha256').update(whole).digest('hex').slice(0, 12);
  return { text: whole.replaceAll('*/', '* '), slashes, build: id };
}
