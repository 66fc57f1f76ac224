import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Dataset, openDataset } from '../../../src/answers/dataset/open-dataset.ts';
import { makePrivateFolder, toTemporaryFolderError } from '../../../src/answers/dataset/private-folder.ts';
import { AnswerError } from '../../../src/answers/engine/answer-error.ts';
import type { ParquetManifest } from '../../../src/answers/parquet/parquet-manifest.ts';
import { NEVER, writeZip } from '../parquet/export-zip.ts';
import { sharedEngine } from '../shared-engine.ts';
import {
  BLOCKS_SQL,
  type FixtureOptions,
  type FixtureTable,
  ledgerSql,
  makeParquetFolder,
  writeManifest,
} from './parquet-fixture.ts';

const engine = sharedEngine();
let folder: string;
const opened: Dataset[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-dataset-'));
});

afterEach(async () => {
  for (const dataset of opened.splice(0)) await dataset.close();
  await rm(folder, { recursive: true });
});

async function open(paths: readonly string[], evenIncomplete = false): Promise<Dataset> {
  const dataset = await openDataset({ paths, evenIncomplete, signal: new AbortController().signal });
  opened.push(dataset);
  return dataset;
}

async function part(name: string, tables: readonly FixtureTable[], members: FixtureOptions = {}) {
  const path = join(folder, name);
  await mkdir(path);
  return { path, manifest: await makeParquetFolder(path, tables, { ...members, engine: engine() }) };
}

const LEDGER = { name: 'ledger', sql: ledgerSql(4) };

test('Opening a dataset detects a changed byte anywhere in a file of the same length, before any answer', async () => {
  const { path, manifest } = await part('one', [LEDGER]);
  const file = join(path, manifest.tables[0]?.files[0]?.path ?? '');
  const bytes = await readFile(file);
  for (const at of [4, Math.floor(bytes.length / 3), bytes.length - 9]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(file, changed);
    await expect(open([path])).rejects.toMatchObject({
      because: 'untrusted',
      message: expect.stringMatching(/does not match its manifest: the SHA-256 differs/),
    });
  }
  await writeFile(file, bytes);
  expect((await open([path])).tables[0]?.rows).toBe(4n);
});

test('A Parquet folder opens as one view per table, with metadata for its columns', async () => {
  const { path } = await part('one', [LEDGER, { name: 'blocks', sql: BLOCKS_SQL }]);
  const { tables, database, notes } = await open([path]);
  expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
    ['blocks', 1n],
    ['ledger', 4n],
  ]);
  expect(tables[1]).toMatchObject({
    firstTime: '2026-10-01T23:59:59.000000Z',
    lastTime: '2026-10-02T00:00:02.000000Z',
    fromBlock: '1',
    toBlock: '100',
    isComplete: true,
  });
  expect(tables[1]?.columns.find(({ name }) => name === 'quantity')).toMatchObject({
    type: 'DECIMAL(38,0)',
    kind: 'amount',
  });
  expect(tables[1]?.columns.at(-1)).toMatchObject({ name: 'date', type: 'DATE' });
  expect(notes).toEqual([]);
  expect((await database.all('SELECT "date", count(*) FROM ledger GROUP BY 1 ORDER BY 1')).rows).toEqual([
    ['2026-10-01', '1'],
    ['2026-10-02', '3'],
  ]);
  expect((await database.all('SELECT max(quantity) FROM ledger')).rows).toEqual([['9'.repeat(38)]]);
});

test.each(['a [1]*?{b,c}', "it's", 'env=prod', 'vega_time=x', 'é 𝄞'])(
  'A dataset folder can be named %s',
  async name => {
    const { path } = await part(name, [LEDGER]);
    const { database } = await open([path]);
    expect((await database.all('SELECT count(*), count(DISTINCT vega_time) FROM ledger')).rows).toEqual([['4', '4']]);
  },
);

