/**
 * Cuts CSV that arrives in pieces into rows of text. The check of the archive reads the same bytes and judges them, so this
 * only has to be fast: a row without quotes is split at its commas. Values are Latin-1, because ids, numbers, times and
 * labels are ASCII.
 */
export class CsvCutter {
  #open = '';
  /** Whether the open row ends inside quotes. */
  #isQuoted = false;

  /** Calls back for each row that `chunk` completes. Unquoted empty values and quoted ones are both ''. */
  push(chunk: Buffer, onRow: (values: readonly string[]) => void): void {
    const text = chunk.toString('latin1');
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = text.slice(from, end);
      from = end + 1;
      const isPlain = !this.#isQuoted && this.#open === '' && !line.includes('"');
      if (isPlain) onRow(line.split(','));
      else this.#take(line, onRow);
    }
    if (from < text.length) this.#hold(text.slice(from));
  }

  #take(line: string, onRow: (values: readonly string[]) => void): void {
    this.#hold(line);
    if (this.#isQuoted) {
      this.#open += '\n';
      return;
    }
    const row = this.#open;
    this.#open = '';
    onRow(row.includes('"') ? quotedValues(row) : row.split(','));
  }

  #hold(part: string): void {
    for (let at = part.indexOf('"'); at >= 0; at = part.indexOf('"', at + 1)) this.#isQuoted = !this.#isQuoted;
    this.#open += part;
  }
}

function quotedValues(row: string): readonly string[] {
  const values: string[] = [];
  let at = 0;
  while (at <= row.length) {
    if (row[at] !== '"') {
      const end = row.indexOf(',', at);
      values.push(end < 0 ? row.slice(at) : row.slice(at, end));
      at = end < 0 ? row.length + 1 : end + 1;
      continue;
    }
    let value = '';
    let from = at + 1;
    let end = row.indexOf('"', from);
    while (end >= 0 && row[end + 1] === '"') {
      value += row.slice(from, end + 1);
      from = end + 2;
      end = row.indexOf('"', from);
    }
    const last = end < 0 ? row.length : end;
    values.push(value + row.slice(from, last));
    at = last + 2;
  }
  return values;
}
