import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { columnsAtVersion } from '../src/tables/columns.ts';

export interface ArchiveOptions {
  readonly path: string;
  readonly table: string;
  /** How long it gets: below 4 GiB, where ZIP needs wider fields. */
  readonly size: { readonly mebibytes: number } | { readonly csvMegabytes: number };
  readonly entries?: readonly ArchiveEntry[];
}

interface ArchiveEntry {
  readonly version: number;
  readonly from: number;
  readonly to: number;
}

/** A schema change after each thousand blocks. */
const ENTRIES: readonly ArchiveEntry[] = [54, 68, 90, 93].map((version, index) => ({
  ...{ version, from: index * 1000 + 1, to: index * 1000 + 1000 },
}));

/** Rows are random, but the same few pieces of so many come again and again: a GiB of others takes minutes. */
const PIECES = 8;
const ROWS_A_PIECE = 20_000;

interface Piece {
  readonly content: Buffer;
  /** Deflated by itself and not ended, so that another may follow. */
  readonly deflated: Buffer;
}

/** As Go's archive/zip writes: deflate 6, sizes in descriptors. */
export async function makeArchive({ path, table, size, entries = ENTRIES }: ArchiveOptions): Promise<void> {
  const out = createWriteStream(path);
  const central: Buffer[] = [];
  let offset = 0;
  const write = async (bytes: Buffer) => {
    offset += bytes.length;
    if (!out.write(bytes)) await once(out, 'drain');
  };
  for (const [index, { version, from, to }] of entries.entries()) {
    const range = [from, to].map(height => String(height).padStart(6, '0'));
    const name = Buffer.from(`bench-chain-1-${table}-${String(version).padStart(3, '0')}-${range.join('-')}.csv`);
    const localOffset = offset;
    const unknown: Fields = Array.from({ length: 4 }, () => [4, 0]);
    await write(record([[4, 0x04034b50], [2, 20], [2, 8], [2, 8], ...unknown, [2, name.length], [2, 0]], name));
    const dataOffset = offset;
    const columns = columnsAtVersion(table, version) ?? [];
    const pieces = Array.from({ length: PIECES }, () => pieceOf(rowsText(columns)));
    let [crc, bytes] = [0, 0];
    const put = async ({ content, deflated }: Piece) => {
      crc = crc32(content, crc);
      bytes += content.length;
      await write(deflated);
    };
    await put(pieceOf(`${columns.join(',')}\n`));
    const isLong = (): boolean =>
      'mebibytes' in size
        ? offset >= (size.mebibytes * 2 ** 20 * (index + 1)) / entries.length
        : bytes >= (size.csvMegabytes * 1e6) / entries.length;
    for (let turn = 0; !isLong(); turn++) await put(pieces[turn % PIECES] ?? pieceOf(''));
    await write(deflateRawSync(''));
    const found: Fields = [
      [4, crc],
      [4, offset - dataOffset],
      [4, bytes],
    ];
    await write(record([[4, 0x08074b50], ...found]));
    const head: Fields = [[4, 0x02014b50], [2, 20], [2, 20], [2, 8], [2, 8], [4, 0], ...found, [2, name.length]];
    central.push(record([...head, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, localOffset]], name));
  }
  const directory = Buffer.concat(central);
  const directoryOffset = offset;
  await write(directory);
  const counts: Fields = [
    [2, 0],
    [2, 0],
    [2, central.length],
    [2, central.length],
  ];
  await write(record([[4, 0x06054b50], ...counts, [4, directory.length], [4, directoryOffset], [2, 0]]));
  out.end();
  await once(out, 'close');
}

function pieceOf(text: string): Piece {
  const content = Buffer.from(text);
  return { content, deflated: deflateRawSync(content, { level: 6, finishFlush: constants.Z_FULL_FLUSH }) };
}

const accounts = Array.from({ length: 5000 }, () => `\\x${randomBytes(32).toString('hex')}`);

const rowsText = (columns: readonly string[]): string =>
  Array.from({ length: ROWS_A_PIECE }, (_, row) => `${columns.map(column => fieldText(column, row)).join(',')}\n`).join(
    '',
  );

function fieldText(column: string, row: number): string {
  if (column.endsWith('_time')) return `2023-01-18 01:12:${10 + (row % 50)}.${randomInt(100_000, 999_999)}+00`;
  if (column === 'type') return 'TRANSFER_TYPE_MTM_LOSS';
  if (column === 'tx_hash') return `\\x${randomBytes(32).toString('hex')}`;
  if (column.endsWith('id')) return accounts[randomInt(accounts.length)] ?? '';
  return String(randomInt(2 ** 40));
}

type Fields = readonly (readonly [width: 2 | 4, value: number])[];

function record(fields: Fields, ...tail: readonly Buffer[]): Buffer {
  const parts = fields.map(([width, value]) => {
    const part = Buffer.alloc(width);
    part.writeUIntLE(value, 0, width);
    return part;
  });
  return Buffer.concat([...parts, ...tail]);
}
