import { join } from 'node:path';
import { sourceFiles } from '../../../structure/source.ts';
import { BUNDLE_FEEDS } from './bundles.ts';
import { COMPARISON_FEEDS } from './comparisons.ts';
import { DECIMAL_FEEDS } from './decimals.ts';
import type { Feed } from './feed.ts';
import { FEE_FEEDS } from './fees.ts';
import { ORACLE_FEEDS } from './oracles.ts';
import { PARAMETER_FEEDS } from './parameters.ts';
import { VALIDATOR_FEEDS } from './validators.ts';
import { VALUE_FEEDS } from './values.ts';

export const FEEDS: readonly Feed[] = [
  ...[...VALIDATOR_FEEDS, ...VALUE_FEEDS, ...DECIMAL_FEEDS, ...FEE_FEEDS],
  ...[...PARAMETER_FEEDS, ...ORACLE_FEEDS, ...BUNDLE_FEEDS, ...COMPARISON_FEEDS],
];

const FED = ['chain/insight/', 'base/text/time.ts', 'base/text/duration.ts'];

const SOURCE = join(import.meta.dirname, '../../../../src');

/** Every function of `src/chain/insight`, and of times and durations, and how it is fed; undefined where it is not. */
export async function insightFunctions(): Promise<readonly (readonly [name: string, feed: Feed | undefined])[]> {
  const feeds = new Map(FEEDS.map(feed => [feed.of, feed]));
  const modules = (await sourceFiles())
    .map(({ path }) => path)
    .filter(path => FED.some(begin => path.startsWith(begin)));
  const found = await Promise.all(
    modules.map(async path => {
      const exported: { readonly [name: string]: unknown } = await import(join(SOURCE, path));
      return Object.entries(exported).flatMap(([name, of]) =>
        typeof of === 'function' ? [[`${name} of ${path}`, feeds.get(of)] as const] : [],
      );
    }),
  );
  return found.flat();
}
