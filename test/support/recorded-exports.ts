import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBufferPromise } from 'yauzl';
import { zipArchive } from './zip-writer.ts';

const SCHEMA = '093';

/** The export of some blocks of a table, cut from the recorded one of all blocks; undefined for a table that was not recorded. */
export type RecordedExport = (table: string, from: number, to: number) => Promise<Buffer | undefined>;

/** A row belongs to the block of its time, as in the database of the node. */
export function recordedExports(folder: string): RecordedExport {
  const read = new Map<string, Promise<string | undefined>>();
  const csvOf = (table: string): Promise<string | undefined> => {
    const reading = read.get(table) ?? readCsv(join(folder, `testnet-001-${table}-000001-005000.zip`));
    read.set(table, reading);
    return reading;
  };
  return async (table, from, to) => {
    const [blocks, text] = await Promise.all([csvOf('blocks'), csvOf(table)]);
    if (blocks === undefined || text === undefined) return undefined;
    const heights = new Map(recordsOf(blocks).map(([time = '', height]) => [time, Number(height)]));
    const [header = [], ...rows] = recordsOf(text);
    const at = header.indexOf('vega_time');
    const lines = splitLines(text);
    const kept = rows.flatMap((row, index) => {
      const height = heights.get(row[at] ?? '') ?? 0;
      return from <= height && height <= to ? [lines[index + 1] ?? ''] : [];
    });
    const range = [from, to].map(height => String(height).padStart(6, '0')).join('-');
    const name = `testnet-001-${table}-${SCHEMA}-${range}.csv`;
    return zipArchive([{ name, text: [lines[0] ?? '', ...kept].join('') }], true);
  };
}

async function readCsv(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const chunks: Buffer[] = [];
  for await (const entry of zip.eachEntry())
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** The lines of a CSV with their ends; a line feed in quotes ends none. */
function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"') isQuoted = !isQuoted;
    if (text[index] !== '\n' || isQuoted) continue;
    lines.push(text.slice(start, index + 1));
    start = index + 1;
  }
  return lines;
}

/** The fields of each line; quotes stay. */
const recordsOf = (text: string): readonly (readonly string[])[] =>
  splitLines(text).map(line => line.trimEnd().match(/(?:"(?:[^"]|"")*"|[^,"])+|(?<=,|^)(?=,|$)/g) ?? []);
