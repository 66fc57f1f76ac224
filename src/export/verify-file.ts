import { type FollowOptions, followArchive } from './check/follow-archive.ts';
import type { Expectation, Verdict } from './check/verdict.ts';
import { openRegular } from './regular-file.ts';

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
  const { size } = await file.stat().finally(() => file.close());
  const following = followArchive(path, expectation, options);
  following.grown(size);
  following.ended({ bodyComplete: true });
  return following.verdict.finally(following.abort);
}
