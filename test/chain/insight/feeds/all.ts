import { BUNDLE_FEEDS } from './bundles.ts';
import { COMPARISON_FEEDS } from './comparisons.ts';
import { DECIMAL_FEEDS } from './decimals.ts';
import type { Feed } from './feed.ts';
import { FEE_FEEDS } from './fees.ts';
import { ORACLE_FEEDS } from './oracles.ts';
import { PARAMETER_FEEDS } from './parameters.ts';
import { VALUE_FEEDS } from './values.ts';

export const FEEDS: readonly Feed[] = [
  ...[...VALUE_FEEDS, ...DECIMAL_FEEDS, ...FEE_FEEDS],
  ...[...PARAMETER_FEEDS, ...ORACLE_FEEDS, ...BUNDLE_FEEDS, ...COMPARISON_FEEDS],
];
