import type { ExportPlan } from '../../export/plan.ts';
import type { Progress } from '../../export/progress.ts';
import type { ExportResult } from '../../export/result.ts';

/** An export under way, or how it ended. */
export type Job = { readonly ticket: number; readonly plan: ExportPlan } & (
  | { readonly status: 'running'; readonly progress: Progress | null; readonly isCancelling: boolean }
  | { readonly status: 'ended'; readonly result: ExportResult }
);