test('Parts of one table open as one view, and gaps between them are reported', async () => {
  const one = await part('one', [{ ...LEDGER, fromBlock: 1, toBlock: 100 }]);
  const two = await part('two', [
    { ...LEDGER, sql: ledgerSql(2, '2026-10-03 00:00:00'), fromBlock: 101, toBlock: 200 },
  ]);
  const three = await part('three', [
    { ...LEDGER, sql: ledgerSql(3, '2026-10-09 00:00:00'), fromBlock: 301, toBlock: 400 },
  ]);
  const { tables, notes } = await open([three.path, one.path, two.path]);
  expect(tables).toMatchObject([{ name: 'ledger', rows: 9n, fromBlock: '1', toBlock: '400' }]);
  expect(notes).toEqual([
    'ledger: blocks 201 to 300 are in none of the exports: blockglass export --table ledger --from 201 --to 300',
  ]);
});

test('Parts that share blocks are refused, because the blocks would be counted twice', async () => {
  const one = await part('one', [{ ...LEDGER, fromBlock: 1, toBlock: 100 }]);
  const two = await part('two', [{ ...LEDGER, fromBlock: 100, toBlock: 200 }]);
  await expect(open([one.path, two.path])).rejects.toMatchObject({
    because: 'usage',
    message: `${one.path} and ${two.path} both have ledger of blocks 100 to 100, which would be counted twice`,
  });
  await expect(open([one.path, one.path])).rejects.toThrow('both have ledger of blocks 1 to 100');
});

test('Parts from two chains are not combined into one table', async () => {
  const one = await part('one', [{ ...LEDGER, fromBlock: 1, toBlock: 100 }]);
  const two = await part('two', [{ ...LEDGER, fromBlock: 101, toBlock: 200 }], { chainId: 'other' });
  await expect(open([one.path, two.path])).rejects.toThrow('is from chain demo-chain');
});

test('A column with two types becomes text in the whole table, with a note', async () => {
  const vega = "TIMESTAMP '2026-10-01' AS vega_time";
  const exact = `SELECT ${vega}, 5::DECIMAL(38,0) AS quantity, unhex('0aff') AS hash, 1 AS old`;
  const long = `SELECT ${vega}, '${'9'.repeat(60)}' AS quantity, '0aff' AS hash, NULL::INTEGER AS old, 'x' AS added`;
  const one = await part('one', [{ name: 'ledger', sql: exact, fromBlock: 1, toBlock: 1 }]);
  const two = await part('two', [{ name: 'ledger', sql: long, fromBlock: 2, toBlock: 2 }]);
  const { database, notes } = await open([one.path, two.path]);
  expect((await database.all('SELECT quantity, hash, old, added FROM ledger ORDER BY quantity')).rows).toEqual([
    ['5', '0aff', '1', null],
    ['9'.repeat(60), '0aff', null, 'x'],
  ]);
  expect(notes).toEqual([
    'ledger.quantity is text here: it is DECIMAL(38,0) in one part and VARCHAR in another',
    'ledger.hash is text here: it is BLOB in one part and VARCHAR in another',
  ]);
});

test('A table without rows opens as a view without rows', async () => {
  const { path } = await part('one', [{ name: 'ledger', sql: `${ledgerSql(1)} WHERE n = 0` }]);
  const { tables, database } = await open([path]);
  expect(tables).toMatchObject([{ rows: 0n, firstTime: null }]);
  expect((await database.all('SELECT quantity, "date" FROM ledger')).rows).toEqual([]);
});

test('An incomplete export opens only on explicit request, and is then reported as incomplete', async () => {
  const part1 = await part('one', [{ ...LEDGER, isComplete: false }]);
  await expect(open([part1.path])).rejects.toMatchObject({ because: 'untrusted' });
  const { tables, notes } = await open([part1.path], true);
  expect(tables).toMatchObject([{ isComplete: false }]);
  expect(notes).toEqual([`ledger of ${part1.path} is not complete`]);
  const reasons = ['blocks 5 to 9 are missing', 'rows may be missing'];
  const explained = await part('three', [{ ...LEDGER, isComplete: false, notes: reasons.slice(0, 1) }]);
  await expect(open([explained.path])).rejects.toThrow(/ is not complete: blocks 5 to 9 are missing$/);
  const counted = await part('four', [{ ...LEDGER, isComplete: false, notes: reasons }]);
  await expect(open([counted.path])).rejects.toThrow(/ is not complete \(the first of 2 reasons\): blocks 5 to 9 /);
  const unfinished = await part('two', [LEDGER], { finished: null });
  await expect(open([unfinished.path])).rejects.toThrow('is not finished');
  expect((await open([unfinished.path], true)).notes).toHaveLength(1);
});

