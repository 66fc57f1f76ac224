import { joinSafe, type SafeText, safeJson, safeLines, safeText, sanitize } from './safe-text.ts';

/** How records are written: each is also the ending of a file. */
export type TableFormat = 'csv' | 'tsv' | 'md' | 'json' | 'ndjson';

/** A value as text, exactly; null is NULL. */
export type CellText = string | null;

type Lines = readonly (readonly CellText[])[];

/** How records are written. Only the functions that the chosen format needs are called. */
export interface RecordFormat<T> {
  /** The names of the columns in CSV, TSV and Markdown. */
  readonly head: () => readonly string[];
  /** Of the columns in Markdown; all left without it. */
  readonly aligns?: () => readonly ('left' | 'right')[];
  /** The lines of a record in CSV, TSV and Markdown. */
  readonly cells: (record: T) => Lines | Promise<Lines>;
  /** NULL and the empty text are different values: CSV and Markdown tell them apart. */
  readonly hasNulls?: boolean;
  /** A record as JSON in one line. */
  readonly json: (record: T) => string;
  /** What JSON is instead of an array of the records, in pieces. */
  readonly document?: () => Iterable<string>;
}

/** Records that are all there. */
export interface RecordsToSerialise<T> extends RecordFormat<T> {
  readonly records: readonly T[];
}

/** A piece of text, byte for byte, and the form that is safe for a terminal. */
interface TextPiece {
  readonly exact: string;
  readonly shown: () => SafeText;
}

/** Turns records into text as they arrive, without holding them. */
interface Serialiser<T> {
  /** The text of these records, the first ones below their heading. */
  readonly next: (records: readonly T[]) => Promise<TextPiece>;
  /** What ends the text; it has the heading where no record came. */
  readonly end: () => Iterable<TextPiece>;
}

export function createSerialiser<T>(form: TableFormat, forms: RecordFormat<T>): Serialiser<T> {
  switch (form) {
    case 'csv':
      return lineSerialiser(forms, csvFormat(forms.hasNulls === true));
    case 'tsv':
      return lineSerialiser(forms, { head: tsvLine, line: tsvLine });
    case 'md':
      return lineSerialiser(forms, markdownFormat(forms.hasNulls === true ? 'NULL' : ''));
    case 'ndjson':
      return {
        next: async records => jsonPiece(records.map(record => `${forms.json(record)}\n`).join('')),
        end: () => [],
      };
    case 'json':
      return forms.document === undefined ? jsonArraySerialiser(forms) : jsonDocumentSerialiser(forms.document);
  }
}

/** All of a text, in pieces. */
export async function* serialiseAll<T>(
  form: TableFormat,
  { records, ...forms }: RecordsToSerialise<T>,
): AsyncGenerator<TextPiece> {
  const text = createSerialiser(form, forms);
  yield await text.next(records);
  yield* text.end();
}

interface LineFormat {
  readonly head: (titles: readonly string[], aligns: readonly ('left' | 'right')[]) => string;
  readonly line: (cells: readonly CellText[]) => string;
  /** Of cells that are harmless each; without it the text is made harmless line by line. */
  readonly shown?: (cells: readonly CellText[]) => SafeText;
}

function lineSerialiser<T>({ head, aligns, cells }: RecordFormat<T>, form: LineFormat): Serialiser<T> {
  let isBegun = false;
  const piece = (records: Lines): TextPiece => {
    const titles = isBegun ? undefined : head();
    isBegun = true;
    const above = titles === undefined ? '' : form.head(titles, aligns?.() ?? titles.map(() => 'left'));
    const exact = `${above}${records.map(form.line).join('')}`;
    const { shown } = form;
    if (shown === undefined) return { exact, shown: () => safeLines(exact) };
    return { exact, shown: () => joinSafe([...(titles === undefined ? [] : [titles]), ...records].map(shown)) };
  };
  return {
    next: async records => {
      const all: (readonly CellText[])[] = [];
      for (const record of records) all.push(...(await cells(record)));
      return piece(all);
    },
    end: () => (isBegun ? [] : [piece([])]),
  };
}

/** RFC 4180: CRLF, quotes where needed. NULL is nothing; the empty text is a pair of quotes where there is NULL. */
function csvFormat(hasNulls: boolean): LineFormat {
  const field = (cell: CellText): string => (hasNulls && cell === '' ? '""' : quoteIfNeeded(cell ?? ''));
  const line = (cells: readonly CellText[]): string => `${cells.map(field).join(',')}\r\n`;
  // Sanitised text has no line end left that would need quotes.
  const shownField = (cell: CellText): SafeText => sanitize(field(cell === null ? null : sanitize(cell)));
  const shown = (cells: readonly CellText[]): SafeText => safeText`${joinSafe(cells.map(shownField), safeText`,`)}\r\n`;
  return { head: line, line, shown };
}

const quoteIfNeeded = (value: string): string => (/[",\r\n]/.test(value) ? `"${doubleQuotes(value)}"` : value);

/** In pieces: what V8 keeps between the quotes of a long text takes ten times as much memory as the text. */
function doubleQuotes(value: string): string {
  let doubled = '';
  for (let at = 0; at < value.length; at += PIECE_CHARACTERS) {
    const piece = value.slice(at, at + PIECE_CHARACTERS).split('"');
    doubled += piece.join('""');
  }
  return doubled;
}

const PIECE_CHARACTERS = 65_536;

/** Tabs between the values; quoted as in CSV where a value holds a tab, a quote or a line end. */
const tsvLine = (cells: readonly CellText[]): string => `${cells.map(cell => tsvField(cell ?? '')).join('\t')}\r\n`;

const tsvField = (value: string): string => (/["\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

function markdownFormat(nullText: string): LineFormat {
  const line = (cells: readonly CellText[]): string =>
    `| ${cells.map(cell => markdownText(cell ?? nullText)).join(' | ')} |\n`;
  const rule = (aligns: readonly ('left' | 'right')[]): string =>
    `|${aligns.map(align => (align === 'right' ? ' ---: ' : ' --- ')).join('|')}|\n`;
  return { head: (titles, aligns) => `${line(titles)}${rule(aligns)}`, line };
}

// A picture or a link in a name of the chain would ask its own server when the page is shown.
const markdownText = (value: string): string =>
  value.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>~|&]/g, character => `\\${character}`);

const jsonPiece = (exact: string): TextPiece => ({ exact, shown: () => safeJson(exact) });

/** A record a line. */
function jsonArraySerialiser<T>({ json }: RecordFormat<T>): Serialiser<T> {
  let before = '[\n';
  return {
    next: async records => {
      let text = '';
      for (const record of records) {
        text += `${before}${json(record)}`;
        before = ',\n';
      }
      return jsonPiece(text);
    },
    end: () => [jsonPiece(before === '[\n' ? '[]\n' : '\n]\n')],
  };
}

const jsonDocumentSerialiser = <T>(document: () => Iterable<string>): Serialiser<T> => ({
  next: async () => jsonPiece(''),
  end: function* () {
    for (const text of document()) yield jsonPiece(text);
  },
});
