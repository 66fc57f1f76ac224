import { momentText } from '../../base/text/time.ts';
import type { Client } from '../../chain/api/client.ts';
import { countBlocksBehind } from '../../memory/diff/side.ts';
import { type ChainReading, readChain } from '../../memory/record/read-chain.ts';
import type { Recorder, SnapshotInfo } from '../../memory/snapshots/index.ts';
import type { StoredSnapshot } from './stored-text.ts';

interface RecordingOptions {
  readonly client: Client;
  readonly store: Pick<typeof import('../../memory/snapshots/index.ts'), 'openRecorder'>;
  readonly folder: string;
  /** The chain of a node that does not report it. */
  readonly namedChain?: string | undefined;
  /** Age of the snapshots that are removed; undefined to keep all. */
  readonly keepMs: number | undefined;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onList?: (list: string) => void;
  readonly nowMs: () => number;
}

/** Takes snapshots of one node, each into the file of its chain. */
export class Recording {
  readonly #options: RecordingOptions;
  #recorder: Recorder | undefined;
  #chainId: string | undefined;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** How long ago the last snapshot of this chain was taken (ms); undefined without one. Throws SnapshotError. */
  sinceLast(chainId: string): number | undefined {
    const last = this.#recorderOf(chainId).newest();
    if (last === undefined) return undefined;
    const sinceMs = this.#options.nowMs() - last.takenMs;
    // By a clock that was ahead then, or is behind now.
    return sinceMs < 0 ? undefined : sinceMs;
  }

  /** Reads the node and stores its data. Throws NodeError, ChainChangedError or SnapshotError. */
  async take(): Promise<StoredSnapshot> {
    const { client, signal, nowMs, keepMs, onNote, onList, namedChain } = this.#options;
    const reading = await readChain(client, {
      ...{ signal, nowMs, namedChain },
      ...(onList !== undefined && { onList }),
      onChain: chainId => void this.#recorderOf(chainId),
      onWait: (ms, why) => onNote(`${why}: waiting ${Math.max(1, Math.ceil(ms / 1000))} s`),
    });
    signal.throwIfAborted();
    const recorder = this.#recorderOf(reading.chainId);
    const last = recorder.newest();
    for (const doubt of reading.doubts ?? []) onNote(doubt);
    if (last !== undefined) this.#compareWithLast(last, reading);
    const behind = last === undefined ? undefined : countBlocksBehind(last, reading);
    const id = recorder.add(reading);
    const removed = keepMs === undefined ? 0 : recorder.prune(keepMs);
    const info = recorder.withId(id);
    if (info === undefined) throw new Error(`snapshot ${id} is missing`);
    return {
      chainId: reading.chainId,
      path: recorder.path,
      info,
      lists: reading.lists,
      removed,
      behind: behind ?? null,
    };
  }

  close(): void {
    this.#recorder?.close();
    this.#recorder = undefined;
  }

  #recorderOf(chainId: string): Recorder {
    const { store, folder, nowMs, onNote } = this.#options;
    if (this.#recorder?.chainId === chainId) return this.#recorder;
    this.close();
    if (this.#chainId !== undefined && this.#chainId !== chainId)
      onNote(`the node now serves chain ${chainId}, not ${this.#chainId}: each chain has its own snapshots`);
    this.#chainId = chainId;
    const recorder = store.openRecorder({ folder, chainId, nowMs });
    this.#recorder = recorder;
    const { setAside } = recorder;
    if (setAside !== null)
      onNote(`the file of snapshots was damaged, so a new one is started; the damaged one is now ${setAside}`);
    return recorder;
  }

  /** Notes differences that would mislead a reader who compares the two. */
  #compareWithLast(last: SnapshotInfo, reading: ChainReading): void {
    const { takenMs, genesisTime, blockHeight } = reading;
    const { onNote } = this.#options;
    if (takenMs < last.takenMs)
      onNote(
        `the clock was set back: the last snapshot is of ${momentText(last.takenMs)}, this one of ${momentText(takenMs)}`,
      );
    if (genesisTime !== null && last.genesisTime !== null && genesisTime !== last.genesisTime)
      onNote(`the chain was restarted: its genesis is ${genesisTime}, the last snapshot has ${last.genesisTime}`);
    if (countBlocksBehind(last, reading) !== undefined)
      onNote(
        `the node is at block ${blockHeight}, and the last snapshot has block ${last.blockHeight}: the node went back, or this is another node that is behind. Records missing on it were not removed.`,
      );
  }
}
