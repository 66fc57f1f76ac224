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
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
