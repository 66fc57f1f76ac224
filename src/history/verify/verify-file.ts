import { writeSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { type FollowOptions, followArchive } from '../check/follow-archive.ts';
import { openRegularFile } from '../check/regular-file.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import type { Expectation, Verdict } from '../check/verdict.ts';
import { isPathTaken, toDestinationError, writeFailureText } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';

/**
 * Checks a finished file in its own thread, so that an abort takes effect at once. Throws UnreadableError when the file
 * cannot be read or changes during the check.
 */
export async function verifyFile(
  path: string,
  expectation: Expectation | undefined,
  options: FollowOptions,
): Promise<Verdict> {
  const file = await openRegularFile(path);
  try {
    const before = await file.stat();
    const following = followArchive(path, expectation, options);
    following.grown(before.size);
    following.ended({ bodyComplete: true });
    const verdict = await following.verdict;
    const after = await file.stat();
    if (after.size === before.size && after.mtimeMs === before.mtimeMs) return verdict;
  } finally {
    await file.close();
  }
  throw new UnreadableError(`${path} changed while it was read: wait until nothing writes to it, then check it again`);
}

/**
 * Checks an archive from a pipe. The check reads at several places, so the data goes to a temporary file. Where possible
 * the file is deleted while open, so that nothing remains however the program ends. Throws DestinationError.
 */
export async function verifyPipe(
  pipe: Readable,
  expectation: Expectation | undefined,
  { signal, ...options }: FollowOptions & { readonly signal: AbortSignal },
): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-')).catch((error: unknown) => {
    throw toDestinationError(join(tmpdir(), 'a copy of the pipe'), error);
  });
  const path = join(folder, 'pipe.zip');
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'wx+', 0o600);
    const nameless = `/dev/fd/${file.fd}`;
    const hasNameless = await isPathTaken(nameless);
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
    throw new DestinationError(writeFailureText(`a copy of the pipe in ${tmpdir()}`, error));
  }
}
