import type { SettingPath } from './decoders.ts';

/** The first place where a text is not valid JSON. */
export class JsonMistake extends Error {
  override readonly name = 'JsonMistake';
  /** The member that was read last. */
  readonly path: SettingPath;

  constructor(message: string, path: SettingPath) {
    super(message);
    this.path = path;
  }
}

/** Members of a JSON text with a name that their object already has; JSON uses the last one. Throws JsonMistake. */
export function doubledMembers(text: string): readonly SettingPath[] {
  const walk: Walk = { text, at: 0, seen: new Set(), twice: [] };
  member(walk, []);
  if (walk.at < text.length) throw mistake(walk, [], 'unexpected text after the end');
  return walk.twice;
}

interface Walk {
  readonly text: string;
  at: number;
  readonly seen: Set<string>;
  readonly twice: SettingPath[];
}

/** Settings are not nested that deeply, and deeper recursion would exhaust the stack. */
const DEEPEST = 50;

/** A value, the blanks around it, and all that is in it. */
function member(walk: Walk, path: SettingPath): void {
  take(walk, BLANKS);
  if (path.length > DEEPEST) throw mistake(walk, path, 'it is nested too deeply');
  if (walk.text[walk.at] === '{') object(walk, path);
  else if (walk.text[walk.at] === '[') list(walk, path);
  else if (take(walk, SCALAR) === undefined) throw mistake(walk, path, 'expected a value');
  take(walk, BLANKS);
}

function object(walk: Walk, path: SettingPath): void {
  walk.at += 1;
  take(walk, BLANKS);
  if (take(walk, CLOSING_BRACE) !== undefined) return;
  let inner = path;
  do {
    take(walk, BLANKS);
    const name = take(walk, QUOTED);
    if (name === undefined) throw mistake(walk, inner, 'expected a name in double quotes');
    inner = [...path, String(JSON.parse(name))];
    const key = JSON.stringify(inner);
    if (walk.seen.has(key)) walk.twice.push(inner);
    walk.seen.add(key);
    take(walk, BLANKS);
    if (take(walk, COLON) === undefined) throw mistake(walk, inner, 'expected a colon');
    member(walk, inner);
  } while (take(walk, COMMA) !== undefined);
  if (take(walk, CLOSING_BRACE) === undefined) throw mistake(walk, inner, 'expected a comma or }');
}

function list(walk: Walk, path: SettingPath): void {
  walk.at += 1;
  take(walk, BLANKS);
  if (take(walk, CLOSING_BRACKET) !== undefined) return;
  let index = 0;
  do member(walk, [...path, index++]);
  while (take(walk, COMMA) !== undefined);
  if (take(walk, CLOSING_BRACKET) === undefined) throw mistake(walk, [...path, index - 1], 'expected a comma or ]');
}

const BLANKS = /[ \t\r\n]*/y;
// Unrolled, so that an unclosed quote is found in one pass.
const QUOTED = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = new RegExp(`${QUOTED.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`, 'y');
const COLON = /:/y;
const COMMA = /,/y;
const CLOSING_BRACE = /\}/y;
const CLOSING_BRACKET = /\]/y;

/** Reads text of this form and moves past it; undefined if there is something else. */
function take(walk: Walk, form: RegExp): string | undefined {
  form.lastIndex = walk.at;
  const found = form.exec(walk.text)?.[0];
  walk.at += found?.length ?? 0;
  return found;
}

const mistake = (walk: Walk, path: SettingPath, what: string): JsonMistake =>
  new JsonMistake(walk.at >= walk.text.length ? 'unexpected end of the file' : what, path);
