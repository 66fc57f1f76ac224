/** A JSON value as it stands in the text: numbers as they are written, members by name, the last of a name. */
export type ExactValue =
  | null
  | boolean
  | string
  | { readonly number: string }
  | readonly ExactValue[]
  | ReadonlyMap<string, ExactValue>;

/** Reads JSON a character at a time, as RFC 8259 has it. Throws SyntaxError on anything else. */
export function readExactJson(text: string): ExactValue {
  const reader = new Reader(text);
  const value = reader.value();
  if (!reader.isAtEnd()) throw new SyntaxError(`more than one value, at ${reader.at}`);
  return value;
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.at === this.#text.length;
  }

  value(): ExactValue {
    this.#skipSpace();
    const next = this.#text[this.at];
    if (next === '{') return this.#object();
    if (next === '[') return this.#array();
    if (next === '"') return this.#string();
    const [word] = this.#take(/null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    return { number: word };
  }

  #object(): ReadonlyMap<string, ExactValue> {
    const members = new Map<string, ExactValue>();
    this.#list('{', '}', () => {
      this.#skipSpace();
      const name = this.#string();
      this.#skipSpace();
      this.#take(/:/y);
      members.set(name, this.value());
    });
    return members;
  }

  #array(): readonly ExactValue[] {
    const items: ExactValue[] = [];
    this.#list('[', ']', () => items.push(this.value()));
    return items;
  }

  #list(opening: string, closing: string, item: () => void): void {
    this.#take(opening === '{' ? /\{/y : /\[/y);
    this.#skipSpace();
    if (this.#text[this.at] === closing) {
      this.at++;
      return;
    }
    for (;;) {
      item();
      this.#skipSpace();
      const [mark] = this.#take(/[,}\]]/y);
      if (mark === closing) return;
      if (mark !== ',') throw new SyntaxError(`${mark} closes ${opening}, at ${this.at}`);
    }
  }

  #string(): string {
    this.#take(/"/y);
    let read = '';
    for (;;) {
      const [plain, letter = '', code] = this.#take(/[^"\\\u0000-\u001f]|\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))|"/y);
      if (plain === '"') return read;
      if (code !== undefined) read += String.fromCharCode(Number.parseInt(code, 16));
      else read += letter === '' ? plain : (ESCAPES[letter] ?? letter);
    }
  }

  #skipSpace(): void {
    while (' \t\n\r'.includes(this.#text[this.at] ?? 'x')) this.at++;
  }

  #take(token: RegExp): RegExpExecArray {
    token.lastIndex = this.at;
    const found = token.exec(this.#text);
    if (found === null) throw new SyntaxError(`not JSON at ${this.at}`);
    this.at = token.lastIndex;
    return found;
  }
}

const ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
