import fc from 'fast-check';
import { expectNoSlips } from '../../../support/no-slips.ts';
import { runs } from '../../../support/runs.ts';

/** How a function of `src/chain/insight` is fed with whatever may come, and what holds of what it makes of it. */
export interface Feed {
  readonly of: { readonly name: string };
  readonly run: () => Promise<void>;
}

type Each<Arguments extends readonly unknown[]> = { [place in keyof Arguments]: fc.Arbitrary<Arguments[place]> };

interface More<Arguments extends readonly unknown[], Result> {
  readonly check?: (result: Awaited<Result>, given: Arguments) => void;
  readonly numRuns?: number;
}

/** Feeds a function with a value of each of its parameters. */
export const feed = <Arguments extends unknown[], Result>(
  of: (...given: Arguments) => Result,
  arbitraries: Each<Arguments>,
  { check, numRuns = runs(40, 200) }: More<Arguments, Result> = {},
): Feed => ({
  of,
  run: () =>
    fc.assert(
      fc.asyncProperty(fc.tuple<Arguments>(...arbitraries), async given => {
        const result = await of(...given);
        expectNoSlips(result, given);
        check?.(result, given);
      }),
      { numRuns },
    ),
});
