import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AnswerError } from '../engine/answer-error.ts';

/** Takes note of files as they are now; what it resolves with throws AnswerError once one of them is another or gone. */
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

/** Of a file that cannot be found it is empty. */
async function stamp(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
