/** What others may know of stored snapshots; loaded only when they are needed, since SQLite takes time to load. */
export { listSnapshotFiles, openChainSnapshots, type SnapshotFile, snapshotFilePath, storedBytes } from './files.ts';
export { openSnapshots, type Snapshots } from './reader.ts';
export { openRecorder, type Recorder } from './recorder.ts';
export type {
  NewSnapshot,
  ReadList,
  SnapshotHeader,
  SnapshotInfo,
  StoredList,
  StoredListName,
} from './snapshot.ts';
export type { SnapshotError } from './snapshot-error.ts';
