import { bytesPerSecond, nothingYet, type Progress } from '../../src/history/download/progress.ts';
import type { RatedProgress } from '../../src/history/download/rate.ts';

/** A progress of the ledger, of which only what matters is given. */
export const progressOf = (change: Partial<Progress>): Progress => ({
  ...nothingYet('ledger'),
  phase: 'receiving',
  ...change,
});

/** The same with its rate, which rose for two seconds. */
export function ratedProgress(change: Partial<RatedProgress>): RatedProgress {
  const progress = progressOf(change);
  const values = [0, 1000, 2000, 4000, 3000, 4000, 4000, 2000];
  return {
    ...progress,
    rates: { values, intervalMs: 250 },
    bytesPerS: bytesPerSecond(progress),
    silentMs: 0,
    ...change,
  };
}
