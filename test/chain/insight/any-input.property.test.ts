import { it } from 'vitest';
import { FEEDS } from './feeds/all.ts';

// That nothing throws, whatever a node sends, is asked of the explanations, which call all of these.
it.each(FEEDS.map(({ of, run }) => [of.name, run] as const))('What %s returns is right for any input', (_, run) =>
  run(),
);
