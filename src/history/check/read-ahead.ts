import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ByteFeed, type ByteReader, type ByteSource } from './byte-feed.ts';
import { parseEntryName } from './entry-name.ts';
import { type EntryListener, type EntryReading, readEntry } from './entry-reading.ts';

/** More waiting marks, or wrong guesses, mean data that is made to look like headers. */
const MAX_WAITING_MARKS = 10_000;
const MAX_WRONG_GUESSES = 100;

/**
 * Reads the next entry while the walk is still in the current one, so that two processors inflate. Lengths come after the
 * data, so the start of the next entry is a guess, based on header signatures. A run only counts when the walk gets there.
 */
export class EntryReadAhead {
  readonly #watch: EntryListener;
  readonly #marks: number[] = [];
  #spare: ByteFeed;
  #run: EntryReading | undefined;
  /** A stopped run that may still be reading. It never counts. */
  #dropped: EntryReading | undefined;
  #wrongGuesses = 0;
  #walkedTo = 0;
  #isStopped = false;

  constructor(source: ByteSource, watch: EntryListener) {
    this.#spare = new ByteFeed(source);
    this.#watch = watch;
  }

  /** Reports the signature of a local header, in order of offset. False when no more are needed. */
  mark(byteOffset: number): boolean {
    if (this.#marks.length === MAX_WAITING_MARKS || this.#wrongGuesses > MAX_WRONG_GUESSES) return false;
    this.#marks.push(byteOffset);
    this.#startNext();
    return true;
  }

  /** The run of the entry at the position of `feed`. The walk continues with the feed of the run. */
  enter(feed: ByteFeed): EntryReading {
    this.#walkedTo = feed.position;
    const early = this.#run;
    if (early && early !== this.#dropped && early.localOffset === feed.position) {
      this.#run = undefined;
      this.#spare = feed;
      this.#startNext();
      return early;
    }
    if (early && early.localOffset < feed.position) this.#drop(early);
    return readEntry(feed, this.#watch);
  }

  /** Resolves when all reading has stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#spare.stop();
    await this.#run?.ended.catch(() => {});
  }

  #startNext(): void {
    if (this.#run || this.#isStopped || this.#wrongGuesses > MAX_WRONG_GUESSES) return;
    let next = this.#marks.shift();
    while (next !== undefined && next <= this.#walkedTo) next = this.#marks.shift();
    if (next === undefined) return;
    this.#spare.moveTo(next);
    const run = readEntry(this.#spare, this.#watch);
    this.#run = run;
    run.started.then(({ header }) => parseEntryName(header.name) ?? this.#drop(run)).catch(() => {});
  }

  /** Stops a run. Its feed is reused once the run has ended. */
  #drop(run: EntryReading): void {
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

const HEADER_MARK = 'PK\u0003\u0004';

/** Reads a whole body once, ahead of the walk: its length, its hash, and the possible starts of entries. */
export class BodyScan {
  readonly #reader: ByteReader;
  readonly #onHeaderMark: (byteOffset: number) => boolean;
  #isMarking = true;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #carried = '';

  /** `onHeaderMark` gets the offset of each local header signature, even in data, until it returns false. */
  constructor(reader: ByteReader, onHeaderMark: (byteOffset: number) => boolean) {
    this.#reader = reader;
    this.#onHeaderMark = onHeaderMark;
  }

  /** Bytes read so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Rejects when the body cannot be read. */
  async run(): Promise<void> {
    for (let block = await this.#reader.read(); block; block = await this.#reader.read()) {
      this.#hash.update(block);
      if (this.#isMarking) this.#findMarks(block);
      this.#bytes += block.length;
      // Lets the check process the block just read.
      await setImmediate();
    }
  }

  /** SHA-256 of all bytes in hexadecimal, after `run`. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  #findMarks(block: Buffer): void {
    const seam = this.#carried + block.toString('latin1', 0, HEADER_MARK.length - 1);
    const across = seam.indexOf(HEADER_MARK);
    if (across >= 0) this.#isMarking = this.#onHeaderMark(this.#bytes - this.#carried.length + across);
    let at = block.indexOf(HEADER_MARK, 0, 'latin1');
    while (at >= 0 && this.#isMarking) {
      this.#isMarking = this.#onHeaderMark(this.#bytes + at);
      at = block.indexOf(HEADER_MARK, at + 1, 'latin1');
    }
    this.#carried = (this.#carried + block.toString('latin1', Math.max(0, block.length - 3))).slice(-3);
  }
}
