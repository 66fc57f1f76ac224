import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What is run against each mutant: everything but what needs the built program or reads the sources. */
export default mergeConfig(config, {
  test: { exclude: ['test/flows/**', 'test/build/**', 'test/structure/**', 'test/torture/**'] },
});
