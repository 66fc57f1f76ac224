/** Rules 5 to 7 of the interface over a whole text, slow and plain: an independent witness for the scanner. */
export function referenceCsv(text: string): readonly (readonly (string | null)[])[] | 'bad' {
  const rows: (string | null)[][] = [];
  let rest = text;
  while (rest !== '') {
    const row: (string | null)[] = [];
    for (;;) {
      const field = /^(?:"((?:[^"\0]|"")*)"|([^",\r\n\0]*))(,|\r?\n)/.exec(rest);
      if (!field) return 'bad';
      row.push(field[1]?.replaceAll('""', '"') ?? (field[2] === '' ? null : (field[2] ?? null)));
      rest = rest.slice(field[0].length);
      if (field[3] !== ',') break;
    }
    rows.push(row);
  }
  return rows;
}
