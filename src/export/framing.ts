import { type Json, jsonText, member, parseJson } from '../api/json.ts';

/**
 * Undoes the framing of an export body. A ZIP body passes as it is, whatever follows it. Of a JSON stream of
 * `{result:{contentType,data}}` messages (interface section 4.2) the data is passed on, and every other message as
 * its text: an error thus stands behind the archive, or in its place, which is where deployed gateways put it.
 */
export async function* unframe(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let splitter: ObjectSplitter | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk[0] === OPEN_BRACE) splitter = new ObjectSplitter();
    if (chunk.length > 0) isFirst = false;
    if (splitter === undefined) yield chunk;
    else {
      for (const message of splitter.push(chunk)) yield payload(message);
      if (splitter.heldBytes > longestMessageBytes) {
        yield splitter.rest;
        splitter = undefined;
      }
    }
  }
  // A line end after the last message is no part of anything.
  if (splitter !== undefined && splitter.rest.toString('latin1').trim() !== '') yield splitter.rest;
}

/** Messages of a gateway hold a MiB; what does not end within so much is none, and passes as it is. */
const longestMessageBytes = 16 * 1024 * 1024;

const OPEN_BRACE = 0x7b;

function payload(message: Buffer): Uint8Array {
  const data = member(member(tryJson(message.toString('utf8')), 'result'), 'data');
  return data === undefined ? message : Buffer.from(jsonText(data), 'base64');
}

function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Cuts a byte stream of JSON objects, with anything between them, into the bytes of each. */
class ObjectSplitter {
  #parts: Uint8Array[] = [];
  #heldBytes = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Length of the rest. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What stands after the last whole object. */
  get rest(): Buffer {
    return Buffer.concat(this.#parts);
  }

  push(chunk: Uint8Array): readonly Buffer[] {
    const messages: Buffer[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (!this.#closes(chunk[index] ?? 0)) continue;
      this.#parts.push(chunk.subarray(start, index + 1));
      messages.push(this.rest);
      this.#parts = [];
      this.#heldBytes = 0;
      start = index + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
    this.#heldBytes += chunk.length - start;
    return messages;
  }

  /** Whether this byte closes the outermost object. */
  #closes(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (byte === 0x5c) this.#isEscaped = true;
      else if (byte === 0x22) this.#isInString = false;
    } else if (byte === 0x22) this.#isInString = true;
    else if (byte === OPEN_BRACE) this.#depth++;
    else if (byte === 0x7d) return --this.#depth === 0;
    return false;
  }
}
