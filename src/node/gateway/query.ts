import { newGatewayFailure } from './failure.ts';
import { isGoBool, parseGoBool, parseGoInt, parseGoUint } from './go-numbers.ts';

/**
 * The query parameters of a request, read by proto field name as grpc-gateway does (node-behaviour.md section 1.1):
 * either spelling, dots into nested messages, unknown names ignored. Every reader throws the gateway's 400.
 */
export class Query {
  readonly #groups = new Map<string, string[][]>();
  readonly #rawKeys = new Set<string>();

  constructor(search: string) {
    const badEscape = /%(?![0-9a-f]{2}).{0,2}/i.exec(search);
    if (badEscape) throw newGatewayFailure(3, `invalid URL escape "${badEscape[0]}"`);
    const byKey = new Map<string, string[]>();
    for (const [key, value] of new URLSearchParams(search)) {
      byKey.set(key, [...(byKey.get(key) ?? []), value]);
    }
    for (const [key, values] of byKey) this.#add(key, values);
  }

  /** Whether the key was sent, whatever its value. */
  hasKey(key: string): boolean {
    return this.#rawKeys.has(key);
  }

  text(field: string): string | undefined {
    return this.#scalar(field);
  }

  /** A repeated field: all values of all spellings. Commas do not separate values. */
  texts(field: string): readonly string[] {
    return (this.#groups.get(field) ?? []).flat();
  }

  bool(field: string): boolean | undefined {
    const value = this.#scalar(field);
    if (value === undefined) return undefined;
    if (!isGoBool(value)) throw parsingFailure(field, `strconv.ParseBool: parsing "${value}": invalid syntax`);
    return parseGoBool(value);
  }

  int32(field: string): number | undefined {
    const value = this.#integer(field, text => parseGoInt(text, 32));
    return value === undefined ? undefined : Number(value);
  }

  int64(field: string): bigint | undefined {
    return this.#integer(field, text => parseGoInt(text, 64));
  }

  uint64(field: string): bigint | undefined {
    return this.#integer(field, text => parseGoUint(text, 64));
  }

  /** An enum by exact name or by number. */
  enumName(field: string, names: readonly string[]): string | undefined {
    const value = this.#scalar(field);
    return value === undefined ? undefined : enumValue(field, value, names);
  }

  /** A repeated enum. */
  enumNames(field: string, names: readonly string[]): readonly string[] {
    return this.texts(field).map(value => enumValue(field, value, names));
  }

  #add(key: string, values: readonly string[]): void {
    this.#rawKeys.add(key);
    // The map syntax of grpc-gateway: the text between brackets becomes an extra value in front.
    const bracketed = /^(.*)\[(.*)\]$/.exec(key);
    const path = bracketed?.[1] ?? key;
    const all = bracketed?.[2] === undefined ? [...values] : [bracketed[2], ...values];
    const field = path.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    this.#groups.set(field, [...(this.#groups.get(field) ?? []), all]);
  }

  #scalar(field: string): string | undefined {
    const groups = this.#groups.get(field) ?? [];
    for (const values of groups) {
      if (values.length > 1) {
        throw newGatewayFailure(3, `too many values for field "${lastName(field)}": ${values.join(', ')}`);
      }
    }
    if (groups.length > 1) {
      throw newGatewayFailure(3, `field already set for oneof "_${lastName(field)}"`);
    }
    return groups[0]?.[0];
  }

  #integer(field: string, parse: (text: string) => bigint | string): bigint | undefined {
    const value = this.#scalar(field);
    if (value === undefined) return undefined;
    const parsed = parse(value);
    if (typeof parsed === 'string') throw parsingFailure(field, parsed);
    return parsed;
  }
}

function enumValue(field: string, value: string, names: readonly string[]): string {
  if (names.includes(value)) return value;
  const byNumber = /^[+-]?\d+$/.test(value) ? names[Number(value)] : undefined;
  if (byNumber === undefined) throw parsingFailure(field, `"${value}" is not a valid value`);
  return byNumber;
}

function parsingFailure(field: string, problem: string) {
  return newGatewayFailure(3, `parsing field "${lastName(field)}": ${problem}`);
}

function lastName(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1);
}
