import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { startNode } from '../../../src/node/index.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';

/** A CSV of an export: its name, and its lines without the header. Lines of the tables used here are rows. */
export interface DemoCsv {
  readonly name: string;
  readonly header: string;
  readonly lines: readonly string[];
}

export type DemoTables = ReadonlyMap<string, readonly DemoCsv[]>;

export type Blocks = readonly [from: number, to: number];

/** Exports tables of the demo chain from one node, and takes them out of their archives without the program's own reader. */
export async function demoTables(tables: readonly string[], ranges: readonly Blocks[]): Promise<readonly DemoTables[]> {
  const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 }, provisions: 100, historyScale: 0.2 });
  try {
    const all: DemoTables[] = [];
    for (const [from, to] of ranges) {
      const found = new Map<string, readonly DemoCsv[]>();
      for (const table of tables) {
        const query = `fromBlock=${from}&toBlock=${to}&table=TABLE_${table.toUpperCase()}`;
        const answer = await fetch(`${node.url}/api/v2/networkhistory/export?${query}`);
        found.set(table, csvsIn(Buffer.from(await answer.arrayBuffer())));
      }
      all.push(found);
    }
    return all;
  } finally {
    await node.close();
  }
}

export function csvsIn(zip: Buffer): readonly DemoCsv[] {
  const csvs: DemoCsv[] = [];
  let at = zip.readUInt32LE(zip.length - 6);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [packed, nameBytes, extra, comment] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const [header = '', ...lines] = inflateRawSync(zip.subarray(start, start + packed))
      .toString()
      .trimEnd()
      .split('\n');
    csvs.push({ name, header, lines });
    at += 46 + nameBytes + extra + comment;
  }
  return csvs;
}

/** Writes a table as an archive of stored CSVs, named as an export of these blocks. */
export async function writeDemoTable(
  folder: string,
  table: string,
  csvs: readonly DemoCsv[],
  [from, to]: Blocks,
): Promise<string> {
  const digits = (block: number): string => String(block).padStart(6, '0');
  const chain = csvs[0]?.name.split(`-${table}-`)[0] ?? '';
  const path = join(folder, `${chain}-${table}-${digits(from)}-${digits(to)}.zip`);
  const entries = csvs.map(({ name, header, lines }) => ({
    name,
    content: `${[header, ...lines].join('\n')}\n`,
    method: 0 as const,
    descriptor: 0 as const,
  }));
  await writeFile(path, zipOf(entries));
  return path;
}
