import type { Copying } from './content.ts';
import { type ContentWorld, contentText } from './content-text.ts';
import type { Copied } from './copying.ts';
import { saveUnderFreeName } from './save-file.ts';

/** The clipboard of the terminal in front of the person. */
export interface Clipboard {
  /** Maximum number of bytes that it can be sent at once. */
  readonly mostBytes: number;
  /** Sends a text; returns the known result, which excludes whether the terminal accepted it. */
  readonly send: (text: string, what: string) => string;
}

/** Copies a text whole, or writes it to a file where the clipboard cannot be sent so much: it is never cut. */
export async function copyOrSave(
  { content, what, file }: Omit<Copying, 'requestId'>,
  { clipboard, folders }: { readonly clipboard: Clipboard; readonly folders: readonly string[] },
  world: ContentWorld,
): Promise<Copied> {
  const text = await shortText(contentText(content, world), clipboard.mostBytes);
  if (text !== null) return { message: clipboard.send(text, what), isDone: true };
  const path = await saveUnderFreeName(file, folders, () => contentText(content, world), world.signal);
  return { message: `saved to ${path}: too large for the clipboard`, isDone: true };
}

/** Null if the text is longer. */
async function shortText(pieces: AsyncIterable<string>, mostBytes: number): Promise<string | null> {
  const parts: string[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > mostBytes) return null;
    parts.push(piece);
  }
  return parts.join('');
}
