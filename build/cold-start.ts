import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

interface Replacement {
  /** File of a dependency, from node_modules. */
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
}

/**
 * What the libraries do at start that can be done later or not at all, and what Ink does at each frame again. Each is tied to the pinned version: the build
 * fails when a pattern is not there any more.
 */
const replacements = (): readonly Replacement[] => [
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
  // Making a segmenter takes milliseconds, and five are made at the top of modules: now when one is needed.
  ...['ink/build/line-update.js', '@alcalzone/ansi-tokenize/build/tokenize.js'].map(file =>
    lazySegmenter(file, 'segmenter'),
  ),
  ...['wrap-ansi/index.js', 'string-width/index.js'].map(file => lazySegmenter(file, 'segmenter')),
  // This one is asked for more than a list of graphemes, so it stays what it is.
  {
    file: 'slice-ansi/tokenize-ansi.js',
    from: "const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
    to: "let segmenterMade; const GRAPHEME_SEGMENTER = { segment: text => (segmenterMade ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})).segment(text) };",
  },
  // One function of es-toolkit is used; its index brings them all.
  {
    file: 'ink/build/ink.js',
    from: "import { throttle } from 'es-toolkit/compat';",
    to: "import throttle from 'es-toolkit/compat/throttle';",
  },
  // Latin letters, punctuation and line art are as wide as they are long, like ASCII: no segmenter for a rule.
  {
    file: 'string-width/index.js',
    from: '/^[\\u0020-\\u007E]*$/',
    to: '/^[\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2500-\\u25fc]*$/',
  },
  // A regular expression of every emoji takes 17 ms to make and as long at its first use: made when a character
  // comes that might be one.
  {
    file: 'string-width/index.js',
    from: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    to: "let rgiEmojiMade; const rgiEmojiRegex = { test: text => /[\\u231a\\u231b\\u23e9-\\u23f3\\u25fd\\u25fe\\u2600-\\u27bf\\u2b1b-\\u2b55\\u20e3\\ufe0f\\ud83c-\\ud83e]/.test(text) && (rgiEmojiMade ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };",
  },
  // Each frame is drawn from its lines anew: what was found out about a line in one frame holds for the next.
  {
    file: 'ink/build/output.js',
    from: '    caches = new OutputCaches();',
    to: '    caches = rememberedCaches();',
  },
  {
    file: 'ink/build/output.js',
    from: 'export default class Output {',
    to: `let remembered = new OutputCaches();
function rememberedCaches() {
  if (remembered.styledChars.size > 2000 || remembered.widths.size > 5000) remembered = new OutputCaches();
  return remembered;
}
const PLAIN = /^[\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2500-\\u25fc]*$/;
const BLANK = Object.freeze({ type: 'char', value: ' ', fullWidth: false, styles: [] });
/** A frame of whole lines, each written once, needs no grid of cells. */
function linesOf(output) {
  const lines = Array.from({ length: output.height });
  for (const { type, x, y, text, transformers } of output.operations) {
    if (type !== 'write' || x !== 0) return undefined;
    const parts = text.split('\\n');
    if (y < 0 || y + parts.length > output.height || (parts.length > 1 && text.includes('\\u001b'))) return undefined;
    for (const [index, part] of parts.entries()) {
      if (lines[y + index] !== undefined) return undefined;
      let line = part;
      for (const transformer of transformers) line = transformer(line, index);
      lines[y + index] = output.caches.getDrawn(line);
    }
  }
  return { output: lines.join('\\n'), height: lines.length };
}
export default class Output {`,
  },
  {
    file: 'ink/build/output.js',
    from: '    getStringWidth(text) {',
    to: `    drawn = new Map();
    getDrawn(line) {
        // Text without styles, and styles that end before the line does, need no rewriting.
        if (PLAIN.test(line) || line.startsWith('\\u001b[0m', line.lastIndexOf('\\u001b'))) return line.trimEnd();
        let drawn = this.drawn.get(line);
        if (drawn === undefined) {
            drawn = styledCharsToString(this.getStyledChars(line)).trimEnd();
            this.drawn.set(line, drawn);
        }
        return drawn;
    }
    getStringWidth(text) {`,
  },
  {
    file: 'ink/build/output.js',
    from: '    get() {',
    to: '    get() {\n        const lines = linesOf(this);\n        if (lines !== undefined) return lines;',
  },
  // What is in a text does not change from frame to frame either.
  {
    file: 'ink/build/sanitize-ansi.js',
    from: 'export default sanitizeAnsi;',
    to: `const sanitized = new Map();
export default text => {
    let known = sanitized.get(text);
    if (known !== undefined) return known;
    if (sanitized.size > 2000) sanitized.clear();
    known = sanitizeAnsi(text);
    sanitized.set(text, known);
    return known;
};`,
  },
  {
    file: 'ink/build/output.js',
    from: /const row = \[\];\s*for \(let x = 0; x < this\.width; x\+\+\) \{\s*row\.push\(\{[^}]*\}\);\s*\}/,
    to: 'const row = Array.from({ length: this.width }).fill(BLANK);',
  },
  {
    file: 'ink/build/output.js',
    from: '.filter(character => !/',
    to: ".filter(character => (character.value >= ' ' && character.value <= '~') || !/",
  },
  // Characters of one style share it, so that two are known to have the same at a glance.
  { file: '@alcalzone/ansi-tokenize/build/styledChars.js', from: 'styles: [...codes],', to: 'styles: codes,' },
  // Line art has one cell a character, like the ASCII this is about.
  {
    file: 'ink/build/line-update.js',
    from: 'const printableAscii = /^[ -~]*$/u;',
    to: 'const printableAscii = /^[\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2500-\\u25fc]*$/u;',
  },
  // It looks for development tools while it is loaded, and waits for that at its top, which only a module may.
  {
    file: 'ink/build/reconciler.js',
    from: /if \(process\.env\['DEV'\] === 'true'\) \{\s*\/\/ Intentionally[\s\S]*?\n\}\n/,
    to: '',
  },
  {
    file: 'ink/build/reconciler.js',
    from: /async function loadPackageJson\(\) \{[\s\S]*?\n\}\n/,
    to: '',
  },
  {
    file: 'ink/build/reconciler.js',
    from: /if \(process\.env\['DEV'\] === 'true'\) \{\s*try[\s\S]*?\n\}\n/,
    to: '',
  },
  // Lists in words are for the messages of failed assertions; making the two takes 12 ms.
  ...['conjunction', 'disjunction'].map(type => lazyListFormat(type)),
  // The overview of an uncaught error reads sources and stacks; this program reports its errors itself.
  {
    file: 'ink/build/components/ErrorBoundary.js',
    from: "import ErrorOverview from './ErrorOverview.js';",
    to: 'const ErrorOverview = () => null;',
  },
];

