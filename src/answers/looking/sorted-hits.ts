import type { Database } from '../engine/database.ts';

/**
 * The positions of matching rows in a sorted table. The last result is cached, because it took a search of all files and
 * the next match is usually wanted soon.
 */
export class SortedHits {
  #cached: { readonly key: string; readonly table: string } | null = null;
  #made = 0;

  /** A table with their positions as `place`; `placesSql` finds them if they are not cached. */
  async of(database: Database, key: string, placesSql: () => Promise<string>, signal: AbortSignal): Promise<string> {
    if (this.#cached?.key === key) return this.#cached.table;
    const table = `hits_${++this.#made}`;
    await database.run(`CREATE TABLE ${table} AS ${await placesSql()}`, signal);
    const dropped = this.#cached;
    this.#cached = { key, table };
    if (dropped !== null) await database.run(`DROP TABLE ${dropped.table}`);
    return table;
  }
}
