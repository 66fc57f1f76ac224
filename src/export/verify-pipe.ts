import { writeSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { type FollowOptions, followArchive } from './check/follow-archive.ts';
import type { Expectation, Verdict } from './check/verdict.ts';
import { isThere, placeError, writeProblem } from './destination.ts';
import { DestinationError } from './destination-error.ts';

/**
 * Checks an archive that comes through a pipe. A check reads here and there, so what comes is kept in a file that has
 * lost its name before the first byte is in it: however the program ends, nothing is left.
 */
export async function verifyPipe(
  pipe: Readable,
  expectation: Expectation | undefined,
  { signal, ...options }: FollowOptions & { readonly signal: AbortSignal },
): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-')).catch((error: unknown) => {
    throw placeError(join(tmpdir(), 'a copy of the pipe'), error);
  });
  const path = join(folder, 'pipe.zip');
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'wx+', 0o600);
    const nameless = `/dev/fd/${file.fd}`;
    const hasNameless = await isThere(nameless);
    if (hasNameless) await rm(folder, { recursive: true });
    const following = followArchive(hasNameless ? nameless : path, expectation, { ...options, signal });
    try {
      let bytes = 0;
      for await (const chunk of addAbortSignal(signal, pipe)) {
        append(file.fd, chunk);
        bytes += chunk.byteLength;
        following.grown(bytes);
      }
      following.ended({ bodyComplete: true });
      return await following.verdict;
    } finally {
      following.abort();
    }
  } finally {
    await file?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function append(descriptor: number, chunk: Uint8Array): void {
  try {
    for (let offset = 0; offset < chunk.byteLength; ) offset += writeSync(descriptor, chunk, offset);
  } catch (error) {
    throw new DestinationError(writeProblem(`a copy of the pipe in ${tmpdir()}`, error));
  }
}
