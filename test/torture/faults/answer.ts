/** What a sound node would have answered. */
export interface SoundAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Which block it is of, and when that was made. */
  readonly block: Headers;
  readonly body: Buffer;
}

/** What `status -o json` prints of a node, as far as the core behind it decides. */
export interface PrintedStatus {
  readonly exitCode: number;
  readonly core: {
    readonly state: string | null;
    readonly blockHeight: string | null;
    readonly blockTime: string | null;
  } | null;
}

/** What goes over a connection, in order: bytes, silence for a while or for ever, the end or a reset of it. */
export type Step = string | Buffer | { readonly silentMs: number } | 'stall' | 'reset' | 'end';

/** A way for an answer to go wrong. What a program makes of it may only be the truth, or no success. */
export interface NetworkFault {
  readonly name: string;
  /** Before the request was read. */
  readonly isEarly?: boolean;
  /** It bends JSON: an archive cannot be struck by it. */
  readonly isJson?: boolean;
  /** The page that comes of it is one that a node may send: one page alone is printed as it is. */
  readonly isPage?: boolean;
  /** The records that come of it are ones that a node may have: lists print them as they are. */
  readonly isRecord?: boolean;
  /** The history that comes of it is one that a node may have: its segments are printed as they are. */
  readonly isHistory?: boolean;
  /** The names that come of it are ones that a node may have: they are printed as they are. */
  readonly isDirectory?: boolean;
  /** It strikes these requests alone; others are answered soundly. */
  readonly paths?: RegExp;
  /** A lie of the core behind a sound node: whether `status` has noticed it, by what it prints. */
  readonly isNoticed?: (printed: PrintedStatus) => boolean;
  readonly steps: (sound: SoundAnswer) => readonly Step[];
}

export type Headers = readonly (readonly [name: string, value: string])[];

/** The bytes of an answer with these headers and its length, unless a header speaks of that already. */
export function answerBytes(body: Buffer, headers: Headers = [], status = '200 OK'): Buffer {
  const framing = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))
    ? []
    : ([['Content-Length', String(body.length)]] as const);
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

/** Headers of a sound answer, generous with its limits so that nothing waits. */
export const soundHeaders = ({ contentType, block }: Pick<SoundAnswer, 'contentType' | 'block'>): Headers => [
  ['Content-Type', contentType],
  ...block,
  ['Ratelimit-Limit', '100000'],
  ['Ratelimit-Remaining', '100000'],
];

export const soundBytes = (sound: SoundAnswer): Buffer =>
  answerBytes(sound.body, soundHeaders(sound), `${sound.status} OK`);

/** A body in chunks, as chunked transfer has it, the last one included. */
export const chunked = (...parts: readonly Buffer[]): Buffer =>
  Buffer.concat(
    [...parts, Buffer.alloc(0)].flatMap(part => [Buffer.from(`${part.length.toString(16)}\r\n`), part, CRLF]),
  );

const CRLF = Buffer.from('\r\n');
