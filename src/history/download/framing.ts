import { type Json, member, parseJson } from '../../chain/api/json.ts';

/**
 * Yields the archive in an export body. A ZIP passes unchanged. Some gateways send a stream of JSON messages
 * `{result:{contentType,data,extensions}}` instead: their data is decoded. From the first other message on, everything
 * passes unchanged, so that an error follows the archive, or replaces it, as with other gateways.
 */
export async function* unframe(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let messages: DataMessages | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk[0] === OPEN_BRACE) messages = new DataMessages();
    if (chunk.length > 0) isFirst = false;
    if (messages === undefined) yield chunk;
    else {
      const data = messages.push(chunk);
      if (data.length > 0) yield data;
      if (!messages.isOver) continue;
      yield messages.rest;
      messages = undefined;
    }
  }
  // A line end after the last message is dropped.
  if (messages !== undefined && messages.rest.toString('latin1').trim() !== '') yield messages.rest;
}

/** Gateways send a MiB per message. A longer one is not a message. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** Only the last message of a gateway is small. Many small ones would be an attack on the processor. */
const SMALL_DATA_BYTES = 1024;
const MAX_SMALL_MESSAGES = 1000;

/** A message is two levels deep, its extensions a few more. */
const MAX_NESTING_LEVELS = 16;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Extracts the data from a byte stream of JSON messages, until something else follows. */
class DataMessages {
  /** Grows by doubling, as input may come byte by byte. */
  #held: Buffer = Buffer.alloc(0);
  #heldBytes = 0;
  #smallMessages = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isOver = false;

  /** True once `rest` starts with something that is not a data message. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The bytes after the last data message. */
  get rest(): Buffer {
    return this.#held.subarray(0, this.#heldBytes);
  }

  /** The data of the messages that end in this chunk. */
  push(chunk: Uint8Array): Buffer {
    const found: Buffer[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length && !this.#isOver; index++) {
      if (!this.#closes(chunk[index] ?? 0)) continue;
      const data = decodeMessageData(Buffer.concat([this.rest, chunk.subarray(start, index + 1)]));
      if (data === undefined || !this.#mayBe(data)) this.#isOver = true;
      else {
        found.push(data);
        this.#heldBytes = 0;
        start = index + 1;
      }
    }
    this.#hold(chunk.subarray(start));
    return Buffer.concat(found);
  }

  #mayBe(data: Buffer): boolean {
    if (data.length < SMALL_DATA_BYTES) this.#smallMessages++;
    return this.#smallMessages <= MAX_SMALL_MESSAGES;
  }

  #hold(bytes: Uint8Array): void {
    const heldBytes = this.#heldBytes + bytes.length;
    if (heldBytes > this.#held.length) {
      const larger = Buffer.alloc(2 * heldBytes);
      larger.set(this.rest);
      this.#held = larger;
    }
    this.#held.set(bytes, this.#heldBytes);
    this.#heldBytes = heldBytes;
    if (heldBytes > MAX_FRAME_BYTES) this.#isOver = true;
  }

  /** Whether this byte closes a message. */
  #closes(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (byte === 0x5c) this.#isEscaped = true;
      else if (byte === 0x22) this.#isInString = false;
    } else if (byte === 0x22) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#isOver = ++this.#depth > MAX_NESTING_LEVELS;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return --this.#depth <= 0;
    return false;
  }
}

/** The data of a message; undefined when the message is anything else. */
function decodeMessageData(message: Buffer): Buffer | undefined {
  const parsed = tryJson(message.toString('utf8'));
  const data = member(member(parsed, 'result'), 'data');
  const isAll = typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length === 1;
  if (!isAll || typeof data !== 'string' || !isBase64(data)) return undefined;
  return Buffer.from(data, 'base64');
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
