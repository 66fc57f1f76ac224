/**
 * Export archives: curl to file and `unzip -t`, against download and check with blockglass, interleaved.
 *
 *   node bench/check-archive.ts [--mib 256] [--rounds 3] [--table balances|markets] [--zip64]
 *
 * Makes the archive once in the temp folder. `--zip64` makes one entry of 4.1 GiB instead, and checks it.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32, createDeflateRaw } from 'node:zlib';
import { checkArchive } from '../src/export/check/check-archive.ts';
import { followArchive } from '../src/export/check/follow-archive.ts';
import type { Verdict } from '../src/export/check/verdict.ts';
import { isCheckWorker } from '../src/export/check/worker-entry.ts';
import { columnsAt } from '../src/export/table-columns.ts';

const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '256' },
    rounds: { type: 'string', default: '3' },
    table: { type: 'string', default: 'balances' },
    zip64: { type: 'boolean', default: false },
    child: { type: 'string' },
    path: { type: 'string', default: '' },
    url: { type: 'string', default: '' },
  },
});

const pool = Array.from({ length: 5000 }, () => `\\x${randomBytes(32).toString('hex')}`);

const bundle = join(tmpdir(), `blockglass-bench-${process.pid}.mjs`);
const bundling = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
} as const;

if (!isCheckWorker) await (values.child ? child(values.child, values.path, values.url) : bench());

async function bench(): Promise<void> {
  const path = join(tmpdir(), `blockglass-bench-${values.zip64 ? 'zip64' : `${values.table}-${values.mib}`}.zip`);
  if (!existsSync(path)) await makeArchive(path);
  console.log(`${path}: ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB`);
  const { build } = await import('esbuild');
  await build({ entryPoints: [import.meta.filename], outfile: bundle, ...bundling });
  const server = createServer((_request, response) =>
    createReadStream(path, { highWaterMark: 2 ** 20 }).pipe(response),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const ways: Record<string, () => Promise<Measured>> = {
    'unzip -t': () => run('unzip', ['-tq', path]),
    check: () => self('check', path, url),
    'curl, unzip -t': () => run('sh', ['-c', `curl -s -o ${path}.curl ${url} && unzip -tq ${path}.curl`]),
    'get + follow': () => self('follow', `${path}.part`, url),
  };
  const results = new Map<string, Measured[]>();
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [way, measure] of Object.entries(ways)) {
      const measured = await measure();
      results.set(way, [...(results.get(way) ?? []), measured]);
      console.log(`  ${way}: ${format(measured)}`);
    }
  }
  server.close();
  for (const left of [`${path}.curl`, `${path}.part`, bundle]) rmSync(left, { force: true });
  const wall = (way: string) => median((results.get(way) ?? []).map(result => result.wallS));
  for (const way of results.keys()) console.log(`${way}: median ${wall(way).toFixed(2)} s`);
  console.log(`check / unzip -t: ${(wall('check') / wall('unzip -t')).toFixed(3)}`);
  console.log(`get + follow / (curl, unzip -t): ${(wall('get + follow') / wall('curl, unzip -t')).toFixed(3)}`);
}

interface Measured {
  readonly wallS: number;
  readonly cpuS?: number;
  readonly rssMib?: number;
  readonly verdict?: string;
}

async function run(command: string, args: readonly string[]): Promise<Measured> {
  const startMs = performance.now();
  const [code] = await once(spawn(command, args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${command} exited with ${code}`);
  return { wallS: (performance.now() - startMs) / 1000 };
}

/** Each measurement of ours in a process of its own, bundled as it ships: reading TypeScript takes 25 MiB a thread. */
async function self(role: string, path: string, url: string): Promise<Measured> {
  const args = [bundle, '--child', role, '--path', path, '--url', url];
  const startMs = performance.now();
  const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  process_.stdout.on('data', chunk => {
    text += chunk;
  });
  await once(process_, 'close');
  return { ...JSON.parse(text), wallS: (performance.now() - startMs) / 1000 };
}

async function child(role: string, path: string, url: string): Promise<void> {
  const verdict = role === 'check' ? await checkArchive(path, undefined) : await download(path, url);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const text = `${verdict.kind}: ${verdict.reason} ${verdict.notes.join(' ')}`;
  console.log(JSON.stringify({ cpuS: (userCPUTime + systemCPUTime) / 1e6, rssMib: maxRSS / 1024, verdict: text }));
}

async function download(path: string, url: string): Promise<Verdict> {
  const file = openSync(path, 'w');
  const follower = followArchive(path, undefined);
  const [response] = await once(get(url), 'response');
  let bytes = 0;
  let toldMs = 0;
  for await (const chunk of response) {
    bytes += writeSync(file, chunk);
    // Given back at once: left to the collector, what was written piles up to over 50 MiB.
    if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
    if (performance.now() - toldMs < 5) continue;
    toldMs = performance.now();
    follower.grown(bytes);
  }
  follower.grown(bytes);
  follower.ended({ bodyComplete: response.complete });
  return await follower.verdict;
}

