/** What a store of objects said for no, as far as its answer told. */
export interface Refusal {
  readonly status: number;
  /** The store's own: `NoSuchKey`; '' when it gave none. */
  readonly code: string;
}

/** Something could not be put into a bucket: the message says what happened, the hint what to do. */
export class ObjectsError extends Error {
  override readonly name = 'ObjectsError';
  readonly hint: string;
  /** What ends the command: a wrong place, a refusal, a store that is away, or bytes that are not those sent. */
  readonly because: 'usage' | 'refused' | 'unreachable' | 'untrusted';
  readonly refusal: Refusal | null;

  constructor(
    message: string,
    hint: string,
    because: ObjectsError['because'] = 'usage',
    refusal: Refusal | null = null,
  ) {
    super(message);
    this.hint = hint;
    this.because = because;
    this.refusal = refusal;
  }
}

/** Whether a store said this of a request. */
export const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof ObjectsError && error.refusal?.code === code;
