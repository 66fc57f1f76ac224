/** A field of CSV by RFC 4180: in quotes where it needs them. */
export const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A record of CSV with its line's end. */
export const csvRecord = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`;
