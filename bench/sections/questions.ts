import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkArchive } from '../../src/history/check/check-archive.ts';
import { createSliceRecord, type SliceRecord, writeManifest } from '../../src/history/manifest/manifest.ts';
import { atMost, median, type Section } from '../figure.ts';
import { makeLedgerArchive } from '../ledger-archive.ts';
import { HOME, PROGRAM, type Run, runShell } from '../programs.ts';

const ROOT = join(HOME, 'history');
const BLOCKS = 100_000;

/** Questions over a whole history on disk: the first converts it, later ones only read. */
export const questions: Section = async ({ isFull, rounds, once }) => {
  const [slices, megabytes] = isFull ? [10, 350] : [4, 25];
  const rows = await makeHistory(slices, megabytes);
  const first = good(await once(() => runShell(QUESTION)));
  const later: Run[] = [];
  for (let round = 0; round < Math.max(3, rounds); round++) later.push(good(await once(() => runShell(QUESTION))));
  const what = `${slices * megabytes} MB of CSV, ${(rows / 1e6).toFixed(1)} million rows`;
  return [
    atMost('questions', `the first question over ${what}`, first.wallS, Math.ceil((slices * megabytes) / 10), 's'),
    atMost('questions', `another question over ${what}`, median(later.map(({ wallS }) => wallS)), 1.5, 's'),
    atMost('questions', 'memory of the first question', first.peakRssMib, 450, 'MiB'),
    atMost('questions', 'memory of another', Math.max(...later.map(({ peakRssMib }) => peakRssMib)), 450, 'MiB'),
  ];
};

const SQL = 'SELECT type, count(*), sum(quantity), max(vega_time) FROM ledger GROUP BY ALL';
const QUESTION = `exec '${process.execPath}' '${PROGRAM}' query '${SQL}' --history '${ROOT}'`;

function good(run: Run): Run {
  if (run.code !== 0) throw new Error(`a question ended with ${run.code}`);
  return run;
}

/** Writes a history as a fetch leaves it; resolves with its number of rows. */
async function makeHistory(slices: number, megabytes: number): Promise<number> {
  const folder = join(ROOT, 'bench-chain-1', 'ledger');
  mkdirSync(folder, { recursive: true });
  const records: SliceRecord[] = [];
  const times = { started: '2026-10-01T00:00:00.000Z', finished: '2026-10-01T00:00:00.000Z' };
  for (let slice = 0; slice < slices; slice++) {
    const file = `${slice}.zip`;
    await makeLedgerArchive(join(folder, file), megabytes, slice);
    const verdict = await checkArchive(join(folder, file), {}, { signal: new AbortController().signal });
    if (verdict.kind !== 'complete') throw new Error(`${file} is ${verdict.kind}: ${verdict.reason}`);
    const range = { fromBlock: BigInt(slice * BLOCKS + 1), toBlock: BigInt((slice + 1) * BLOCKS) };
    records.push(createSliceRecord(range, file, verdict, times));
  }
  const of = { chainId: 'bench-chain-1', table: 'ledger', fromBlock: '1', toBlock: String(slices * BLOCKS) };
  const about = { format: 1, program: 'bench', node: 'http://127.0.0.1', segmentsPerSlice: 1 } as const;
  await writeManifest(folder, { ...about, ...of, ...times, notes: [], witnesses: [], slices: records });
  const chain = { format: 1, chainId: 'bench-chain-1', genesisTime: null, sliceSegments: 1, nodes: [], blockTimes: [] };
  writeFileSync(join(ROOT, 'bench-chain-1', 'chain.json'), JSON.stringify(chain));
  return records.reduce((sum, record) => sum + record.rows, 0);
}
