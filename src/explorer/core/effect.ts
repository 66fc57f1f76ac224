import type { World } from '../services/world.ts';

/** Something that runs in the world for as long as the state asks for it. */
export interface Effect<Event> {
  /** Names it among all that run. What is asked for under the same key goes on running. */
  readonly key: string;
  /** Resolves with the events that come of it. What it reports on the way counts only while it is asked for. */
  readonly run: (world: World, signal: AbortSignal, report: (event: Event) => void) => Promise<readonly Event[]>;
  /** The events that come of it when it throws. */
  readonly failed: (error: unknown, atMs: number) => readonly Event[];
  /** It waits for time to pass or for news, so that `idle()` does not wait for it. */
  readonly isBackground?: boolean;
  /** It leaves something behind on the disk: `idle()` and `close()` wait for its end even when it was aborted. */
  readonly mustFinish?: boolean;
  /** Its events count even when it was aborted. */
  readonly countsLate?: boolean;
}
