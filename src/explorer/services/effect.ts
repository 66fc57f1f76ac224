/**
 * Something that runs for as long as the state asks for it. `Needs` is what it takes of the world, so that a service
 * says itself what has to be given to it.
 */
export interface EffectOn<Needs, Event> {
  /** Names it among all that run. What is asked for under the same key goes on running. */
  readonly key: string;
  /** Resolves with the events that come of it. What it reports on the way counts only while it is asked for. */
  readonly run: (world: Needs, signal: AbortSignal, report: (event: Event) => void) => Promise<readonly Event[]>;
  /** The events that come of it when it throws. */
  readonly failed: (error: unknown, atMs: number) => readonly Event[];
  /** It waits for time to pass or for news, so that `idle()` does not wait for it. */
  readonly isBackground?: boolean;
  /** It leaves something behind on the disk: `idle()` and `close()` wait for its end even when it was aborted. */
  readonly mustFinish?: boolean;
  /** Its events count even when it was aborted. */
  readonly countsLate?: boolean;
}
