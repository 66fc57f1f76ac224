/** What others may know of stored snapshots; loaded only when they are needed, since SQLite takes time to load. */
export { bytesOf, type ChainFile, chainFiles, fileOfChain, openChainNamed } from './files.ts';
export { openSnapshots, type Snapshots, type StoredVersion } from './reader.ts';
export { openRecorder, type Recorder, type RecorderOptions } from './recorder.ts';
export type {
  DamagedList,
  NewSnapshot,
  ReadList,
  SnapshotFacts,
  SnapshotInfo,
  StoredList,
  StoredListName,
  UnreadList,
} from './snapshot.ts';
export type { SnapshotError } from './snapshot-error.ts';
