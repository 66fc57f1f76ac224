import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

export interface ReadEntry {
  readonly name: string;
  readonly bytes: number;
  readonly crc: number;
}

/** What a reader that starts from the end of an archive finds in it, in its order; throws when it gives up. */
export async function readFromEnd(body: Buffer): Promise<readonly ReadEntry[]> {
  const zip = await fromBufferPromise(body, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true });
  const found: ReadEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const content = await contentOf(zip, entry);
    if (crc32(content) !== entry.crc32) throw new Error(`The bytes of ${entry.fileName} have another CRC-32.`);
    found.push({ name: entry.fileName, bytes: content.length, crc: entry.crc32 });
  }
  return found;
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
