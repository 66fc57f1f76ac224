import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveNamesPath, readNamesFile, slicesNamesPath } from '../../src/chain/directory/names-file.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { parseCsv } from '../node/csv-rows.ts';
import { type StrictNode, startStrictNode } from '../support/strict-node.ts';
import { contextWith, run } from './run-command.ts';

let node: RunningNode;
let strict: StrictNode;
let folder = '';
beforeAll(async () => {
  // Such that the chain begins on 14 September 2026 at 6, and then ten minutes on: one more epoch has ended.
  let nowMs = Date.UTC(2026, 8, 14, 6) + 23_531 * 1050 + 400;
  [node, strict] = await Promise.all([
    startNode({ provisions: 50, historyScale: 0.2, clock: () => nowMs, rateLimit: { burst: 1000 } }),
    startStrictNode(),
  ]);
  nowMs += 600_000;
});
afterAll(() => Promise.all([node.close(), strict.close()]));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('segments', () => {
  it('`segments` prints the segments with the gapless ranges, oldest first', async () => {
    const { code, out } = await run(['segments', '--node', node.url]);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 to \d+: \d+ segments without a gap\n/);
    const json = JSON.parse((await run(['segments', '-o', 'json', '--node', node.url])).out);
    expect(json[0]).toMatchObject({ fromHeight: '1', toHeight: '1000', chainId: 'demo-chain-1' });
    const csv = (await run(['segments', '-o', 'csv', '--node', node.url])).out;
    expect(csv.split('\r\n').length).toBe(json.length + 2);
  });

  it('`segments` of a node without this operation is a refusal', async () => {
    expect((await run(['segments', '--node', strict.url])).code).toBe(3);
  });
});

