import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { type ParquetManifest, readParquetManifest } from '../../../src/answers/parquet/parquet-manifest.ts';
import { type ExportCsv, inFolder, NEVER, writeZip } from './export-zip.ts';

const PROCESS = fileURLToPath(new URL('./convert-process.ts', import.meta.url));

/** Balances of ten blocks; the last archive has a number that makes a column text. */
const archive = (number: number): readonly ExportCsv[] => {
  const from = number * 10 + 1;
  const rows = Array.from({ length: 60 }, (_, index) => [
    `\\x${'ab'.repeat(32)}`,
    `2026-10-0${1 + (index % 2)} 00:00:00.${String(from + index)}+00`,
    '\\x',
    number === 2 && index === 59 ? '9'.repeat(60) : String(index),
  ]);
  return [{ table: 'balances', version: 93, from, to: from + 9, rows }];
};

const writeArchives = (folder: string, numbers: readonly number[]): Promise<readonly string[]> =>
  Promise.all(numbers.map(number => writeZip(folder, archive(number), `${number}.zip`)));

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly said: string;
  readonly error: string;
}

async function convertElsewhere(out: string, call: number, paths: readonly string[], shell = ''): Promise<Ended> {
  const words = [process.execPath, '--no-warnings', PROCESS, out, String(call), ...paths];
  const child = spawn('sh', ['-c', `${shell} exec "$@"`, 'sh', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, error, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, signal, said, error };
}

const convert = (paths: readonly string[], out: string, more = {}): Promise<ParquetManifest> =>
  convertToParquet({ paths, out, signal: NEVER, partBytes: 2000, program: 'blockglass', ...more });

/** All files of a folder but the manifest, with what they hold. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile());
  const found = await Promise.all(
    names.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [
        path.slice(folder.length + 1),
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      ] as const;
    }),
  );
  return new Map(found.filter(([path]) => path !== '_blockglass.json'));
}

const withoutTime = (manifest: ParquetManifest | undefined) => ({ ...manifest, finished: null });
const isHidden = (path: string): boolean => path.startsWith('.blockglass-') || path.startsWith('blockglass.lock');

describe('Killed conversion', () => {
  test(
    'A killed conversion leaves no partial file under a final name, and the next run completes and cleans up',
    () =>
      inFolder(async folder => {
        const paths = await writeArchives(folder, [0, 1, 2]);
        const whole = join(folder, 'whole');
        const manifest = await convert(paths, whole);
        const reference = await filesIn(whole);
        const counted = await convertElsewhere(join(folder, 'counted'), 0, paths);
        const calls = Number(counted.said.split(' ')[0]);
        expect(calls).toBeGreaterThan(60);
        // With the column as it was before the last archive was read, too.
        const before = join(folder, 'before');
        await convert(paths.slice(0, 2), before);
        const known = new Set([...reference.values(), ...(await filesIn(before)).values()]);
        for (let call = 1; call <= calls; call += Math.ceil(calls / 9)) {
          const out = join(folder, `killed-${call}`);
          expect((await convertElsewhere(out, call, paths)).signal).toBe('SIGKILL');
          const left = await filesIn(out).catch(() => new Map<string, string>());
          for (const [path, sha256] of left)
            if (!isHidden(path)) expect([call, path, known.has(sha256)]).toEqual([call, path, true]);
          expect(withoutTime(await convert(paths, out)), String(call)).toEqual(withoutTime(manifest));
          expect(await filesIn(out), String(call)).toEqual(reference);
        }
      }),
    120_000,
  );

  test('The temporary files of a running conversion are not cleaned up by another one', () =>
    inFolder(async folder => {
      const [zip = ''] = await writeArchives(folder, [0]);
      const out = join(folder, 'out');
      let second: unknown;
      await convert([zip], out, {
        onWritten: async () => {
          second ??= await convert([zip], out).catch((error: unknown) => error);
        },
      });
      expect(second).toMatchObject({ name: 'AnswerError', message: expect.stringMatching(/is writing to/) });
      expect((await readdir(out)).filter(isHidden)).toEqual([]);
    }));
});

describe('Repeated conversion', () => {
  test('A repeated conversion writes only the files that are missing or changed', () =>
    inFolder(async folder => {
      const paths = await writeArchives(folder, [0, 1]);
      const out = join(folder, 'out');
      const written: string[] = [];
      const more = { onWritten: async (path: string) => void written.push(path) };
      await convert(paths.slice(0, 1), out, more);
      const ofOne = written.splice(0).length;
      const manifest = await convert(paths, out, more);
      expect(written.splice(0)).toHaveLength(ofOne);
      expect(withoutTime(await convert(paths, out, more))).toEqual(withoutTime(manifest));
      expect(written).toEqual([]);
      const [gone, changed] = [manifest.tables[0]?.files[0]?.path ?? '', manifest.tables[0]?.files.at(-1)?.path ?? ''];
      await rm(join(out, gone));
      await appendFile(join(out, changed), 'x');
      expect(withoutTime(await convert(paths, out, more))).toEqual(withoutTime(manifest));
      expect(written.length).toBeGreaterThan(0);
    }));

  test('A repeated conversion with other columns converts everything again and keeps no old files', () =>
    inFolder(async folder => {
      const paths = await writeArchives(folder, [0, 1]);
      const out = join(folder, 'out');
      await convert(paths, out);
      const hex = await convert(paths, out, { ids: 'hex', exclude: ['tx_hash'] });
      expect(hex.tables[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
        'account_id VARCHAR',
        'vega_time TIMESTAMP',
        'balance DECIMAL(38,0)',
      ]);
      expect([...(await filesIn(out)).keys()].toSorted()).toEqual(
        hex.tables[0]?.files.map(({ path }) => path).toSorted(),
      );
    }));

  test('A repeated conversion refuses to replace what it cannot rebuild from the given exports', () =>
    inFolder(async folder => {
      const paths = await writeArchives(folder, [0, 2]);
      const out = join(folder, 'out');
      await convert(paths.slice(0, 1), out);
      const before = await filesIn(out);
      await expect(convert(paths.slice(1), out)).rejects.toMatchObject({
        message:
          'the folder has blocks 1 to 10 of balances with other columns, and 0.zip was not given to convert again',
      });
      expect(await filesIn(out)).toEqual(before);
    }));

  test('A repeated conversion reports the gap between exports until it is filled', () =>
    inFolder(async folder => {
      const out = join(folder, 'out');
      const manifest = await convert(await writeArchives(folder, [0, 3]), out);
      expect(manifest.tables[0]).toMatchObject({
        fromBlock: '1',
        toBlock: '40',
        isComplete: false,
        notes: ['blocks 11 to 30 are in none of the exports: blockglass export --table balances --from 11 --to 30'],
      });
      const { tables } = await convert(await writeArchives(folder, [0, 1, 2, 3]), out);
      expect(tables[0]).toMatchObject({ fromBlock: '1', toBlock: '40', isComplete: true, notes: [] });
    }));
});

test('An abort ends a conversion at once and leaves only the finished files', () =>
  inFolder(async folder => {
    const paths = await writeArchives(folder, [0, 1]);
    const out = join(folder, 'out');
    const control = new AbortController();
    let published: ParquetManifest | undefined;
    const onWritten = async () => {
      published = await readParquetManifest(out);
      if (published?.tables[0] !== undefined) control.abort(new Error('enough'));
    };
    await expect(convert(paths, out, { signal: control.signal, onWritten })).rejects.toThrow('enough');
    const manifest = await readParquetManifest(out);
    expect(manifest).toMatchObject({ finished: null, tables: [{ toBlock: '10' }] });
    expect([...(await filesIn(out)).keys()].toSorted()).toEqual(manifest?.tables[0]?.files.map(({ path }) => path));
  }));

test.each([0.1, 0.3, 0.5, 0.7])(
  'A byte flipped on disk, %d of the way into the data, is detected by reading back',
  share =>
    inFolder(async folder => {
      const [zip = ''] = await writeArchives(folder, [0]);
      const out = join(folder, 'out');
      const onWritten = async (path: string) => {
        const bytes = await readFile(path);
        const dataBytes = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
        const at = Math.floor(dataBytes * share);
        bytes[at] = (bytes[at] ?? 0) ^ 0x10;
        await writeFile(path, bytes);
      };
      await expect(convert([zip], out, { onWritten })).rejects.toMatchObject({
        because: 'untrusted',
        message: expect.stringMatching(/^a Parquet file differs from the written values: /),
      });
      expect(await filesIn(out)).toEqual(new Map());
    }),
);

test.each([
  ['../../x.parquet', 'publishing'],
  ['/etc/passwd.parquet', 'publishing'],
  ['table=balances/../../../x.parquet', 'publishing'],
  ['table=balances/date=2026-10-01/../../../x.parquet', 'files'],
])('A manifest that lists %s under %s is refused before anything is changed', (path, where) =>
  inFolder(async folder => {
    const [zip = ''] = await writeArchives(folder, [0]);
    const out = join(folder, 'deep', 'out');
    const manifest = await convert([zip], out);
    const file = { ...manifest.tables[0]?.files[0], path };
    const hostile =
      where === 'files'
        ? { ...manifest, tables: [{ ...manifest.tables[0], files: [file] }] }
        : { ...manifest, publishing: [path] };
    await writeFile(join(folder, 'x.parquet'), 'mine');
    await writeFile(join(out, '_blockglass.json'), JSON.stringify(hostile));
    await expect(convert([zip], out)).rejects.toMatchObject({ name: 'AnswerError', because: 'untrusted' });
    expect(await readFile(join(folder, 'x.parquet'), 'utf8')).toBe('mine');
  }),
);

test('A conversion leaves other files in its folder unchanged', () =>
  inFolder(async folder => {
    const [zip = ''] = await writeArchives(folder, [0]);
    const out = join(folder, 'out');
    await mkdir(out);
    await writeFile(join(out, 'mine.txt'), 'mine');
    await convert([zip], out);
    expect(await readFile(join(out, 'mine.txt'), 'utf8')).toBe('mine');
  }));

// A limit on the size of files stands for a disk without room: what is written fails in the same places.
test.each([
  ['a part of a CSV', 4, archive(0)],
  ['a Parquet file', 1, archive(0).map(csv => ({ ...csv, rows: csv.rows.slice(0, 1) }))],
  ['the manifest', 2, archive(0).map(csv => ({ ...csv, rows: csv.rows.slice(0, 1) }))],
])('A conversion without disk space for %s reports it and leaves nothing', (_, blocks, csvs) =>
  inFolder(async folder => {
    const zip = await writeZip(folder, csvs);
    const out = join(folder, 'out');
    const { code, error } = await convertElsewhere(out, 0, [zip], `trap '' XFSZ; ulimit -f ${blocks};`);
    expect([code, error]).toEqual([3, expect.stringMatching(/^AnswerError: .*\/out(?:\/\S+)? cannot be written: /)]);
    expect([...(await filesIn(out)).keys()]).toEqual([]);
  }),
);

test('An archive that changes while it is read is refused', () =>
  inFolder(async folder => {
    const [zip = ''] = await writeArchives(folder, [0]);
    const out = join(folder, 'out');
    await expect(convert([zip], out, { onWritten: () => appendFile(zip, 'x') })).rejects.toMatchObject({
      message: `${zip} changed while it was read`,
      because: 'untrusted',
    });
    expect(await filesIn(out)).toEqual(new Map());
  }));
