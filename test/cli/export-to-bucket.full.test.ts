import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusal } from '../objects/object-server.ts';
import { withBucket } from './bucket-fixture.ts';
import { type Ran, run } from './run-command.ts';

const bucket = withBucket(test => `run-${test}/of it`);

async function exporting(
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Ran> {
  const env = { ...bucket.env, ...more };
  const asked = ['export', '--node', bucket.node.url, '--table', 'trades', ...words];
  const ran = await run(asked, { env, ...(signal !== undefined && { signal }) });
  expect(`${ran.out}${ran.err}`).not.toContain(bucket.server.env.AWS_SECRET_ACCESS_KEY);
  return ran;
}

const staged = async (): Promise<readonly string[]> =>
  (await readdir(join(bucket.folder, 'cache', 'blockglass', 'uploads'), { recursive: true }).catch(() => [])).filter(
    name => /\.(?:zip|json|csv)$/.test(name),
  );

const below = async (): Promise<readonly string[]> =>
  (await bucket.server.keys())
    .filter(key => key.startsWith(`${bucket.prefix}/`))
    .map(key => key.slice(bucket.prefix.length + 1));

const at = (path: string): Promise<Buffer | undefined> =>
  bucket.server.get(`/${encodeURI(`${bucket.prefix}/${path}`)}`);

describe('export --out s3://', () => {
  it('puts a ZIP there once it is verified, and leaves nothing behind', async () => {
    const ran = await exporting(['--last', '1', '--out', bucket.place]);
    expect(ran.code, ran.err).toBe(0);
    const [names, name = ''] = await below();
    expect(names).toBe(name.replace(/\.zip$/, '.names.json'));
    expect(ran.out).toBe(`${bucket.place}/${name}\n`);
    expect(name).toMatch(/^[a-z0-9-]+-trades-\d+-\d+\.zip$/);
    expect(ran.err).toMatch(/in the bucket: 2 objects, [\d.]+ MB; each was read back and its SHA-256 matches the file/);
    const sha256 = createHash('sha256')
      .update((await at(name)) ?? '')
      .digest('hex');
    expect(ran.err).toContain(`SHA-256 ${sha256}`);
    expect(await staged()).toEqual([]);
  });

  it('takes the name of a ZIP, too', async () => {
    const ran = await exporting(['--last', '1', '--out', `${bucket.place}/mine.zip`]);
    expect([ran.code, ran.out], ran.err).toEqual([0, `${bucket.place}/mine.zip\n`]);
    expect(await below()).toEqual(['mine.names.json', 'mine.zip']);
  });

  it('puts slices there, and their manifest behind all of them', async () => {
    const ran = await exporting(['--last', '3', '--slice', '1', '--merge', '--out', bucket.place]);
    expect(ran.code, ran.err).toBe(0);
    const names = await below();
    expect(names.filter(name => name.endsWith('.zip'))).toHaveLength(3);
    const manifest = names.find(name => name.endsWith('/manifest.json')) ?? '';
    expect(ran.out).toBe(`${bucket.place}/${manifest.replace('/manifest.json', '')}\n`);
    expect(bucket.server.heard.findLast(({ method }) => method === 'PUT')?.path).toMatch(/\/manifest\.json$/);
    const { slices, finished } = JSON.parse(String(await at(manifest)));
    expect(finished).not.toBeNull();
    for (const { file, sha256 } of slices) {
      const bytes = (await at(manifest.replace('manifest.json', file))) ?? '';
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    expect(await staged()).toEqual([]);
  });

  it('continues with what was verified but not sent, without requesting it again', async () => {
    bucket.server.meet(({ method }) =>
      method === 'PUT' ? { kind: 'refuse', status: 403, body: refusal('AccessDenied', 'Access Denied') } : undefined,
    );
    for (const words of [
      ['--last', '1'],
      ['--last', '2', '--slice', '1'],
    ]) {
      const first = await exporting([...words, '--out', bucket.place]);
      expect([first.code, first.out]).toEqual([3, '']);
      expect(first.err).toMatch(/the store answered 403 AccessDenied - Access Denied\n {2}try: these keys lack/);
      expect(first.err).toMatch(/verified and saved in .*\. Run the same command again to upload the rest/);
    }
    const before = await staged();
    expect(before.filter(name => name.endsWith('.zip'))).toHaveLength(3);
    bucket.server.meet(() => undefined);
    for (const words of [
      ['--last', '1'],
      ['--last', '2', '--slice', '1'],
    ]) {
      const log = join(bucket.folder, `${words.length}.log`);
      const again = await exporting([...words, '--out', bucket.place, '--log', log]);
      expect(again.code, again.err).toBe(0);
      expect(await readFile(log, 'utf8')).not.toContain('networkhistory/export');
    }
    expect(await staged()).toEqual([]);
  });

  it.each([[['--last', '1']], [['--last', '2', '--slice', '1']], [['--last', '1', '--parquet']]])(
    'finds what is there, asks the node for nothing of it, sends nothing, and is done: %j',
    async words => {
      const first = await exporting([...words, '--out', bucket.place]);
      expect(first.code, first.err).toBe(0);
      const heard = bucket.server.heard.length;
      const log = join(bucket.folder, 'log');
      const again = await exporting([...words, '--out', bucket.place, '--log', log]);
      expect([again.code, again.out], again.err).toEqual([0, first.out]);
      expect(again.err).toMatch(/^s3:\/\/\S* it\/\S+ exists, so it is read and checked, not uploaded again$/m);
      expect(again.err).toMatch(/^complete: /m);
      expect(bucket.server.heard.slice(heard).filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await readFile(log, 'utf8')).not.toContain('networkhistory/export');
      const over = await exporting([...words, '--out', bucket.place, '--overwrite']);
      expect(over.code, over.err).toBe(0);
    },
  );

  it.each([
    ['an archive', [], /\.names\.json$/],
    ['slices', ['--slice', '1'], /\/names\.json$/],
    ['Parquet', ['--parquet'], /_?names\.json$/],
  ])('keeps the range that was asked for last beside %s that is there', async (_, more, file) => {
    const all = await exporting(['--last', '2', ...more, '--out', bucket.place]);
    expect(all.code, all.err).toBe(0);
    const [, first, last] = /blocks +(\d+) to (\d+)/.exec(all.err) ?? [];
    const words = ['--from', String(first), '--to', String(last), ...more, '--out', bucket.place];
    const heard = bucket.server.heard.length;
    const again = await exporting(words);
    expect(again.code, again.err).toBe(0);
    const names = (await below()).filter(name => file.test(name));
    expect(names).toHaveLength(more.includes('--parquet') ? 2 : 1);
    for (const name of names) {
      const { ranges } = JSON.parse(String(await at(name)));
      expect(ranges, name).toMatchObject([{ name: `${first}..${last}` }]);
    }
    expect(again.err).toContain('answers from it now use the range of this run by default');
    const asked = bucket.server.heard.slice(heard);
    expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(names.length);
    const third = await exporting(words);
    expect([third.code, third.err], third.err).toEqual([0, expect.not.stringContaining('answers from it')]);
    expect(await staged()).toEqual([]);
  });

  it('sends the range that was asked for last with an archive that an earlier run could not send', async () => {
    bucket.server.meet(({ method }) =>
      method === 'PUT' ? { kind: 'refuse', status: 403, body: refusal('AccessDenied', 'Access Denied') } : undefined,
    );
    const all = await exporting(['--last', '2', '--out', bucket.place]);
    const [, first, last] = /blocks +(\d+) to (\d+)/.exec(all.err) ?? [];
    bucket.server.meet(() => undefined);
    const from = String(first);
    const again = await exporting(['--from', from, '--to', String(last), '--out', bucket.place]);
    expect(again.code, again.err).toBe(0);
    const [names = ''] = await below();
    expect(JSON.parse(String(await at(names))).ranges).toMatchObject([{ name: `${from}..${last}` }]);
  });

  it('takes nothing else for it: another export, one that was changed, one that is not all there', async () => {
    const named = ['--out', `${bucket.place}/mine.zip`];
    expect((await exporting(['--last', '2', ...named])).code).toBe(0);
    const other = await exporting(['--last', '1', ...named]);
    expect([other.code, other.out]).toEqual([2, '']);
    expect(other.err).toMatch(/mine\.zip exists and is another export \(.*\)\. --overwrite replaces it/);
    const words = ['--last', '2', '--slice', '1', '--out', bucket.place];
    expect((await exporting(words)).code).toBe(0);
    bucket.server.meet(({ path }) =>
      path.endsWith('.zip') ? { kind: 'refuse', status: 200, body: 'something else' } : undefined,
    );
    const changed = await exporting(words);
    expect([changed.code, changed.out]).toEqual([2, '']);
    expect(changed.err).toMatch(/\.zip does not match its manifest\)\. --overwrite replaces it/);
  });

  it.each([
    ['table', 'rewards'],
    ['chainId', 'another-chain'],
    ['fromBlock', '1'],
    ['toBlock', '99999999'],
  ])('takes no slices for it whose manifest has another %s', async (member, value) => {
    const words = ['--last', '2', '--slice', '1', '--out', bucket.place];
    expect((await exporting(words)).code).toBe(0);
    const name = (await below()).find(path => path.endsWith('/manifest.json')) ?? '';
    const manifest = JSON.parse(String(await at(name)));
    const body = JSON.stringify({ ...manifest, [member]: value });
    bucket.server.meet(({ path }) =>
      path.endsWith('/manifest.json') ? { kind: 'refuse', status: 200, body } : undefined,
    );
    const other = await exporting(words);
    expect([other.code, other.out], other.err).toEqual([2, '']);
    expect(other.err).toContain('is another export (other blocks)');
  });

  it('plans without writing anything, and hears of keys that may not look', async () => {
    const plan = await exporting(['--last', '1', '--out', bucket.place, '--plan']);
    expect([plan.code, plan.err]).toEqual([0, '']);
    expect(plan.out).toMatch(/^file {6}s3:\/\/history\/run-\d+\/of it\/\S+-trades-\S+\.zip$/m);
    expect(await below()).toEqual([]);
    bucket.server.meet(() => ({ kind: 'refuse', status: 404, body: refusal('NoSuchBucket', 'no such bucket') }));
    const wrong = await exporting(['--last', '1', '--out', bucket.place, '--plan']);
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('check the name of the bucket')]);
  });

  it.each([
    [{ AWS_ACCESS_KEY_ID: '' }, 2, /AWS_ACCESS_KEY_ID is not set/],
    [{ AWS_ENDPOINT_URL: 'nonsense' }, 2, /is not an address/],
  ])('says what is missing before it asks a node: %j', async (env, code, problem) => {
    const ran = await run(
      ['export', '--node', 'http://127.0.0.1:9', '--table', 'trades', '--last', '1', '--out', bucket.place],
      {
        env: { XDG_CACHE_HOME: join(bucket.folder, 'cache'), ...bucket.server.env, ...env },
      },
    );
    expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(problem)]);
  });

  it.each([
    [['--last', '1', '--out', 's3://history/../x'], /a folder named \. or/],
    [['--last', '1', '--out', 's3:///x'], /is not a bucket name/],
    [['--last', '1', '--out', '.', '--staging', 'x'], /--staging needs --out s3:\/\//],
  ])('refuses %j', async (words, problem) => {
    const ran = await exporting(words);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(problem)]);
  });

  it('ends when somebody stops it, and says what is kept', async () => {
    const stop = new AbortController();
    bucket.server.meet(({ method }) => {
      if (method !== 'PUT') return undefined;
      stop.abort();
      return { kind: 'never-answer' };
    });
    const ran = await exporting(['--last', '1', '--out', bucket.place], {}, stop.signal);
    expect([ran.code, ran.out]).toEqual([130, '']);
    expect(ran.err).toMatch(/Run the same command again to upload the rest/);
  });

  it('keeps two of one place from each other', async () => {
    const both = await Promise.all([
      exporting(['--last', '2', '--out', bucket.place]),
      exporting(['--last', '2', '--out', bucket.place]),
    ]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 2]);
  });
});
