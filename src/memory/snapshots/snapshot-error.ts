/** Snapshots that cannot be stored or read. The message describes what happened, `hint` the remedy. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  /** busy: another process records this chain. disk: full, read-only or broken. */
  readonly because: 'usage' | 'busy' | 'disk' | 'damaged' | 'fault';
  readonly hint: string;

  constructor(
    message: string,
    options: { readonly because: SnapshotError['because']; readonly hint: string; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.because = options.because;
    this.hint = options.hint;
  }
}
