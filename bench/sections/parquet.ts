import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, median, ratioTo, type Section } from '../figure.ts';
import { makeLedgerArchive } from '../ledger-archive.ts';
import { HOME, isInstalled, PROGRAM, type Run, runShell } from '../programs.ts';

const ARCHIVE = join(HOME, 'ledger.zip');
const OWN = join(HOME, 'own-parquet');
const PEERS = join(HOME, 'peer.parquet');

/** An export to typed Parquet, checked and read back, against the engine alone with text and without a check. */
export const parquet: Section = async ({ isFull, once }) => {
  const megabytes = isFull ? 1000 : 100;
  await makeLedgerArchive(ARCHIVE, megabytes);
  const hasPeer = isInstalled('unzip');
  const ours: number[] = [];
  const peer: number[] = [];
  let peak = 0;
  for (let round = 0; round < 3; round++) {
    if (hasPeer) peer.push(good(await once(() => onFreshDisk(peersConversion))).wallS);
    const own = good(await once(() => onFreshDisk(ownConversion)));
    ours.push(own.wallS);
    peak = Math.max(peak, own.peakRssMib);
  }
  const share = bytesIn(OWN) / statSync(ARCHIVE).size;
  rmSync(ARCHIVE);
  rmSync(OWN, { recursive: true });
  const what = `${megabytes} MB of CSV to typed Parquet, checked and read back`;
  const against = { peer: 'unzip -p | duckdb, untyped', peerValue: hasPeer ? median(peer) : undefined };
  return [
    ratioTo('parquet', what, { value: median(ours), ...against, limit: 1.25, unit: 's' }),
    atMost('parquet', 'its memory at most', peak, 600, 'MiB'),
    atMost('parquet', 'typed Parquet, share of the ZIP', share * 100, 50, '%'),
  ];
};

const ownConversion = `exec '${process.execPath}' '${PROGRAM}' convert '${ARCHIVE}' --parquet --out '${OWN}' 2>/dev/null`;
const peersConversion = `unzip -p '${ARCHIVE}' | '${process.execPath}' bench/untyped-parquet.ts '${PEERS}'`;

/** Nothing of the run before is still on its way to the disk. */
function onFreshDisk(script: string): Promise<Run> {
  for (const path of [OWN, PEERS]) rmSync(path, { force: true, recursive: true });
  spawnSync('sync');
  return runShell(script);
}

function good(run: Run): Run {
  if (run.code !== 0) throw new Error(`a conversion ended with ${run.code}`);
  return run;
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
