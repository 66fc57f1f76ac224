import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AnswerError } from '../engine/answer-error.ts';

/** Remembers the state of files. The resolved function throws AnswerError if one of them has changed or gone. */
export async function unchangedSince(paths: readonly string[]): Promise<() => Promise<void>> {
  const before = await Promise.all(paths.map(stamp));
  return async () => {
    const now = await Promise.all(paths.map(stamp));
    const changed = paths.find((_, index) => now[index] !== before[index]);
    if (changed === undefined) return;
    if (now[paths.indexOf(changed)] === '')
      throw new AnswerError(
        `${basename(changed)} is gone: it was removed or moved while it was looked at`,
        'put it back and open it again, or make it again (blockglass convert)',
        'untrusted',
      );
    throw new AnswerError(`${basename(changed)} changed while it was looked at`, 'open it again', 'untrusted');
  };
}

/** Empty for a missing file. */
async function stamp(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
