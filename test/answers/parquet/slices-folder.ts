import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExportCsv, entryOf, writeZip } from './export-zip.ts';

interface SlicesOf {
  readonly table: string;
  /** The CSVs are of chain c, whatever this says. */
  readonly chainId?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** Writes a folder of slices, one for each CSV, with its manifest: from the first block to the last if no range is named. */
export async function writeSlices(path: string, there: readonly ExportCsv[], of: SlicesOf): Promise<string> {
  const times = { started: '2026-10-01T00:00:00.000Z', finished: null };
  await mkdir(path, { recursive: true });
  const slices = await Promise.all(
    there.map(async csv => {
      const name = `c-${csv.table}-${String(csv.from).padStart(6, '0')}-${String(csv.to).padStart(6, '0')}.zip`;
      const bytes = await readFile(await writeZip(path, [csv], name));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const range = { fromBlock: String(csv.from), toBlock: String(csv.to) };
      const entry = {
        ...range,
        name: entryOf(csv).name,
        schemaVersion: csv.version,
        rows: csv.rows.length,
        columns: [],
        bytes: 0,
        crc32: '',
      };
      const facts = { bytes: bytes.length, sha256, rows: csv.rows.length, csvs: [entry], notes: [] };
      return { ...range, ...facts, ...times, file: name, finished: times.started };
    }),
  );
  const ends = { fromBlock: String(there[0]?.from ?? 1), toBlock: String(there.at(-1)?.to ?? 1) };
  const about = { format: 1, program: 'x', node: 'http://127.0.0.1', notes: [], chainId: 'c', segmentsPerSlice: 1 };
  await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...about, ...ends, ...of, ...times, slices }));
  return path;
}
