import { type FollowOptions, followArchive } from './check/follow-archive.ts';
import { openRegular } from './check/regular-file.ts';
import { UnreadableError } from './check/unreadable-error.ts';
import type { Expectation, Verdict } from './check/verdict.ts';

/**
 * Checks a finished file in a thread of its own, which an abort ends at once, whatever the file keeps it busy with.
 * Throws UnreadableError when it cannot be read.
 */
export async function verifyFile(
  path: string,
  expectation: Expectation | undefined,
  options: FollowOptions,
): Promise<Verdict> {
  const file = await openRegular(path);
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
  throw new UnreadableError(`${path} changed while it was read: wait till nobody writes to it, and check it again`);
}
