/** A list of a snapshot: `provisions` of a market, `fees` of an epoch, or a whole list, whose scope is ''. */
export interface StoredListName {
  readonly list: string;
  readonly scope: string;
}

/** A list as read from a node. */
export interface ReadList extends StoredListName {
  readonly kind: 'read';
  /**
   * Exact JSON, each on one line, oldest first: a snapshot preserves their order, with new or changed records at the end.
   */
  readonly records: readonly string[];
  /** It differs at every block, so that it does not count as a change. */
  readonly isOfTheMoment?: true;
}

/** A list that could not be read, and why. It is never stored as empty. */
export interface UnreadList extends StoredListName {
  readonly kind: 'unread';
  readonly problem: string;
}

/** The facts about a snapshot without its lists. Heights and nanoseconds are decimal text. */
export interface SnapshotHeader {
  /** When reading began and ended, by the clock of this machine (Unix milliseconds). */
  readonly takenMs: number;
  readonly endedMs: number;
  /** The address of the node, without its login. */
  readonly node: string;
  /** The newest block of the node when reading began; null if not reported. */
  readonly blockHeight: string | null;
  readonly blockTimeNs: string | null;
  /** When the chain began, as the node wrote it: a chain that was started again has the same id and another genesis. */
  readonly genesisTime: string | null;
}

export interface NewSnapshot extends SnapshotHeader {
  readonly lists: readonly (ReadList | UnreadList)[];
}

/** A stored snapshot, with figures of its lists. */
export interface SnapshotInfo extends SnapshotHeader {
  /** Rises from snapshot to snapshot, and is never used again. */
  readonly id: number;
  /** Records added, removed or replaced since the snapshot before. */
  readonly changed: number;
  readonly records: number;
  readonly listsRead: number;
  readonly listsUnread: number;
}

/** A list that a damaged file has only a part of. */
interface DamagedList extends StoredListName {
  readonly kind: 'damaged';
  /** Those that can still be read. */
  readonly records: readonly string[];
  /** How many there were. */
  readonly expected: number;
}

export type StoredList = ReadList | UnreadList | DamagedList;
