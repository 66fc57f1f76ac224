import type { ChartPoint } from '../../../answers/index.ts';
import type { ChartView, OpenTable } from './state.ts';

/** Ranges of time that people count in, in milliseconds. */
const STEPS = [
  1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000,
  86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000, 7_776_000_000, 31_536_000_000,
] as const;

/** The shortest step that divides the time into at most `most` bars. */
export function barStepMs(firstMs: number, lastMs: number, most: number): number {
  const [longest] = STEPS.toReversed();
  const fits = (step: number): boolean => Math.floor(lastMs / step) - Math.floor(firstMs / step) < Math.max(1, most);
  return STEPS.find(fits) ?? (longest ?? 1) * Math.ceil((lastMs - firstMs) / ((longest ?? 1) * Math.max(1, most - 1)));
}

/** `1 h`, `2 weeks`. */
export function stepText(stepMs: number): string {
  const [size, unit] = UNITS.find(([size]) => stepMs % size === 0) ?? [1000, 's'];
  return `${stepMs / size} ${unit}`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** What a range of time has: a value, rows without one, or no rows. */
export type Bar = { readonly kind: 'value'; readonly value: string } | { readonly kind: 'none' | 'missing' };

/** A bar for each range from the first to the last, including those without rows. */
export function barsBetween(
  points: readonly ChartPoint[],
  { firstMs, lastMs, stepMs }: { readonly firstMs: number; readonly lastMs: number; readonly stepMs: number },
): readonly Bar[] {
  const begin = Math.floor(firstMs / stepMs);
  const count = Math.floor(lastMs / stepMs) - begin + 1;
  const bars = Array.from({ length: Math.max(0, count) }, (): Bar => ({ kind: 'missing' }));
  for (const { fromMs, value } of points) {
    const place = Math.floor(fromMs / stepMs) - begin;
    if (place < 0 || place >= bars.length) continue;
    bars[place] = value === null ? { kind: 'none' } : { kind: 'value', value };
  }
  return bars;
}

/** The bars of a chart; none while they are computed. */
export function chartBars({ table: { firstMs, lastMs } }: OpenTable, { points, stepMs }: ChartView): readonly Bar[] {
  return points === null || firstMs === null || lastMs === null ? [] : barsBetween(points, { firstMs, lastMs, stepMs });
}
