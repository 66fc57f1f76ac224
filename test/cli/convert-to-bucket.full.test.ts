import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ParquetManifest } from '../../src/answers/index.ts';
import { namesOfArchive } from '../../src/directory/names-file.ts';
import { writeZip } from '../answers/parquet/export-zip.ts';
import { refusal } from '../objects/object-server.ts';
import { withBucket } from './bucket-fixture.ts';
import { run } from './run-command.ts';

const bucket = withBucket(test => `parquet-${test}`);

const running = (...words: readonly string[]) => run(words, { env: bucket.env });

const blocks = (from: number) => ({
  table: 'blocks',
  version: 93,
  from,
  to: from + 1,
  rows: [from, from + 1].map(height => [`2026-10-01 00:00:0${height}+00`, String(height), `\\x0${height}`]),
});

const below = async (): Promise<readonly string[]> =>
  (await bucket.server.keys())
    .filter(key => key.startsWith(`${bucket.prefix}/`))
    .map(key => key.slice(bucket.prefix.length + 1));

/** Holds each file of the bucket against the manifest there, and resolves with that. */
async function manifestAt(path = ''): Promise<ParquetManifest> {
  const manifest: ParquetManifest = JSON.parse(
    String(await bucket.server.get(`/${bucket.prefix}/${path}_blockglass.json`)),
  );
  for (const file of manifest.tables.flatMap(({ files }) => files)) {
    const bytes = (await bucket.server.get(`/${bucket.prefix}/${path}${file.path}`)) ?? '';
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
  }
  return manifest;
}

const staged = (): Promise<readonly string[]> =>
  readdir(join(bucket.folder, 'cache', 'blockglass', 'uploads')).catch(() => []);

describe('convert --out s3://', () => {
  it('puts the files there, and the manifest behind all of them', async () => {
    const zip = await writeZip(bucket.folder, [blocks(1)]);
    const ran = await running('convert', zip, '--out', `${bucket.place}/`);
    expect([ran.code, ran.out], ran.err).toEqual([0, `${bucket.place}\n`]);
    expect(ran.err).toMatch(/^complete: blocks, .*\n|in the bucket: 2 objects/);
    expect(bucket.server.heard.findLast(({ method }) => method === 'PUT')?.path).toMatch(/\/_blockglass\.json$/);
    const manifest = await manifestAt();
    expect(manifest.tables.map(({ name }) => name)).toEqual(['blocks']);
    expect((await below()).filter(name => !name.startsWith('table=blocks/date=2026-10-01/part-'))).toEqual([
      '_blockglass.json',
    ]);
    expect(await staged()).toEqual([]);
  });

  it('goes on with what was converted and not sent', async () => {
    const zip = await writeZip(bucket.folder, [blocks(1)]);
    bucket.server.meet(({ method, path }) =>
      method === 'PUT' && path.includes('_blockglass')
        ? { kind: 'refuse', status: 403, body: refusal('AccessDenied', 'Access Denied') }
        : undefined,
    );
    const first = await running('convert', zip, '--out', bucket.place);
    expect([first.code, first.out]).toEqual([3, '']);
    expect(first.err).toMatch(/AccessDenied[\s\S]*Run the same command again to upload the rest/);
    expect(await below()).toHaveLength(1);
    bucket.server.meet(() => undefined);
    const again = await running('convert', zip, '--out', bucket.place);
    expect([again.code, again.out], again.err).toEqual([0, `${bucket.place}\n`]);
    expect(again.err).toContain('1 already there');
    await manifestAt();
    expect(await staged()).toEqual([]);
  });

  it('finds what is there, sends nothing, and is done', async () => {
    const zip = await writeZip(bucket.folder, [blocks(1)]);
    expect((await running('convert', zip, '--out', bucket.place)).code).toBe(0);
    const heard = bucket.server.heard.length;
    const again = await running('convert', zip, '--out', bucket.place);
    expect([again.code, again.out], again.err).toEqual([0, `${bucket.place}\n`]);
    expect(again.err).toContain(
      'Nothing was uploaded: everything is there already (1 file, of the sizes in the manifest).',
    );
    expect(bucket.server.heard.slice(heard).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await staged()).toEqual([]);
  });

  it.each([[['old', 'new']], [['new']]])('adds what is new and sends nothing else: %j given', async given => {
    const zips = new Map([
      ['old', await writeZip(bucket.folder, [blocks(1)], 'old.zip')],
      ['new', await writeZip(bucket.folder, [blocks(5)], 'new.zip')],
    ]);
    const paths = given.map(name => zips.get(name) ?? '');
    expect((await running('convert', zips.get('old') ?? '', '--out', bucket.place)).code).toBe(0);
    const old = (await below()).find(name => name.endsWith('.parquet')) ?? '';
    const heard = bucket.server.heard.length;
    const added = await running('convert', ...paths, '--out', bucket.place);
    expect([added.code, added.out], added.err).toEqual([0, `${bucket.place}\n`]);
    const asked = bucket.server.heard.slice(heard);
    expect(asked.filter(({ path }) => path.includes(encodeURI(old)))).toEqual([]);
    expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(2);
    const { tables } = await manifestAt();
    expect(tables[0]).toMatchObject({ fromBlock: '1', toBlock: '6' });
    expect((await below()).filter(name => name.endsWith('.parquet'))).toHaveLength(2);
    expect(await staged()).toEqual([]);
  });

  it('keeps the range that each export was asked for, whichever comes first, and the one asked for last', async () => {
    const names = async (zip: string, from: number, name: string) => {
      const range = {
        table: 'blocks',
        fromBlock: String(from),
        toBlock: String(from + 1),
        name,
        from: null,
        until: null,
      };
      const kept = { chainId: 'c', markets: [], assets: [], validators: [], ranges: [range], epochs: [] };
      await writeFile(namesOfArchive(zip), JSON.stringify({ format: 1, ...kept }));
    };
    const kept = async () => {
      const { ranges } = JSON.parse(String(await bucket.server.get(`/${bucket.prefix}/_names.json`)));
      return ranges.map(({ name }: { readonly name: string }) => name);
    };
    const [old, other] = [
      await writeZip(bucket.folder, [blocks(1)], 'old.zip'),
      await writeZip(bucket.folder, [blocks(5)], 'other.zip'),
    ];
    await names(old, 1, 'e1');
    await names(other, 5, 'e5');
    for (const zip of [other, old]) {
      const ran = await running('convert', zip, '--out', bucket.place);
      expect(ran.code, ran.err).toBe(0);
    }
    expect(await kept()).toEqual(['e5', 'e1']);
    await names(other, 5, 'e6');
    const again = await running('convert', other, '--out', bucket.place);
    expect(again.code, again.err).toBe(0);
    expect(await kept()).toEqual(['e1', 'e6']);
    expect(await staged()).toEqual([]);
  });

  it('names no file that is gone', async () => {
    const zip = await writeZip(bucket.folder, [blocks(1)]);
    expect((await running('convert', zip, '--out', bucket.place)).code).toBe(0);
    bucket.server.meet(({ path }) =>
      path.includes('list-type')
        ? { kind: 'refuse', status: 200, body: '<ListBucketResult></ListBucketResult>' }
        : undefined,
    );
    const added = await running(
      'convert',
      await writeZip(bucket.folder, [blocks(5)], 'new.zip'),
      '--out',
      bucket.place,
    );
    expect([added.code, added.err]).toEqual([
      2,
      expect.stringMatching(/1 file of its manifest is missing \(first: table=/),
    ]);
  });

  it('leaves no file there that its manifest does not have', async () => {
    const zip = await writeZip(bucket.folder, [blocks(1)]);
    expect((await running('convert', zip, '--out', bucket.place)).code).toBe(0);
    const over = await running('convert', zip, '--out', bucket.place, '--overwrite');
    expect(over.code, over.err).toBe(0);
    const other = await writeZip(bucket.folder, [blocks(5)], 'other.zip');
    const mixed = await running('convert', other, '--out', bucket.place, '--overwrite');
    expect([mixed.code, mixed.err]).toEqual([
      2,
      expect.stringMatching(
        /already contains 1 file that these exports did not produce \(first: table=blocks.*Choose an empty prefix/,
      ),
    ]);
    expect((await manifestAt()).tables[0]?.fromBlock).toBe('1');
  });

  it.each([
    [['--out', 's3://history/x.zip'], /Parquet files need a folder/],
    [['--out', 'there', '--overwrite'], /--overwrite needs --out s3:/],
    [['--out', 'there', '--staging', 'x'], /--staging needs --out s3:/],
  ])('refuses %j', async (words, problem) => {
    const zip = await writeZip(bucket.folder, [blocks(1)]);
    const ran = await running('convert', zip, ...words);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(problem)]);
    expect(await staged()).toEqual([]);
  });
});

