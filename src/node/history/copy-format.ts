/** A row by column name; null is SQL NULL. Columns that are not in the schema are left out. */
export type HistoryRow = Readonly<Record<string, string | null>>;

/** Bytes as COPY writes them; "" becomes the empty id `\x`, which is not NULL. */
export function bytea(hex: string): string {
  return `\\x${hex}`;
}

/** A time in UTC, with the fraction trimmed as PostgreSQL does. */
export function timestamptz(timeUs: number): string {
  const seconds = new Date(Math.floor(timeUs / 1e6) * 1000).toISOString();
  const fraction = String(timeUs % 1e6)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${seconds.slice(0, 10)} ${seconds.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}+00`;
}

/** Tables have the start of 1970 where the chain has no time. */
export const NO_TIME = '1970-01-01 00:00:00+00';

/** JSON in one line, keys sorted by length and then by bytes, a space after each separator. */
export function jsonb(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonb).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${jsonb(member)}`).join(', ')}}`;
}

/** numeric(1000,16): always sixteen decimals. */
export function numeric16(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return `${whole}.${fraction.padEnd(16, '0')}`;
}

export function headerLine(columns: readonly string[]): string {
  return `${columns.join(',')}\n`;
}

export function rowLine(columns: readonly string[], row: HistoryRow): string {
  return `${columns.map(column => cell(column, row[column])).join(',')}\n`;
}

function cell(column: string, value: string | null | undefined): string {
  if (value === undefined) throw new TypeError(`a row has no value for the column ${column}`);
  if (value === null) return '';
  // NULL is unquoted, so an empty text must be quoted; `\\.` would end the data.
  if (value === '' || value === '\\.' || /[",\r\n]/.test(value)) return `"${value.replaceAll('"', '""')}"`;
  return value;
}
