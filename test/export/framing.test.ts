import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unframe } from '../../src/export/framing.ts';

/** The bytes in parts of these sizes, over and over; a size may be 0. */
async function* inParts(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let start = 0, part = 0; start < bytes.length; part++) {
    const size = sizes[part % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function unframed(body: string | Uint8Array, sizes: readonly number[] = [7]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of unframe(inParts(Buffer.from(body), sizes))) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

const message = (data: Uint8Array): string =>
  JSON.stringify({ result: { contentType: 'application/zip', data: Buffer.from(data).toString('base64') } });
const error = '{"error":{"code":13,"message":"in a \\"string\\" with { and }","details":[]}}';

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const zip = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.concat([Buffer.from('PK\u0003\u0004'), bytes]));

describe('the framing of an export', () => {
  it('lets a ZIP body pass as it is, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(zip, sizes, async (body, cut) => {
        expect(await unframed(body, cut)).toEqual(body);
      }),
    );
  });

  it('undoes messages of base64, however they are cut', async () => {
    const parts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, sizes, async (chunks, cut) => {
        const body = chunks.map(message).join('\n');
        expect(await unframed(body, cut)).toEqual(Buffer.concat(chunks));
      }),
    );
  });

  it('passes an error on behind the data, and in its place', async () => {
    const data = Buffer.from('PK..');
    expect((await unframed(message(data) + error)).toString()).toBe(`PK..${error}`);
    expect((await unframed(error)).toString()).toBe(error);
  });

  it('is not led astray by braces and quotes inside a text', async () => {
    const odd = '{"error":{"message":"one \\" and {"}}';
    expect((await unframed(odd + message(Buffer.from('PK..')))).toString()).toBe(`${odd}PK..`);
  });

  it('passes on a body that is no messages though it opens like one, without holding it', async () => {
    for (const byte of ['{', '}', '"', ' ']) {
      const part = Buffer.alloc(2 ** 20, byte);
      let [given, taken, held] = [0, 0, 0];
      async function* endless(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('{');
        for (given = 1; given <= 40 * 2 ** 20; given += part.length) yield part;
      }
      for await (const passed of unframe(endless())) {
        taken += passed.length;
        held = Math.max(held, given - taken);
      }
      expect(taken).toBe(40 * 2 ** 20 + 1);
      expect(held).toBeLessThan(20 * 2 ** 20);
    }
  });

  it('passes on what is cut off, so that it is not called whole', async () => {
    const cut = message(Buffer.from('PK..')).slice(0, -3);
    expect((await unframed(cut)).toString()).toBe(cut);
  });

  it('ends with the last data when a line end follows the last message', async () => {
    const data = Buffer.from('PK..');
    expect(await unframed(`${message(data)}\n`)).toEqual(data);
  });

  it('knows messages behind an empty chunk', async () => {
    const data = Buffer.from('PK..');
    const body = Buffer.from(message(data));
    const parts: Uint8Array[] = [];
    async function* chunks() {
      yield new Uint8Array();
      yield body;
    }
    for await (const part of unframe(chunks())) parts.push(part);
    expect(Buffer.concat(parts)).toEqual(data);
  });

  it('has nothing for an empty body', async () => {
    expect((await unframed('')).length).toBe(0);
  });
});
