import { didYouMean } from '../base/text/nearest-word.ts';
import { type SafeText, safeJson, safeText, sanitize, sliceSafe } from '../base/text/safe-text.ts';
import {
  createSerialiser,
  type RecordFormat,
  type RecordsToSerialise,
  serialiseAll,
  type TableFormat,
} from '../base/text/serialise.ts';
import { indentedJson, type Json } from '../chain/api/json.ts';
import type { ParsedFlags } from './flags.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

/** Markdown is only for commands that list it. */
export type Format = (typeof FORMATS)[number] | 'markdown';

/** Of a command that prints one report, not records. */
export const REPORT_FORMATS = ['table', 'json'] as const;

/** The format that was asked for, of those that a command has. */
export function readFormat<F extends string>(given: ParsedFlags, formats: readonly F[]): F {
  const wanted = given.text('output') ?? 'table';
  const format = formats.find(name => name === wanted);
  if (format !== undefined) return format;
  if (FORMATS.some(name => name === wanted))
    throw new UsageError(
      `this command does not print ${wanted}. Use ${formats.map(name => `-o ${name}`).join(' or ')}`,
    );
  throw new UsageError(`--output must be one of ${formats.join(', ')}, not "${wanted}"${didYouMean(wanted, formats)}`);
}

/** Whether it prints the records as sent. */
export const isJson = (format: Format): boolean => format === 'json' || format === 'ndjson';

/** Records as a command prints them: for programs, and as a table for people. */
export interface PrintedForms<T> extends RecordFormat<T> {
  /** Called for each part of the records as it comes. */
  readonly table: (records: readonly T[]) => SafeText | Promise<SafeText>;
}

/** Prints records as they arrive, in one format, without holding them. */
interface Printer<T> {
  readonly write: (records: readonly T[]) => Promise<void>;
  readonly end: () => Promise<void>;
}

export function printer<T>(format: Format, forms: PrintedForms<T>, stdout: Sink): Printer<T> {
  if (format === 'table')
    return { write: async records => stdout.safe(await forms.table(records)), end: async () => {} };
  const text = createSerialiser(serialisedForm(format), forms);
  return {
    write: async records => {
      const { exact, shown } = await text.next(records);
      await stdout.data(exact, shown);
    },
    end: async () => {
      for (const { exact, shown } of text.end()) await stdout.data(exact, shown);
    },
  };
}

/** Prints records that are all there. */
export const printAll = async <T>(
  format: Format,
  all: RecordsToSerialise<T> & PrintedForms<T>,
  stdout: Sink,
): Promise<void> =>
  format === 'table' ? stdout.safe(await all.table(all.records)) : printRecords(format, all, stdout);

/** The same for programs. */
export async function printRecords<T>(
  format: Exclude<Format, 'table'>,
  all: RecordsToSerialise<T>,
  stdout: Sink,
): Promise<void> {
  for await (const { exact, shown } of serialiseAll(serialisedForm(format), all)) await stdout.data(exact, shown);
}

const serialisedForm = (format: Exclude<Format, 'table'>): TableFormat => (format === 'markdown' ? 'md' : format);

/** Prints one value as JSON, indented, to the digit. */
export async function printDocument(value: Json, stdout: Sink): Promise<void> {
  for (const piece of indentedJson(value)) await stdout.data(piece, safeJson);
}

/** Prints a value of the program's own as JSON, heights of 64 bits as decimal text. */
export const printReport = (value: unknown, stdout: Sink, form: 'json' | 'ndjson' = 'json'): Promise<void> =>
  stdout.data(`${JSON.stringify(value, bigintAsText, form === 'json' ? 2 : undefined)}\n`, safeJson);

const bigintAsText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Values of a sound node are shorter. A longer one would widen every row of the table. */
const MAX_CELL_LENGTH = 10_000;

export function cappedCell(text: SafeText): SafeText {
  if (text.length <= MAX_CELL_LENGTH) return text;
  const cut = sanitize(`... (${text.length} characters; -o json prints them in full)`);
  return safeText`${sliceSafe(text, 0, MAX_CELL_LENGTH)}${cut}`;
}
