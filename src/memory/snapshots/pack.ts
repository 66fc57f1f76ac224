import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { readBytes, type StoredRow } from './sqlite.ts';

/** Records of one pack: enough to compress well, few enough to lose if a page of the file is damaged. */
export const RECORDS_PER_PACK = 64;
const PACK_CHARACTERS = 262_144;

/** A pack is never larger, as a node sends no page of more than 32 MiB. */
const MAX_PACK_BYTES = 256 * 1024 * 1024;
const LEVEL = 12;

/** Splits records into packs, in their order: neighbours resemble each other. */
export function* splitIntoPacks(records: readonly string[]): Generator<readonly string[]> {
  let pack: string[] = [];
  let characters = 0;
  for (const record of records) {
    if (pack.length === RECORDS_PER_PACK || (pack.length > 0 && characters + record.length > PACK_CHARACTERS)) {
      yield pack;
      pack = [];
      characters = 0;
    }
    pack.push(record);
    characters += record.length;
  }
  if (pack.length > 0) yield pack;
}

/** JSON on one line has no line end inside, so line ends can part records. */
export const packRecords = (records: readonly string[]): Uint8Array =>
  zstdCompressSync(records.join('\n'), {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });

/** Throws if the bytes are damaged. */
const unpackRecords = (body: Uint8Array): readonly string[] =>
  zstdDecompressSync(body, { maxOutputLength: MAX_PACK_BYTES }).toString('utf8').split('\n');

/** The records of a stored pack; none if it is damaged. */
export function readPack(read: () => StoredRow | undefined): readonly string[] {
  try {
    const row = read();
    return row === undefined ? [] : unpackRecords(readBytes(row, 'body'));
  } catch {
    return [];
  }
}

/** Where a record is: its pack, and its number in it. */
export const recordPlace = (pack: number, index: number): number => pack * RECORDS_PER_PACK + index;
export const packNumber = (place: number): number => Math.floor(place / RECORDS_PER_PACK);
export const indexInPack = (place: number): number => place % RECORDS_PER_PACK;

export const recordHash = (record: string): Buffer => createHash('sha256').update(record).digest();

/** Identifies a list by its records, in any order. */
export function listDigest(hashes: readonly Buffer[]): Buffer {
  const digest = createHash('sha256');
  for (const hash of hashes.toSorted(Buffer.compare)) digest.update(hash);
  return digest.digest();
}
