import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { INK_TABLE, inkTableModule } from '../build/ink-table.ts';
import LongestFirst from './support/longest-first.ts';

const inkTable: Plugin = {
  name: 'ink-table',
  transform: (code, id) => (INK_TABLE.test(id) ? inkTableModule(code) : null),
};

// Threads and programs that run from source are compiled once, and not by each test that starts one.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');

/** Files that `npm test` leaves to `npm run test:full`. */
const FULL = 'test/**/*.full.test.{ts,tsx}';
/** Files that both run: a flow on our node, or on another one too. */
const NODES = 'test/**/*.nodes.test.{ts,tsx}';
/** Files that only `npm run test:nightly` runs: kills, half a gigabyte, hours of a chain. */
const NIGHTLY = 'test/**/*.nightly.test.{ts,tsx}';
/** Properties: `npm test` tries each a few times, `npm run test:nightly` many times. */
const PROPERTIES = 'test/**/*.property.test.{ts,tsx}';

export default defineConfig({
  plugins: [inkTable],
  test: {
    globalSetup: ['test/support/compiled-engine.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/closing-line.ts'],
    server: { deps: { inline: ['ink-table'] } },
    // A thread that runs from source takes its types off with WebAssembly, and V8 13 sometimes crashes when threads end
    // while it replaces that code's wrappers: it is told not to. The built program has no such thread.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    expect: { poll: { timeout: 20_000 } },
    // Many tests wait for a program they started, some for a minute to pass: two workers leave two processors idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [FULL, NIGHTLY],
          // To load the modules anew for each file takes longer than to run it.
          isolate: false,
          setupFiles: ['test/support/spelt-addresses.ts'],
        },
      },
      { extends: true, test: { name: 'full', include: [FULL, NODES], env: { EVERY_NODE: 'yes' } } },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: [NIGHTLY, PROPERTIES],
          env: { PROPERTY_RUNS: 'many', EVERY_NODE: 'yes' },
          // What takes half a minute on an idle machine takes several on a busy one.
          testTimeout: 300_000,
        },
      },
    ],
  },
});