type Files = { -readonly [K in keyof ParquetManifest['tables'][number]['files'][number]]: unknown };

const FORGERIES: readonly (readonly [what: string, forge: (file: Files) => unknown])[] = [
  ['a path upwards', file => ({ ...file, path: '../one/part.parquet' })],
  ['a path upwards from within', file => ({ ...file, path: 'table=ledger/../../x.parquet' })],
  ['an absolute path', file => ({ ...file, path: '/etc/passwd' })],
  ['another form of absolute path', file => ({ ...file, path: '//etc/x.parquet' })],
  ['a pattern', file => ({ ...file, path: 'table=ledger/*/part-0.parquet' })],
  ['an address', file => ({ ...file, path: 'http://127.0.0.1/x.parquet' })],
  ['a quote', file => ({ ...file, path: "x', 'y.parquet" })],
  ['a path without its end', file => ({ ...file, path: 'table=ledger' })],
  ['a file that is not there', file => ({ ...file, path: 'table=ledger/part-9.parquet' })],
  ['other bytes', file => ({ ...file, bytes: 1 })],
  ['other rows', file => ({ ...file, rows: 7 })],
  ['rows that are no number', file => ({ ...file, rows: '7' })],
  ['a negative length', file => ({ ...file, bytes: -1 })],
  ['nothing', () => null],
];

test.each(FORGERIES)('A manifest with %s is not trusted', async (_, forge) => {
  const { path, manifest } = await part('one', [LEDGER]);
  const [table] = manifest.tables;
  await writeManifest(path, { ...manifest, tables: [{ ...table, files: table?.files.map(forge) }] });
  await expect(open([path])).rejects.toMatchObject({ name: 'AnswerError', because: 'untrusted' });
});

const ODD_TABLES: readonly (readonly [what: string, members: object])[] = [
  ['a name that is none', { name: 'x"; DROP VIEW y; --' }],
  ['a type that is none', { columns: [{ name: 'quantity', type: 'INT); COPY (SELECT 1) TO (1' }] }],
  ['another type', { columns: [{ name: 'quantity', type: 'DOUBLE' }] }],
  ['a column that is not there', { columns: [{ name: 'x" FROM y', type: 'VARCHAR' }] }],
  ['a height that is none', { fromBlock: '1e3' }],
  ['a time that is none', { files: [{ firstTime: 'yesterday' }] }],
  ['no columns', { columns: [] }],
];

test('A manifest that lists something twice is not trusted, because it would be counted twice', async () => {
  const { path, manifest } = await part('one', [LEDGER]);
  const [table] = manifest.tables;
  const [file, column] = [table?.files[0], table?.columns[0]];
  const link = join(path, 'table=ledger', 'link.parquet');
  await symlink(join(path, file?.path ?? ''), link);
  const forged = [
    { files: [...(table?.files ?? []), file] },
    { files: [...(table?.files ?? []), { ...file, path: 'table=ledger/link.parquet' }] },
    { columns: [...(table?.columns ?? []), column] },
    { columns: [...(table?.columns ?? []), { ...column, name: column?.name.toUpperCase() }] },
    { columns: table?.columns.slice(1) },
  ];
  for (const members of forged) {
    await writeManifest(path, { ...manifest, tables: [{ ...table, ...members }] });
    await expect(open([path])).rejects.toMatchObject({ name: 'AnswerError', because: 'untrusted' });
  }
});

test.each(['date', 'table', 'Date'])(
  'A column called %s has the values from the files, not from a folder name',
  async name => {
    const sql = `SELECT TIMESTAMP '2026-10-01 00:00:00' AS vega_time, 'mine' AS "${name}"`;
    const { path } = await part('dated', [{ name: 'blocks', sql }]);
    const dataset = await open([path]);
    expect((await dataset.database.all(`SELECT "${name}" FROM blocks`)).rows).toEqual([['mine']]);
    await dataset.close();
  },
);

