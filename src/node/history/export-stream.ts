import { setImmediate as nextTurn } from 'node:timers/promises';
import { newDeadlineFailure } from '../gateway/deadline.ts';
import { Failure } from '../gateway/failure.ts';
import { ZipArchive } from './zip-archive.ts';

/** A file of the archive and its text in parts; reading a part may fail. */
export interface ArchiveEntry {
  readonly name: string;
  parts(): Iterable<string>;
}

/** What the service sends: bytes of the archive, and at the end at most one error. */
export type ExportMessage =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly failure: Failure };

interface ExportStreamOptions {
  readonly signal: AbortSignal;
  /** True once the client's own Grpc-Timeout is over. */
  isOverdue(): boolean;
}

/**
 * The length of every message but the last; nothing is sent before the first message is full (export-behaviour.md
 * section 1.3).
 */
const MESSAGE_BYTES = 1 << 20;

/**
 * The archive as messages, produced at the speed of the reader. After a failure the archive is short but complete, and
 * the error follows. After a deadline it consists of whole messages but has no directory
 * (export-behaviour.md section 1.6).
 */
export async function* exportMessages(
  entries: Iterable<ArchiveEntry>,
  options: ExportStreamOptions,
): AsyncGenerator<ExportMessage> {
  const pending = new PendingBytes();
  const archive = new ZipArchive(bytes => pending.add(bytes));
  let failure: Failure | undefined;
  try {
    for (const part of archiveParts(entries, archive)) {
      archive.add(Buffer.from(part, 'utf8'));
      for (const bytes of pending.takeFull()) yield { kind: 'data', bytes };
      // Between two parts other requests are served, and a client that disconnected is noticed.
      await nextTurn();
      if (options.signal.aborted) return;
      if (options.isOverdue()) throw newDeadlineFailure();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error;
  }
  if (failure?.origin !== 'gateway') {
    archive.finish();
    for (const bytes of pending.takeAll()) yield { kind: 'data', bytes };
  }
  if (failure) yield { kind: 'error', failure };
}

function* archiveParts(entries: Iterable<ArchiveEntry>, archive: ZipArchive): Iterable<string> {
  for (const entry of entries) {
    archive.begin(entry.name);
    yield* entry.parts();
  }
}

/** Bytes collected until they fill a message. */
class PendingBytes {
  #chunks: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }

  *takeFull(): Iterable<Uint8Array> {
    if (this.#length < MESSAGE_BYTES) return;
    const joined = Buffer.concat(this.#chunks);
    let at = 0;
    for (; joined.length - at >= MESSAGE_BYTES; at += MESSAGE_BYTES) yield joined.subarray(at, at + MESSAGE_BYTES);
    // A copy, so that the rest does not hold the sent bytes in memory.
    this.#chunks = [Buffer.from(joined.subarray(at))];
    this.#length = joined.length - at;
  }

  *takeAll(): Iterable<Uint8Array> {
    yield* this.takeFull();
    if (this.#length > 0) yield Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
  }
}
