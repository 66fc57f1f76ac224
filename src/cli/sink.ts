import { once } from 'node:events';
import { type SafeText, sanitize } from '../base/text/safe-text.ts';
import { truncateEnd } from '../base/text/width.ts';

/** Where a command writes. A terminal only gets safe text. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Cells of a line on a terminal. */
  readonly columns: number | undefined;
  /** Writes the same text everywhere. Resolves when the stream can take more, so that a slow reader slows the requests. */
  readonly safe: (text: SafeText) => Promise<void>;
  /** Writes exact data to a pipe or a file, and the result of `shown` to a terminal. */
  readonly data: (exact: string, shown: (exact: string) => SafeText) => Promise<void>;
  /** One progress line, sanitised and cut to the terminal. The next one replaces it and '' clears it; a pipe gets none. */
  readonly progress: (text: string) => void;
  /** Resolves when what was written is on its way. */
  readonly flushed: () => Promise<void>;
}

export type SinkStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/**
 * `secrets` never appear in safe text; data is the node's and stays as it is. Without a cursor that can be placed there
 * is no progress line.
 */
export function createSink(stream: SinkStream, secrets: readonly string[] = [], hasCursor = true): Sink {
  const isTerminal = stream.isTTY === true;
  const write = async (text: string): Promise<void> => {
    for (const piece of inPieces(text)) if (!stream.write(piece)) await once(stream, 'drain');
  };
  const forms = secrets.flatMap(secret => [secret, sanitize(secret)]);
  const hidden = (text: string): string => forms.reduce((rest, form) => rest.replaceAll(form, '***@'), text);
  return {
    isTerminal,
    get columns() {
      return stream.columns;
    },
    safe: text => write(hidden(text)),
    data: (exact, shown) => write(isTerminal ? shown(exact) : exact),
    progress: text => {
      if (!isTerminal || !hasCursor) return;
      // A line that wraps could not be written over.
      stream.write(`\r\u001b[K${truncateEnd(sanitize(hidden(text)), (stream.columns ?? 80) - 1)}`);
    },
    flushed: () => new Promise(resolve => stream.write('', () => resolve())),
  };
}

/** A stream copies its input to three times the size, so a long text is written in pieces. */
function* inPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = splitsCharacter(text, at + PIECE_LENGTH) ? at + PIECE_LENGTH + 1 : at + PIECE_LENGTH;
    yield text.slice(at, end);
    at = end;
  }
}

/** Whether the characters before and behind this place are halves of one. */
const splitsCharacter = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

const PIECE_LENGTH = 1_048_576;
