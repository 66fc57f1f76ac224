/** Query parameters by name, every value of each in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** A request the node does not serve, with the status and the code of its error object. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(message: string, status = 500, code = 3) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function queryOf(parameters: URLSearchParams): Query {
  return new Map(Array.from(new Set(parameters.keys()), name => [name, parameters.getAll(name)]));
}

/** Refuses a parameter the document does not name, and one given twice that is not a list. */
export function checkNames(query: Query, known: readonly string[], lists: readonly string[] = []): void {
  for (const [name, values] of query) {
    if (!known.includes(name)) throw new Refusal(`parameter "${name}" is not known here`);
    if (values.length > 1 && !lists.includes(name)) throw new Refusal(`parameter "${name}" is given twice`);
  }
}

export function textOf(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}

export function booleanOf(query: Query, name: string): boolean | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw new Refusal(`parameter "${name}" is not a boolean: "${text}"`);
  return text === 'true';
}

/** A whole number above 0, at most the largest int32. */
export function countOf(query: Query, name: string): number | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  const count = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 2_147_483_647) throw new Refusal(`parameter "${name}" is not a count: "${text}"`);
  return count;
}
