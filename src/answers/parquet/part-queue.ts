import { rm } from 'node:fs/promises';
import type { CsvPart } from './part-files.ts';

/** Parts that wait on the disk while one is worked at: more would only take room. */
const MOST_WAITING = 2;

/** Works at one part after another while the next ones are made. */
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

  /** A promise when whoever makes parts should wait for room. */
  add(parts: readonly CsvPart[]): Promise<void> | undefined {
    for (const part of parts) {
      this.#waiting++;
      this.#last = this.#last.then(() => this.#take(part));
      // Whoever waits for the end hears of it.
      this.#last.catch(() => {});
    }
    return this.#waiting > MOST_WAITING ? this.#room.promise : undefined;
  }

  /** Rejects with what went wrong first. */
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
