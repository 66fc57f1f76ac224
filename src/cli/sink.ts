import { once } from 'node:events';
import { asciiText } from '../base/text/ascii.ts';
import { type SafeText, sanitize } from '../base/text/safe-text.ts';
import { truncateEnd } from '../base/text/width.ts';

/** Where a command writes. A terminal only gets safe text. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Cells of a line on a terminal. */
  readonly columns: number | undefined;
  /** Writes the same text everywhere, in ASCII where the characters are limited to that. Resolves when the stream can take more, so that a slow reader slows the requests. */
  readonly safe: (text: SafeText) => Promise<void>;
  /** Writes exact data to a pipe or a file, and the result of `shown` to a terminal. */
  readonly data: (exact: string, shown: (exact: string) => SafeText) => Promise<void>;
  /** One progress line, sanitised and cut to the terminal. The next one replaces it and '' clears it; a pipe gets none. */
  readonly progress: (text: string) => void;
  /** Resolves when the written data is on its way. */
  readonly flushed: () => Promise<void>;
}

type SinkStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

interface SinkOptions {
  /** They never appear in safe text; data belongs to the node and is not changed. */
  readonly secrets?: readonly string[];
  /** Without a cursor that can be placed, no progress line is drawn. */
  readonly hasCursor?: boolean;
  /** Whether text is limited to ASCII; asked once there is text that is not. */
  readonly isAscii?: () => Promise<boolean>;
}

export function createSink(stream: SinkStream, { secrets = [], hasCursor = true, isAscii }: SinkOptions = {}): Sink {
  let limited = isAscii === undefined ? false : undefined;
  const limit = async (): Promise<boolean> => {
    limited ??= await isAscii?.();
    return limited === true;
  };
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
    safe: async text => {
      const shown = hidden(text);
      await write(NOT_ASCII.test(shown) && (await limit()) ? asciiText(shown) : shown);
    },
    data: (exact, shown) => write(isTerminal ? shown(exact) : exact),
    progress: text => {
      if (!isTerminal || !hasCursor) return;
      // A line that wraps could not be written over.
      const line = truncateEnd(sanitize(hidden(text)), (stream.columns ?? 80) - 1);
      const isPlain = !NOT_ASCII.test(line);
      // The next one is written, once the characters are known.
      if (!isPlain && limited === undefined) void limit();
      else stream.write(`\r\u001b[K${isPlain || limited === false ? line : asciiText(line)}`);
    },
    flushed: () => new Promise(resolve => stream.write('', () => resolve())),
  };
}

const NOT_ASCII = /[^\x00-\x7f]/;

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
