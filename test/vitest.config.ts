import { defineConfig, type Plugin } from 'vitest/config';
import { inkTableAsModule } from '../build/ink-table.ts';

// The bundler's way to bring ink-table and Ink together, for tests that draw with both.
const inkTable: Plugin = {
  name: 'ink-table',
  transform: (code, id) => (/[\\/]ink-table[\\/]dist[\\/]index\.js$/.test(id) ? inkTableAsModule(code) : null),
};

export default defineConfig({
  plugins: [inkTable],
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
