import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeArchive } from '../archive.ts';
import { atMost, median, ratioTo, type Section, type Settings } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { HOME, isInstalled, PROGRAM, type Run, runShell } from '../programs.ts';

/** Made once, and kept for the next run. */
const MEBIBYTES = 1024;
const GIGABIT = 125_000_000;
const OWN = join(HOME, 'own.zip');
const PEERS = join(HOME, 'curl.zip');

export const exportSection: Section = async ({ isFull, once, onceAtFullSpeed }) => {
  const path = join(tmpdir(), `blockglass-bench-balances-${MEBIBYTES}.zip`);
  if (!existsSync(path)) await makeArchive({ path, table: 'balances', size: { mebibytes: MEBIBYTES } });
  const hasPeers = isInstalled('curl') && isInstalled('unzip');
  const ours: number[] = [];
  const withoutRows: number[] = [];
  const peer: number[] = [];
  let peak = 0;
  const node = await startServer({ archive: path });
  try {
    for (let round = 0; round < (isFull ? 3 : 1); round++) {
      if (hasPeers) peer.push((await once(() => runOnFreshDisk(curlAndUnzip(node.url)))).wallS);
      const own = await once(() => runOnFreshDisk(ownExport(node.url)));
      if (own.code !== 0) throw new Error(`the export ended with ${own.code}`);
      ours.push(own.wallS);
      peak = Math.max(peak, own.peakRssMib);
      const archiveOnly = await once(() => runOnFreshDisk(ownExport(node.url, '--archive-only')));
      if (archiveOnly.code !== 0) throw new Error(`the export without rows ended with ${archiveOnly.code}`);
      withoutRows.push(archiveOnly.wallS);
    }
  } finally {
    node.stop();
  }
  const size = `${MEBIBYTES} MiB`;
  const against = (what: string, values: readonly number[], limit: number) =>
    ratioTo('export', `${size} downloaded and verified, ${what}`, {
      value: median(values),
      peer: 'curl, then unzip -t',
      peerValue: hasPeers ? median(peer) : undefined,
      limit,
      unit: 's',
    });
  return [
    against('CSV rules included', ours, 0.7),
    against('without the CSV rules', withoutRows, 0.5),
    atMost('export', 'its memory at most', peak, 180, 'MiB'),
    await paced(path, size, { rounds: isFull ? 3 : 1, once, onceAtFullSpeed }),
  ];
};

/** At the pace of a fast line the check has to keep up with the download. */
async function paced(
  path: string,
  size: string,
  { rounds, once, onceAtFullSpeed }: Pick<Settings, 'rounds' | 'once' | 'onceAtFullSpeed'>,
) {
  const node = await startServer({ archive: path, bytesPerSecond: GIGABIT });
  const ours: number[] = [];
  const peer: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      if (isInstalled('curl')) peer.push((await once(() => runOnFreshDisk(curl(node.url)))).wallS);
      ours.push((await onceAtFullSpeed(() => runOnFreshDisk(ownExport(node.url)))).wallS);
    }
  } finally {
    node.stop();
  }
  return ratioTo('export', `${size} at 1 Gbit/s`, {
    value: median(ours),
    peer: 'curl alone',
    peerValue: peer.length > 0 ? median(peer) : undefined,
    limit: 1.05,
    unit: 's',
  });
}

/** Into a new file, with nothing of the run before still on its way to the disk. */
function runOnFreshDisk(script: string): Promise<Run> {
  for (const path of [OWN, PEERS]) rmSync(path, { force: true });
  spawnSync('sync');
  return runShell(script);
}

function ownExport(url: string, flag = ''): string {
  return `exec '${process.execPath}' '${PROGRAM}' export --node ${url} --table balances --from 1 --to 4000 --out '${OWN}' ${flag} 2>/dev/null`;
}

function curl(url: string): string {
  return `curl -s -o '${PEERS}' '${url}/api/v2/networkhistory/export'`;
}

function curlAndUnzip(url: string): string {
  return `${curl(url)} && unzip -tq '${PEERS}'`;
}
