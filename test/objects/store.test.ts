import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessFrom } from '../../src/objects/access.ts';
import { type ListedObject, listedObjects, openStore } from '../../src/objects/store.ts';
import { BUCKET, type ObjectServer, startObjectServer } from './object-server.ts';

let server: ObjectServer;
beforeAll(async () => {
  server = await startObjectServer();
});
afterAll(() => server.close());
afterEach(() => server.meet(() => undefined));

describe('a store that says yes and gives nothing', () => {
  const store = () =>
    openStore(accessFrom(server.env, BUCKET), BUCKET, {
      ...{ signal: new AbortController().signal, timeoutMs: 2000, retryMs: 1, mayOverwrite: false, onWait: () => {} },
    });
  const untrusted = (what: string) => ({
    ...{ name: 'ObjectsError', because: 'untrusted', message: `s3://${BUCKET}/a: the store did not return ${what}` },
  });

  test.each(['', '<UploadId></UploadId>', '<UploadId/>'])('is not believed of an upload in parts: %j', async body => {
    server.meet(() => ({ kind: 'refuse', status: 200, body }));
    await expect(store().begin('a')).rejects.toMatchObject(untrusted('an upload id'));
  });

  test('is not believed of a part without an ETag', async () => {
    server.meet(() => ({ kind: 'refuse', status: 200, body: '' }));
    const part = { key: 'a', uploadId: 'u', number: 1 };
    await expect(store().putPart(part, new Uint8Array(3))).rejects.toMatchObject(untrusted('an ETag for a part'));
  });
});

describe('an object that is read later', () => {
  test('has all its bytes, though nothing refers to the answer they come with any more', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const env = { ...server.env };
    const store = openStore(accessFrom(env, BUCKET), BUCKET, {
      ...{ signal: new AbortController().signal, timeoutMs: 2000, retryMs: 1, mayOverwrite: true, onWait: () => {} },
    });
    const bytes = new Uint8Array(300_000).fill(7);
    await store.put('later', bytes);
    const reading = await store.read('later');
    for (let round = 0; round < 5; round++) {
      collect();
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    let read = 0;
    for (;;) {
      const { done, value } = (await reading?.reader.read()) ?? { done: true };
      if (done || value === undefined) break;
      read += value.length;
    }
    expect(read).toBe(bytes.length);
  });
});

describe('a list of objects', () => {
  const PAGE = 50_000;
  const contents = '<Contents><Key>a</Key><Size>1</Size></Contents>'.repeat(PAGE);
  /** So many full pages, and then one of one object. */
  const listing = (pages: number): Promise<readonly ListedObject[]> => {
    let asked = 0;
    const page = () => {
      const more = `<NextContinuationToken>t${++asked}</NextContinuationToken>`;
      if (asked < pages) return `<ListBucketResult>${contents}${more}</ListBucketResult>`;
      if (asked === pages) return `<ListBucketResult>${contents}</ListBucketResult>`;
      return '';
    };
    return listedObjects(async () => new Response(page()), { url: 'http://127.0.0.1:9/b', bucket: 'b' }, '');
  };

  test('is read to 200 000 names, and not believed beyond, whatever the store still has', async () => {
    expect(await listing(4)).toHaveLength(4 * PAGE);
    await expect(listing(5)).rejects.toMatchObject({ name: 'ObjectsError', because: 'untrusted' });
  });
});
