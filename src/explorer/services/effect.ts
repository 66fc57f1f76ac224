/**
 * Work that runs as long as the state requests it. `Needs` are its requirements from the world, so that each service
 * declares its own.
 */
export interface WorldEffect<Needs, TEvent> {
  /** Identifies it among all running effects. While it runs, another effect with the same key is not started. */
  readonly key: string;
  /** Resolves with its last events. Events reported earlier count only while the effect is requested. */
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
