import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type BuildOptions, build } from 'esbuild';
import { TAB_IDS } from '../src/session/model/tabs.ts';
import { firstFrames } from './first-frames.ts';
import { librariesIn, notices } from './libraries.ts';
import { manPage } from './man-page.ts';
import { patches } from './patches.ts';
import { programUrl } from './program-url.ts';
import { yogaWasm } from './yoga-wasm.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // With a node target esbuild turns regular-expression literals into constructors, which costs at each key.
  target: 'esnext',
  logLevel: 'warning',
} as const satisfies BuildOptions;

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
// The files are CommonJS wherever the folder lies: one file loads at once, a graph of modules takes 20 ms longer.
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');

// The program, for whatever loads a file: Node, a debugger, the making of an executable.
const { metafile } = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/blockglass.js',
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // What they say is in the notices.
  legalComments: 'none',
  metafile: true,
  plugins: [patches(), yogaWasm],
  banner: { js: programUrl() },
  define: {
    'process.env.NODE_ENV': '"production"',
    'import.meta.url': 'programUrl',
    BLOCKGLASS_VERSION: JSON.stringify(version),
    BLOCKGLASS_TABS: JSON.stringify(TAB_IDS),
  },
});

// What `blockglass` on the PATH runs, and what it shows before the program is loaded.
await writeFile('dist/first-frames.json', `${JSON.stringify(firstFrames(), null, 1)}\n`);
await build({
  ...common,
  entryPoints: ['src/start.ts'],
  outfile: 'dist/start.js',
  // Its first lines tell an older Node that it is one.
  target: 'node18',
  external: ['./blockglass.js', './first-frames.json'],
  banner: { js: '#!/usr/bin/env node' },
});
await chmod('dist/start.js', 0o755);

// What an installation holds beside the program.
await writeFile('dist/THIRD-PARTY-LICENSES', notices(librariesIn(metafile)));
await writeFile('dist/blockglass.1', await manPage(version));
await mkdir('dist/completions');
for (const [shell, name] of Object.entries({ bash: 'blockglass.bash', zsh: '_blockglass', fish: 'blockglass.fish' })) {
  const script = execFileSync(process.execPath, ['dist/blockglass.js', 'completion', shell]);
  await writeFile(`dist/completions/${name}`, script);
}
