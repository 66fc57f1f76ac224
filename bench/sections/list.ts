import { statSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, median, ratioTo, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { HOME, isInstalled, PROGRAM, runShell } from '../programs.ts';

const ROWS = 200_000;

export const list: Section = async ({ isFull, once }) => {
  const node = await startServer({ rows: ROWS });
  const ours: number[] = [];
  const peer: number[] = [];
  let peak = 0;
  const hasPeer = isInstalled('curl') && isInstalled('jq');
  try {
    for (let round = 0; round < (isFull ? 5 : 1); round++) {
      const file = join(HOME, 'provisions.ndjson');
      const own = await once(() =>
        runShell(
          `exec '${process.execPath}' '${PROGRAM}' list provisions --node ${node.url} --all -o ndjson > '${file}'`,
        ),
      );
      if (own.code !== 0 || statSync(file).size < ROWS * 400) throw new Error('list --all did not list all');
      ours.push(own.wallS);
      peak = Math.max(peak, own.peakRssMib);
      if (hasPeer) peer.push((await once(() => runShell(curlLoop(node.url, `${file}.curl`)))).wallS);
    }
  } finally {
    node.stop();
  }
  return [
    ratioTo('list', '--all of 200,000 provisions as ndjson', {
      value: median(ours),
      peer: 'curl and jq',
      peerValue: hasPeer ? median(peer) : undefined,
      limit: 1,
      unit: 's',
    }),
    atMost('list', 'its memory at most', peak, 180, 'MiB'),
  ];
};

/** What a person would write: a page at a time, its records, its cursor. */
function curlLoop(url: string, file: string): string {
  const base = `${url}/api/v2/liquidity/provisions?pagination.first=1000`;
  return `after=''; : > '${file}'; while :; do
    curl -s "${base}\${after:+&pagination.after=$after}" > '${file}.page'
    jq -c '.liquidityProvisions.edges[].node' '${file}.page' >> '${file}'
    [ "$(jq -r .liquidityProvisions.pageInfo.hasNextPage '${file}.page')" = true ] || break
    after=$(jq -r '.liquidityProvisions.pageInfo.endCursor' '${file}.page')
  done`;
}
