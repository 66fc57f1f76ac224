import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkDestination,
  createPartFile,
  destinationFolder,
  destinationPath,
  hasErrorCode,
  isDiskFull,
  lacksHardLinks,
  publishPartFile,
  renameIncomplete,
  toDestinationError,
  writeFailureText,
} from '../../../src/history/plan/destination.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import type { ExportPlan } from '../../../src/history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../src/history/plan/export-tables.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAME = 'c-balances-000001-001000.zip';

function planFor(destination: string): ExportPlan {
  const [table] = EXPORT_TABLES;
  if (table === undefined) throw new Error('no tables');
  return { table, fromBlock: 1n, toBlock: 1000n, chainId: 'c', destination, mayOverwrite: false };
}

describe('Export destination', () => {
  it('The destination is a file by the naming rule in a folder, or the given file', () => {
    expect(destinationPath(planFor('/data'), NAME)).toBe(`/data/${NAME}`);
    expect(destinationPath(planFor('/data/mine.ZIP'), NAME)).toBe('/data/mine.ZIP');
    expect(destinationPath(planFor('~/exports'), NAME)).toBe(join(homedir(), 'exports', NAME));
    expect(destinationPath(planFor('~other'), NAME)).toBe(join(process.cwd(), '~other', NAME));
    expect(destinationPath(planFor('~'), NAME)).toBe(join(homedir(), NAME));
    expect(destinationPath(planFor('/data/~'), NAME)).toBe(`/data/~/${NAME}`);
    expect(destinationPath(planFor('/data.zip/more'), NAME)).toBe(`/data.zip/more/${NAME}`);
    expect(destinationFolder(planFor('~'))).toBe(homedir());
    expect(destinationFolder(planFor('~/more'))).toBe(join(homedir(), 'more'));
    expect(destinationFolder(planFor('/data/~'))).toBe('/data/~');
  });

  it('The destination of a slice export is a folder, which may already exist', async () => {
    const plan = { ...planFor(folder), slices: { segmentsPerSlice: 1, parallel: 1 } };
    const path = join(folder, NAME.replace('.zip', ''));
    await mkdir(path);
    expect(await checkDestination(plan)).toMatchObject({ path, exists: false, problem: null });
  });

  it('The destination is inspected before any request: whether it exists, and how much space is left', async () => {
    expect(await checkDestination(planFor(folder))).toEqual({
      path: join(folder, NAME),
      exists: false,
      problem: null,
      freeBytes: expect.any(Number),
    });
    await writeFile(join(folder, NAME), '');
    expect(await checkDestination(planFor(folder))).toMatchObject({ exists: true });
  });

  it('The destination of one file cannot be a folder, even with --overwrite: reported before any request', async () => {
    await mkdir(join(folder, NAME));
    for (const typed of [folder, join(folder, NAME)]) {
      const plan = { ...planFor(typed), mayOverwrite: true };
      expect((await checkDestination(plan)).problem).toBe(
        `${join(folder, NAME)} is a folder, not a file: choose another name`,
      );
    }
  });

  it('The destination is reported with what is wrong with it', async () => {
    const missing = join(folder, 'missing');
    expect((await checkDestination(planFor(missing))).problem).toBe(
      `the folder ${missing} does not exist: create it or choose another`,
    );
    await writeFile(join(folder, 'file'), '');
    expect((await checkDestination(planFor(join(folder, 'file')))).problem).toBe(
      `${join(folder, 'file')} is not a folder`,
    );
  });

  it('The destination is refused when almost no space is left, for one file and for slices', async () => {
    const slices = { segmentsPerSlice: 1, parallel: 1 };
    for (const plan of [planFor(folder), { ...planFor(folder), slices }]) {
      const problemWith = async (free: number | null) => (await checkDestination(plan, async () => free)).problem;
      expect(await problemWith(16 * 1024 * 1024 - 1)).toBe(
        `almost no space left in ${folder}: free some space or choose another folder`,
      );
      expect(await problemWith(16 * 1024 * 1024)).toBeNull();
      expect(await problemWith(null)).toBeNull();
    }
  });

  it.each(['s3://history', 'S3://history/a/b.zip'])(
    'The destination in a bucket is refused, with the page that explains copying: %s',
    async place => {
      expect(await checkDestination(planFor(place))).toEqual({
        path: place,
        exists: false,
        freeBytes: null,
        problem:
          'blockglass writes to folders, not to buckets. Write to a folder, then copy it (docs/guides/parquet.md).',
      });
    },
  );

  it.skipIf(process.getuid?.() === 0)('The destination reports a folder that cannot be written', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o500);
    expect((await checkDestination(planFor(closed))).problem).toBe(`no permission to write to the folder ${closed}`);
  });
});

