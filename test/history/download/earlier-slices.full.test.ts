import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removePartOnFullDisk, removeParts, reuseEarlierSlice } from '../../../src/history/download/earlier-slices.ts';
import type { SliceRecord } from '../../../src/history/manifest/manifest.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import type { ExportPlan } from '../../../src/history/plan/export-plan.ts';
import { blocksPlan, manifestOf, runOf, sliceOnDisk, tableOf } from './slice-on-disk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();
const plan = blocksPlan(1n, 20n);
const FILE = 'c-blocks-000001-000020.zip';

/** Blocks 1 to 20, whose schema changed with block 8. */
const slice = () => sliceOnDisk(folder, runOf(1n, 7n), runOf(8n, 20n, 94));

describe('Existing slice', () => {
  it('An existing slice that matches its record is accepted on the basis of the record', async () => {
    const record = { ...(await slice()), notes: ['noted then'] };
    const other = await sliceOnDisk(folder, runOf(21n, 30n));
    expect(await reuseEarlierSlice(folder, plan, manifestOf([other, record]), signal)).toBe(record);
  });

  it('An existing slice is recorded again, with the time of the file, when no manifest lists it', async () => {
    const record = await slice();
    await utimes(join(folder, FILE), 5, 1_700_000_000);
    const time = new Date(1_700_000_000_000).toISOString();
    const expected = { ...record, segmentIds: null, started: time, finished: time };
    expect(await reuseEarlierSlice(folder, plan, manifestOf([]), signal)).toEqual(expected);
  });

  it('An existing slice is not found when no file has its name', async () => {
    await slice();
    expect(await reuseEarlierSlice(folder, blocksPlan(1n, 21n), manifestOf([]), signal)).toBeUndefined();
    expect(await readdir(folder)).toEqual([FILE]);
  });

  it('An existing slice with other bytes than recorded is set aside, next to those set aside before', async () => {
    const record = await slice();
    for (const text of ['first', 'second', 'third']) {
      await writeFile(join(folder, FILE), text);
      const sha256 = createHash('sha256').update(text).digest('hex');
      const known = { first: { ...record, bytes: 5 }, second: { ...record, sha256 }, third: record }[text];
      expect(await reuseEarlierSlice(folder, plan, manifestOf([known ?? record]), signal)).toBeUndefined();
    }
    expect(await readdir(folder)).toEqual([`${FILE}.2.changed`, `${FILE}.3.changed`, `${FILE}.changed`]);
    expect(await readFile(join(folder, `${FILE}.3.changed`), 'utf8')).toBe('third');
  });

  it('An existing slice is set aside when no manifest lists it and it is not whole', async () => {
    await sliceOnDisk(folder, runOf(1n, 20n));
    await writeFile(join(folder, FILE), (await readFile(join(folder, FILE))).subarray(0, -1));
    expect(await reuseEarlierSlice(folder, plan, manifestOf([]), signal)).toBeUndefined();
    expect(await readdir(folder)).toEqual([`${FILE}.changed`]);
  });

  it('An existing slice is not judged when the export is stopped meanwhile', async () => {
    const record = await slice();
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(reuseEarlierSlice(folder, plan, manifestOf([record]), stopped)).rejects.toThrow();
    await expect(reuseEarlierSlice(folder, plan, manifestOf([]), stopped)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([FILE]);
  });
});

describe('Slice record that does not match', () => {
  type Csv = SliceRecord['csvs'][number];
  const each =
    (edit: (csv: Csv, index: number) => Partial<Csv>) =>
    ({ csvs }: SliceRecord): Partial<SliceRecord> => ({
      csvs: csvs.map((csv, index) => ({ ...csv, ...edit(csv, index) })),
    });
  const only =
    (which: number, edit: (csv: Csv) => Partial<Csv>) =>
    (record: SliceRecord): Partial<SliceRecord> =>
      each((csv, index) => (index === which ? edit(csv) : {}))(record);

  it.each<[string, (record: SliceRecord) => Partial<SliceRecord>]>([
    ['no CSV', () => ({ csvs: [] })],
    ['the first CSV alone', ({ csvs }) => ({ csvs: csvs.slice(0, 1) })],
    ['the second CSV alone', ({ csvs }) => ({ csvs: csvs.slice(1) })],
    ['its CSVs twice', ({ csvs }) => ({ csvs: [...csvs, ...csvs] })],
    ['its CSVs in another order', ({ csvs }) => ({ csvs: csvs.toReversed() })],
    ['a name that is none', only(1, () => ({ name: 'photo.jpg' }))],
    ['another table', each(({ name }) => ({ name: name.replace('blocks', 'ledger') }))],
    ['another chain', each(({ name }) => ({ name: name.replace('c-', 'd-') }))],
    ['another schema version than the name has', only(0, () => ({ schemaVersion: 92 }))],
    ['no schema version', only(0, () => ({ schemaVersion: null }))],
    ['another first block than the name has', only(1, () => ({ fromBlock: '9' }))],
    ['another last block than the name has', only(0, () => ({ toBlock: '8' }))],
    ['a gap between CSVs', only(1, () => ({ name: 'c-blocks-094-000009-000020.csv', fromBlock: '9' }))],
    ['an end before that of the slice', only(1, () => ({ name: 'c-blocks-094-000008-000019.csv', toBlock: '19' }))],
    ['CSVs at one place', each(() => ({ byteOffset: 0 }))],
    ['a CSV behind the end', only(1, () => ({ byteOffset: 10_000 }))],
    ['a row more', ({ rows }) => ({ rows: rows + 1 })],
    ['a row more in a CSV', only(0, ({ rows }) => ({ rows: rows + 1 }))],
    ['a row more in all', record => ({ ...only(0, ({ rows }) => ({ rows: rows + 1 }))(record), rows: 21 })],
    ['halves of rows', each(({ rows }, index) => ({ rows: index === 0 ? rows - 0.5 : rows + 0.5 }))],
    ['fewer rows than none', each((_, index) => ({ rows: index === 0 ? -1 : 21 }))],
  ])('A slice record that does not match is not trusted, and the slice is checked again: %s', async (_title, edit) => {
    const record = await slice();
    const found = await reuseEarlierSlice(folder, plan, manifestOf([{ ...record, ...edit(record) }]), signal);
    expect(found).toMatchObject({ csvs: record.csvs, rows: 20, segmentIds: ['id'] });
  });

  it('A slice record with a CSV at the end of the archive is not trusted', async () => {
    const record = await slice();
    const found = await reuseEarlierSlice(
      folder,
      plan,
      manifestOf([{ ...record, ...only(1, () => ({ byteOffset: record.bytes }))(record) }]),
      signal,
    );
    expect(found).toMatchObject({ csvs: record.csvs });
  });

  it('A slice record with a CSV that ends before it begins is not trusted', async () => {
    const record = await slice();
    const back = { name: 'c-blocks-094-000008-000005.csv', toBlock: '5' };
    const rest = { name: 'c-blocks-094-000006-000020.csv', fromBlock: '6' };
    const [first, second] = record.csvs;
    if (first === undefined || second === undefined) throw new Error('it has two CSVs');
    const csvs = [first, { ...second, ...back, rows: 0 }, { ...second, ...rest, byteOffset: second.byteOffset + 1 }];
    const found = await reuseEarlierSlice(folder, plan, manifestOf([{ ...record, csvs }]), signal);
    expect(found).toMatchObject({ csvs: record.csvs });
  });

  it('A slice with other bytes than recorded does not take over the recorded segments', async () => {
    const record = { ...(await slice()), csvs: [], sha256: 'ab'.repeat(32) };
    expect(await reuseEarlierSlice(folder, plan, manifestOf([record]), signal)).toMatchObject({ segmentIds: null });
  });
});

describe('Slice record that matches', () => {
  /** One that is there and cannot be checked: whoever looks into it finds nothing. */
  async function opaque(members: Partial<ExportPlan>, edit: (record: SliceRecord) => SliceRecord) {
    const record = await sliceOnDisk(folder, runOf(1n, 20n));
    const bytes = Buffer.from('opaque');
    const file = `${members.chainId === '' ? 'chain' : 'c'}-${(members.table ?? plan.table).id}-000001-000020.zip`;
    await writeFile(join(folder, file), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = edit({ ...record, file, bytes: bytes.length, sha256 });
    const found = await reuseEarlierSlice(folder, { ...plan, ...members }, manifestOf([known]), signal);
    return found === known;
  }

  it('A slice record is trusted when the chain is unknown, whatever chain its CSVs have', async () => {
    expect(await opaque({ chainId: '' }, record => record)).toBe(true);
  });

  it('A slice record is trusted when its CSV has no schema version in its name, and none was recorded', async () => {
    const csv = { name: 'c-blocks-000001-000020.csv', schemaVersion: null };
    expect(await opaque({}, record => ({ ...record, csvs: record.csvs.map(one => ({ ...one, ...csv })) }))).toBe(true);
  });

  it('A slice record is trusted when a table other than blocks has no row, or more than there are blocks', async () => {
    const ledger = (rows: number) => (record: SliceRecord) => ({
      ...record,
      rows,
      csvs: record.csvs.map(csv => ({ ...csv, rows, name: csv.name.replace('blocks', 'ledger') })),
    });
    for (const rows of [0, 7000]) expect(await opaque({ table: tableOf('ledger') }, ledger(rows))).toBe(true);
    expect(
      await opaque({}, record => ({ ...record, rows: 0, csvs: record.csvs.map(csv => ({ ...csv, rows: 0 })) })),
    ).toBe(false);
  });
});

it('Partial files of earlier runs are removed, and nothing else', async () => {
  const stay = [
    'a.part.zip',
    'manifest.json',
    'manifest.json.12ab.new.zip',
    'my-manifest.json.12ab.new',
    'a.zip.changed',
  ];
  const go = ['a.zip.part', 'a.zip.2.part', 'manifest.json.0f12ab.new'];
  for (const name of [...stay, ...go, 'manifest.json.new', 'manifest.json.XY.new'])
    await writeFile(join(folder, name), '');
  await mkdir(join(folder, 'folder.part'));
  await removeParts(folder);
  const kept = [...stay, 'folder.part', 'manifest.json.XY.new', 'manifest.json.new'];
  expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
  expect((await stat(join(folder, 'folder.part'))).isDirectory()).toBe(true);
});

const failedWith = async (cause: unknown) => {
  const partPath = join(folder, 'a.zip.part');
  await writeFile(partPath, 'half');
  return { kind: 'failed', error: new DestinationError('no', { cause }), partPath, elapsedMs: 1 } as const;
};

it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])(
  'The partial file of a slice is removed when it fills the disk: %s',
  async code => {
    const result = await failedWith(Object.assign(new Error('full'), { code }));
    expect(await removePartOnFullDisk(result)).toEqual({ ...result, partPath: null });
    expect(await readdir(folder)).toEqual([]);
  },
);

it('A slice that is whole but could not get its name stays', async () => {
  const result = await failedWith(undefined);
  expect(await removePartOnFullDisk(result)).toBe(result);
  expect(await readdir(folder)).toEqual(['a.zip.part']);
});

it('A slice without remains, or whose failure was not of its location, leaves nothing to remove', async () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  const nothing = { ...(await failedWith(full)), partPath: null };
  expect(await removePartOnFullDisk(nothing)).toBe(nothing);
  const cancelled = { kind: 'cancelled', partPath: join(folder, 'a.zip.part'), elapsedMs: 1 } as const;
  expect(await removePartOnFullDisk(cancelled)).toBe(cancelled);
  expect(await readdir(folder)).toEqual(['a.zip.part']);
});
