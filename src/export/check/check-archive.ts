import { ArchiveFile, type FileGrowth } from './archive-file.ts';
import { type InspectOptions, inspectArchive } from './inspect-archive.ts';
import type { Expectation, Verdict } from './verdict.ts';

export interface CheckOptions extends InspectOptions {
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For a file that is still being written; without it the file is finished. */
  readonly growth?: FileGrowth | undefined;
}

/**
 * Judges an export on disk. Without an expectation the names of its CSVs say what it should hold. Memory stays flat
 * whatever the size. Rejects only when the file cannot be read.
 */
export async function checkArchive(
  path: string,
  expectation: Expectation | undefined,
  options: CheckOptions = {},
): Promise<Verdict> {
  const { signal, growth, ...inspect } = options;
  const file = new ArchiveFile(path, growth, signal);
  try {
    return await inspectArchive(file, expectation, inspect);
  } finally {
    file.close();
  }
}
