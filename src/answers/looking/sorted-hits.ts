import type { Database } from '../engine/database.ts';

/**
 * Where the rows that hold a text are among those of a sorted look. The last ones are kept: they are looked for in all
 * files, and the next of them is asked for soon.
 */
export class SortedHits {
  #kept: { readonly key: string; readonly table: string } | null = null;
  #made = 0;

  /** The table that has their places as `place`; `placesSql` says which, where they are not known. */
  async of(database: Database, key: string, placesSql: () => Promise<string>, signal: AbortSignal): Promise<string> {
    if (this.#kept?.key === key) return this.#kept.table;
    const table = `hits_${++this.#made}`;
    await database.run(`CREATE TABLE ${table} AS ${await placesSql()}`, signal);
    const gone = this.#kept;
    this.#kept = { key, table };
    if (gone !== null) await database.run(`DROP TABLE ${gone.table}`);
    return table;
  }
}
