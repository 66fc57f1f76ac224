import { newInternalFailure } from '../gateway/failure.ts';

/** A base64 cursor whose content this list did not write. */
class CursorContentError extends Error {
  override readonly name = 'CursorContentError';

  constructor(problem: string) {
    super(`parsing cursor: parsing cursor: ${problem}`);
  }
}

/** Reads a cursor; content that the list did not write is refused with the code and message of the list. */
export function readCursor<Read>(code: number, message: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CursorContentError)) throw error;
    throw newInternalFailure(code, message, error.message);
  }
}

export function encodeCursor(content: string): string {
  return Buffer.from(content, 'utf8').toString('base64');
}

/** The JSON object inside a cursor; anything else is refused with the message of Go's decoder. */
export function cursorObject(content: string, goType: string): ReadonlyMap<string, unknown> {
  const value = parse(content);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value));
  // For null, Go leaves the struct at its zero values.
  if (value === null) return new Map();
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw new CursorContentError(`json: cannot unmarshal ${kind} into Go value of type entities.${goType}`);
}

/** A text member, "" if absent. */
export function cursorText(members: ReadonlyMap<string, unknown>, name: string): string {
  const value = members.get(name) ?? '';
  if (typeof value === 'string') return value;
  throw new CursorContentError(`json: cannot unmarshal ${typeof value} into Go struct field ${name} of type string`);
}

// A missing time is Go's zero time, 1 January of year 1.
const GO_ZERO_TIME_US = -62_135_596_800_000_000;

/** A time member in Unix microseconds. */
export function cursorTimeUs(members: ReadonlyMap<string, unknown>, name: string): number {
  const text = cursorText(members, name);
  if (text === '') return GO_ZERO_TIME_US;
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  const wholeMs = Date.parse(`${parts?.[1] ?? ''}Z`);
  if (!parts || Number.isNaN(wholeMs)) throw new CursorContentError(timeProblem(text));
  return wholeMs * 1000 + Number((parts[2] ?? '').padEnd(6, '0').slice(0, 6));
}

/** RFC 3339 as Go writes it: microseconds, trailing zeros dropped. */
export function goTime(timeUs: number): string {
  const seconds = new Date(Math.floor(timeUs / 1e6) * 1000).toISOString().slice(0, 19);
  const fraction = String(timeUs % 1e6)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

function timeProblem(text: string): string {
  const layout = '"\\"2006-01-02T15:04:05Z07:00\\""';
  return `parsing time ${JSON.stringify(JSON.stringify(text))} as ${layout}: cannot parse ${JSON.stringify(`${text}"`)} as "2006"`;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new CursorContentError(goSyntaxProblem(content, error instanceof Error ? error.message : ''));
  }
}

function goSyntaxProblem(content: string, v8Message: string): string {
  const start = content.trimStart().charAt(0);
  if (start === '' || /end of JSON input|Unterminated/.test(v8Message)) return 'unexpected end of JSON input';
  if (!/[{["\-\dtfn]/.test(start)) return `invalid character '${start}' looking for beginning of value`;
  const at = Number(/position (\d+)/.exec(v8Message)?.[1] ?? 1);
  return `invalid character '${content.charAt(at)}' after top-level value`;
}
