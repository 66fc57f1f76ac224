import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewExport } from '../../../src/explorer/services/preview.ts';
import { checkArchive } from '../../../src/history/check/check-archive.ts';
import type { Verdict } from '../../../src/history/check/verdict.ts';
import type { Manifest } from '../../../src/history/manifest/manifest.ts';
import { zipArchive } from '../../support/zip-writer.ts';

const HEADER = 'tx_hash,vega_time,account_id,balance';
const FULL = 'c-balances-093-000001-001000.csv';
const BARE = 'c-balances-094-001001-002000.csv';
const LINES = [
  HEADER,
  '\\x01,2023-01-18 01:12:09+00,\\x02,100',
  '\\x03,,"",7',
  '\\x04,"NULL","two\nlines",8',
  '\\x05,,,9',
];

const PREVIEW = `${FULL}
  tx_hash     \\x01
  vega_time   2023-01-18 01:12:09+00
  account_id  \\x02
  balance     100

  tx_hash     \\x03
  vega_time   NULL
  account_id  ""
  balance     7

  tx_hash     \\x04
  vega_time   "NULL"
  account_id  two\u240alines
  balance     8
`;

let folder = '';
let path = '';
let verdict: Verdict;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'));
  path = join(folder, 'a.zip');
  const full = { name: FULL, text: `${LINES.join('\n')}\n` };
  await writeFile(path, zipArchive([full, { name: BARE, text: `${HEADER}\n` }]));
  verdict = await checkArchive(path, undefined);
});

afterAll(() => rm(folder, { recursive: true }));

describe('Export preview', () => {
  it('The preview has the first three rows of each CSV, a column per line, and distinguishes NULL from text', async () => {
    expect(await previewExport({ kind: 'saved', path, verdict, elapsedMs: 1 })).toBe(
      `${PREVIEW}\n${BARE}\n  no rows\n`,
    );
  });

  it('The preview reads the partial file that an incomplete export left', async () => {
    const text = await previewExport({ kind: 'not-complete', partPath: path, verdict, brokenBy: null, elapsedMs: 1 });
    expect(text.startsWith(PREVIEW)).toBe(true);
  });

  it('The preview reads only the first slice', async () => {
    const result = {
      kind: 'saved-slices',
      folder,
      manifest: sliced('a.zip', 'absent.zip'),
      notes: [],
    } as const;
    expect(await previewExport({ ...result, elapsedMs: 1 })).toBe(PREVIEW);
  });

  it('The preview is empty when no CSV arrived', async () => {
    expect(await previewExport({ kind: 'cancelled', partPath: path, elapsedMs: 1 })).toBe('');
  });
});

function sliced(...files: readonly string[]): Manifest {
  const [csv] = verdict.entries;
  if (csv === undefined) throw new Error('no CSV');
  const slice = { fromBlock: '1', toBlock: '1000', bytes: 1, sha256: '', rows: 4, notes: [], segmentIds: [] };
  const part = { ...csv, schemaVersion: 93, fromBlock: '1', toBlock: '1000', rows: 4, columns: [...csv.columns] };
  return {
    ...{ format: 1, program: '', node: '', chainId: 'c', table: 'balances', fromBlock: '1', toBlock: '2000' },
    ...{ segmentsPerSlice: 1, started: '', finished: '', notes: [], witnesses: [] },
    slices: files.map(file => ({ ...slice, file, csvs: [part], differsFrom: null, started: '', finished: '' })),
  };
}
