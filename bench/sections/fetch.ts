import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeArchive } from '../archive.ts';
import { atMost, median, ratioTo, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { HOME, isInstalled, PROGRAM, type Run, runShell } from '../programs.ts';

/** Together about nine million rows. */
const CSV_MEGABYTES = 3500;
const SLICES = 10;
const SLICE_BLOCKS = 10_000;
const HISTORY = join(HOME, 'history');
const PEERS = join(HOME, 'curl');

export const fetchSection: Section = async ({ isFull, once }) => {
  const folder = join(tmpdir(), `blockglass-bench-ledger-${CSV_MEGABYTES}`);
  await makeSlices(folder);
  const hasPeer = isInstalled('curl');
  const ours: number[] = [];
  const again: number[] = [];
  const peer: number[] = [];
  let peak = 0;
  const node = await startServer({ archive: folder });
  try {
    for (let round = 0; round < (isFull ? 3 : 1); round++) {
      if (hasPeer) peer.push((await once(() => runOnFreshDisk(curlAndVerify(node.url)))).wallS);
      const own = await once(() => runOnFreshDisk(ownFetch(node.url)));
      if (own.code !== 0) throw new Error(`the fetch ended with ${own.code}`);
      ours.push(own.wallS);
      peak = Math.max(peak, own.peakRssMib);
      const nothing = await once(() => runShell(ownFetch(node.url)));
      if (nothing.code !== 0) throw new Error(`the fetch of nothing ended with ${nothing.code}`);
      again.push(nothing.wallS);
    }
  } finally {
    node.stop();
  }
  const what = `a ledger of ${CSV_MEGABYTES / 1000} GB of CSV fetched in ${SLICES} slices`;
  return [
    ratioTo('fetch', what, {
      value: median(ours),
      peer: 'curl, then verify',
      peerValue: hasPeer ? median(peer) : undefined,
      limit: 1.15,
      unit: 's',
    }),
    atMost('fetch', 'its memory at most', peak, 450, 'MiB'),
    atMost('fetch', 'the same again, when nothing is missing', median(again), 2, 's'),
  ];
};

/** Made once, and kept for the next run. */
async function makeSlices(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const part = `${folder}.part`;
  mkdirSync(part, { recursive: true });
  for (let slice = 0; slice < SLICES; slice++) {
    const [from, to] = [slice * SLICE_BLOCKS + 1, (slice + 1) * SLICE_BLOCKS];
    const path = join(part, `${from}-${to}.zip`);
    const size = { csvMegabytes: CSV_MEGABYTES / SLICES };
    await makeArchive({ path, table: 'ledger', size, entries: [{ version: 93, from, to }] });
  }
  renameSync(part, folder);
}

/** Into new files, with nothing of the run before still on its way to the disk. */
function runOnFreshDisk(script: string): Promise<Run> {
  for (const path of [HISTORY, PEERS]) rmSync(path, { recursive: true, force: true });
  mkdirSync(PEERS);
  spawnSync('sync');
  return runShell(script);
}

const ownFetch = (url: string): string =>
  `exec '${process.execPath}' '${PROGRAM}' fetch --node ${url} --tables ledger --history '${HISTORY}' 2>/dev/null`;

function curlAndVerify(url: string): string {
  const ranges = Array.from({ length: SLICES }, (_, slice) => [slice * SLICE_BLOCKS + 1, (slice + 1) * SLICE_BLOCKS]);
  const downloads = ranges.map(([from, to]) => {
    const file = `bench-chain-1-ledger-${[from, to].map(height => String(height).padStart(6, '0')).join('-')}.zip`;
    return `curl -s -o '${join(PEERS, file)}' '${url}/api/v2/networkhistory/export?fromBlock=${from}&toBlock=${to}&table=TABLE_LEDGER'`;
  });
  return `${downloads.join(' && ')} && exec '${process.execPath}' '${PROGRAM}' verify '${PEERS}' >/dev/null`;
}
