import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { crc32, createDeflateRaw } from 'node:zlib';
import { columnsAt } from '../src/export/table-columns.ts';

export interface ArchiveOptions {
  readonly path: string;
  /** `balances` has short rows, `markets` rows full of quotes. */
  readonly table: string;
  readonly mebibytes: number;
  /** One entry of 4.1 GiB instead. */
  readonly isZip64: boolean;
}

/** Schema versions of the entries, a thousand blocks each. */
export const ENTRY_VERSIONS = [54, 68, 90, 93] as const;

const pool = Array.from({ length: 5000 }, () => `\\x${randomBytes(32).toString('hex')}`);

/** As Go's archive/zip writes: deflate 6, sizes in descriptors, zip64 only where needed and unannounced. */
export async function makeArchive({ path, table, mebibytes, isZip64 }: ArchiveOptions): Promise<void> {
  const out = createWriteStream(path);
  const entries = isZip64 ? [93] : ENTRY_VERSIONS;
  const central: Buffer[] = [];
  let offset = 0;
  const write = async (bytes: Buffer) => {
    offset += bytes.length;
    if (!out.write(bytes)) await once(out, 'drain');
  };
  for (const [index, version] of entries.entries()) {
    const range = [index * 1000 + 1, index * 1000 + 1000].map(height => String(height).padStart(6, '0'));
    const name = Buffer.from(`bench-chain-1-${table}-${String(version).padStart(3, '0')}-${range.join('-')}.csv`);
    const localOffset = offset;
    await write(
      record(
        [
          [4, 0x04034b50],
          [2, 20],
          [2, 8],
          [2, 8],
          [4, 0],
          [4, 0],
          [4, 0],
          [4, 0],
          [2, name.length],
          [2, 0],
        ],
        name,
      ),
    );
    const dataOffset = offset;
    const limit = (mebibytes * 2 ** 20 * (index + 1)) / entries.length;
    const { crc, bytes } = await writeRows({
      write,
      table,
      version,
      isZip64,
      isEnough: content => (isZip64 ? content > 4.1 * 2 ** 30 : offset > limit),
    });
    const compressed = offset - dataOffset;
    const isWide = bytes > 0xffffffff;
    const width = isWide ? 8 : 4;
    await write(
      record([
        [4, 0x08074b50],
        [4, crc],
        [width, compressed],
        [width, bytes],
      ]),
    );
    const extra = isWide
      ? record([
          [2, 1],
          [2, 24],
          [8, bytes],
          [8, compressed],
          [8, localOffset],
        ])
      : Buffer.alloc(0);
    const sizes: Fields = isWide
      ? [
          [4, 0xffffffff],
          [4, 0xffffffff],
        ]
      : [
          [4, compressed],
          [4, bytes],
        ];
    const head: Fields = [[4, 0x02014b50], [2, 20], [2, isWide ? 45 : 20], [2, 8], [2, 8], [4, 0], [4, crc], ...sizes];
    const rest: Fields = [
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, localOffset],
    ];
    central.push(record([...head, ...rest], name, extra));
  }
  const directory = Buffer.concat(central);
  const directoryOffset = offset;
  await write(directory);
  const counts: Fields = [
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
  ];
  await write(record([[4, 0x06054b50], ...counts, [4, directory.length], [4, directoryOffset], [2, 0]]));
  out.end();
  await once(out, 'close');
}

interface RowOptions {
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly table: string;
  readonly version: number;
  readonly isZip64: boolean;
  readonly isEnough: (contentBytes: number) => boolean;
}

async function writeRows({
  write,
  table,
  version,
  isZip64,
  isEnough,
}: RowOptions): Promise<{ crc: number; bytes: number }> {
  const deflate = createDeflateRaw({ level: 6, chunkSize: 2 ** 18 });
  const written = (async () => {
    for await (const chunk of deflate) await write(chunk);
  })();
  const columns = columnsAt(table, version) ?? [];
  let [crc, bytes] = [0, 0];
  const put = async (text: string) => {
    const chunk = Buffer.from(text);
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    if (!deflate.write(chunk)) await once(deflate, 'drain');
  };
  await put(`${columns.join(',')}\n`);
  const same = Array.from({ length: 500 }, (_, row) => rowText(table, columns, row)).join('');
  while (!isEnough(bytes)) {
    await put(isZip64 ? same : Array.from({ length: 1000 }, (_, row) => rowText(table, columns, row)).join(''));
  }
  deflate.end();
  await written;
  return { crc, bytes };
}

function rowText(table: string, columns: readonly string[], row: number): string {
  return `${columns.map(column => fieldText(table, column, row)).join(',')}\n`;
}

function fieldText(table: string, column: string, row: number): string {
  if (column.endsWith('_time')) return `2023-01-18 01:12:${10 + (row % 50)}.${randomInt(100_000, 999_999)}+00`;
  if (column === 'tx_hash') return `\\x${randomBytes(32).toString('hex')}`;
  if (column.endsWith('id')) return pool[randomInt(pool.length)] ?? '';
  if (table === 'markets') return `"{""code"": ""M${row}"", ""list"": [{""key"": ""${randomInt(1e9)}""}]}"`;
  return String(randomInt(2 ** 40));
}

type Fields = readonly (readonly [width: 2 | 4 | 8, value: number])[];

function record(fields: Fields, ...tail: readonly Buffer[]): Buffer {
  const parts = fields.map(([width, value]) => {
    const part = Buffer.alloc(width);
    if (width === 8) part.writeBigUInt64LE(BigInt(value));
    else part.writeUIntLE(value, 0, width);
    return part;
  });
  return Buffer.concat([...parts, ...tail]);
}
