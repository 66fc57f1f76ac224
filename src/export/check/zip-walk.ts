import type { ByteFeed } from './byte-feed.ts';
import type { EntryCheck } from './entry-check.ts';
import type { StreamedData } from './entry-data.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { Finding } from './verdict.ts';
import { type DirectoryVisitor, type WalkedEntry, walkDirectory } from './zip-directory.ts';
import { type LocalHeader, SIGNATURES } from './zip-records.ts';

export interface ZipVisitor extends DirectoryVisitor {
  /** The walk has come to this entry, whose check may have begun before. Throws to stop the walk. */
  entryStarted(header: LocalHeader, check: EntryCheck, byteOffset: number): void;
  /** The entry was read to its end. `findings` are disagreements of the archive with itself. */
  entryEnded(streamed: StreamedData, findings: readonly Finding[]): void;
}

/**
 * Walks through an archive from where the feed stands up to and including its end record; resolves with the feed that
 * stands there. Throws ArchiveFault where the structure cannot be followed any further; what can be passed over goes
 * to the visitor.
 */
export async function walkZip(feed: ByteFeed, ahead: ReadAhead, visitor: ZipVisitor): Promise<ByteFeed> {
  const walked: WalkedEntry[] = [];
  let last = feed;
  while (!(await isBehindEntries(last))) {
    const run = ahead.enter(last);
    const { localOffset } = run;
    const { header, check } = await run.started;
    visitor.entryStarted(header, check, localOffset);
    const { streamed, findings } = await run.ended;
    visitor.entryEnded(streamed, findings);
    walked.push({ header, streamed, localOffset });
    last = run.feed;
  }
  await walkDirectory(last, walked, visitor);
  return last;
}

/** False at the end of the body, too: there the archive is cut in the middle of an entry. */
async function isBehindEntries(feed: ByteFeed): Promise<boolean> {
  const start = await feed.peek(4);
  return start.length === 4 && start.readUInt32LE() !== SIGNATURES.localHeader;
}
