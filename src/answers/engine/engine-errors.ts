import { AnswerError } from './answer-error.ts';

/**
 * The engine's message: its first paragraph, and the place in the statement. Advice that cannot be followed is left out:
 * settings are locked, extensions are not loaded, and the engine's own tool is not available.
 */
export function toAnswerError(error: unknown): AnswerError {
  const words = (error instanceof Error ? error.message : String(error)).replace(/^Failed to extract statements: /, '');
  const [first = '', ...others] = words.split(/\n\s*\n/);
  const message = withoutAdvice(first);
  const text = `${message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}...` : message}${errorPosition(words)}`;
  return new AnswerError(text, errorHint(words, others));
}

/** The same error for a statement that the user did not type: then a value in the exports does not fit. */
export const toExportValueError = (error: unknown): unknown =>
  error instanceof AnswerError && /^(?:Conversion|Out of Range|Invalid Input) Error/.test(error.message)
    ? new AnswerError(
        `the exports have a value that does not fit its column: ${error.message}`,
        'check the exports: blockglass verify FILES',
        'untrusted',
      )
    : error;

/** Errors that are not caused by the data. */
export const isOutOfMemory = ({ message }: AnswerError): boolean => message.startsWith('Out of Memory');

const MAX_MESSAGE_LENGTH = 1000;

/** The first sentence describes the error, even if it quotes the statement. */
function withoutAdvice(paragraph: string): string {
  const sentences = paragraph.split('\n').flatMap(line => line.trim().split(/(?<=[.!?]) +(?=[A-Z"])/));
  return sentences
    .filter((sentence, index) => sentence !== '' && (index === 0 || !ADVICE.some(pattern => pattern.test(sentence))))
    .join(' ');
}

const ADVICE: readonly RegExp[] = [
  /\b(?:SET|PRAGMA|INSTALL|LOAD) \w/,
  /^\* (?:SET|Set|Load|Provide)\b/,
  /\byour options [^.]*:$/i,
  /'\w+' setting\b|\bthis setting\b/,
  /^Database is launched in in-memory mode|^Unused blocks cannot be offloaded/,
  // Do not suggest the engine's own tables.
  /^Did you mean "(?:pg_|duckdb_|sqlite_|pragma_|information_schema)/,
];

/** The place that the caret below the statement points to. */
function errorPosition(words: string): string {
  const [, line = '', shown = '', mark = ''] = /^(LINE (\d+): .*)\n( *)\^/m.exec(words) ?? [];
  const at =
    line
      .slice(mark.length)
      .split(/[\s,;()]/)[0]
      ?.slice(0, 60) ?? '';
  return line === '' || at === '' ? '' : ` (line ${shown}, at ${at})`;
}

function errorHint(words: string, others: readonly string[]): string {
  const known = HINTS.find(([pattern]) => pattern.test(words))?.[1];
  if (known !== undefined) return known;
  const candidates = others.find(line => /^Did you mean|^Candidate/.test(line.trim()))?.trim();
  return candidates?.replace(/\s*\n\s*/g, ' ') ?? TABLES_HINT;
}

const TABLES_HINT = 'see the tables and columns: blockglass query --tables';

/** Hints instead of the engine's advice; the first match is used. */
const HINTS: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /^Out of Memory[^\n]*\n[^\n]*'max_temp_directory_size'/,
    'select fewer columns or groups, raise --memory, or set TMPDIR to a folder with more space',
  ],
  [/^Out of Memory/, 'select fewer columns or groups, or raise --memory'],
  [
    /^Permission Error: Cannot access/,
    'only the exports on the command line can be read: add more after the query and use their tables',
  ],
  [/ exists in the \w+ extension/, 'extensions are not loaded: use built-in functions'],
  [/coordinate system/, 'extensions are not loaded: use built-in functions'],
  [/^Parser Error: Max expression depth/, 'use fewer levels, for example IN (...) instead of many ORs'],
  [/^(?:Parser|Syntax) Error/, 'write DuckDB SQL, with "double quotes" around names that have capitals or signs'],
  [/^Binder Error: Pivot column limit/, 'list fewer values, or use GROUP BY'],
  [/^Binder Error: ORDER BY non-integer literal/, 'write a column without quotes or in "double quotes"'],
  [/^Invalid Input Error: More than one row returned/, 'make it one row: max(...), or LIMIT 1'],
  [/^Conversion Error/, 'TRY_CAST(value AS type) returns NULL for values that do not fit'],
  [
    /^Out of Range Error: Overflow in .*addition/,
    'sum ::HUGEINT::BIGNUM instead: it holds whole numbers of any length',
  ],
];
