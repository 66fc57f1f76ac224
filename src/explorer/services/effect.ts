/**
 * Something that runs for as long as the state asks for it. `Needs` is what it takes of the world, so that a service
 * says itself what has to be given to it.
 */
export interface WorldEffect<Needs, TEvent> {
  /** Names it among all that run. While it runs, another effect with the same key is not started. */
  readonly key: string;
  /** Resolves with its last events. What it reports before counts only while it is asked for. */
  readonly run: (world: Needs, signal: AbortSignal, report: (event: TEvent) => void) => Promise<readonly TEvent[]>;
  /** The events of a failure. */
  readonly failed: (error: unknown, atMs: number) => readonly TEvent[];
  /** It waits for time to pass or for an event, so that `idle()` does not wait for it. */
  readonly isBackground?: boolean;
  /** It writes to the disk: `idle()` and `close()` wait for its end even if it was aborted. */
  readonly mustFinish?: boolean;
  /** Its events count even after it was aborted. */
  readonly reportsAfterAbort?: boolean;
}
