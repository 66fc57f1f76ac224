import { join } from 'node:path';
import * as v from 'valibot';
import { readOrdinaryFile } from '../../base/disk/ordinary-file.ts';
import { replaceFileContent } from '../../base/disk/replace-file-content.ts';
import { writeFailureText } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';

const text = v.pipe(v.string(), v.maxLength(2000));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const node = v.object({
  /** As shown, without a login. */
  address: text,
  /** ISO 8601. */
  lastFetched: text,
  /** How fast slices of its last fetch arrived; null if that fetch brought none. */
  bytesPerS: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0))), null),
});

/** The latest time that a Date can have. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** Nodes count blocks in 64 bits. */
const MAX_HEIGHT = 2n ** 63n - 1n;

const height = v.pipe(
  v.string(),
  v.check(text => /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_HEIGHT),
);

const blockTime = v.object({ height, timeMs: v.pipe(count, v.maxValue(MAX_TIME_MS)) });

const chainFile = v.object({
  format: v.literal(1),
  chainId: text,
  /** Null if no node reported it. */
  genesisTime: v.nullable(text),
  /** Segments in a slice. */
  sliceSegments: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  nodes: v.pipe(v.array(node), v.maxLength(1000)),
  /** The blocks whose names and epochs were fetched; null if none were. */
  named: v.optional(v.nullable(v.object({ from: height, to: height })), null),
  /** Estimated times of a few blocks, lowest first. */
  blockTimes: v.optional(v.pipe(v.array(blockTime), v.maxLength(10_000)), []),
});

/** The identity of a chain in its folder, and the nodes it was fetched from. */
export type ChainRecord = v.InferOutput<typeof chainFile>;

export const CHAIN_FILE_NAME = 'chain.json';

const chainFilePath = (folder: string): string => join(folder, CHAIN_FILE_NAME);

const MAX_BYTES = 4 * 1024 * 1024;

/** Undefined when the folder has none. Throws DestinationError when it cannot be used. */
export function readChainRecord(folder: string): ChainRecord | undefined {
  const path = chainFilePath(folder);
  try {
    const content = readOrdinaryFile(path, MAX_BYTES);
    return content === undefined ? undefined : v.parse(chainFile, JSON.parse(content));
  } catch (error) {
    const isContent = error instanceof v.ValiError || error instanceof SyntaxError;
    const why = isContent
      ? 'it is damaged, or of a newer blockglass'
      : error instanceof Error
        ? error.message
        : String(error);
    throw new DestinationError(
      `${path} cannot be used: ${why}. Move this file away, and fetch again: good slices are not downloaded again`,
    );
  }
}

/** Replaces the file in one step. Throws DestinationError. */
export async function writeChainRecord(folder: string, value: ChainRecord): Promise<void> {
  const path = chainFilePath(folder);
  await replaceFileContent(path, `${JSON.stringify(value, null, 2)}\n`).catch((error: unknown) => {
    throw new DestinationError(writeFailureText(path, error), { cause: error });
  });
}