describe('Part file of an export', () => {
  it('A part file is next to the final file and never replaces another', async () => {
    const path = join(folder, NAME);
    await writeFile(`${path}.part`, 'old');
    const second = await createPartFile(path);
    const third = await createPartFile(path);
    await Promise.all([second.file.close(), third.file.close()]);
    expect([second.partPath, third.partPath]).toEqual([`${path}.2.part`, `${path}.3.part`]);
    expect(await readFile(`${path}.part`, 'utf8')).toBe('old');
  });

  it('A part file is not made when a hundred already exist', async () => {
    const path = join(folder, NAME);
    await writeFile(`${path}.part`, '');
    for (let number = 2; number < 99; number++) await writeFile(`${path}.${number}.part`, '');
    const last = await createPartFile(path);
    await last.file.close();
    expect(last.partPath).toBe(`${path}.99.part`);
    await expect(createPartFile(path)).rejects.toThrow(`${path}.99.part cannot be written: EEXIST`);
  });

  it('A part file that will not become complete gets a name that says so, and never that of another', async () => {
    const path = join(folder, 'a.zip.d.ZIP');
    const named: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      await writeFile(`${path}.part`, text);
      named.push(await renameIncomplete(`${path}.part`, path));
    }
    const stem = join(folder, 'a.zip.d');
    expect(named).toEqual([`${stem}.incomplete.zip`, `${stem}.2.incomplete.zip`, `${stem}.3.incomplete.zip`]);
    expect(await Promise.all(named.map(name => readFile(name, 'utf8')))).toEqual(['one', 'two', 'three']);
    expect(await readdir(folder)).toHaveLength(3);
  });

  it('A part file that cannot be made is reported in a sentence', async () => {
    const error = await createPartFile(join(folder, 'missing', NAME)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DestinationError);
    expect(String(error)).toContain('does not exist: create it or choose another');
  });
});

