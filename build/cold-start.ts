import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

interface Replacement {
  /** File of a dependency, from node_modules. */
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
}

/**
 * What the libraries do at start that can be done later or not at all. Each is tied to the pinned version: the build
 * fails when a pattern is not there any more.
 */
const REPLACEMENTS: readonly Replacement[] = [
  // yoga-layout fetches its WebAssembly from a data: URL, which pulls in all of fetch (20 ms) and makes the module
  // wait at its top. Compiled synchronously from the same bytes it is there at once.
  {
    file: 'yoga-layout/dist/src/index.js',
    from: 'const Yoga = wrapAssembly(await loadYoga());',
    to: `const library = { instantiateWasm(imports, done) {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasmBytes()), imports);
  done(instance);
  return instance.exports;
} };
loadYoga(library);
const Yoga = wrapAssembly(library);`,
  },
  {
    file: 'yoga-layout/dist/src/index.js',
    from: "import loadYoga from '../binaries/yoga-wasm-base64-esm.js';",
    to: "import loadYoga, { wasmBytes } from '../binaries/yoga-wasm-base64-esm.js';",
  },
  {
    file: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
    from: /H="data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"([\s\S]*)export default loadYoga;/,
    to: 'H="data:,"$2export default loadYoga;\nexport const wasmBytes = () => Buffer.from("$1", "base64");',
  },
  // A regular expression of every emoji takes 17 ms to make and as long at its first use: made when a character
  // comes that might be one. The segmenter likewise.
  {
    file: 'string-width/index.js',
    from: 'const segmenter = new Intl.Segmenter();',
    to: 'let segmenterMade; const segmenter = { segment: text => (segmenterMade ??= new Intl.Segmenter()).segment(text) };',
  },
  {
    file: 'string-width/index.js',
    from: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    to: "let rgiEmojiMade; const rgiEmojiRegex = { test: text => /[\\u00a9\\u00ae\\u200d-\\u3299\\ud83c-\\ud83e\\ufe0f]/.test(text) && (rgiEmojiMade ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };",
  },
  // The overview of an uncaught error reads sources and stacks; this program reports its errors itself.
  {
    file: 'ink/build/components/ErrorBoundary.js',
    from: "import ErrorOverview from './ErrorOverview.js';",
    to: 'const ErrorOverview = () => null;',
  },
];

export const coldStart: Plugin = {
  name: 'cold-start',
  setup(build) {
    const files = Map.groupBy(REPLACEMENTS, ({ file }) => file);
    const used = new Set<string>();
    for (const [file, replacements] of files) {
      const filter = new RegExp(`node_modules/${file.replaceAll('.', '\\.')}$`);
      build.onLoad({ filter }, async ({ path }) => {
        used.add(file);
        return { contents: rewritten(file, await readFile(path, 'utf8'), replacements), loader: 'js' };
      });
    }
    build.onEnd(() => {
      const missing = [...files.keys()].filter(file => !used.has(file));
      if (missing.length > 0) throw new Error(`cold start: not in the bundle any more: ${missing.join(', ')}`);
    });
  },
};

function rewritten(file: string, source: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, { from, to }) => {
    const isThere = typeof from === 'string' ? text.includes(from) : from.test(text);
    if (!isThere) throw new Error(`cold start: ${file} has changed, "${from}" is not in it`);
    return typeof from === 'string' ? text.replace(from, () => to) : text.replace(from, to);
  }, source);
}
