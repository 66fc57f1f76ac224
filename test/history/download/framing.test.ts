import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unframe } from '../../../src/history/download/framing.ts';

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

describe('Export framing', () => {
  it('The framing passes a ZIP body on unchanged, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(zip, sizes, async (body, cut) => {
        expect(await unframed(body, cut)).toEqual(body);
      }),
    );
  });

  it('The framing decodes base64 messages, however they are cut', async () => {
    const parts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, sizes, async (chunks, cut) => {
        const body = chunks.map(message).join('\n');
        expect(await unframed(body, cut)).toEqual(Buffer.concat(chunks));
      }),
    );
  });

  it('The framing passes an error on after the data, in its place', async () => {
    const data = Buffer.from('PK..');
    expect((await unframed(message(data) + error)).toString()).toBe(`PK..${error}`);
    expect((await unframed(error)).toString()).toBe(error);
  });

  it.each([
    '{"result":{"data":"UEsu"},"error":{}}',
    '{"result":{"data":"UEs"}}',
    '{"result":{"data":"UEsuLg"}}',
    '{"result":{"data":"UE\\u000au"}}',
    '{"result":{"data":"-UEs"}}',
    '{"result":{"data":"UE=="},"more":1}',
    '{"result":{"data":"U==="}}',
    '{"result":{"data":"U=Es"}}',
    '{"result":{"data":1234}}',
    '{"result":{"data":true}}',
    '{"result":{"data":null}}',
    '{"result":{}}',
    '{"result":"UEsu"}',
    '{"result":{"data":"UEsu"}',
  ])('The framing passes on unchanged what is not a data message, after one that is: %s', async odd => {
    expect((await unframed(message(Buffer.from('PK..')) + odd)).toString()).toBe(`PK..${odd}`);
    expect((await unframed(odd)).toString()).toBe(odd);
  });

  it('The framing is not misled by braces and quotes inside a text', async () => {
    const odd = JSON.stringify({ result: { contentType: '} \\ " [{', data: Buffer.from('PK..').toString('base64') } });
    expect((await unframed(odd + odd)).toString()).toBe('PK..PK..');
  });

  it('The framing reads the data of a message with extensions, as the contract defines them', async () => {
    const extensions = [{ '@type': 'type.googleapis.com/google.protobuf.StringValue', value: 'a-ledger-1-2.zip' }];
    const { result } = JSON.parse(message(Buffer.from('PK..')));
    const first = JSON.stringify({ result: { ...result, extensions } });
    expect((await unframed(`${first}\n${message(Buffer.from('rest'))}\n`)).toString()).toBe('PK..rest');
  });

  it('The framing loses nothing that a message has besides its data, and takes only data for data', async () => {
    const data = Buffer.from('PK..');
    const { result } = JSON.parse(message(data));
    const others = [
      { result, error: { code: 13 } },
      { result: { ...result, data: 'UEs!!uLg==' } },
      { result: [result] },
      {},
    ];
    for (const other of others.map(value => JSON.stringify(value))) {
      for (const sizes of [[7], [1], [1000]])
        expect((await unframed(message(data) + other + message(data), sizes)).toString()).toBe(
          `PK..${other}${message(data)}`,
        );
    }
  });

  it('The framing takes little time and memory for messages that no gateway sends', async () => {
    const lists = `{"a":${'['.repeat(2 ** 21)}${']'.repeat(2 ** 21)}}`;
    for (const odd of ['{}', lists, `{"result":{"data":"QQ=="}}`, `{"result":{"data":""}}`]) {
      const body = Buffer.from(odd.repeat(Math.ceil((8 * 2 ** 20) / odd.length)));
      let pieces = 0;
      const before = process.memoryUsage().rss;
      for await (const piece of unframe(inParts(body, [65_536]))) pieces += piece.length > 0 ? 1 : 0;
      expect(pieces).toBeLessThan(200);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
    }
  });

  it('The framing passes on, without buffering it, a body that begins like messages but has none', async () => {
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

  it('The framing decodes messages of up to 4 MiB, and passes on a longer one unchanged', async () => {
    const most = 4 * 2 ** 20;
    const around = message(Buffer.alloc(0)).length;
    const longest = Buffer.alloc(Math.floor((most - around) / 4) * 3, 'x');
    const short = Buffer.from(message(longest));
    expect(short.length).toBeGreaterThan(most - 4);
    expect((await unframed(short, [65_536])).equals(longest)).toBe(true);
    const long = Buffer.from(message(Buffer.concat([longest, Buffer.alloc(65_536 * 2, 'x')])));
    expect((await unframed(long, [65_536])).equals(long)).toBe(true);
  });

  it('The framing decodes a thousand small messages, and passes on what follows them unchanged', async () => {
    const small = message(Buffer.from('x'));
    expect((await unframed(small.repeat(1000), [65_536])).toString()).toBe('x'.repeat(1000));
    expect((await unframed(small.repeat(1002), [65_536])).toString()).toBe(`${'x'.repeat(1000)}${small}${small}`);
  });

  it('The framing passes on what is truncated, so that it is not reported as whole', async () => {
    const cut = message(Buffer.from('PK..')).slice(0, -3);
    expect((await unframed(cut)).toString()).toBe(cut);
  });

  it('The framing ends with the last data when a line end follows the last message', async () => {
    const data = Buffer.from('PK..');
    expect(await unframed(`${message(data)}\n`)).toEqual(data);
  });

  it('The framing recognises messages that follow an empty chunk', async () => {
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

  it('The framing gives nothing for an empty body', async () => {
    expect((await unframed('')).length).toBe(0);
  });
});
