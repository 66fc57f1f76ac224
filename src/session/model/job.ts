import type { Progress } from '../../export/download/progress.ts';
import type { ExportResult } from '../../export/download/result.ts';
import type { ExportPlan } from '../../export/plan/plan.ts';

/** An export under way, or how it ended. */
export type Job = { readonly ticket: number; readonly plan: ExportPlan } & (
  | { readonly status: 'running'; readonly progress: Progress | null; readonly isCancelling: boolean }
  | { readonly status: 'ended'; readonly result: ExportResult }
);

/** Where what arrived of an export lies; null where nothing does. */
export function placeOf(result: ExportResult): { readonly path: string; readonly isFolder: boolean } | null {
  switch (result.kind) {
    case 'saved':
      return { path: result.path, isFolder: false };
    case 'saved-slices':
    case 'stopped-slices':
      return { path: result.folder, isFolder: true };
    case 'not-complete':
    case 'failed':
    case 'cancelled':
      return result.partPath === null ? null : { path: result.partPath, isFolder: false };
  }
}

/** Where an export lies that is complete. */
export const savedPlace = (result: ExportResult): ReturnType<typeof placeOf> =>
  result.kind === 'saved' || result.kind === 'saved-slices' ? placeOf(result) : null;
