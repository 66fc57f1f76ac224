import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveNamesPath, saveNamesFile } from '../../src/chain/directory/names-file.ts';
import { balancesCsv, blocksCsv } from '../history/check/samples.ts';
import { zipOf } from '../history/check/zip-bytes.ts';
import { run } from './run-command.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const entry = (version: string, from: string, to: string, chain = 'chain-1') => ({
  name: `${chain}-balances-${version}-${from}-${to}.csv`,
  content: balancesCsv,
});
const whole = [entry('068', '000001', '001000'), entry('093', '001001', '002000')];

async function verified(name: string, entries: Parameters<typeof zipOf>[0], ...flags: readonly string[]) {
  const path = join(folder, name);
  await writeFile(path, zipOf(entries));
  const { code, out, err } = await run(['verify', path, ...flags]);
  return { code, said: `${out}${err}` };
}

const forms = ['X.zip', 'X.zip.part', 'X.zip.2.part', 'X.incomplete.zip', 'X.2.incomplete.zip', 'X.zip.changed'];
const named = (form: string, range = '000001-002000', table = 'balances', chain = 'chain-1') =>
  form.replace('X', `${chain}-${table}-${range}`);

describe('`verify` of a file with an export name', () => {
  test.each(forms)('`verify` compares the content of a file with its name: %s', async form => {
    const sound = await verified(named(form), whole);
    expect(sound).toMatchObject({ code: 0, said: expect.not.stringContaining('note:') });
    const last = await verified(named(form), whole.slice(0, 1));
    expect(last).toMatchObject({ code: 5, said: expect.stringContaining('Blocks 1001 to 2000 are missing.') });
    const first = await verified(named(form), whole.slice(1));
    expect(first).toMatchObject({ code: 5, said: expect.stringContaining('Blocks 1 to 1000 are missing.') });
  });

  test.each([
    ['a longer range', named('X.zip', '000001-001000')],
    ['another table', named('X.zip', undefined, 'ledger')],
    ['another chain', named('X.zip', undefined, undefined, 'chain-2')],
  ])('`verify` reports %s than the file name says as damage', async (_what, name) => {
    expect(await verified(name, whole)).toMatchObject({ code: 5, said: expect.stringMatching(/^damaged: /) });
  });

  test('`verify` compares the name without characters that no file name has', async () => {
    const odd = [entry('093', '000001', '001000', 'chain$1')];
    expect((await verified('chain_1-balances-000001-001000.zip', odd)).code).toBe(0);
  });
});

describe('`verify` of a file with another name', () => {
  test.each(['renamed.zip', 'backup-data-000001-002000.zip', 'c-balances-000005-000001.zip'])(
    '`verify` reports what cannot be detected without an export name: %s',
    async name => {
      const { code, said } = await verified(name, whole.slice(0, 1));
      expect(code).toBe(0);
      expect(said).toContain('a CSV missing at either end would go unnoticed');
      expect(said).toContain('The requested table is unknown');
    },
  );

  test('`verify` takes the requested table, chain and range from flags', async () => {
    const range = ['--from', '1', '--to', '2000'];
    const all = await verified('renamed.zip', whole, '--table', 'balances', '--chain', 'chain-1', ...range);
    expect(all).toMatchObject({ code: 0, said: expect.not.stringContaining('note:') });
    expect((await verified('renamed.zip', whole.slice(0, 1), ...range)).said).toContain('Blocks 1001 to 2000');
    expect((await verified('renamed.zip', whole, '--table', 'ledger')).code).toBe(5);
    expect((await verified('renamed.zip', whole, '--chain', 'chain-2')).code).toBe(5);
    expect((await verified('renamed.zip', whole.slice(1), '--from', '1')).said).toContain('Blocks 1 to 1000');
    expect((await verified('renamed.zip', whole, '--from', '1')).said).toContain('missing at its end would');
    expect((await verified('renamed.zip', whole, '--to', '2000')).said).toContain('missing at its beginning would');
  });
});

describe('`verify` of a pipe', () => {
  const piped = (...flags: readonly string[]) =>
    run(['verify', '-', ...flags], { stdin: () => Readable.from([zipOf(whole)]) });

  test('`verify` of a pipe reports each unknown part of the request once', async () => {
    const { code, out } = await piped();
    expect(code).toBe(0);
    expect(out.match(/note: .*/g)).toEqual([
      expect.stringContaining('The requested range is unknown'),
      expect.stringContaining('The requested table is unknown'),
    ]);
  });

  test('`verify` of a pipe has no notes when the flags say everything', async () => {
    const { code, out } = await piped('--table', 'balances', '--from', '1', '--to', '2000');
    expect(code).toBe(0);
    expect(out).not.toContain('note:');
  });
});

