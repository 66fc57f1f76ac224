/** A number written exactly so, digits and all: `1.10` stays `1.10`. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value; a bigint is a bare number with all its digits. A member that is undefined is left out. */
export type ExactJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | NumberText
  | readonly ExactJson[]
  | { readonly [member: string]: ExactJson | undefined };

/** JSON text without the rounding of JSON.stringify, which knows neither bigint nor numbers kept as text. */
export function exactJson(value: ExactJson): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof NumberText) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(exactJson).join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${exactJson(member)}`],
  );
  return `{${members.join(',')}}`;
}

/** Array.isArray does not narrow a readonly array. */
function isList(value: object): value is readonly ExactJson[] {
  return Array.isArray(value);
}
