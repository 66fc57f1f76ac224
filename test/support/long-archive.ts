import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** An archive that takes long to check and next to nothing to send. */
export interface LongArchive {
  readonly bytes: number;
  parts(): Iterable<Buffer>;
}

const BLOCK_BYTES = 16 * 1024 * 1024;
const DESCRIPTOR_FOLLOWS = 0x0008;

/** One CSV of a header and `mebibytes` of a few rows again and again, deflated more than 100 to 1. */
export function longArchive(
  name: string,
  csv: { readonly header: string; readonly rows: readonly string[] },
  mebibytes: number,
): LongArchive {
  const head = Buffer.from(`${csv.header}\n`);
  const rows = Buffer.from(csv.rows.map(row => `${row}\n`).join(''));
  const block = Buffer.alloc(Math.floor(BLOCK_BYTES / rows.length) * rows.length, rows);
  // A full flush leaves nothing that what follows could refer to: the same bytes may come any number of times.
  const flushed = (text: Buffer) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH, level: 1 });
  const packed = { head: flushed(head), block: flushed(block), end: deflateRawSync(Buffer.alloc(0)) };
  const times = Math.max(1, Math.round((mebibytes * 1024 * 1024) / block.length));
  let crc = crc32(head);
  for (let time = 0; time < times; time++) crc = crc32(block, crc);
  const plainBytes = head.length + times * block.length;
  const packedBytes = packed.head.length + times * packed.block.length + packed.end.length;
  const local = record(
    [
      [4, 0x04034b50],
      [2, 20],
      [2, DESCRIPTOR_FOLLOWS],
      [2, 8],
      [4, 0],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ],
    name,
  );
  const descriptor = record([
    [4, 0x08074b50],
    [4, crc],
    [4, packedBytes],
    [4, plainBytes],
  ]);
  const central = record(
    [
      [4, 0x02014b50],
      [2, 20],
      [2, 20],
      [2, DESCRIPTOR_FOLLOWS],
      [2, 8],
      [4, 0],
      [4, crc],
      [4, packedBytes],
      [4, plainBytes],
      [2, name.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, 0],
    ],
    name,
  );
  const directoryAt = local.length + packedBytes + descriptor.length;
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, 1],
    [2, 1],
    [4, central.length],
    [4, directoryAt],
    [2, 0],
  ]);
  return {
    bytes: directoryAt + central.length + end.length,
    *parts() {
      yield Buffer.concat([local, packed.head]);
      for (let time = 0; time < times; time++) yield packed.block;
      yield Buffer.concat([packed.end, descriptor, central, end]);
    },
  };
}

export async function writeArchive(path: string, archive: LongArchive): Promise<void> {
  await finished(Readable.from(archive.parts()).pipe(createWriteStream(path)));
}

function record(fields: readonly (readonly [size: number, value: number])[], name = ''): Buffer {
  const parts = fields.map(([size, value]) => {
    const part = Buffer.alloc(size);
    part.writeUIntLE(value, 0, size);
    return part;
  });
  return Buffer.concat([...parts, Buffer.from(name)]);
}
