import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putParquet } from '../../src/cli/parquet-to-bucket.ts';
import { objectPlace, openBucket, readText } from '../../src/objects/index.ts';
import { refusalOf } from '../../src/objects/sender.ts';
import { BUCKET, type ObjectServer, refusal, startObjectServer } from './object-server.ts';

let server: ObjectServer;
let folder: string;
beforeAll(async () => {
  server = await startObjectServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-objects-'));
});
afterEach(async () => {
  server.meet(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const bucketAt = (place: string) =>
  openBucket(objectPlace(place), {
    env: server.env,
    signal: new AbortController().signal,
    mayOverwrite: false,
    staging: join(folder, 'staging'),
    timeoutMs: 2000,
    retryMs: 1,
  });

describe('a store that tells keys back', () => {
  const token = 'IQoJ/+=not-to-be-shown/+=';
  const access = { url: '', region: 'x', accessKeyId: 'AKIDabc', secretAccessKey: 'sk/+abc', sessionToken: token };
  const numbered = (radix: 10 | 16) =>
    token.replace(/[^a-z]/gi, sign => `&#${radix === 16 ? 'x' : ''}${sign.charCodeAt(0).toString(radix)};`);
  test.each<[string, string]>([
    ['as its message', refusal('AccessDenied', `no ${token}`)],
    ['as its code', refusal(token, 'no')],
    ['where the message is cut off', refusal('AccessDenied', `${'y'.repeat(385)}${token}`)],
    ['as part of a URL', refusal('AccessDenied', encodeURIComponent(token))],
    ['with signs by their numbers', refusal('AccessDenied', numbered(10))],
    ['with signs by their hexadecimal numbers', refusal('AccessDenied', numbered(16))],
    ['its secret key', refusal('AccessDenied', `no ${access.secretAccessKey}`)],
  ])('is not repeated: %s', (_, body) => {
    const { message, hint, refusal: told } = refusalOf({ status: 403, headers: new Headers(), body }, 's3://b', access);
    expect(`${message} ${hint} ${told?.code}`).not.toMatch(/IQoJ|not-to-be|sk\/\+/);
  });
});

describe('names below a place', () => {
  test('are all of those that begin so, whatever signs they have, a page at a time', async () => {
    const bucket = await bucketAt(`s3://${BUCKET}/odd 'name' <&>`);
    await writeFile(join(folder, 'f'), 'x');
    for (const name of ['table=a/x', 'table=a/é&"<', 'other']) await bucket.putFile(join(folder, 'f'), name);
    expect([...(await bucket.sizesBelow('table='))].toSorted()).toEqual([
      ['table=a/x', 1],
      ['table=a/é&"<', 1],
    ]);
    const page = (key: string, more: string) =>
      `<ListBucketResult><Contents><Key>${key}</Key><Size>7</Size></Contents>${more}</ListBucketResult>`;
    server.meet(({ path }) => ({
      kind: 'refuse',
      status: 200,
      body: path.includes('continuation-token=t%2B1')
        ? page('p/2', '')
        : page('p/1', '<NextContinuationToken>t+1</NextContinuationToken>'),
    }));
    expect(await (await bucketAt(`s3://${BUCKET}/p`)).sizesBelow('')).toEqual(
      new Map([
        ['1', 7],
        ['2', 7],
      ]),
    );
  });

  test.each<[string, string]>([
    ['ends nowhere', '<ListBucketResult><Contents><Key>a</Key></Contents>'],
    ['is something else', 'hello'],
    ['goes round in a ring', '<ListBucketResult><NextContinuationToken>t</NextContinuationToken></ListBucketResult>'],
    ['is longer than any', `<ListBucketResult>${'x'.repeat(9 * 1024 * 1024)}</ListBucketResult>`],
  ])('are not believed of a list that %s', async (_, body) => {
    server.meet(() => ({ kind: 'refuse', status: 200, body }));
    await expect((await bucketAt(`s3://${BUCKET}/p`)).sizesBelow('table=')).rejects.toMatchObject({
      name: 'ObjectsError',
      because: 'untrusted',
    });
  });
});

test('Parquet goes beside no object that engines would read with it, though no manifest names one', async () => {
  const place = `s3://${BUCKET}/beside`;
  const bucket = await bucketAt(place);
  const out = join(folder, 'out');
  await mkdir(join(out, 'table=a/date=2026-10-01'), { recursive: true });
  const path = 'table=a/date=2026-10-01/part-1-2-1-1.parquet';
  await writeFile(join(out, path), 'x');
  await writeFile(join(out, '_blockglass.json'), '{}');
  const file = { path, rows: 1, bytes: 1, sha256: '', firstTime: null, lastTime: null, sums: {} };
  const manifest = {
    format: 1 as const,
    program: 'x',
    chainId: 'c',
    finished: null,
    tables: [{ name: 'a', fromBlock: '1', toBlock: '2', isComplete: true, columns: [], notes: [], files: [file] }],
  };
  const release = async () => {};
  const there = { bucket, address: place, folder, fileName: null, forget: release, release };
  // Of an upload that was killed before its manifest was up.
  await bucket.putFile(join(out, path), 'table=a/date=2026-10-01/part-3-4-1-1.parquet');
  await expect(putParquet({ manifest, out }, '', there)).rejects.toThrow(
    /already contains 1 file that these exports did not produce \(first: table=a\/date=2026-10-01\/part-3-4-1-1\.parquet\)/,
  );
  expect(await bucket.has('_blockglass.json')).toBe(false);
});

describe('a store that never ends', () => {
  const onBody = async (answer: (response: ServerResponse) => void): Promise<unknown> => {
    const store = createServer((_, response) => answer(response));
    await new Promise<void>(resolve => store.listen(0, '127.0.0.1', resolve));
    const address = store.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const options = { env: { ...server.env, AWS_ENDPOINT_URL: url }, signal: new AbortController().signal };
    const place = objectPlace(`s3://${BUCKET}/p`);
    try {
      const read = readText(place, '_blockglass.json', { ...options, timeoutMs: 200, mostBytes: 1000 });
      return await read.catch((error: unknown) => error);
    } finally {
      store.closeAllConnections();
      store.close();
    }
  };

  test.each<[string, string, (response: ServerResponse) => void]>([
    ['sends nothing of what it promised', 'unreachable', response => response.writeHead(200).flushHeaders()],
    [
      'sends a byte now and then',
      'unreachable',
      response => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['sends more than any', 'untrusted', response => response.writeHead(200).end('x'.repeat(2000))],
  ])('is left when it %s', async (_, because, answer) => {
    expect(await onBody(answer)).toMatchObject({ name: 'ObjectsError', because });
  });

  test('is not read beyond what an object should be', async () => {
    const bucket = await bucketAt(`s3://${BUCKET}/endless`);
    await writeFile(join(folder, 'f'), 'x');
    const store = createServer((_, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    await new Promise<void>(resolve => store.listen(0, '127.0.0.1', resolve));
    const address = store.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const endless = await openBucket(objectPlace(`s3://${BUCKET}/endless`), {
      env: { ...server.env, AWS_ENDPOINT_URL: url },
      signal: new AbortController().signal,
      mayOverwrite: false,
      staging: join(folder, 'staging'),
      timeoutMs: 2000,
      retryMs: 1,
    });
    await expect(endless.putFile(join(folder, 'f'), 'a')).rejects.toThrow(/exists and has different content/);
    expect(await bucket.has('a')).toBe(false);
    store.closeAllConnections();
    store.close();
  });
});
