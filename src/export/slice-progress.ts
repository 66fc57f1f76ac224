import type { SliceRecord } from './manifest.ts';
import type { Pause, Progress } from './progress.ts';

export interface SliceStates {
  readonly done: readonly SliceRecord[];
  readonly underWay: readonly Progress[];
  readonly pauses: readonly Pause[];
  readonly total: number;
  readonly elapsedMs: number;
}

/** How far all slices together are. */
export function progressOfSlices({ done, underWay, pauses, total, elapsedMs }: SliceStates): Progress {
  const [pause] = pauses;
  const [first] = underWay;
  return {
    phase: underWay.some(({ phase }) => phase === 'receiving') ? 'receiving' : (first?.phase ?? 'checking'),
    bytes: sum(underWay, ({ bytes }) => bytes) + sum(done, ({ bytes }) => bytes),
    elapsedMs,
    entries: sum(underWay, ({ entries }) => entries) + sum(done, ({ csvs }) => csvs.length),
    rows: sum(underWay, ({ rows }) => rows) + sum(done, ({ rows }) => rows),
    entryName: first?.entryName ?? '',
    csvs: first?.csvs ?? [],
    slices: { done: done.length, total },
    ...(pause !== undefined && { pause }),
  };
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