/**
 * Every character of ASCII, Latin and line art is a grapheme by itself, escape characters too; only other text needs
 * a segmenter. This also halves what drawing a frame costs.
 */
function lazySegmenter(file: string, name: string): Replacement {
  const simple = '/^[\\u001b\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2500-\\u25fc]*$/';
  return {
    file,
    from: new RegExp(`const ${name} = (new Intl\\.Segmenter\\([^)]*\\));`),
    to: `let ${name}Made; const ${name} = { segment: text => ${simple.replaceAll('$', '$$$$')}.test(text) ? Array.from(text, (segment, index) => ({ segment, index })) : (${name}Made ??= $1).segment(text) };`,
  };
}

function lazyListFormat(type: string): Replacement {
  const made = `new Intl.ListFormat('en', { style: 'long', type: '${type}' })`;
  return {
    file: '@sindresorhus/is/distribution/index.js',
    from: made,
    to: `{ format: list => ${made}.format(list) }`,
  };
}

export const coldStart: Plugin = {
  name: 'cold-start',
  setup(build) {
    const files = Map.groupBy(replacements(), ({ file }) => file);
    const used = new Set<string>();
    for (const [file, changes] of files) {
      const filter = new RegExp(`node_modules/${file.replaceAll('.', '\\.')}$`);
      build.onLoad({ filter }, async ({ path }) => {
        used.add(file);
        return { contents: rewritten(file, await readFile(path, 'utf8'), changes), loader: 'js' };
      });
    }
    build.onEnd(() => {
      const missing = [...files.keys()].filter(file => !used.has(file));
      if (missing.length > 0) throw new Error(`cold start: not in the bundle any more: ${missing.join(', ')}`);
    });
  },
};

function rewritten(file: string, source: string, changes: readonly Replacement[]): string {
  return changes.reduce((text, { from, to }) => {
    const isThere = typeof from === 'string' ? text.includes(from) : from.test(text);
    if (!isThere) throw new Error(`cold start: ${file} has changed, "${from}" is not in it`);
    return typeof from === 'string' ? text.replace(from, () => to) : text.replace(from, to);
  }, source);
}