describe('Publishing an export file', () => {
  const path = () => join(folder, NAME);

  it('Publishing gives the part file its final name and leaves no part file', async () => {
    await writeFile(`${path()}.part`, 'new');
    await publishPartFile(`${path()}.part`, path(), { mayOverwrite: false });
    expect(await readdir(folder)).toEqual([NAME]);
    expect(await readFile(path(), 'utf8')).toBe('new');
  });

  it('Publishing never overwrites a file that appeared in the meantime', async () => {
    await writeFile(`${path()}.part`, 'new');
    await writeFile(path(), 'old');
    await expect(publishPartFile(`${path()}.part`, path(), { mayOverwrite: false })).rejects.toThrow(
      `${path()} was created by another program. The complete export is ${path()}.part: rename it`,
    );
    expect(await readFile(path(), 'utf8')).toBe('old');
    expect(await readFile(`${path()}.part`, 'utf8')).toBe('new');
  });

  describe.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP'])('Publishing without hard links (%s)', code => {
    const hardLink = () => Promise.reject(Object.assign(new Error(code), { code }));

    it('Publishing without hard links gives the part file its final name', async () => {
      await writeFile(`${path()}.part`, 'new');
      await publishPartFile(`${path()}.part`, path(), { mayOverwrite: false, hardLink });
      expect(await readdir(folder)).toEqual([NAME]);
      expect(await readFile(path(), 'utf8')).toBe('new');
    });

    it('Publishing without hard links never overwrites a file that appeared in the meantime', async () => {
      await writeFile(`${path()}.part`, 'new');
      await writeFile(path(), 'old');
      await expect(publishPartFile(`${path()}.part`, path(), { mayOverwrite: false, hardLink })).rejects.toThrow(
        `${path()} was created by another program. The complete export is ${path()}.part: rename it`,
      );
      expect([await readFile(path(), 'utf8'), await readFile(`${path()}.part`, 'utf8')]).toEqual(['old', 'new']);
    });
  });

  it('Publishing treats no other link failure as missing hard links', async () => {
    await writeFile(`${path()}.part`, 'new');
    const hardLink = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    await expect(publishPartFile(`${path()}.part`, path(), { mayOverwrite: false, hardLink })).rejects.toThrow(
      /cannot be written/,
    );
    expect(await readdir(folder)).toEqual([`${NAME}.part`]);
  });

  it('Publishing replaces the final file when permitted', async () => {
    await writeFile(`${path()}.part`, 'new');
    await writeFile(path(), 'old');
    await publishPartFile(`${path()}.part`, path(), { mayOverwrite: true });
    expect(await readFile(path(), 'utf8')).toBe('new');
  });

  it.each([
    ['ENOSPC', /no space left for \/x: free some space/],
    ['EACCES', /no permission to write \/x/],
    ['EROFS', /no permission to write \/x/],
    ['ENOENT', /the folder of \/x does not exist/],
    ['EIO', /\/x cannot be written: boom/],
  ])('Publishing explains what %s means', (code, sentence) => {
    expect(writeFailureText('/x', Object.assign(new Error('boom'), { code }))).toMatch(sentence);
  });
});

describe('File system error of an export', () => {
  const errorOf = (code: string) => Object.assign(new Error(`${code}: it did not work`), { code, syscall: 'write' });

  it.each([
    ['ENOSPC', 'no space left for p: free some space or choose another folder'],
    ['EDQUOT', 'no space left for p: free some space or choose another folder'],
    ['EACCES', 'no permission to write p: choose another folder'],
    ['EPERM', 'no permission to write p: choose another folder'],
    ['EROFS', 'no permission to write p: choose another folder'],
    ['ENOENT', 'the folder of p does not exist: create it or choose another'],
    ['EIO', 'p cannot be written: EIO: it did not work'],
  ])('A file system error %s says what to do', (code, sentence) => {
    const error = toDestinationError('p', errorOf(code));
    expect(error).toBeInstanceOf(DestinationError);
    expect(error).toMatchObject({ name: 'DestinationError', message: sentence });
  });

  it('A file system error is distinguished from any other error', () => {
    for (const other of [
      new Error('x'),
      { code: 'EIO', syscall: 'write' },
      Object.assign(new Error('x'), { code: 'E' }),
    ])
      expect(toDestinationError('p', other)).toBe(other);
    expect(hasErrorCode({ code: 'EIO' }, 'EIO')).toBe(false);
    expect(hasErrorCode(new Error('EIO'), 'EIO')).toBe(false);
    expect(hasErrorCode(errorOf('EIO'), 'EIO')).toBe(true);
    expect(writeFailureText('p', 'odd')).toBe('p cannot be written: odd');
  });

  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])(
    'A file system error means a full disk when it is %s, on a file of the export',
    code => {
      expect(isDiskFull(new DestinationError('x', { cause: errorOf(code) }))).toBe(true);
      expect(isDiskFull(new DestinationError('x', { cause: errorOf('EIO') }))).toBe(false);
      expect(isDiskFull(Object.assign(new Error('x'), { cause: errorOf(code) }))).toBe(false);
    },
  );
});

it('A file system without hard links is recognised by the errors that say so', () => {
  const withCode = (code: string) => Object.assign(new Error(code), { code });
  for (const code of ['EPERM', 'ENOTSUP', 'EOPNOTSUPP']) expect(lacksHardLinks(withCode(code))).toBe(true);
  for (const code of ['EEXIST', 'ENOENT', 'EACCES', '']) expect(lacksHardLinks(withCode(code))).toBe(false);
});
