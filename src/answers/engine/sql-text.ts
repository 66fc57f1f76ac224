/** A text as an SQL literal. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The name of a table or column as a quoted SQL identifier. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const sqlList = (items: readonly string[]): string => `[${items.join(', ')}]`;
