import { once } from 'node:events';
import { type SafeText, sanitize } from '../text/safe-text.ts';
import { truncateEnd } from '../text/width.ts';

/** Where a command writes. A terminal only gets safe text. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Cells of a line on a terminal. */
  readonly columns: number | undefined;
  /** The same wherever it goes. Resolves when the stream can take more, so that a slow reader slows the node down. */
  readonly safe: (text: SafeText) => Promise<void>;
  /** Data to the byte for a pipe or a file; a terminal is given what `shown` makes of it. */
  readonly data: (exact: string, shown: (exact: string) => SafeText) => Promise<void>;
  /** The one line of progress: made harmless, cut to the terminal and written over by the next; '' clears it. A pipe gets none. */
  readonly progress: (text: string) => void;
  /** Resolves when what was written is on its way. */
  readonly flushed: () => Promise<void>;
}

export type SinkStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/**
 * `secrets` are words that safe text never shows; data is the node's and stays as it is. Without a cursor that can be
 * placed there is no line that takes the place of another.
 */
export function sinkTo(stream: SinkStream, secrets: readonly string[] = [], hasCursor = true): Sink {
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

/** A stream copies what it is given, to three times the size: a long text goes to it in pieces. */
function* inPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = isPair(text, at + PIECE) ? at + PIECE + 1 : at + PIECE;
    yield text.slice(at, end);
    at = end;
  }
}

/** Whether the characters before and behind this place are halves of one. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

const PIECE = 1_048_576;
