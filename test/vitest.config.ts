import { defineConfig, type Plugin } from 'vitest/config';
import { patched, pathOf, readPatches } from '../build/patches.ts';

// The one patch that drawing needs; the others make the built program faster.
const [inkTable] = readPatches().filter(({ name }) => name === 'ink-table.diff');
const patchInkTable: Plugin = {
  name: 'ink-table',
  transform: (code, id) => (inkTable !== undefined && pathOf(inkTable).test(id) ? patched(code, inkTable) : null),
};

export default defineConfig({
  plugins: [patchInkTable],
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    server: { deps: { inline: ['ink-table'] } },
    // A thread that runs from source takes its types off with WebAssembly, and V8 13 sometimes crashes when threads end
    // while it replaces that code's wrappers: it is told not to. The built program has no such thread.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
