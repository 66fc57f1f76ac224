import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import { writeProgramHelp } from '../src/cli/commands.ts';
import { TAB_IDS } from '../src/explorer/tabs.ts';
import { compiledWithFile } from './compiled-with-file.ts';
import { inkTable } from './ink-table.ts';
import { lateBuiltins } from './late-builtins.ts';
import { lateStringWidth } from './late-string-width.ts';
import { patches } from './patches.ts';
import { yogaWasm } from './yoga-wasm.ts';

export const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // With a node target esbuild turns regular-expression literals into constructors, which costs at each key.
  target: 'esnext',
  logLevel: 'warning',
} as const satisfies BuildOptions;

const compact = {
  ...common,
  minify: true,
  // What they say is in the notices.
  legalComments: 'none',
  metafile: true,
  inject: ['build/late-intl.ts'],
  define: { 'Intl.ListFormat': 'LateListFormat', 'Intl.Segmenter': 'LateSegmenter' },
} as const satisfies BuildOptions;

/** One copy for all that use it, the newest, also for chalk, which has its own: each copy takes time to load. */
const ansiStyles: Plugin = {
  name: 'ansi-styles',
  setup({ onResolve }) {
    const path = fileURLToPath(import.meta.resolve('ansi-styles'));
    onResolve({ filter: /^(?:#|\.\/vendor\/)?ansi-styles(?:\/index\.js)?$/ }, () => ({ path }));
  },
};

/** Libraries that no first frame needs, and their files beside the program: without them it is loaded 2 ms sooner. */
const LATER: { readonly [library: string]: string } = {
  '@noble/curves/secp256k1.js': 'noble-secp256k1',
  '@noble/hashes/sha3.js': 'noble-sha3',
  conf: 'conf',
  got: 'got',
  socks: 'socks',
};

const laterLibraries: Plugin = {
  name: 'later-libraries',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      const name = LATER[path];
      return name === undefined ? null : { path: `./libraries/${name}.js`, external: true };
    });
  },
};

/** Parts that the first frame does without: each is a file of its own beside the program, and they share one another. */
const LATE_PARTS: { readonly [file: string]: string } = {
  answers: 'src/answers/index.ts',
  audit: 'src/answers/audit/index.ts',
  node: 'src/node/index.ts',
  report: 'src/answers/report/index.ts',
  snapshots: 'src/memory/snapshots/index.ts',
};

const fileOfPart = new Map(Object.entries(LATE_PARTS).map(([name, from]) => [resolve(from), `./${name}.js`]));

const lateParts: Plugin = {
  name: 'late-parts',
  setup({ onResolve }) {
    onResolve({ filter: /\/index\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = fileOfPart.get(resolve(resolveDir, path));
      return kind === 'entry-point' || file === undefined ? null : { path: file, external: true };
    });
  },
};

/** What runs in a process of its own, started from a file. */
const CHILDREN: { readonly [file: string]: string } = { engine: 'src/answers/engine/engine-child.ts' };

// Threads are made of the program; its sources know where it is as `import.meta.url`, which CommonJS has not.
const PROGRAM_URL =
  'const programUrl = require("node:url").pathToFileURL(require("node:path").join(__dirname, "blockglass.js")).href;';

interface Part {
  readonly from: string;
  readonly to: string;
}

async function buildPart(version: string, { from, to }: Part, plugins: readonly Plugin[]): Promise<Metafile> {
  const help = await writeProgramHelp();
  const { metafile, outputFiles } = await build({
    ...compact,
    ...{ minify: false, minifySyntax: true, minifyIdentifiers: true },
    entryPoints: [from],
    outfile: to,
    write: false,
    sourcemap: 'inline',
    sourcesContent: false,
    plugins: [ansiStyles, ...plugins],
    // What is loaded later is required: by an import Node would not find the names of a library that lies beside it.
    // The oldest Node that is supported has no `using`.
    supported: { 'dynamic-import': false, using: false },
    // Too large to pack: who asks questions installs it beside the program.
    external: ['@duckdb/node-api'],
    banner: { js: PROGRAM_URL },
    define: {
      ...compact.define,
      'process.env.NODE_ENV': '"production"',
      'import.meta.url': 'programUrl',
      BLOCKGLASS_VERSION: JSON.stringify(version),
      BLOCKGLASS_TABS: JSON.stringify(TAB_IDS),
      BLOCKGLASS_HELP: JSON.stringify(help),
    },
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error(`${from} was built into nothing`);
  const { code, map } = await transform(compiledWithFile(bundle.text), {
    minifyWhitespace: true,
    legalComments: 'none',
    target: common.target,
    // It goes on with the one that the bundle ends with.
    sourcemap: 'external',
    sourcesContent: false,
  });
  await writeFile(to, `${code}//# sourceMappingURL=${basename(to)}.map\n`);
  await writeFile(`${to}.map`, map);
  return metafile;
}

/** The program as it is packed; resolves with what is in each of its files. */
export async function buildPackage(version: string): Promise<readonly Metafile[]> {
  const whole = { from: 'src/main.ts', to: 'dist/blockglass.js' };
  const program = await buildPart(version, whole, [
    patches(),
    inkTable,
    lateBuiltins,
    lateStringWidth,
    yogaWasm,
    laterLibraries,
    lateParts,
  ]);
  const rest = Object.entries({ ...LATE_PARTS, ...CHILDREN }).map(([name, from]) => {
    return buildPart(version, { from, to: `dist/${name}.js` }, [laterLibraries, lateParts]);
  });
  const libraries = Object.entries(LATER).map(async ([library, name]) => {
    // A default export is the module itself, as Node has it when it imports CommonJS.
    const contents = `const library = require('${library}'); module.exports = library.default ?? library;`;
    const stdin = { contents, resolveDir: '.', sourcefile: `${name}.js` };
    return (await build({ ...compact, stdin, outfile: `dist/libraries/${name}.js` })).metafile;
  });
  return [program, ...(await Promise.all([...rest, ...libraries]))];
}
