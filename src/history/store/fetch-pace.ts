import type { SliceRecord } from '../manifest/manifest.ts';

/** Segments and bytes of a table that one slice brought, and how long it took. */
interface Measured {
  segments: number;
  bytes: number;
  ms: number;
}

/** The speed of a fetch, by the slices that it has brought. */
export class FetchPace {
  readonly #measured = new Map<string, Measured>();
  /** Bytes in a segment of a table, by the slices of earlier fetches. */
  readonly #known: ReadonlyMap<string, number>;

  constructor(known: ReadonlyMap<string, number>) {
    this.#known = known;
  }

  add(table: string, segments: number, { bytes, started, finished }: SliceRecord): void {
    const of = this.#measured.get(table) ?? { segments: 0, bytes: 0, ms: 0 };
    of.segments += segments;
    of.bytes += bytes;
    of.ms += Math.max(0, Date.parse(finished) - Date.parse(started));
    this.#measured.set(table, of);
  }

  /** Bytes per second over the slices so far; null before the first. */
  get bytesPerS(): number | null {
    const all = this.#total();
    return all.ms > 0 ? (all.bytes * 1000) / all.ms : null;
  }

  /** How long the slices so far took. */
  get measuredMs(): number {
    return this.#total().ms;
  }

  /**
   * How long these segments take, in ms; 0 before the first slice. A table is judged by its own slices, else by the size of its
   * segments on disk, else by the average of the other tables.
   */
  msOf(left: ReadonlyMap<string, number>): number {
    const all = this.#total();
    const { bytesPerS } = this;
    if (all.segments === 0 || bytesPerS === null) return 0;
    let ms = 0;
    for (const [table, segments] of left) {
      const own = this.#measured.get(table);
      const size = this.#known.get(table);
      if (own !== undefined && own.segments > 0) ms += (own.ms / own.segments) * segments;
      else if (size !== undefined && bytesPerS > 0) ms += ((size * 1000) / bytesPerS) * segments;
      else ms += (all.ms / all.segments) * segments;
    }
    return ms;
  }

  #total(): Readonly<Measured> {
    const all: Measured = { segments: 0, bytes: 0, ms: 0 };
    for (const { segments, bytes, ms } of this.#measured.values()) {
      all.segments += segments;
      all.bytes += bytes;
      all.ms += ms;
    }
    return all;
  }
}
