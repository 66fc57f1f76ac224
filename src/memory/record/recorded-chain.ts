import type { StoredList } from '../snapshots/index.ts';
import { MomentError, type OpenedSnapshot } from './open-snapshot.ts';

/** A snapshot with all its lists, as the embedded node serves it. */
export interface RecordedSnapshot {
  readonly name: string;
  readonly blockHeight: string | null;
  readonly blockTimeNs: string | null;
  readonly lists: readonly {
    readonly list: string;
    readonly scope: string;
    readonly records: readonly string[];
    /** Why the list cannot be shown; null if it can. */
    readonly problem: string | null;
  }[];
}

/**
 * Reads every list of a snapshot. Throws MomentError if it is removed in the meantime, SnapshotError if the file cannot
 * be read.
 */
export function readRecordedChain({ info, snapshots }: OpenedSnapshot): RecordedSnapshot {
  const lists = snapshots.lists(info.id).flatMap(name => snapshots.list(info.id, name) ?? []);
  // Looked at last: a list that was removed is missing without a word.
  if (snapshots.withId(info.id) === undefined)
    throw new MomentError(`snapshot ${info.id} was deleted while it was being read. Choose another one.`);
  return {
    name: `snapshot ${info.id}`,
    blockHeight: info.blockHeight,
    blockTimeNs: info.blockTimeNs,
    lists: lists.map(list => ({
      list: list.list,
      scope: list.scope,
      records: list.kind === 'read' ? list.records : [],
      problem: listProblem(list),
    })),
  };
}

function listProblem(list: StoredList): string | null {
  switch (list.kind) {
    case 'read':
      return null;
    case 'unread':
      return `the list could not be read then (${list.problem})`;
    case 'damaged':
      return `only ${list.records.length} of ${list.expected} records can be read, because the file is damaged`;
  }
}
