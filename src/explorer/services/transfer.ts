import { shortProgress } from '../../history/download/progress-text.ts';
import type { RatedProgress } from '../../history/download/rate.ts';
import type { WorldEffect } from './effect.ts';
import type { Wait } from './wait.ts';

/** A transfer under way, or how it ended: an export to a file, or a fetch into the history on disk. One of each at a time. */
export type Transfer<Request, Result> = RunningTransfer<Request> | EndedTransfer<Request, Result>;

export interface RunningTransfer<Request> {
  readonly id: number;
  readonly request: Request;
  readonly status: 'running';
  /** Null until something is known. */
  readonly progress: RatedProgress | null;
  readonly isCancelling: boolean;
}

interface EndedTransfer<Request, Result> {
  readonly id: number;
  readonly request: Request;
  readonly status: 'ended';
  readonly result: Result;
}

/** What the screens need of any of them. */
export type AnyTransfer = Transfer<unknown, unknown>;

export const isRunning = (transfer: AnyTransfer | null): boolean => transfer?.status === 'running';

/** A transfer that runs, for the row that every screen has. `of`: its table, where the request has one. */
export function transferWait(name: 'export' | 'fetch', transfer: AnyTransfer | null, of = ''): Wait | undefined {
  if (transfer?.status !== 'running') return undefined;
  const { id, progress, isCancelling } = transfer;
  const what = `${isCancelling ? 'cancelling ' : ''}${name} ${progress?.table ?? of}`.trim();
  return { key: `${name} ${id}`, text: `${what}: ${shortProgress(progress)}`, isTimed: true };
}

// What comes of an event: the same object where it changes nothing, as one of an earlier transfer.

export const started = <Request, Result>(
  before: Transfer<Request, Result> | null,
  id: number,
  request: Request,
): Transfer<Request, Result> =>
  before?.status === 'running' ? before : { id, request, status: 'running', progress: null, isCancelling: false };

export const cancelling = <Request, Result>(
  before: Transfer<Request, Result> | null,
): Transfer<Request, Result> | null => (before?.status === 'running' ? { ...before, isCancelling: true } : before);

export const progressed = <Request, Result>(
  before: Transfer<Request, Result> | null,
  id: number,
  progress: RatedProgress,
): Transfer<Request, Result> | null =>
  before?.status === 'running' && before.id === id ? { ...before, progress } : before;

export const ended = <Request, Result>(
  before: Transfer<Request, Result> | null,
  id: number,
  result: Result,
): Transfer<Request, Result> | null =>
  before?.status === 'running' && before.id === id ? { id, request: before.request, status: 'ended', result } : before;

interface TransferRun<Request, Result, World, Event> {
  /** Of the effect. */
  readonly name: string;
  readonly run: (
    world: World,
    request: Request,
    onProgress: (progress: RatedProgress) => void,
    signal: AbortSignal,
  ) => Promise<Result>;
  readonly failed: (error: unknown) => Result;
  readonly progressed: (id: number, progress: RatedProgress) => Event;
  readonly ended: (id: number, result: Result) => Event;
}

/** The transfer, while it is wanted. One that was cancelled still reports what has arrived. */
export function transferEffects<Request, Result, World, Event>(
  transfer: Transfer<Request, Result> | null,
  { name, run, failed, progressed, ended }: TransferRun<Request, Result, World, Event>,
): readonly WorldEffect<World, Event>[] {
  if (transfer?.status !== 'running' || transfer.isCancelling) return [];
  const { id, request } = transfer;
  return [
    {
      key: `${name} ${id}`,
      run: async (world, signal, report) => [
        ended(id, await run(world, request, progress => report(progressed(id, progress)), signal)),
      ],
      failed: error => [ended(id, failed(error))],
      mustFinish: true,
      reportsAfterAbort: true,
    },
  ];
}