describe('export --parquet --out s3://', () => {
  it('puts the Parquet files beside the ZIP, and in the folder of slices', async () => {
    const asked = ['export', '--node', bucket.node.url, '--table', 'blocks', '--parquet', '--out', bucket.place];
    const zip = await running(...asked, '--last', '1');
    expect(zip.code, zip.err).toBe(0);
    const [archive = '', parquet = ''] = zip.out.trim().split('\n');
    expect(parquet).toBe(archive.replace(/\.zip$/, '-parquet'));
    await manifestAt(`${parquet.slice(bucket.place.length + 1)}/`);
    const slices = await running(...asked, '--last', '2', '--slice', '1');
    expect(slices.code, slices.err).toBe(0);
    const [whole = '', inner = ''] = slices.out.trim().split('\n');
    expect(inner).toBe(`${whole}/parquet`);
    const { tables } = await manifestAt(`${inner.slice(bucket.place.length + 1)}/`);
    expect(tables.map(({ name, isComplete }) => [name, isComplete])).toEqual([['blocks', true]]);
    expect(bucket.server.heard.findLast(({ method }) => method === 'PUT')?.path).toMatch(/\/manifest\.json$/);
    expect(await staged()).toEqual([]);
  });
});

describe('a place in a bucket that is to be read', () => {
  it.each([
    [['verify', 's3://b/x.zip'], 'aws s3 cp s3://b/x.zip - | blockglass verify -'],
    [
      ['query', 'SELECT 1', 's3://b/p'],
      'copy it here first (aws s3 cp --recursive s3://b/p FOLDER), or let another engine',
    ],
    [['answer', 'trades', 's3://b/p'], 'copy it here first'],
    [['convert', 's3://b/x.zip', '--parquet', '--out', 'there'], 'copy it here first: aws s3 cp'],
  ])('is said to be none that is read, and what to do: %j', async (words, told) => {
    const { code, out, err } = await running(...words);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(told)]);
    expect(err).toMatch(/^blockglass: s3:\/\/\S+ is in a bucket[.,] /);
  });
});
