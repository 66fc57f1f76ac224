import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Where the library lies, wherever it is installed. */
export const INK_TABLE = /[\\/]node_modules[\\/]ink-table[\\/]dist[\\/]index\.js$/;

/**
 * ink-table as an ES module, its own text unchanged. It is CommonJS and requires Ink, which waits at its top, so that no
 * `require` can load it; here it is handed what it requires. Its hash of a row is a key beside the row's place, which is
 * key enough: without it the start does not load node:crypto.
 */
export const inkTableModule = (code: string): string => `
import { Box, Text } from 'ink';
import react from 'react';
const libraries = { ink: { Box, Text }, react, 'object-hash': { sha1: () => '' } };
const require = name => libraries[name];
const exports = {};
${code}
export default exports.default;
`;

export const inkTable: Plugin = {
  name: 'ink-table',
  setup({ onLoad }) {
    onLoad({ filter: INK_TABLE }, async ({ path }) => ({
      contents: inkTableModule(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};