test.each([
  ['another type', '* REPLACE (account_to_balance::BIGINT AS account_to_balance)'],
  ['one column more', '*, 1 AS more'],
  ['one column less', '* EXCLUDE (transfer_id)'],
  ['another order', 'type, * EXCLUDE (type)'],
  ['another name', '* RENAME (type AS kind)'],
])('A later file with %s is not trusted, whatever size and checksum the manifest gives', async (_, columns) => {
  const { path, manifest } = await part('one', [{ ...LEDGER, sql: ledgerSql(4) }]);
  const [table] = manifest.tables;
  const [first, second] = table?.files ?? [];
  const at = join(path, second?.path ?? '');
  await engine().run(
    `COPY (SELECT ${columns} FROM read_parquet('${at}', hive_partitioning = false)) TO '${at}.new' (FORMAT parquet)`,
  );
  await rename(`${at}.new`, at);
  const bytes = await readFile(at);
  const told = { ...second, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  await writeManifest(path, { ...manifest, tables: [{ ...table, files: [first, told] }] });
  await expect(open([path])).rejects.toMatchObject({
    because: 'untrusted',
    message: `${path}: the files of ledger have different columns or types (${at})`,
  });
});

test.each(ODD_TABLES)('A table with %s is not trusted', async (_, members) => {
  const { path, manifest } = await part('one', [LEDGER]);
  await writeManifest(path, { ...manifest, tables: [{ ...manifest.tables[0], ...members }] });
  await expect(open([path])).rejects.toMatchObject({ name: 'AnswerError', because: 'untrusted' });
});

test.each(['', 'no JSON', '[]', '{}', '{"format":2}', 'null'])(
  'The text %j is not accepted as a manifest',
  async text => {
    const { path } = await part('one', [LEDGER]);
    await writeFile(join(path, '_blockglass.json'), text);
    await expect(open([path])).rejects.toMatchObject({ name: 'AnswerError', because: 'untrusted' });
  },
);

test('A file that is a link out of the folder is not read', async () => {
  const { path, manifest } = await part('one', [LEDGER]);
  const file = join(path, manifest.tables[0]?.files[0]?.path ?? '');
  await rename(file, join(folder, 'moved.parquet'));
  await symlink(join(folder, 'moved.parquet'), file);
  await expect(open([path])).rejects.toThrow('points outside of the folder');
});

test('Files that need more memory than allowed are not reported as untrusted', async () => {
  const { path } = await part('one', [LEDGER]);
  await expect(openDataset({ paths: [path], limits: { memoryMiB: 1 }, signal: NEVER })).rejects.toMatchObject({
    because: 'usage',
    hint: expect.stringContaining('--memory'),
  });
});

test('A truncated file is not read', async () => {
  const { path, manifest } = await part('one', [LEDGER]);
  const { path: name = '', bytes = 0 } = manifest.tables[0]?.files[0] ?? {};
  await truncate(join(path, name), bytes - 8);
  await expect(open([path])).rejects.toThrow(`${name} has ${bytes - 8} bytes, but ${bytes} in its manifest`);
  await truncate(join(path, name), bytes);
  await expect(open([path])).rejects.toMatchObject({ because: 'untrusted' });
});

test('A path that is not an export is refused with a clear message', async () => {
  await expect(open([folder])).rejects.toMatchObject({ because: 'usage', message: `${folder} has no manifest.json` });
  await expect(open([join(folder, 'nowhere')])).rejects.toMatchObject({ because: 'usage' });
  await expect(open([])).rejects.toThrow('no export given');
});

const block = (height: number) => [`2026-10-0${height} 00:00:00.000001+00`, String(height), '\\x00ff'];

test('A ZIP file is converted only for this dataset, shares a view with Parquet files, and leaves no files', async () => {
  const csv = (height: number) => ({ table: 'blocks', version: 93, from: height, to: height, rows: [block(height)] });
  const one = await writeZip(folder, [csv(1)], 'one.zip');
  const three = await writeZip(folder, [csv(3)], 'three.zip');
  const made = "SELECT TIMESTAMP '2026-10-05' AS vega_time, 5::BIGINT AS height, unhex('00ff') AS hash";
  const { path } = await part('parquet', [{ name: 'blocks', sql: made, fromBlock: 5, toBlock: 5 }], { chainId: '' });
  const { tables, database, notes, close } = await openDataset({ paths: [three, path, one], signal: NEVER });
  expect(tables).toMatchObject([{ name: 'blocks', rows: 3n, fromBlock: '1', toBlock: '5' }]);
  expect((await database.all('SELECT height, hash, "date" FROM blocks ORDER BY 1')).rows).toEqual([
    ['1', '00ff', '2026-10-01'],
    ['3', '00ff', '2026-10-03'],
    ['5', '00ff', '2026-10-05'],
  ]);
  expect(notes.filter(note => note.includes(' blocks '))).toEqual([
    'blocks: blocks 4 to 4 are in none of the exports: blockglass export --table blocks --from 4 --to 4',
    'blocks: blocks 2 to 2 are in none of the exports: blockglass export --table blocks --from 2 --to 2',
  ]);
  expect(await ownFolders()).toHaveLength(1);
  await close();
  expect(await ownFolders()).toEqual([]);
});

test('An opening that fails or is aborted leaves nothing behind', async () => {
  await expect(open([folder])).rejects.toThrow();
  const control = new AbortController();
  const { path } = await part('one', [LEDGER]);
  const opening = openDataset({ paths: [path], signal: control.signal });
  control.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');
  await expect.poll(ownFolders).toEqual([]);
});

test('An aborted opening reports the reason, at whatever step it is', async () => {
  const { path } = await part('one', [LEDGER]);
  for (let ticks = 0; ticks < 60; ticks += 4) {
    const control = new AbortController();
    const opening = openDataset({ paths: [path], signal: control.signal });
    const ended = opening.then(
      dataset => dataset.close(),
      (error: unknown) => expect(error).toMatchObject({ message: 'enough' }),
    );
    for (let tick = 0; tick < ticks; tick++) await new Promise(resolve => setImmediate(resolve));
    control.abort(new Error('enough'));
    await ended;
  }
  await expect.poll(ownFolders).toEqual([]);
});

const ownFolders = async () =>
  (await readdir(tmpdir())).filter(name => new RegExp(`^blockglass-answers-\\w+-${process.pid}-`).test(name));

describe('Private temporary folder', () => {
  test('A full temporary folder is reported without its generated path and without suggesting flags', () => {
    const path = join(tmpdir(), 'blockglass-answers-x', 'parquet');
    const full = new AnswerError(
      `no space left for ${path}: free some space or choose another folder`,
      'choose a folder with --out',
    );
    expect(toTemporaryFolderError(full, path)).toMatchObject({
      name: 'AnswerError',
      message: 'no space left for temporary files',
      hint: `free some space in ${tmpdir()}, or set TMPDIR to another folder`,
    });
    const other = new AnswerError('x.zip is no export', 'name one');
    expect(toTemporaryFolderError(other, path)).toBe(other);
  });

  const own = (pid: number, start: string) =>
    `blockglass-answers-${createHash('sha256').update(hostname()).digest('hex').slice(0, 12)}-${pid}-${start}-abcdef`;

  test('A private folder is accessible only to this user and is removed on request or on abort', async () => {
    const control = new AbortController();
    const { path, remove } = await makePrivateFolder(control.signal, folder);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    await remove();
    const other = await makePrivateFolder(control.signal, folder);
    await writeFile(join(other.path, 'x'), '');
    control.abort();
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  test('Creating a private folder removes those left by dead processes of this machine and user, and no others', async () => {
    const names = [
      own(2 ** 22 + 1, '1'),
      own(process.pid, '1'),
      own(2 ** 22 + 1, '1').replace(/answers-\w+/, 'answers-000000000000'),
      `${own(2 ** 22 + 1, '1')}-other`,
      'blockglass-answers-',
    ];
    for (const name of names) await mkdir(join(folder, name));
    const aim = join(folder, 'aim');
    await mkdir(aim);
    const link = own(2 ** 22 + 2, '1');
    await symlink(aim, join(folder, link));
    const { remove } = await makePrivateFolder(NEVER, folder);
    await remove();
    expect((await readdir(folder)).toSorted()).toEqual(['aim', link, ...names.slice(2)].toSorted());
  });

  test('A private folder that cannot be created is reported with its location', async () => {
    await expect(makePrivateFolder(NEVER, join(folder, 'nowhere'))).rejects.toThrow(
      /^no temporary folder can be created in /,
    );
  });
});

test('No statement on a dataset reads another file', async () => {
  const { path } = await part('one', [LEDGER]);
  const { database } = await open([path]);
  for (const sql of ["SELECT * FROM read_text('/etc/passwd')", `SELECT * FROM glob('${folder}/*')`])
    await expect(database.run(sql)).rejects.toThrow(/disabled by configuration/);
});
