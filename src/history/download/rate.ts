import { bytesPerSecond, type Progress } from './progress.ts';

/** The bytes that arrived over time. */
export interface Rates {
  /** Bytes per second in each interval since the start, oldest first; at most `MAX_INTERVALS`. */
  readonly values: readonly number[];
  readonly intervalMs: number;
}

/** Progress with its rate. */
export interface RatedProgress extends Progress {
  readonly rates: Rates;
  /** Over the whole transfer. */
  readonly bytesPerS: number;
  /** Since the last byte, or the start. */
  readonly silentMs: number;
}

/** When there are more, two become one: the whole transfer fits, however long it takes. */
export const MAX_INTERVALS = 48;

const FIRST_INTERVAL_MS = 250;

/** Bytes by equal intervals of time since the first count. */
export class RateMeter {
  #intervalMs = FIRST_INTERVAL_MS;
  #bytes: number[] = [];
  #seen = 0;
  #heardMs = 0;

  /** `bytes` in all. What is lost and sent again counts when it arrives again. */
  count(bytes: number, elapsedMs: number): void {
    if (bytes > this.#seen) this.#heardMs = elapsedMs;
    while (elapsedMs >= this.#intervalMs * MAX_INTERVALS) this.#halve();
    const at = Math.floor(Math.max(0, elapsedMs) / this.#intervalMs);
    while (this.#bytes.length <= at) this.#bytes.push(0);
    this.#bytes[at] = (this.#bytes[at] ?? 0) + Math.max(0, bytes - this.#seen);
    this.#seen = bytes;
  }

  /** When the last byte was counted. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** The current interval is left out: it is not over. */
  get rates(): Rates {
    const perSecond = 1000 / this.#intervalMs;
    return { values: this.#bytes.slice(0, -1).map(bytes => bytes * perSecond), intervalMs: this.#intervalMs };
  }

  #halve(): void {
    const pairs = Math.ceil(this.#bytes.length / 2);
    this.#bytes = Array.from(
      { length: pairs },
      (_, index) => (this.#bytes[2 * index] ?? 0) + (this.#bytes[2 * index + 1] ?? 0),
    );
    this.#intervalMs *= 2;
  }
}

/** The rates in at most so many cells, as whole bytes per second: a cell fills once all of its intervals are over. */
export function averages({ values }: Rates, cells: number): readonly number[] {
  const each = Math.ceil(MAX_INTERVALS / Math.max(1, cells));
  return Array.from({ length: Math.floor(values.length / each) }, (_, cell) => {
    const some = values.slice(cell * each, (cell + 1) * each);
    return Math.round(some.reduce((sum, value) => sum + value, 0) / each);
  });
}

/** Each redraws the screen. */
const REPORT_EVERY_MS = 250;

/** Measures the rate of a progress, and passes it on at most four times a second, but for what must not be missed. */
export function rated(
  onProgress: (progress: RatedProgress) => void,
  /** The clock of the machine may be set while a transfer runs; this one only moves forward. */
  nowMs = (): number => performance.now(),
): (progress: Progress) => void {
  const meter = new RateMeter();
  let before: Progress | undefined;
  let dueMs = 0;
  return progress => {
    meter.count(progress.bytes, progress.elapsedMs);
    if (before !== undefined && nowMs() < dueMs && !isNews(before, progress)) return;
    before = progress;
    dueMs = nowMs() + REPORT_EVERY_MS;
    const silentMs = progress.elapsedMs - meter.heardMs;
    onProgress({ ...progress, rates: meter.rates, bytesPerS: bytesPerSecond(progress), silentMs });
  };
}

const isNews = (before: Progress, { last, table, pause }: Progress): boolean =>
  last !== before.last || table !== before.table || pause?.reason !== before.pause?.reason;