describe('export', () => {
  const exporting = (...words: readonly string[]) => run(['export', ...words, '--out', folder, '--node', node.url]);

  it('`export` writes one verified archive, its path to stdout and the verdict to stderr', async () => {
    const { code, out, err } = await exporting('--table', 'blocks', '--from', '1', '--to', '2000');
    expect(code, err).toBe(0);
    const [name = ''] = await readdir(folder);
    expect(out).toBe(`${join(folder, name)}\n`);
    expect(name).toBe('demo-chain-1-blocks-000001-002000.zip');
    expect(err).toMatch(/^complete: /m);
    expect(err).toMatch(/SHA-256 [0-9a-f]{64}/);
  });

  it('`export` saves the names and decimals of its chain with the archive, including settled markets', async () => {
    const { code, out, err } = await exporting('--table', 'ledger', '--from', '1', '--to', '1000');
    expect(code, err).toBe(0);
    expect(err).not.toContain('names');
    const { chainId, names } = readNamesFile(archiveNamesPath(out.trim())) ?? {};
    expect(chainId).toBe('demo-chain-1');
    expect(names?.assets.size).toBe(5);
    expect([...(names?.markets.values() ?? [])].filter(({ state }) => state === 'STATE_SETTLED')).toHaveLength(2);
  });

  it('`export` adds the names that a killed run has not saved with its archive, with a note', async () => {
    const words = ['--table', 'ledger', '--from', '1', '--to', '1000'];
    const first = await exporting(...words);
    const names = archiveNamesPath(first.out.trim());
    const kept = await readFile(names);
    await rm(names);
    expect((await exporting(...words, '--plan')).code).toBe(2);
    expect(await readdir(folder)).toHaveLength(1);
    const again = await exporting(...words);
    expect(again.code).toBe(2);
    expect(again.err).toContain(`note: saved missing names for answers in ${names}\n`);
    expect(await readFile(names)).toEqual(kept);
    expect((await exporting(...words)).err).not.toContain('names');
  });

  it('`export` of the same blocks with another range saves the new range, with one note', async () => {
    const words = ['--table', 'ledger', '--from', '2026-09-14 06:05', '--to'];
    const first = await exporting(...words, '2026-09-14 06:10');
    expect(first.code, first.err).toBe(0);
    const names = archiveNamesPath(first.out.trim());
    expect(readNamesFile(names)?.ranges[0]?.until?.time).toBe('2026-09-14T06:11:00.000000Z');
    const again = await exporting(...words, '2026-09-14 06:08');
    expect([again.code, again.out]).toEqual([2, '']);
    expect(again.err).toMatch(
      /^note: answers from .*\.zip now use the range 2026-09-14 06:05 UTC\.\.2026-09-14 06:08 UTC$/m,
    );
    expect(readNamesFile(names)?.ranges[0]?.until?.time).toBe('2026-09-14T06:09:00.000000Z');
    expect((await exporting(...words, '2026-09-14 06:08')).err).not.toContain('answers from');
  });

  it('`export` saves no names with a file that the user chose, which may be of another chain', async () => {
    await writeFile(join(folder, 'mine.zip'), 'an export of anything');
    const words = ['export', '--table', 'ledger', '--from', '1', '--to', '1000'];
    expect((await run([...words, '--out', join(folder, 'mine.zip'), '--node', node.url])).code).toBe(2);
    expect(await readdir(folder)).toEqual(['mine.zip']);
  });

  it('`export` in slices saves the names in the folder, and verify accepts them', async () => {
    const words = ['--table', 'ledger', '--from', '1', '--to', '2000', '--slice', '1'];
    const { code, out, err } = await exporting(...words);
    expect(code, err).toBe(0);
    expect(readNamesFile(slicesNamesPath(out.trim()))?.chainId).toBe('demo-chain-1');
    expect((await run(['verify', out.trim()])).code).toBe(0);
    expect((await exporting(...words)).code).toBe(0);
  });

  it('`export` keeps the archive if its names cannot be saved, with a note', async () => {
    await writeFile(join(folder, 'mine.names.json'), 'notes');
    const out = join(folder, 'mine.zip');
    const words = ['export', '--table', 'ledger', '--from', '1', '--to', '1000', '--out', out, '--node', node.url];
    const { code, err } = await run(words);
    expect(code, err).toBe(0);
    expect(err).toContain('note: answers from it need --node URL: no names were saved with it (');
    expect(await readFile(join(folder, 'mine.names.json'), 'utf8')).toBe('notes');
  });

  it('`export` can skip the row check, and the verdict says so', async () => {
    const words = ['--table', 'blocks', '--from', '1', '--to', '2000', '--archive-only'];
    const { code, out, err } = await exporting(...words);
    expect(code, err).toBe(0);
    expect(err).toContain('the rows were not read');
    expect((await run(['verify', out.trim(), '--archive-only'])).out).toContain('the rows were not read');
    expect((await run(['verify', out.trim()])).out).toContain('with 2000 rows; all checks passed');
    expect((await exporting(...words, '--slice', '1')).code).toBe(2);
    expect((await run(['verify', folder, '--archive-only'])).out).toContain('rows not read');
  });

  it('`export` does not promise that the same command continues if something in the folder prevents it', async () => {
    const words = ['--table', 'blocks', '--from', '1', '--to', '2000', '--slice', '1'];
    expect((await exporting(...words)).code).toBe(0);
    await writeFile(join(folder, 'demo-chain-1-blocks-000001-002000', 'manifest.json'), '[');
    const { code, err } = await exporting(...words);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/\nblockglass: \S+manifest\.json is not a manifest[^\n]*\n$/),
    ]);
  });

  it('`export` replaces a file only with a flag', async () => {
    const words = ['--table', 'blocks', '--from', '1', '--to', '1000'];
    await writeFile(join(folder, 'demo-chain-1-blocks-000001-001000.zip'), 'mine');
    expect(await exporting(...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--overwrite replaces it'),
    });
    expect((await exporting(...words, '--overwrite')).code).toBe(0);
  });

  it('`export` assumes 1000 blocks per segment on a node that lists no segments', async () => {
    const words = ['export', '--table', 'blocks', '--from', '1', '--to', '1000', '--out', folder, '--node', strict.url];
    const { code, err } = await run(words);
    expect(code, err).toBe(0);
    expect(err).toContain('assuming 1000 blocks each');
  });

  it.each([
    [['--from', '1', '--to', '1000'], /missing --table TABLE: one of balances, blocks/],
    [['--table', 'nothing', '--from', '1', '--to', '1000'], /unknown table "nothing"/],
    [['--table', 'TABLE_UNSPECIFIED', '--from', '1', '--to', '1000'], /unknown table "TABLE_UNSPECIFIED"/],
    [['--table', 'blocks'], /missing --from and --to, or --last SEGMENTS; the node keeps 1 to /],
    [['--table', 'blocks', '--from', '1'], /missing --to; the node keeps 1 to /],
    [
      ['--table', 'blocks', '--from', '1', '--to', '2100-01-01'],
      /--to: 2100-01-01 is after the newest block: .*; the node keeps 1 to 23500; try --to 23500/,
    ],
    [
      ['--table', 'blocks', '--from', 'x', '--to', '1000'],
      /--from must be a height, a date .* or an epoch \(e41\), not "x"/,
    ],
    [['--table', 'blocks', '--from', '1', '--to', '2026-02-30'], /--to must be a height, a date .*, not "2026-02-30"/],
    [
      ['--table', 'blocks', '--from', '2026-01-01', '--to', 'e20'],
      /--from: 2026-01-01 is before the first block: the chain began at 2026-09-14 06:00:00 UTC with block 1; the node keeps 1 to 23500/,
    ],
    [
      ['--table', 'blocks', '--from', '1', '--to', '2999-01-01'],
      /--to: 2999-01-01 is after the newest block: block \d+ was produced at/,
    ],
    [['--table', 'blocks', '--from', 'e1', '--to', 'e43'], /--to: epoch 43 has not ended yet/],
    [['--table', 'blocks', '--from', 'e99', '--to', 'e100'], /--from: this node knows no epoch 99/],
    [
      ['--table', 'blocks', '--from', '1', '--to', 'e42'],
      /--to: epoch 42 ends with block 23999, which no segment of this node contains; the node keeps 1 to 23500/,
    ],
    [['--table', 'blocks', '--from', 'e21', '--to', 'e2'], /e21 is after e2: put the earlier end first/],
    [['--table', 'blocks', '--from', '-1', '--to', '1000'], /--from/],
    [['--table', 'blocks', '--from', '2', '--to', '1000'], /segments begin at 1 and 1001, not at 2/],
    [['--table', 'blocks', '--from', '1001', '--to', '1000'], /first block 1001 is above the last block 1000/],
  ])('`export` reports %j as a usage error and writes nothing', async (words, sentence) => {
    const { code, out, err } = await exporting(...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
    expect(await readdir(folder)).toEqual([]);
  });

  it('`export` refuses a missing folder before it contacts the node', async () => {
    const words = ['export', '--table', 'blocks', '--last', '1', '--out', '/none/here', '--node', node.url];
    expect(await run(words)).toEqual({
      ...{ code: 2, out: '' },
      err: 'blockglass: the folder /none/here does not exist: create it or choose another\n',
    });
  });

  it.each([
    ['e20', 'e21', '09:10:00', '09:29:59', /epoch 20 begins with block 10858, in the segment that begins with 10001/],
    ['2026-09-14 08:00', '2026-09-14T08:30:05', '08:00:00', '08:30:05', /2026-09-14 08:00 UTC begins at about block/],
    ['2026-09-14', '2026-09-14 07:00', '06:00:02', '07:00:00', /the chain began at 2026-09-14 06:00:00 UTC with/],
  ])(
    '`export` from %s to %s contains that whole range and prints on stderr how it was understood',
    async (from, to, first, last, told) => {
      const { code, out, err } = await exporting('--table', 'blocks', '--from', from, '--to', to);
      expect(code, err).toBe(0);
      expect(err).toMatch(told);
      const [, fromBlock, toBlock] = /-(\d{6})-(\d{6})\.zip\n$/.exec(out) ?? [];
      expect(err).toContain(`blocks    ${Number(fromBlock)} to ${Number(toBlock)}, `);
      const csvs = Object.values(unzipSync(await readFile(out.trim()))).map(bytes =>
        parseCsv(Buffer.from(bytes).toString()),
      );
      const times = csvs.flatMap(rows => rows.slice(1).map(([vegaTime]) => vegaTime ?? ''));
      expect((times[0] ?? '') < `2026-09-14 ${first}`).toBe(true);
      expect((times.at(-1) ?? '') > `2026-09-14 ${last}`).toBe(true);
    },
  );

  it('`export` refuses an epoch on a node without epochs, and a date where it cannot be estimated', async () => {
    const words = ['export', '--table', 'blocks', '--to', '1000', '--out', folder, '--node', strict.url];
    const byEpoch = await run([...words, '--from', 'e2']);
    expect(byEpoch).toMatchObject({ code: 2, err: expect.stringContaining('this node does not serve epochs') });
    const byDate = await run([...words, '--from', '2026-09-14']);
    expect(byDate).toMatchObject({ code: 2, err: expect.stringContaining('Enter the range as block heights') });
    expect(await readdir(folder)).toEqual([]);
  });

  it('`export` exits with 5 and keeps a part file if the downloaded data cannot be trusted', async () => {
    strict.setExportTail('{"error":{"code":13,"message":"Internal error","details":[]}}');
    const words = ['export', '--table', 'ledger', '--from', '1', '--to', '1000', '--out', folder, '--node', strict.url];
    const { code, out, err } = await run(words);
    strict.setExportTail('');
    expect([code, out]).toEqual([5, '']);
    expect(err).toMatch(/^this node does not list its segments.*\n(?:\w+ .*\n)+incomplete: /);
    expect(err).toContain('the node: Internal error');
    expect((await readdir(folder)).every(name => name.endsWith('.part'))).toBe(true);
  });

  it('`export` exits with 130 when it is interrupted', async () => {
    const abort = new AbortController();
    const release = strict.hold();
    const before = strict.requests.length;
    const words = ['export', '--table', 'blocks', '--from', '1', '--to', '1000', '--out', folder, '--node', strict.url];
    const ran = run(words, { signal: abort.signal });
    await strict.waitForRequest(() => true, { from: before });
    abort.abort();
    release();
    expect((await ran).code).toBe(130);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('serve', () => {
  it('`serve` prints its address and ends when it is interrupted', async () => {
    const abort = new AbortController();
    const { context, stdout } = contextWith({ signal: abort.signal });
    const said = new Promise<string>(resolve => {
      stdout.on('finish', () => resolve(stdout.text));
      const write = stdout._write.bind(stdout);
      stdout._write = (chunk, encoding, done) => {
        write(chunk, encoding, done);
        resolve(stdout.text);
      };
    });
    const serving = runCommandLine(['serve', '--port', '0'], context);
    const url = (await said).trim();
    expect((await run(['list', 'parameters', '--node', url])).code).toBe(0);
    abort.abort();
    expect(await serving).toBe(130);
    expect((await run(['list', 'parameters', '--node', url])).code).toBe(4);
  });

  it('`serve` reports that a port is in use', async () => {
    expect(await run(['serve', '--port', String(node.port)])).toMatchObject({
      code: 2,
      err: `blockglass: port ${node.port} is in use. Choose another with --port.\n`,
    });
  });

  it('`serve` reports that a host is not an address of this machine', async () => {
    expect(await run(['serve', '--port', '0', '--host', '192.0.2.1'])).toMatchObject({
      code: 2,
      err: 'blockglass: 192.0.2.1 is not an address of this machine. Choose another with --host.\n',
    });
  });

  it('`serve` reports that a host name has no known address', async () => {
    expect(await run(['serve', '--port', '0', '--host', 'no-such-host.invalid'])).toMatchObject({
      code: 2,
      err: 'blockglass: no-such-host.invalid is not a host name with a known address. Choose another with --host.\n',
    });
  });
});
