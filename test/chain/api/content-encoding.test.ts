import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import {
  DamagedAnswerError,
  RefusedError,
  UndecodableError,
  WrongEncodingError,
} from '../../../src/chain/api/errors.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { serve } from './loopback-server.ts';

const ask = (url: string): Promise<unknown> =>
  createClient({ base: baseAddress(url), random: () => 0 })
    .get({ path: 'api/v2/x', query: [] })
    .catch((error: unknown) => error);

const text = Buffer.from(JSON.stringify({ text: 'grüße'.repeat(40) }));

/** A node that sends this body under this label, whatever is asked for; it notes what is accepted. */
async function labelling(label: string | undefined, body: Uint8Array, status = 200) {
  const accepted: string[] = [];
  const node = await serve(({ headers }, response) => {
    accepted.push(String(headers['accept-encoding']));
    response.writeHead(status, label === undefined ? {} : { 'content-encoding': label });
    response.end(body);
  });
  return { url: node.url, accepted };
}

describe('Compressed response', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['identity', text],
    ['none', text],
    ['aws-chunked', text],
    ['utf-8', text],
  ])('A response encoded as its label %s says is read at once', async (label, body) => {
    const node = await labelling(label, body);
    expect(await ask(node.url)).toMatchObject({ json: { text: 'grüße'.repeat(40) } });
    expect(node.accepted.length).toBe(1);
  });

  it.each([
    ['gzip', text],
    ['deflate', text],
    ['br', text],
    ['zstd', text],
    ['br', gzipSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip', gzipSync(gzipSync(text))],
    ['br, gzip', gzipSync(text)],
    ['compress', gzipSync(text)],
    [undefined, gzipSync(text)],
  ])(
    'A response that does not match its label %s is requested again without compression and read',
    async (label, body) => {
      const node = await labelling(label, body);
      expect(await ask(node.url)).toMatchObject({ json: { text: 'grüße'.repeat(40) } });
      expect(node.accepted).toEqual([expect.stringContaining('gzip'), 'identity']);
    },
  );

  it.each([
    ['gzip', brotliCompressSync(text), 'the answer is labelled gzip (Content-Encoding) and is not'],
    ['gzip', Buffer.from('busy'), 'the answer is labelled gzip (Content-Encoding) and is not'],
    [
      'compress',
      Buffer.from('\x1f\x9d\x90\xff\xfe', 'latin1'),
      'the answer is packed as compress (Content-Encoding), which',
    ],
  ])('A response whose label %s is wrong twice is reported as mislabelled', async (label, body, sentence) => {
    const node = await labelling(label, body);
    const error = await ask(node.url);
    expect(error).toBeInstanceOf(WrongEncodingError);
    expect(String(error)).toContain(sentence);
    expect(node.accepted.length).toBe(2);
  });

  it('A truncated compressed response is reported as truncated', async () => {
    const whole = gzipSync(text);
    const error = await ask((await labelling('gzip', whole.subarray(0, whole.length - 8))).url);
    expect(error).toBeInstanceOf(DamagedAnswerError);
    expect(error).not.toBeInstanceOf(WrongEncodingError);
    expect(String(error)).toContain(
      'cut short or damaged on its way: its gzip cannot be unpacked: unexpected end of file',
    );
  });

  it('A refusal with a wrong compression label is still a refusal', async () => {
    const refusal = Buffer.from('{"code":5,"message":"Not Found","details":[]}');
    expect(await ask((await labelling('gzip', refusal, 404)).url)).toBeInstanceOf(RefusedError);
  });

  it('A response without a label is not decompressed beyond the size limit', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20));
    expect(await ask((await labelling(undefined, bomb)).url)).toBeInstanceOf(UndecodableError);
  });
});
