import type { ReadyQuestion } from '../../answers/index.ts';
import { describeSavedSlices, type ExportResult } from '../../history/download/export-result.ts';
import type { RatedProgress } from '../../history/download/rate.ts';
import type { ExportPlan } from '../../history/plan/export-plan.ts';
import type { TypedExport } from '../../history/plan/typed-export.ts';
import type { WorldEffect } from './effect.ts';
import type { NodeConnection } from './node/connection.ts';
import { cancelling, ended, progressed, started, type Transfer, transferEffects } from './transfer.ts';

/** The export that runs or ran last. It outlives the screens, which read it and ask for another by messages. */
export interface ExportJobs {
  readonly job: Job | null;
  /** The possible uses of the export, once known. */
  readonly offers: JobOffers | null;
  /** The export that a switch to another node cancelled, until it reports where its bytes are. */
  readonly leftJob: { readonly id: number; readonly node: string } | null;
}

/** An export under way, or how it ended. */
export type Job = Transfer<ExportPlan, ExportResult>;

/** What the fields of a new export are filled with, and how far its steps are taken without a key. */
export interface FilledExport {
  readonly choice: TypedExport;
  readonly advanceTo: 'range' | 'review';
}

export interface JobOffers {
  readonly job: number;
  /** What looks at tables and answers questions is installed. */
  readonly hasEngine: boolean;
  readonly questions: readonly ReadyQuestion[];
}

export type JobEvent =
  | { readonly type: 'start-export'; readonly plan: ExportPlan }
  | { readonly type: 'cancel-export' }
  | { readonly type: 'export-progressed'; readonly job: number; readonly progress: RatedProgress }
  | { readonly type: 'export-ended'; readonly job: number; readonly result: ExportResult }
  | { readonly type: 'offers-known'; readonly offers: JobOffers };

/** What an export needs of the world. */
interface JobWorld {
  readonly node: () => Pick<NodeConnection, 'export'>;
}

export const NO_JOBS: ExportJobs = { job: null, offers: null, leftJob: null };

export const ALREADY_RUNNING = 'an export is running already';

/** The same object where an event changes nothing, such as one of an earlier export; `id` is for one that starts. */
export function jobsAfter(jobs: ExportJobs, event: JobEvent, id: number): ExportJobs {
  const { job, leftJob } = jobs;
  const withJob = (after: Job | null): ExportJobs => (after === job ? jobs : { ...jobs, job: after });
  switch (event.type) {
    case 'start-export':
      return withJob(started(job, id, event.plan));
    case 'cancel-export':
      return withJob(cancelling(job));
    case 'export-progressed':
      return withJob(progressed(job, event.job, event.progress));
    case 'export-ended':
      return leftJob?.id === event.job ? { ...jobs, leftJob: null } : withJob(ended(job, event.job, event.result));
    case 'offers-known':
      return job?.id === event.offers.job ? { ...jobs, offers: event.offers } : jobs;
  }
}

/** The jobs that remain after a switch away from this node: a running export is cancelled. */
export const jobsAfterSwitch = ({ job, leftJob }: ExportJobs, node: string): ExportJobs => ({
  ...NO_JOBS,
  leftJob: job?.status === 'running' ? { id: job.id, node } : leftJob,
});

export const jobEffects = ({ job }: ExportJobs): readonly WorldEffect<JobWorld, JobEvent>[] =>
  transferEffects(job, {
    name: 'export',
    run: (world: JobWorld, plan, onProgress, signal) => world.node().export(plan, onProgress, signal),
    failed: (error): ExportResult => ({ kind: 'failed', error, partPath: null, elapsedMs: 0 }),
    progressed: (id, progress): JobEvent => ({ type: 'export-progressed', job: id, progress }),
    ended: (id, result) => ({ type: 'export-ended', job: id, result }),
  });

/** Where what arrived of an export lies; null where nothing does. */
export function exportLocation(result: ExportResult): { readonly path: string; readonly isFolder: boolean } | null {
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

export const isSaved = ({ kind }: ExportResult): boolean => kind === 'saved' || kind === 'saved-slices';

/** Where an export lies that is complete. */
export const savedExportLocation = (result: ExportResult): ReturnType<typeof exportLocation> =>
  isSaved(result) ? exportLocation(result) : null;

/** The outcome of an export whose screen is gone. */
export function exportOutcomeText(result: ExportResult): string {
  switch (result.kind) {
    case 'saved':
      return `is complete: ${result.path}`;
    case 'saved-slices':
      return `is complete: ${result.folder}`;
    case 'stopped-slices':
      return `was cancelled; ${describeSavedSlices(result)} in ${result.folder}`;
    case 'cancelled':
    case 'failed':
    case 'not-complete':
      return result.partPath === null ? 'was cancelled' : `was cancelled; what arrived is saved as ${result.partPath}`;
  }
}

// Why something cannot be done with the last export.

/** Only a verified export can be opened from here, and only if the engine is available. */
export function noTableToView({ job, offers }: Pick<ExportJobs, 'job' | 'offers'>): string | undefined {
  if (job?.status !== 'ended' || !isSaved(job.result))
    return 'only a complete export can be opened: :view FILE opens another';
  return offers?.hasEngine === false ? NO_ENGINE : undefined;
}

/** How to have it, in a sentence. */
export const NO_ENGINE = 'to open it and ask questions, install DuckDB: npm install -g @duckdb/node-api';

export function noAnswers(jobs: Pick<ExportJobs, 'job' | 'offers'>): string | undefined {
  const noTable = noTableToView(jobs);
  if (noTable !== undefined) return noTable;
  if (jobs.offers === null) return 'looking up the questions it can answer';
  return jobs.offers.questions.length > 0 ? undefined : 'no ready-made question uses this table';
}

export function noAudit({ job }: Pick<ExportJobs, 'job'>): string | undefined {
  return job?.status === 'ended' && isSaved(job.result) ? undefined : 'only a complete export can be audited';
}

export function noReport({ job, offers }: Pick<ExportJobs, 'job' | 'offers'>): string | undefined {
  if (job?.status !== 'ended' || !isSaved(job.result)) return 'a report needs complete exports';
  return offers?.hasEngine === false ? NO_ENGINE : undefined;
}

/** Why no rows can be viewed; undefined if some can. */
export function noRows({ job }: Pick<ExportJobs, 'job'>): string | undefined {
  const hasRows = job?.status === 'ended' && ['saved', 'not-complete', 'saved-slices'].includes(job.result.kind);
  return hasRows ? undefined : 'no CSV arrived';
}
