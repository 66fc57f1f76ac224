import { rm } from 'node:fs/promises';
import type { CsvPart } from './part-files.ts';

/** Parts that may wait on disk while one is converted; more would only take space. */
const MOST_WAITING = 2;

/** Converts one part after another while the next ones are cut. */
export class PartQueue {
  readonly #work: (part: CsvPart) => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #hasFailed = false;
  #room = Promise.withResolvers<void>();

  constructor(work: (part: CsvPart) => Promise<void>) {
    this.#work = work;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** A promise if the caller must wait for room. */
  add(parts: readonly CsvPart[]): Promise<void> | undefined {
    for (const part of parts) {
      this.#waiting++;
      this.#last = this.#last.then(() => this.#take(part));
      // `done` rejects with this error.
      this.#last.catch(() => {});
    }
    return this.#waiting > MOST_WAITING ? this.#room.promise : undefined;
  }

  /** Rejects with the first error. */
  async finish(): Promise<void> {
    await this.#last;
  }

  async #take(part: CsvPart): Promise<void> {
    try {
      await this.#work(part);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#waiting--;
      this.#room.resolve();
      this.#room = Promise.withResolvers();
      await rm(part.path, { force: true });
    }
  }
}
