import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

const { projects: _, ...test } = config.test ?? {};

/** What is run against each mutant: everything but what needs the built program or reads the sources. */
export default defineConfig({
  ...config,
  test: {
    ...test,
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/flows/**', 'test/build/**', 'test/structure/**', 'test/torture/**'],
    // The tests run in threads here, and a thread takes no flags of V8.
    execArgv: [],
  },
});
