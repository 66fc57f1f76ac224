import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { COMMANDS } from '../src/cli/commands.ts';
import { librariesIn, notices } from './libraries.ts';
import { manPage } from './man-page.ts';
import { buildPackage, common } from './program.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
// The files are CommonJS wherever the folder lies: few files load at once, a graph of modules takes 20 ms longer.
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');

const files = await buildPackage(version);

// What `blockglass` on the PATH runs.
await build({
  ...common,
  entryPoints: ['src/start.ts'],
  outfile: 'dist/start.js',
  // Its first lines tell an older Node that it is one.
  target: 'node18',
  external: ['./blockglass.js', './node.js'],
  define: { BLOCKGLASS_COMMANDS: JSON.stringify(Object.keys(COMMANDS)) },
  banner: { js: '#!/usr/bin/env node' },
});
await chmod('dist/start.js', 0o755);

// What an installation holds beside the program.
await writeFile('dist/THIRD-PARTY-LICENSES', notices(librariesIn(files)));
await writeFile('dist/blockglass.1', await manPage(version));
await mkdir('dist/completions');
for (const [shell, name] of Object.entries({ bash: 'blockglass.bash', zsh: '_blockglass', fish: 'blockglass.fish' })) {
  const script = execFileSync(process.execPath, ['dist/blockglass.js', 'completion', shell]);
  await writeFile(`dist/completions/${name}`, script);
}
