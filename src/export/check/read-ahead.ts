import { ByteFeed, type ByteSource } from './byte-feed.ts';
import { parseEntryName } from './entry-name.ts';
import { type EntryRun, type EntryWatch, runEntry } from './entry-run.ts';

/** More marks than this, waiting, are data made to look like headers; so are more wrong guesses, each of which reads. */
const MOST_MARKS = 10_000;
const MOST_WRONG_GUESSES = 100;

/**
 * Runs through one entry more than the walk is in, so that two processors inflate. Lengths stand behind the data, so
 * where the next entry begins is a guess by the look of its header: a run counts only once the walk arrives there.
 */
export class ReadAhead {
  readonly #watch: EntryWatch;
  readonly #marks: number[] = [];
  #spare: ByteFeed;
  #run: EntryRun | undefined;
  /** Stopped, but may still be reading: it counts for nothing, even where the walk arrives. */
  #dropped: EntryRun | undefined;
  #wrongGuesses = 0;
  #walkedTo = 0;
  #isStopped = false;

  constructor(source: ByteSource, watch: EntryWatch) {
    this.#spare = new ByteFeed(source);
    this.#watch = watch;
  }

  /** The signature of a local header stands here, further on than all before. False when no more need be told. */
  mark(byteOffset: number): boolean {
    if (this.#marks.length === MOST_MARKS || this.#wrongGuesses > MOST_WRONG_GUESSES) return false;
    this.#marks.push(byteOffset);
    this.#startNext();
    return true;
  }

  /** The run of the entry where the walk's feed stands. The walk goes on with the run's feed. */
  enter(feed: ByteFeed): EntryRun {
    this.#walkedTo = feed.position;
    const early = this.#run;
    if (early && early !== this.#dropped && early.localOffset === feed.position) {
      this.#run = undefined;
      this.#spare = feed;
      this.#startNext();
      return early;
    }
    if (early && early.localOffset < feed.position) this.#drop(early);
    return runEntry(feed, this.#watch);
  }

  /** Nothing is read any more once it resolves. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#spare.stop();
    await this.#run?.ended.catch(() => {});
  }

  #startNext(): void {
    if (this.#run || this.#isStopped || this.#wrongGuesses > MOST_WRONG_GUESSES) return;
    let next = this.#marks.shift();
    while (next !== undefined && next <= this.#walkedTo) next = this.#marks.shift();
    if (next === undefined) return;
    this.#spare.moveTo(next);
    const run = runEntry(this.#spare, this.#watch);
    this.#run = run;
    run.started.then(({ header }) => parseEntryName(header.name) ?? this.#drop(run)).catch(() => {});
  }

  /** The feed is free for another once the run has noticed. */
  #drop(run: EntryRun): void {
    if (this.#run !== run || this.#dropped === run) return;
    this.#dropped = run;
    this.#wrongGuesses++;
    run.feed.stop();
    run.ended
      .catch(() => {})
      .then(() => {
        if (this.#run !== run) return;
        this.#run = undefined;
        this.#startNext();
      });
  }
}
