import { availableParallelism, loadavg } from 'node:os';

/** How many programs want each processor, 1 at least: on a busy machine whatever is timed takes so many times longer. */
export const crowd = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
