/** The recorded content of a node at one moment. It can be posted to a thread. */
export interface RecordedChain {
  /** What to call it in messages: `snapshot 12`. */
  readonly name: string;
  /** Decimal text; null if the node did not report it. */
  readonly blockHeight: string | null;
  readonly blockTimeNs: string | null;
  readonly lists: readonly RecordedList[];
}

export interface RecordedList {
  /** `provisions`, `fees`, ... */
  readonly list: string;
  /** The market or the epoch that it is of; '' for a whole list. */
  readonly scope: string;
  /** JSON texts, oldest first. */
  readonly records: readonly string[];
  /** Why the list cannot be shown; null if all its records exist. */
  readonly problem: string | null;
}

/** The lists of a recorded chain by name and scope. */
export class RecordedLists {
  readonly name: string;
  readonly #lists: ReadonlyMap<string, readonly RecordedList[]>;

  constructor({ name, lists }: RecordedChain) {
    this.name = name;
    this.#lists = Map.groupBy(lists, ({ list }) => list);
  }

  /** Every part of a list: one for each market or epoch. */
  parts(list: string): readonly RecordedList[] {
    return this.#lists.get(list) ?? [];
  }

  part(list: string, scope: string): RecordedList | undefined {
    return this.parts(list).find(part => part.scope === scope);
  }

  /** The records of all its parts that can be shown. */
  records(list: string): readonly RecordedRow[] {
    return this.parts(list)
      .filter(({ problem }) => problem === null)
      .flatMap(({ scope, records }) => records.map(body => ({ body, scope, members: parseMembers(body) })));
  }

  /** The only record of a list such as `status`; undefined if it was not read. */
  document(list: string): string | undefined {
    const part = this.part(list, '');
    return part?.problem === null ? part.records[0] : undefined;
  }
}

/** A record: its exact text, and its members for filters and orders. */
export interface RecordedRow {
  readonly body: string;
  readonly scope: string;
  readonly members: ReadonlyMap<string, unknown>;
}

export function parseMembers(body: string): ReadonlyMap<string, unknown> {
  try {
    return objectMembers(JSON.parse(body));
  } catch {
    return new Map();
  }
}

export const objectMembers = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

/** A text member; '' if it is none. */
export function memberTextOrEmpty(members: ReadonlyMap<string, unknown>, name: string): string {
  const value = members.get(name);
  return typeof value === 'string' ? value : '';
}
