import { type FileHandle, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { entryContent } from '../check/read-entries.ts';
import { unreadable } from '../check/regular-file.ts';
import type { SliceRecord } from '../manifest/manifest.ts';
import { openPart, placeError } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { csvName, type ExportPlan } from '../plan/plan.ts';

type SliceCsv = SliceRecord['csvs'][number] & { readonly archive: string };

/**
 * Merges verified slices into one CSV per schema version, in height order, and returns the paths. Existing merged files
 * are replaced. Throws DestinationError or UnreadableError.
 */
export async function mergeSlices(
  folder: string,
  plan: ExportPlan,
  slices: readonly SliceRecord[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const csvs = slices.flatMap(({ file, csvs: inside }) => inside.map(csv => ({ ...csv, archive: join(folder, file) })));
  const merged: string[] = [];
  for (const parts of Map.groupBy(csvs, ({ schemaVersion }) => schemaVersion).values()) {
    merged.push(await mergeVersion(folder, plan, parts, signal));
  }
  return merged;
}

async function mergeVersion(
  folder: string,
  plan: ExportPlan,
  parts: readonly SliceCsv[],
  signal: AbortSignal,
): Promise<string> {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) throw new DestinationError('nothing to merge');
  for (const part of parts) {
    if (part.columns.join() !== first.columns.join()) {
      throw new DestinationError(
        `${part.name} and ${first.name} have the same schema version but different columns: they cannot be merged`,
      );
    }
  }
  const run = {
    schemaVersion: first.schemaVersion ?? 0,
    fromBlock: BigInt(first.fromBlock ?? plan.fromBlock),
    toBlock: BigInt(last.toBlock ?? plan.toBlock),
  };
  const path = join(folder, csvName(plan, run));
  const { file, partPath } = await openPart(path);
  try {
    for (const [index, part] of parts.entries()) await append(file, part, index === 0, signal);
    await file.sync();
    await rename(partPath, path);
    return path;
  } catch (error) {
    await rm(partPath, { force: true });
    throw placeError(path, error);
  } finally {
    await file.close();
  }
}

const LINE_FEED = 0x0a;

async function append(file: FileHandle, part: SliceCsv, withHeader: boolean, signal: AbortSignal): Promise<void> {
  const content = await entryContent(part.archive, part);
  if (content === undefined) throw changed(part);
  let [crc, bytes] = [0, 0];
  // Column names hold no line feed, so the header ends at the first one.
  let isInHeader = !withHeader;
  for await (const chunk of readBack(content, part)) {
    signal.throwIfAborted();
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    let rest: Uint8Array = chunk;
    if (isInHeader) {
      const end = chunk.indexOf(LINE_FEED);
      if (end < 0) continue;
      isInHeader = false;
      rest = chunk.subarray(end + 1);
    }
    await writeAll(file, rest);
  }
  if (bytes !== part.bytes || crc !== Number.parseInt(part.crc32, 16)) throw changed(part);
}

/** Turns read errors into errors about the slice, not about the merged file. */
async function* readBack(content: AsyncIterable<Buffer>, part: SliceCsv): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isBroken ? changed(part) : unreadable(part.archive, error);
  }
}

function changed({ archive, name }: SliceCsv): DestinationError {
  return new DestinationError(`${archive} changed after it was checked (${name}): run the export again`);
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.byteLength) offset += (await file.write(bytes, offset)).bytesWritten;
}