/** As Go's archive/zip writes: deflate 6, sizes in descriptors, zip64 only where needed and unannounced. */
async function makeArchive(path: string): Promise<void> {
  console.log(`making ${path} (once)`);
  const out = createWriteStream(path);
  const entries = values.zip64 ? [93] : [54, 68, 90, 93];
  const central: Buffer[] = [];
  let offset = 0;
  const write = async (bytes: Buffer) => {
    offset += bytes.length;
    if (!out.write(bytes)) await once(out, 'drain');
  };
  for (const [index, version] of entries.entries()) {
    const range = [index * 1000 + 1, index * 1000 + 1000].map(height => String(height).padStart(6, '0'));
    const name = Buffer.from(
      `bench-chain-1-${values.table}-${String(version).padStart(3, '0')}-${range.join('-')}.csv`,
    );
    const localOffset = offset;
    await write(
      record(
        [
          [4, 0x04034b50],
          [2, 20],
          [2, 8],
          [2, 8],
          [4, 0],
          [4, 0],
          [4, 0],
          [4, 0],
          [2, name.length],
          [2, 0],
        ],
        name,
      ),
    );
    const dataOffset = offset;
    const limit = (Number(values.mib) * 2 ** 20 * (index + 1)) / entries.length;
    const { crc, bytes } = await writeRows(write, version, content =>
      values.zip64 ? content > 4.1 * 2 ** 30 : offset > limit,
    );
    const compressed = offset - dataOffset;
    const isWide = bytes > 0xffffffff;
    const width = isWide ? 8 : 4;
    await write(
      record([
        [4, 0x08074b50],
        [4, crc],
        [width, compressed],
        [width, bytes],
      ]),
    );
    const extra = isWide
      ? record([
          [2, 1],
          [2, 24],
          [8, bytes],
          [8, compressed],
          [8, localOffset],
        ])
      : Buffer.alloc(0);
    const sizes: Fields = isWide
      ? [
          [4, 0xffffffff],
          [4, 0xffffffff],
        ]
      : [
          [4, compressed],
          [4, bytes],
        ];
    const head: Fields = [[4, 0x02014b50], [2, 20], [2, isWide ? 45 : 20], [2, 8], [2, 8], [4, 0], [4, crc], ...sizes];
    const rest: Fields = [
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, localOffset],
    ];
    central.push(record([...head, ...rest], name, extra));
  }
  const directory = Buffer.concat(central);
  const directoryOffset = offset;
  await write(directory);
  const counts: Fields = [
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
  ];
  await write(record([[4, 0x06054b50], ...counts, [4, directory.length], [4, directoryOffset], [2, 0]]));
  out.end();
  await once(out, 'close');
}

async function writeRows(
  write: (bytes: Buffer) => Promise<void>,
  version: number,
  isEnough: (contentBytes: number) => boolean,
): Promise<{ crc: number; bytes: number }> {
  const deflate = createDeflateRaw({ level: 6, chunkSize: 2 ** 18 });
  const written = (async () => {
    for await (const chunk of deflate) await write(chunk);
  })();
  const columns = columnsAt(values.table, version) ?? [];
  let [crc, bytes] = [0, 0];
  const put = async (text: string) => {
    const chunk = Buffer.from(text);
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    if (!deflate.write(chunk)) await once(deflate, 'drain');
  };
  await put(`${columns.join(',')}\n`);
  const same = Array.from({ length: 500 }, (_, row) => rowText(columns, row)).join('');
  while (!isEnough(bytes)) {
    await put(values.zip64 ? same : Array.from({ length: 1000 }, (_, row) => rowText(columns, row)).join(''));
  }
  deflate.end();
  await written;
  return { crc, bytes };
}

function rowText(columns: readonly string[], row: number): string {
  return `${columns.map(column => fieldText(column, row)).join(',')}\n`;
}

function fieldText(column: string, row: number): string {
  if (column.endsWith('_time')) return `2023-01-18 01:12:${10 + (row % 50)}.${randomInt(100_000, 999_999)}+00`;
  if (column === 'tx_hash') return `\\x${randomBytes(32).toString('hex')}`;
  if (column.endsWith('id')) return pool[randomInt(pool.length)] ?? '';
  if (values.table === 'markets') return `"{""code"": ""M${row}"", ""list"": [{""key"": ""${randomInt(1e9)}""}]}"`;
  return String(randomInt(2 ** 40));
}

type Fields = readonly (readonly [width: 2 | 4 | 8, value: number])[];

function record(fields: Fields, ...tail: readonly Buffer[]): Buffer {
  const parts = fields.map(([width, value]) => {
    const part = Buffer.alloc(width);
    if (width === 8) part.writeBigUInt64LE(BigInt(value));
    else part.writeUIntLE(value, 0, width);
    return part;
  });
  return Buffer.concat([...parts, ...tail]);
}

function format({ wallS, cpuS, rssMib, verdict }: Measured): string {
  const more = cpuS === undefined ? '' : `, CPU ${cpuS.toFixed(2)} s, peak RSS ${rssMib?.toFixed(0)} MiB; ${verdict}`;
  return `${wallS.toFixed(2)} s${more}`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
