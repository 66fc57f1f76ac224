import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSink } from '../../src/cli/sink.ts';
import { writeHistory } from '../answers/history-folder.ts';
import { type ExportCsv, writeZip } from '../answers/parquet/export-zip.ts';
import { type Ran, run, TextStream } from './run-command.ts';

const PARTY = 'ab'.repeat(32);
const ASSET = 'cd'.repeat(32);
const hex = (id: string): string => `\\x${id}`;

/** Rewards of a hundred blocks, in the hour of their number. */
const rewards = (from: number, amounts: readonly string[]): ExportCsv => ({
  ...{ table: 'rewards', version: 93, from, to: from + 99 },
  rows: amounts.map((amount, index) => {
    const time = `2026-10-01 ${String(Math.floor(from / 100)).padStart(2, '0')}:00:0${index}+00`;
    const epoch = String(Math.floor(from / 100) + 1);
    return [
      ...[hex(PARTY), hex(ASSET), hex(''), 'ACCOUNT_TYPE_FEES_MAKER', epoch, amount, '1', time, hex('00'), time],
      ...['1', epoch, amount, null],
    ];
  }),
});

let folder = '';
let csvs: readonly ExportCsv[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-history-'));
  csvs = [rewards(1, ['7', '11']), rewards(101, ['13']), rewards(501, ['10000000000000000000000000001'])];
  await writeHistory(join(folder, 'one', 'c'), csvs, { node: 'http://127.0.0.1:3008' });
  await writeHistory(join(folder, 'two', 'c'), csvs, { node: 'http://127.0.0.1:3008' });
  await writeHistory(join(folder, 'two', 'd'), [], { chainId: 'd' });
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (line: readonly string[], root = 'one') => run([...line, '--history', join(folder, root)]);

/** When a history is deleted: before the command looks for it, at its first line on stderr, at its first Parquet file. */
const MOMENTS = ['looks', 'speaks', 'converts'] as const;

/** Runs a command, which waits at that moment until its history is deleted; a conversion goes on meanwhile. */
async function runWhileDeleted(line: readonly string[], root: string, moment: (typeof MOMENTS)[number]): Promise<Ran> {
  let deleting: Promise<Ran> | undefined;
  const forget = (): Promise<Ran> => (deleting ??= run(['fetch', '--forget', '--history', root]));
  const watcher = watch(join(root, 'c'), (_, name) => {
    if (moment === 'converts' && name === 'parquet') void forget();
  });
  const stderr = new TextStream();
  const sink = createSink(stderr);
  const { code, out } = await run([...line, '--history', root], {
    settings: async () => {
      if (moment === 'looks') await forget();
      return {};
    },
    stderr: {
      ...sink,
      safe: async text => {
        await sink.safe(text);
        if (moment === 'speaks') await forget();
      },
    },
  });
  watcher.close();
  await deleting;
  return { code, out, err: stderr.text };
}

const SUM = 'SELECT count(*)::INT AS n, sum(amount)::VARCHAR AS paid FROM rewards';

describe('Commands without files', () => {
  it('`query` reads the history on disk, and says in a line what it has', async () => {
    for (let question = 0; question < 2; question++) {
      const { code, out, err } = await ask(['query', SUM, '-o', 'csv']);
      expect([code, out]).toEqual([0, 'n,paid\r\n4,10000000000000000000000000032\r\n']);
      expect(err.split('\n')).toEqual([
        'history of c: rewards; blocks 1-200, 501-600',
        'note: rewards: blocks 201 to 500 are not on disk. To fetch them: blockglass fetch --tables rewards --from 201 --to 500',
        '',
      ]);
    }
    expect(await readdir(join(folder, 'one', 'c', 'parquet'))).toEqual(['rewards']);
  });

  it.each(['answer rewards', 'query', 'audit'] as const)(
    '`%s` has its true figures, or one sentence, when the history is deleted at any moment',
    async command => {
      const root = join(folder, `deleted ${command}`);
      const line = command === 'query' ? ['query', SUM, '-o', 'csv'] : [...command.split(' '), '-o', 'json'];
      await writeHistory(join(root, 'c'), csvs);
      const whole = await run([...line, '--history', root]);
      for (const moment of MOMENTS) {
        await rm(root, { recursive: true, force: true });
        await writeHistory(join(root, 'c'), csvs);
        const { code, out, err } = await runWhileDeleted(line, root, moment);
        if (out === whole.out) expect(code).toBe(whole.code);
        else {
          expect([2, 5]).toContain(code);
          expect(out).toBe('');
          expect(err).toMatch(/blockglass: (?:the history of c on disk was deleted while|no history on disk)/);
        }
      }
    },
  );

  it('Tables with the same gap share a note, and the further gaps are counted', async () => {
    const root = join(folder, 'gaps');
    const every = Array.from({ length: 7 }, (_, index) => index * 200 + 1);
    const trades = (from: number): ExportCsv => ({ table: 'trades', version: 93, from, to: from + 99, rows: [] });
    await writeHistory(
      join(root, 'c'),
      every.flatMap(from => [rewards(from, ['1']), trades(from)]),
    );
    const { err } = await run(['query', 'SELECT 1 FROM rewards, trades', '--history', root]);
    const notes = err.split('\n').filter(line => line.includes('not on disk') || line.includes('more gap'));
    expect(notes).toHaveLength(6);
    expect(notes[0]).toMatch(
      /: blocks 101 to 200 are not on disk\. To fetch them: blockglass fetch --tables \w+,\w+ --from 101/,
    );
    expect(notes[5]).toBe('note: 1 more gap. To fill all: blockglass fetch');
  });

  it('`answer` gives the same digits as from the ZIPs', async () => {
    const zips = await Promise.all(csvs.map((csv, index) => writeZip(folder, [csv], `${index}.zip`)));
    const line = ['answer', 'rewards', '--party', PARTY, '-o', 'csv'];
    const [stored, named] = [await ask(line), await run([...line, ...zips])];
    expect(stored.out).toBe(named.out);
    expect(stored.out).toContain('10000000000000000000000000001');
    expect(stored.err).toContain('note: range: everything in the history on disk\n');
    expect(stored.err).toContain('blocks 201 to 500 are not on disk');
  });

  it('A range in a gap is called outside of the history', async () => {
    const between = ['answer', 'rewards', '--party', PARTY, '--from', '2026-10-01 03:00', '--to', '2026-10-01 03:59'];
    const { err } = await ask(between);
    expect(err).toContain('the history on disk has no part of the range');
  });

  it('A range inside the blocks but after the last row is not called outside, where times of blocks are known', async () => {
    const hour = Date.UTC(2026, 9, 1);
    const blockTimes = [
      { height: '1', timeMs: hour },
      { height: '200', timeMs: hour + 4 * 3_600_000 },
    ];
    const timed = join(folder, 'timed');
    await writeHistory(join(timed, 'c'), [rewards(1, ['7']), rewards(101, ['13'])], { blockTimes });
    const line = ['answer', 'rewards', '--from', '2026-10-01 03:00', '--to', '2026-10-01 03:59', '--history', timed];
    const { err } = await run(line);
    expect(err).toContain('no reward in this range');
    expect(err).not.toContain('has no part of the range');
  });

  it('`convert` converts the history, and its gaps are in the notes', async () => {
    const out = join(folder, 'converted');
    const { code, err } = await ask(['convert', '--parquet', '--out', out]);
    expect([code, err]).toEqual([0, expect.stringMatching(/NOT COMPLETE: rewards, blocks 1 to 600, 4 rows/)]);
    expect(err).toContain('blocks 201 to 500 are in none of the exports');
  });

  it('A report from the history names the fetch of a table that is missing, and speaks of no exports', async () => {
    const { code, out, err } = await ask(['report', '--party', PARTY, '--year', '2026', '--no-audit', '-o', 'json']);
    expect(code).toBe(0);
    expect(out).toContain('blockglass fetch --tables ledger --from 1 --to 600');
    expect(`${out}${err}`).not.toMatch(/blockglass export|[Tt]he exports/);
  });

  it('`audit` names what has to be fetched', async () => {
    const { code, err, out } = await ask(['audit']);
    expect([code, out]).toEqual([5, expect.stringMatching(/^cannot-be-judged: /)]);
    expect(err).toContain('blockglass fetch --tables ledger --from 1 --to 600');
  });

  it.each([
    ['query', [SUM]],
    ['answer', ['rewards']],
    ['audit', []],
    ['report', ['--party', PARTY]],
    ['convert', ['--parquet', '--out', '/nowhere']],
  ] as const)('`%s` says what to do where there is no history', async (name, words) => {
    const { code, out, err } = await run([name, ...words, '--history', join(folder, 'none')]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^blockglass: no history on disk\n {2}Fetch it first: blockglass fetch/);
    expect(err).toContain('pass a file or a folder; . is the current folder');
  });

  it('A folder with exports is not taken silently, but the message says how to name it', async () => {
    const before = process.cwd();
    const here = join(folder, 'here');
    await mkdir(here);
    await writeZip(here, [rewards(1, ['7'])]);
    process.chdir(here);
    try {
      const { err } = await run(['query', SUM, '--history', join(folder, 'none')]);
      expect(err).toContain('This folder has exports. To use them, add . at the end of the command.');
    } finally {
      process.chdir(before);
    }
  });

  it('With the history of several chains, one is chosen by its id or by the address of its node', async () => {
    const { code, err } = await ask(['query', SUM], 'two');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/the history of 2 chains is on disk: [cd], [cd]\n.*--chain ID/),
    ]);
    for (const choice of [
      ['--chain', 'c'],
      ['--node', 'http://127.0.0.1:3008'],
    ])
      expect((await ask(['query', SUM, '-o', 'csv', ...choice], 'two')).out).toContain('4,1000000');
    expect(await ask(['query', SUM, '--node', 'http://127.0.0.1:9'], 'two')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no history of http:\/\/127.0.0.1:9/),
    });
  });

  it('A flag of the history is refused with files', async () => {
    const { code, err } = await run(['query', SUM, 'x.zip', '--chain', 'c']);
    expect([code, err]).toEqual([2, expect.stringContaining('--chain is for the history on disk')]);
  });

  it('A damaged slice is left out of an answer, which says so', async () => {
    const damaged = join(folder, 'damaged', 'c');
    await writeHistory(damaged, [rewards(1, ['7']), rewards(101, ['13'])]);
    const [, second = ''] = (await readdir(join(damaged, 'rewards'))).filter(name => name.endsWith('.zip')).toSorted();
    await writeFile(join(damaged, 'rewards', second), 'no ZIP');
    const { code, out, err } = await ask(['query', SUM, '-o', 'csv'], 'damaged');
    expect([code, out]).toEqual([0, 'n,paid\r\n1,7\r\n']);
    expect(err).toContain('blocks 1-100');
  });
});
