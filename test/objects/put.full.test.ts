import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bucket, type BucketOptions, openBucket, readText } from '../../src/objects/bucket.ts';
import { ObjectsError } from '../../src/objects/objects-error.ts';
import { objectPlace } from '../../src/objects/place.ts';
import type { Waited } from '../../src/objects/waiting.ts';
import { BUCKET, type ObjectServer, refusal, startObjectServer } from './object-server.ts';

let server: ObjectServer;
let folder = '';
let prefix = '';
let number = 0;

beforeAll(async () => {
  server = await startObjectServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  prefix = `run-${++number}`;
});
afterEach(async () => {
  server.meet(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const bucketOf = (options: Partial<BucketOptions> = {}, place = `s3://${BUCKET}/${prefix}`): Promise<Bucket> =>
  openBucket(objectPlace(place), {
    env: server.env,
    signal: new AbortController().signal,
    mayOverwrite: false,
    staging: folder,
    retryMs: 1,
    ...options,
  });

async function local(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

const caught = (work: Promise<unknown>): Promise<ObjectsError> =>
  work.then(
    () => {
      throw new Error('it was done');
    },
    (error: unknown) => {
      if (error instanceof ObjectsError) return error;
      throw error;
    },
  );

/** Larger than two parts. */
const LARGE = randomBytes(17 * 1024 * 1024 + 5);

describe('a file that is put into a bucket', () => {
  it.each([
    ['small', Buffer.from('one')],
    ['empty', Buffer.alloc(0)],
    ['one of the size of a part', LARGE.subarray(0, 8 * 1024 * 1024)],
    ['large, in parts', LARGE],
  ])('lies there byte for byte: %s', async (_, bytes) => {
    const put = await (await bucketOf()).putFile(await local('a.zip', bytes), 'a.zip', sha256(bytes));
    expect(put).toEqual({
      address: `s3://${BUCKET}/${prefix}/a.zip`,
      bytes: bytes.length,
      sha256: sha256(bytes),
      isNew: true,
    });
    expect((await server.get(`/${prefix}/a.zip`))?.equals(bytes)).toBe(true);
    expect(await readdir(join(folder, '.unfinished-uploads')).catch(() => [])).toEqual([]);
  });

  it.each(['with space', 'ünïcode-木', 'a+b=c&d', "it's (1)!*~", '100%25', 'a#b?c', 'back\\slash', ' leading'])(
    'has the key that was typed: %s',
    async name => {
      const put = await (await bucketOf({}, `s3://${BUCKET}/${prefix}/${name}/`)).putFile(await local('a', 'x'), 'a');
      expect(put.address).toBe(`s3://${BUCKET}/${prefix}/${name}/a`);
      const written = encodeURIComponent(name);
      expect((await server.get(`/${prefix}/${written}/a`))?.toString()).toBe('x');
    },
  );

  it.each([
    ['small', Buffer.from('one')],
    ['in parts', LARGE],
  ])('is not sent when it is not what was verified: %s', async (_, bytes) => {
    const path = await local('a', bytes);
    const error = await caught((await bucketOf()).putFile(path, 'a', sha256('another')));
    expect([error.because, error.message]).toEqual(['untrusted', `${path} changed after it was verified`]);
    expect(server.heard.filter(({ method, path: key }) => method !== 'GET' && key.includes(prefix))).toEqual([]);
  });

  it.each([
    ['small', Buffer.from('one')],
    ['in parts', LARGE],
  ])('has no object when it changes between the look at it and the sending: %s', async (_, bytes) => {
    const path = await local('a', bytes);
    // The store is asked for the key when the file was hashed, and before it is sent.
    server.meet(({ method }) => {
      if (method === 'GET') writeFileSync(path, Buffer.alloc(bytes.length, 'z'));
      return undefined;
    });
    const error = await caught((await bucketOf()).putFile(path, 'a', sha256(bytes)));
    expect([error.because, error.message]).toEqual(['untrusted', `${path} changed after it was verified`]);
    expect(await server.get(`/${prefix}/a`)).toBeUndefined();
  });

  it('is read back to its end, and trusted only then', async () => {
    const path = await local('a', LARGE);
    let read = 0;
    const bucket = await bucketOf({
      onBytes: (step, bytes) => {
        if (step === 'read back') read += bytes;
      },
    });
    await bucket.putFile(path, 'a');
    expect(read).toBe(LARGE.length);
    server.meet(({ method }, index) => (method === 'GET' && index > 0 ? { kind: 'spoil' } : undefined));
    const error = await caught(bucket.putFile(await local('b', 'some bytes'), 'b'));
    expect([error.because, error.message]).toEqual(['untrusted', expect.stringMatching(/b does not read back as/)]);
  });

  it('is not sent when it is there, byte for byte', async () => {
    const path = await local('a', LARGE);
    await (await bucketOf()).putFile(path, 'a');
    server.meet(() => undefined);
    expect(await (await bucketOf()).putFile(path, 'a')).toMatchObject({ isNew: false });
    expect(server.heard.map(({ method }) => method)).toEqual(['GET']);
  });

  it('takes no other object away, unless it may', async () => {
    await (await bucketOf()).putFile(await local('a', 'one'), 'a');
    for (const other of ['two', 'three']) {
      const error = await caught((await bucketOf()).putFile(await local('b', other), 'a'));
      expect([error.because, error.message, error.hint]).toEqual([
        'usage',
        `s3://${BUCKET}/${prefix}/a exists and has different content`,
        'choose another prefix, or replace it with --overwrite',
      ]);
    }
    expect((await server.get(`/${prefix}/a`))?.toString()).toBe('one');
    await (await bucketOf({ mayOverwrite: true })).putFile(await local('b', 'two'), 'a');
    expect((await server.get(`/${prefix}/a`))?.toString()).toBe('two');
  });

  it('has the store refuse it when another comes there meanwhile, whole or in parts', async () => {
    await (await bucketOf()).putFile(await local('a', 'one'), 'a');
    for (const bytes of ['other', LARGE]) {
      let looks = 0;
      server.meet(({ method, path, headers }) => {
        const makes =
          (method === 'PUT' && !path.includes('partNumber')) || (method === 'POST' && path.includes('uploadId'));
        if (makes && headers['if-none-match'] === '*')
          return { kind: 'refuse', status: 412, body: refusal('PreconditionFailed', 'At least one') };
        // The first look is before the other came.
        if (method === 'GET' && looks++ === 0)
          return { kind: 'refuse', status: 404, body: refusal('NoSuchKey', 'none') };
        return undefined;
      });
      const error = await caught((await bucketOf()).putFile(await local('b', bytes), 'a'));
      expect(error.message).toBe(`s3://${BUCKET}/${prefix}/a exists and has different content`);
    }
    expect((await server.get(`/${prefix}/a`))?.toString()).toBe('one');
  });

  it('is sent without a condition where the store knows none, which it is asked once', async () => {
    server.meet(({ headers }) =>
      headers['if-none-match'] === undefined
        ? undefined
        : { kind: 'refuse', status: 501, body: refusal('NotImplemented', 'A header you provided') },
    );
    const bucket = await bucketOf();
    for (const [name, bytes] of [
      ['a', 'one'],
      ['b', LARGE],
      ['c', 'three'],
    ] as const)
      expect(await bucket.putFile(await local(name, bytes), name)).toMatchObject({ isNew: true });
    expect(server.heard.filter(({ headers }) => headers['if-none-match'] !== undefined)).toHaveLength(1);
    server.meet(() => ({ kind: 'refuse', status: 501, body: refusal('NotImplemented', 'No such thing') }));
    expect((await caught(bucket.putFile(await local('d', 'x'), 'd'))).message).toContain('501 NotImplemented');
  });

  it('is not sent when it is not what was verified', async () => {
    const error = await caught((await bucketOf()).putFile(await local('a', 'one'), 'a', sha256('two')));
    expect(error.because).toBe('untrusted');
    expect(await server.get(`/${prefix}/a`)).toBeUndefined();
  });
});

describe('a line on which things happen', () => {
  it.each([
    ['the store fails', { kind: 'refuse', status: 500, body: refusal('InternalError', 'We encountered') }],
    ['the store asks to slow down', { kind: 'refuse', status: 503, body: refusal('SlowDown', 'Please') }],
    ['a yes has an error in it', { kind: 'refuse', status: 200, body: refusal('InternalError', 'We encountered') }],
    ['the connection is cut before', { kind: 'cut', answerBytes: 0 }],
    ['the answer is lost', { kind: 'lose-answer' }],
  ] as const)('is gone over again: %s', async (_, fate) => {
    for (const bytes of [LARGE, Buffer.from('small')]) {
      // Each request once, but for a yes with an error in it, which only an upload in parts has.
      const met = new Set<string>();
      server.meet(({ method, path }) => {
        const isYes = fate.kind === 'refuse' && fate.status === 200;
        const which = `${method} ${path.replace(/uploadId=[^&]*/, '')}`;
        if (met.has(which) || (isYes && method !== 'POST')) return undefined;
        met.add(which);
        return fate;
      });
      const put = await (await bucketOf()).putFile(await local('a', bytes), `a-${bytes.length}`);
      expect(put.sha256).toBe(sha256(bytes));
      expect((await server.get(`/${prefix}/a-${bytes.length}`))?.equals(bytes)).toBe(true);
    }
  });

  it('is read again from the beginning when it breaks in the middle of reading back', async () => {
    let looks = 0;
    server.meet(({ method }) => (method === 'GET' && ++looks === 2 ? { kind: 'cut', answerBytes: 1000 } : undefined));
    expect(await (await bucketOf()).putFile(await local('a', LARGE), 'a')).toMatchObject({ isNew: true });
    expect(looks).toBe(3);
  });

  it('that breaks each time in the middle of reading back is said, and the object not trusted', async () => {
    let looks = 0;
    server.meet(({ method }) => (method === 'GET' && ++looks > 1 ? { kind: 'cut', answerBytes: 1000 } : undefined));
    const error = await caught((await bucketOf()).putFile(await local('a', LARGE), 'a'));
    expect([error.because, error.message]).toEqual([
      'unreachable',
      expect.stringMatching(/^s3:\/\/history\/run-\d+\/a could not be read to the end: /),
    ]);
    expect(looks).toBe(5);
  });

  it('may bring an answer of any length: its beginning is read', async () => {
    const long = `${'<x>'.repeat(2_000_000)}${refusal('AccessDenied', 'behind all of it')}`;
    server.meet(() => ({ kind: 'refuse', status: 403, body: long }));
    const error = await caught((await bucketOf()).putFile(await local('a', 'x'), 'a'));
    expect(error.message).toBe(`s3://${BUCKET}: the store answered 403`);
    server.meet(() => ({ kind: 'refuse', status: 403, body: refusal('AccessDenied', 'a'.repeat(10_000)) }));
    expect((await caught((await bucketOf()).putFile(await local('a', 'x'), 'a'))).message.length).toBeLessThan(500);
  });

  it("is given up after a few times, with the store's own code and words, and without the keys", async () => {
    const secret = server.env.AWS_SECRET_ACCESS_KEY ?? '';
    server.meet(() => ({
      kind: 'refuse',
      status: 500,
      body: refusal('InternalError', `no &lt;b&gt; ${secret}\u001b[31m`),
    }));
    const error = await caught((await bucketOf()).putFile(await local('a', 'x'), 'a'));
    expect(error.message).toContain('the store answered 500 InternalError - no <b> ***');
    expect(server.heard).toHaveLength(4);
  });

  it.each([
    [403, 'AccessDenied', {}, /s3:PutObject.*s3:ListBucket/],
    [403, 'InvalidAccessKeyId', {}, /does not know the key in AWS_ACCESS_KEY_ID/],
    [403, 'SignatureDoesNotMatch', {}, /AWS_SECRET_ACCESS_KEY does not match/],
    [400, 'ExpiredToken', {}, /have expired: get new ones, set AWS_SESSION_TOKEN/],
    [
      403,
      'RequestTimeTooSkewed',
      { date: 'Fri, 24 May 2013 00:00:00 GMT' },
      /the store's 2013-05-24T00:00:00Z: set the clock/,
    ],
    [301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-3' }, /set AWS_REGION=eu-west-3/],
    [400, 'AuthorizationHeaderMalformed', { 'x-amz-bucket-region': 'eu-west-3' }, /set AWS_REGION=eu-west-3/],
    [307, 'TemporaryRedirect', { location: 'http://127.0.0.1:1/elsewhere' }, /redirects are not followed/],
    [404, 'NoSuchBucket', {}, /check the name of the bucket/],
    [409, 'Whatever', {}, /look up this code/],
  ])('says what to do about %i %s, and asks once', async (status, code, headers, hint) => {
    server.meet(() => ({ kind: 'refuse', status, body: refusal(code, 'Said so'), headers }));
    const error = await caught((await bucketOf()).putFile(await local('a', 'x'), 'a'));
    expect([error.because, error.message]).toEqual([
      'refused',
      `s3://${BUCKET}: the store answered ${status} ${code} - Said so`,
    ]);
    expect(error.hint).toMatch(hint);
    expect(server.heard).toHaveLength(1);
  });

  it('that leads nowhere, or to somebody who never answers, is said', async () => {
    const gone = await startObjectServer();
    await gone.close();
    const nowhere = { ...server.env, AWS_ENDPOINT_URL: gone.url };
    const refused = await caught((await bucketOf({ env: nowhere })).putFile(await local('a', 'x'), 'a'));
    expect([refused.because, refused.message]).toEqual([
      'unreachable',
      expect.stringContaining('nothing is listening there'),
    ]);
    server.meet(() => ({ kind: 'never-answer' }));
    const slow = await caught((await bucketOf({ timeoutMs: 50 })).putFile(await local('a', 'x'), 'a'));
    expect([slow.because, slow.message]).toEqual(['unreachable', expect.stringContaining('it sent nothing for')]);
  });

  it('that does not answer is reported each second, with which try it is and how long it may take yet; a stop ends that', async () => {
    server.meet(() => ({ kind: 'never-answer' }));
    const stop = new AbortController();
    const told: (Waited | null)[] = [];
    const onWait = (waited: Waited | null) => {
      told.push(waited);
      if (waited?.attempt === 2) stop.abort();
    };
    const put = (await bucketOf({ timeoutMs: 1300, signal: stop.signal, onWait })).putFile(await local('a', 'x'), 'a');
    await expect(put).rejects.toThrow(/abort/i);
    const waited = { host: new URL(server.url).host, attempts: 4, leftMs: expect.any(Number) };
    expect(told).toEqual([{ ...waited, attempt: 1 }, null, { ...waited, attempt: 2 }, null]);
    for (const each of told) expect(each?.leftMs ?? 0).toBeLessThan(301);
  });

  it('that stops in the middle of an object is reported too', async () => {
    const silent = createServer((_, answer) => answer.writeHead(200, { 'content-length': '1' }).flushHeaders());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const stop = new AbortController();
    const told: (Waited | null)[] = [];
    const onWait = (waited: Waited | null) => {
      told.push(waited);
      stop.abort();
    };
    const env = { ...server.env, AWS_ENDPOINT_URL: url };
    const options = { env, timeoutMs: 1300, mostBytes: 10, signal: stop.signal, onWait };
    await expect(readText({ bucket: BUCKET, prefix: '' }, 'a', options)).rejects.toThrow(/abort/i);
    expect(told[0]).toMatchObject({ host: new URL(url).host, attempt: 1, attempts: 1 });
    silent.closeAllConnections();
    silent.close();
  });

  it('on which somebody stops leaves no parts behind, and ends at once', async () => {
    const stop = new AbortController();
    server.meet(({ path }) => {
      if (!path.includes('partNumber=2')) return undefined;
      stop.abort();
      return { kind: 'never-answer' };
    });
    const bucket = await bucketOf({ signal: stop.signal });
    await expect(bucket.putFile(await local('a', LARGE), 'a')).rejects.toThrow(/abort/i);
    expect(server.heard.at(-1)?.method).toBe('DELETE');
    expect(await server.get(`/${prefix}/a`)).toBeUndefined();
  });
});

describe('a run that was killed', () => {
  it('has its parts taken away by the next one, which sends all of it', async () => {
    const path = await local('a', LARGE);
    server.meet(({ path }) => (path.includes('partNumber=2') ? { kind: 'never-answer' } : undefined));
    const stop = new AbortController();
    const hanging = (await bucketOf({ signal: stop.signal, staging: join(folder, 'first') })).putFile(path, 'a');
    hanging.catch(() => {});
    const isWaiting = () => server.heard.some(({ path }) => path.includes('partNumber=2'));
    await vi.waitUntil(isWaiting, { timeout: 10_000 });
    const left = await readdir(join(folder, 'first', '.unfinished-uploads'));
    expect(left).toHaveLength(1);
    expect(await server.get(`/${prefix}/a`)).toBeUndefined();
    // What a process that is gone has left, without its tidying up.
    await cp(join(folder, 'first'), join(folder, 'second'), { recursive: true });
    server.meet(() => undefined);
    await (await bucketOf({ staging: join(folder, 'second') })).putFile(path, 'a');
    expect(server.heard[0]?.method).toBe('DELETE');
    expect((await server.get(`/${prefix}/a`))?.equals(LARGE)).toBe(true);
    expect(await readdir(join(folder, 'second', '.unfinished-uploads'))).toEqual([]);
    stop.abort();
    await hanging.catch(() => {});
  });
});

describe('a folder that is put into a bucket', () => {
  async function filled(): Promise<string> {
    const inner = join(folder, 'whole');
    await mkdir(join(inner, 'table=ledger', 'date=2026-10-01'), { recursive: true });
    await writeFile(join(inner, 'table=ledger', 'date=2026-10-01', 'part-0.parquet'), 'p');
    for (const name of ['a.zip', 'manifest.json', 'b.zip.part', 'blockglass.lock', 'b.zip'])
      await writeFile(join(inner, name), name);
    return inner;
  }

  it('gets everything that is finished, and last the list of the rest', async () => {
    const put = await (await bucketOf()).putFolder(await filled(), 'whole', { last: ['manifest.json'] });
    expect(put.map(({ address }) => address.split('/whole/')[1]).toSorted()).toEqual([
      'a.zip',
      'b.zip',
      'manifest.json',
      'table=ledger/date=2026-10-01/part-0.parquet',
    ]);
    expect(server.heard.findLast(({ method }) => method === 'PUT')?.path).toMatch(/manifest\.json$/);
  });

  it('is not announced when one of them could not be stored', async () => {
    server.meet(({ method, path }) =>
      method === 'PUT' && path.includes('b.zip')
        ? { kind: 'refuse', status: 403, body: refusal('AccessDenied', 'Denied') }
        : undefined,
    );
    const bucket = await bucketOf();
    await caught(bucket.putFolder(await filled(), '', { last: ['manifest.json'] }));
    expect(await server.get(`/${prefix}/manifest.json`)).toBeUndefined();
    server.meet(() => undefined);
    const again = await bucket.putFolder(join(folder, 'whole'), '', { last: ['manifest.json'] });
    expect(again.filter(({ isNew }) => !isNew).length).toBeGreaterThan(0);
    expect((await server.get(`/${prefix}/manifest.json`))?.toString()).toBe('manifest.json');
  });
});

describe('a place in a bucket', () => {
  it.each([
    ['s3://', /is not a bucket name/],
    ['s3://a', /is not a bucket name/],
    ['s3://user:key@host/x', /is not a bucket name/],
    ['s3://bucket//x', /an empty folder name/],
    ['s3://bucket/a//b', /an empty folder name/],
    ['s3://bucket/../x', /a folder named \. or \.\./],
    ['s3://bucket/a/./b', /a folder named \. or \.\./],
    ['s3://bucket/a\nb', /a control character/],
    ['s3://bucket/\ud800', /an incomplete character/],
    [`s3://bucket/${'ü'.repeat(513)}`, /longer than 1024 bytes/],
  ])('is not guessed: %j', (text, problem) => {
    expect(() => objectPlace(text)).toThrow(problem);
  });

  it('is the whole bucket, or a folder in it', () => {
    expect(objectPlace('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '' });
    expect(objectPlace('S3://bucket/')).toEqual({ bucket: 'bucket', prefix: '' });
    expect(objectPlace('s3://my.bucket/a b/c/')).toEqual({ bucket: 'my.bucket', prefix: 'a b/c' });
  });

  it('says which keys are missing, and takes them from nowhere but the variables', async () => {
    const { AWS_ACCESS_KEY_ID: _, ...rest } = server.env;
    const error = await caught(bucketOf({ env: rest }));
    expect([error.because, error.message]).toEqual([
      'usage',
      `no keys for s3://${BUCKET}: AWS_ACCESS_KEY_ID is not set`,
    ]);
    for (const url of ['ftp://a', 'http://u:p@host', 'nonsense', 'http://host/?x'])
      expect((await caught(bucketOf({ env: { ...server.env, AWS_ENDPOINT_URL_S3: url } }))).message).toMatch(
        /is not an address/,
      );
  });

  it('is a host of its own at Amazon, in the region that is named', async () => {
    const { accessFrom } = await import('../../src/objects/access.ts');
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    expect(accessFrom(keys, 'history').url).toBe('https://history.s3.us-east-1.amazonaws.com');
    expect(accessFrom({ ...keys, AWS_DEFAULT_REGION: 'cn-north-1' }, 'history').url).toBe(
      'https://history.s3.cn-north-1.amazonaws.com.cn',
    );
    expect(accessFrom({ ...keys, AWS_REGION: 'eu-west-1' }, 'my.history').url).toBe(
      'https://s3.eu-west-1.amazonaws.com/my.history',
    );
    const named = { ...keys, AWS_ENDPOINT_URL: 'http://one', AWS_ENDPOINT_URL_S3: 'https://two/base/' };
    expect(accessFrom(named, 'history').url).toBe('https://two/base/history');
  });
});
