import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBufferPromise } from 'yauzl';

/** Times are Unix nanoseconds, heights decimal; an epoch that runs ends at "0". */
export interface RecordedEpoch {
  readonly seq: string;
  readonly startTime: string;
  readonly expiryTime: string;
  readonly endTime: string;
  readonly firstBlock: string;
  readonly lastBlock: string;
}

const EPOCH_LENGTH_NS = 5_000_000_000n;

/**
 * The epochs that the exports of the real node show: delegations for epoch N + 1 are published as epoch N begins, and an epoch ends
 * with the block in which the next begins. Epochs without delegations are not there.
 */
export async function recordedEpochs(exports: string): Promise<readonly RecordedEpoch[]> {
  const delegations = await rowsOf(join(exports, 'testnet-001-delegations-000001-005000.zip'));
  const blocks = await rowsOf(join(exports, 'testnet-001-blocks-000001-005000.zip'));
  const heightAt = new Map(blocks.map(row => [row.vega_time ?? '', row.height ?? '']));
  const begun = new Map<number, string>();
  for (const { epoch_id: next = '', vega_time: time = '' } of delegations) {
    const seq = Number(next) - 1;
    const known = begun.get(seq);
    if (known === undefined || time < known) begun.set(seq, time);
  }
  return [...begun].map(([seq, time]) => {
    const end = begun.get(seq + 1);
    return {
      seq: String(seq),
      startTime: nanoseconds(time),
      expiryTime: String(BigInt(nanoseconds(time)) + EPOCH_LENGTH_NS),
      endTime: end === undefined ? '0' : nanoseconds(end),
      firstBlock: heightAt.get(time) ?? '0',
      lastBlock: end === undefined ? '0' : (heightAt.get(end) ?? '0'),
    };
  });
}

/** `2023-01-18 01:08:56.38665+00` as Unix nanoseconds. */
function nanoseconds(time: string): string {
  const [, seconds = '', fraction = ''] = /^([\d-]+ [\d:]+)(?:\.(\d+))?\+00$/.exec(time) ?? [];
  return `${Date.parse(`${seconds.replace(' ', 'T')}Z`) / 1000}${fraction.padEnd(9, '0')}`;
}

/** The rows of a table without quoted commas, by the names of its columns. */
async function rowsOf(archive: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const zip = await fromBufferPromise(await readFile(archive), { lazyEntries: true });
  const rows: Record<string, string>[] = [];
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
    const [header = '', ...lines] = Buffer.concat(chunks).toString().trimEnd().split('\n');
    const names = header.split(',');
    for (const line of lines)
      rows.push(Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])));
  }
  return rows;
}
