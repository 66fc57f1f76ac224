import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

export type StoreRow = Readonly<Record<string, SQLOutputValue>>;

/** A table of the demo chain. */
export interface DemoTable {
  readonly name: string;
  /** Column definitions, in the order of the rows' values. */
  readonly columns: readonly string[];
  readonly primaryKey: string;
  /** Created after the rows, for the sort orders and filters of the lists. */
  readonly indices: readonly string[];
  rows(): TableRowValues | Promise<TableRowValues>;
  /** Rows that have changed up to a block, since the start or the last call; only for tables that change. */
  changedBy?(height: number): TableRowValues;
}

/** Values in the order of the columns. */
export type TableRowValues = Iterable<readonly SQLInputValue[]>;

/** The in-memory database of the node. Each table is filled on first use, so that starting costs nothing. */
export class Store {
  readonly #database = new DatabaseSync(':memory:');
  readonly #tables: ReadonlyMap<string, DemoTable>;
  readonly #unfilled: Map<string, DemoTable>;
  readonly #statements = new Map<string, StatementSync>();

  readonly #height: () => number;

  /** `height` is the newest block: tables that change are brought up to it whenever they are read. */
  constructor(tables: readonly DemoTable[], height: () => number = () => 0) {
    this.#height = height;
    this.#tables = new Map(tables.map(table => [table.name, table]));
    this.#unfilled = new Map(this.#tables);
  }

  /** Every row of the query; `table` is the table it reads. */
  all(table: string, sql: string, values: readonly SQLInputValue[]): readonly StoreRow[] {
    return this.#statement(table, sql).all(...values);
  }

  get(table: string, sql: string, values: readonly SQLInputValue[]): StoreRow | undefined {
    return this.#statement(table, sql).get(...values);
  }

  /** Fills a table whose rows are a promise; other tables are filled when they are read. */
  async ready(table: string): Promise<void> {
    const unfilled = this.#unfilled.get(table);
    const rows = await unfilled?.rows();
    // Another request may have filled it in the meantime.
    if (unfilled && rows && this.#unfilled.has(table)) this.#fill(unfilled, rows);
  }

  /** Brings a table up to a block. */
  advance(table: string, height: number): void {
    const changing = this.#tables.get(table);
    if (changing?.changedBy === undefined) return;
    this.#fillNow(table);
    let replace: StatementSync | undefined;
    for (const row of changing.changedBy(height)) {
      replace ??= this.#database.prepare(`REPLACE INTO ${table} VALUES (${placeholders(changing)})`);
      replace.run(...row);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(table: string, sql: string): StatementSync {
    this.#fillNow(table);
    this.advance(table, this.#height());
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #fillNow(table: string): void {
    const unfilled = this.#unfilled.get(table);
    if (unfilled) this.#fill(unfilled, requireReadyRows(unfilled));
  }

  #fill(table: DemoTable, rows: TableRowValues): void {
    const { name, columns, primaryKey, indices } = table;
    this.#unfilled.delete(name);
    this.#database.exec(`CREATE TABLE ${name} (${columns.join(', ')}, PRIMARY KEY (${primaryKey})); BEGIN`);
    const insert = this.#database.prepare(`INSERT INTO ${name} VALUES (${placeholders(table)})`);
    for (const row of rows) insert.run(...row);
    this.#database.exec('COMMIT');
    for (const index of indices)
      this.#database.exec(`CREATE INDEX ${name}_${index.replace(/\W+/g, '_')} ON ${name} (${index})`);
  }
}

const placeholders = ({ columns }: DemoTable): string => columns.map(() => '?').join(', ');

function requireReadyRows({ name, rows }: DemoTable): TableRowValues {
  const made = rows();
  if (made instanceof Promise) throw new Error(`the table ${name} was read before it was ready`);
  return made;
}

/** A text column; "" for NULL. */
export function rowText(row: StoreRow, column: string): string {
  const value = row[column] ?? '';
  if (typeof value === 'string') return value;
  throw new TypeError(`column ${column} holds no text`);
}

export function rowNumber(row: StoreRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new TypeError(`column ${column} holds no number`);
}
