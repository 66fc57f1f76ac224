/** A text as SQL writes it. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name of a table or a column as SQL writes it. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const sqlList = (items: readonly string[]): string => `[${items.join(', ')}]`;
