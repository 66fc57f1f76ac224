/**
 * Columns of an Arrow IPC stream, as far as Parquet files of ours need it (Arrow columnar format, "Encapsulated message
 * format" and Message.fbs): a third reading of the files, which shares no code with the program.
 */
export interface ArrowColumn {
  readonly name: string;
  /** `Decimal(38,0)`, `Timestamp(2)`, `Int(64)`, `Bool`, `Utf8`, `Binary`, `Float`. */
  readonly type: string;
  /** As exact text: bytes are hexadecimal, decimals and times whole numbers of their smallest unit. */
  readonly values: readonly (string | null)[];
}

export function arrowColumns(stream: Uint8Array): readonly ArrowColumn[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  let fields: readonly Field[] = [];
  const values: (string | null)[][] = [];
  for (let at = 0; at + 8 <= stream.length; ) {
    const length = view.getInt32(at + 4, true);
    if (length === 0) break;
    const message = tableAt(view, at + 8 + view.getInt32(at + 8, true));
    const kind = message.byte(1);
    const header = message.table(2);
    const bodyAt = at + 8 + length;
    if (kind === 1) {
      fields = header.tables(1).map(fieldOf);
      values.push(...fields.map(() => []));
    } else if (kind === 3) {
      const batch = readBatch(view, header, bodyAt, fields);
      for (const [index, column] of batch.entries()) values[index]?.push(...column);
    } else throw new Error(`a message of kind ${kind} was not expected`);
    at = bodyAt + Number(message.long(3));
  }
  return fields.map(({ name, type }, index) => ({ name, type, values: values[index] ?? [] }));
}

interface Field {
  readonly name: string;
  readonly type: string;
}

function fieldOf(field: FlatTable): Field {
  const type = field.table(3);
  const names: { readonly [kind: number]: string } = {
    2: `Int(${type.int(0)})`,
    3: 'Float',
    4: 'Binary',
    5: 'Utf8',
    6: 'Bool',
    7: `Decimal(${type.int(0)},${type.int(1)})`,
    10: `Timestamp(${type.short(0)})`,
  };
  return { name: field.text(0), type: names[field.byte(2)] ?? `kind ${field.byte(2)}` };
}

function readBatch(view: DataView, batch: FlatTable, bodyAt: number, fields: readonly Field[]) {
  const rows = Number(batch.long(0));
  const buffers = batch.structs(2, 16).map(at => bodyAt + Number(view.getBigInt64(at, true)));
  const nulls = batch.structs(1, 16).map(at => Number(view.getBigInt64(at + 8, true)));
  let next = 0;
  return fields.map(({ type }, index) => {
    const [validity = 0, first = 0] = [buffers[next], buffers[next + 1]];
    const hasTexts = type === 'Utf8' || type === 'Binary';
    const data = hasTexts ? (buffers[next + 2] ?? 0) : first;
    next += hasTexts ? 3 : 2;
    return Array.from({ length: rows }, (_, row) =>
      nulls[index] !== 0 && !bitAt(view, validity, row) ? null : valueAt(view, type, { first, data, row }),
    );
  });
}

const bitAt = (view: DataView, at: number, index: number): boolean =>
  ((view.getUint8(at + (index >> 3)) >> (index & 7)) & 1) === 1;

function valueAt(
  view: DataView,
  type: string,
  { first, data, row }: { readonly first: number; readonly data: number; readonly row: number },
): string {
  if (type === 'Utf8' || type === 'Binary') {
    const [from, to] = [view.getInt32(first + row * 4, true), view.getInt32(first + row * 4 + 4, true)];
    const bytes = Buffer.from(view.buffer, view.byteOffset + data + from, to - from);
    return bytes.toString(type === 'Utf8' ? 'utf8' : 'hex');
  }
  if (type === 'Bool') return String(bitAt(view, data, row));
  if (type.startsWith('Decimal')) {
    const at = data + row * 16;
    return String((view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true));
  }
  if (type === 'Int(16)') return String(view.getInt16(data + row * 2, true));
  if (type === 'Int(32)') return String(view.getInt32(data + row * 4, true));
  if (type === 'Float') return String(view.getFloat64(data + row * 8, true));
  if (type === 'Int(64)' || type.startsWith('Timestamp')) return String(view.getBigInt64(data + row * 8, true));
  throw new Error(`${type} was not expected`);
}

interface FlatTable {
  byte(field: number): number;
  short(field: number): number;
  int(field: number): number;
  long(field: number): bigint;
  text(field: number): string;
  table(field: number): FlatTable;
  tables(field: number): readonly FlatTable[];
  structs(field: number, bytes: number): readonly number[];
}

/** A table of a flat buffer: each field stands where the table of places says, or is left out. */
function tableAt(view: DataView, at: number): FlatTable {
  const places = at - view.getInt32(at, true);
  const place = (field: number): number | undefined => {
    const entry = 4 + field * 2;
    const offset = entry < view.getUint16(places, true) ? view.getUint16(places + entry, true) : 0;
    return offset === 0 ? undefined : at + offset;
  };
  const read = <T>(field: number, absent: T, get: (from: number) => T): T => {
    const from = place(field);
    return from === undefined ? absent : get(from);
  };
  const follow = (from: number) => from + view.getUint32(from, true);
  const vector = (field: number, bytes: number): readonly number[] =>
    read<readonly number[]>(field, [], from => {
      const start = follow(from);
      return Array.from({ length: view.getUint32(start, true) }, (_, index) => start + 4 + index * bytes);
    });
  return {
    byte: field => read(field, 0, from => view.getUint8(from)),
    short: field => read(field, 0, from => view.getInt16(from, true)),
    int: field => read(field, 0, from => view.getInt32(from, true)),
    long: field => read(field, 0n, from => view.getBigInt64(from, true)),
    text: field =>
      read(field, '', from => {
        const start = follow(from);
        return Buffer.from(view.buffer, view.byteOffset + start + 4, view.getUint32(start, true)).toString('utf8');
      }),
    table: field => read(field, tableAt(view, at), from => tableAt(view, follow(from))),
    tables: field => vector(field, 4).map(from => tableAt(view, follow(from))),
    structs: vector,
  };
}