test('`verify` uses the flags when they differ from the file name, and reports the difference', async () => {
  const { code, said } = await verified(named('X.zip'), whole.slice(0, 1), '--to', '1000');
  expect(code).toBe(0);
  expect(said).toContain('The file name has last block 2000, the command line 1000.');
});

test.each([
  ['--from', 'x'],
  ['--to', '-1'],
  ['--table', 'nothing'],
  ['--from', '3000', '--to', '2'],
])('`verify` rejects invalid flags with a usage error: %s %s', async (...flags) => {
  expect((await verified('renamed.zip', whole, ...flags)).code).toBe(2);
});

test('`verify` suggests `audit` after a complete export of a table that others must agree with, and no other', async () => {
  const hint = 'run blockglass audit on all their files';
  expect((await verified('chain-1-balances-000001-002000.zip', whole)).said).toContain(hint);
  expect((await verified('chain-1-balances-000001-002000.zip', whole.slice(1))).said).not.toContain(hint);
  const entries = [{ name: 'chain-1-blocks-093-000001-000001.csv', content: blocksCsv(1, 1) }];
  const blocks = await verified('chain-1-blocks-000001-000001.zip', entries);
  expect(blocks).toMatchObject({ code: 0, said: expect.not.stringContaining(hint) });
});

describe('`verify` of several exports', () => {
  const inOne = async (): Promise<string> => {
    const place = await mkdtemp(join(folder, 'several-'));
    await writeFile(join(place, 'a.zip'), zipOf(whole));
    await writeFile(join(place, 'b.zip.part'), zipOf(whole).subarray(0, 120));
    await mkdir(join(place, 'slices'));
    await writeFile(join(place, 'slices', 'manifest.json'), '{}');
    await writeFile(join(place, 'notes.txt'), 'x');
    return place;
  };
  const lines = (place: string): readonly unknown[] => [
    expect.stringMatching(
      `^complete: ${place}/a.zip: balances of blocks 1 to 2000, 4 rows \\(2 notes: blockglass verify`,
    ),
    expect.stringMatching(`^incomplete: ${place}/b.zip.part: The archive ends after 120 bytes`),
    expect.stringMatching(`^damaged: ${place}/slices: .*manifest.json is not a manifest of an export`),
  ];

  test('`verify` checks the exports in a folder one by one, with one line each', async () => {
    const place = await inOne();
    const { code, out, err } = await run(['verify', place]);
    expect([code, out.trim().split('\n')]).toEqual([5, lines(place)]);
    expect(err).not.toContain('notes.txt');
  });

  test('`verify` reports a file in a folder that is an export by name only', async () => {
    const place = await inOne();
    await writeFile(join(place, 'empty.zip'), '');
    await writeFile(join(place, 'page.ZIP'), '<html>busy</html>');
    const { err } = await run(['verify', place]);
    expect(err).toContain(`not checked (not an export): ${place}/empty.zip, ${place}/page.ZIP`);
  });

  test('`verify` checks the given exports one by one, and reports what is not an export', async () => {
    const place = await inOne();
    const names = ['a.zip', 'b.zip.part', 'notes.txt', 'slices'].map(name => join(place, name));
    const { code, out, err } = await run(['verify', ...names]);
    expect([code, out.trim().split('\n')]).toEqual([5, lines(place)]);
    expect(err).toContain(`not checked (not an export): ${place}/notes.txt`);
    const json = await run(['verify', ...names, '-o', 'ndjson']);
    expect(json.out.trim().split('\n')).toHaveLength(3);
    expect((await run(['verify', join(place, 'a.zip'), join(place, 'a.zip')])).code).toBe(0);
  });

  test('`verify` refuses a flag for one export with several, and reports a folder without exports', async () => {
    const place = await inOne();
    expect(await run(['verify', place, '--from', '1'])).toMatchObject({ code: 2, out: '' });
    await mkdir(join(place, 'empty'));
    expect((await run(['verify', join(place, 'empty')])).err).toContain('no export found in');
  });
});

test('`verify` compares a renamed export with the range saved next to it', async () => {
  const path = join(folder, 'august.zip');
  const names = { markets: new Map(), assets: new Map(), validators: new Map() };
  const range = { table: 'balances', fromBlock: '1', toBlock: '2000', name: 'e1..e2', from: null, until: null };
  await saveNamesFile(archiveNamesPath(path), { chainId: 'chain-1', names, ranges: [range] });
  const sound = await verified('august.zip', whole);
  expect(sound).toMatchObject({ code: 0, said: expect.not.stringContaining('note:') });
  expect(await verified('august.zip', whole.slice(0, 1))).toMatchObject({
    code: 5,
    said: expect.stringContaining('Blocks 1001 to 2000 are missing.'),
  });
});
