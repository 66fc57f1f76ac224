import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What is run against each mutant: everything but what needs the built program or reads the sources. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    exclude: ['test/flows/**', 'test/build/**', 'test/structure/**', 'test/torture/**'],
    // The tests run in threads here, and a thread takes no flags of V8.
    execArgv: [],
  },
});
