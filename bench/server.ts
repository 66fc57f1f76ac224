/**
 * A node for benchmarks: provisions paged by offset out of ready-made text, segments, and an archive from a file. It
 * runs in a process of its own, so that its work is not counted as ours.
 *
 *   node bench/server.ts ROWS DELAY_MS [ARCHIVE [BYTES_PER_SECOND [names]]]
 *
 * Where ARCHIVE is a folder, it has an archive for each slice of ten segments: 1-10000.zip, 10001-20000.zip and so on.
 */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { asListed, nameLists, provisionText, READY } from './records.ts';

const [rowsText = '5000', delayText = '0', archive = '', paceText = '0', named = ''] = process.argv.slice(2);
const rows = Number(rowsText);
const delayMs = Number(delayText);
const pace = Number(paceText);
const lists = named === 'names' ? nameLists() : {};
const slices = archive !== '' && statSync(archive).isDirectory() ? readdirSync(archive) : undefined;
const ready = Array.from({ length: Math.min(rows, READY) }, (_, index) => provisionText(index));

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (delayMs > 0) await wait(delayMs);
  if (url.pathname.endsWith('/networkhistory/segments')) return json(response, segments());
  if (url.pathname.endsWith('/networkhistory/export')) return sendArchive(response, archiveOf(url.searchParams));
  if (/\/liquidity\/(?:all-)?provisions$/.test(url.pathname)) return json(response, page(url.searchParams));
  const list = lists[url.pathname.replace(/^.*\//, '')];
  if (list !== undefined) return json(response, list);
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end('{"code":5,"message":"Not Found","details":[]}');
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}\n`);
});

function page(query: URLSearchParams): string {
  const size = Number(query.get('pagination.first') ?? 1000);
  const from = Number(query.get('pagination.after') ?? -1) + 1;
  const to = Math.min(rows, from + size);
  const edges: string[] = [];
  for (let index = from; index < to; index++) edges.push(`{"node":${rowText(index)},"cursor":"${index}"}`);
  return `{"liquidityProvisions":{"edges":[${edges.join(',')}],"pageInfo":{"hasNextPage":${to < rows},"hasPreviousPage":${from > 0},"startCursor":"${from}","endCursor":"${to - 1}"}}}`;
}

const rowText = (index: number): string => asListed(ready[index % ready.length] ?? '', index);

function segments(): string {
  if (slices !== undefined)
    return JSON.stringify({ segments: Array.from({ length: slices.length * 10 }, linkedSegment) });
  const versions = [54, 68, 90, 93];
  const list = versions.map(
    (version, index) =>
      `{"fromHeight":"${index * 1000 + 1}","toHeight":"${index * 1000 + 1000}","historySegmentId":"Qm${index}","previousHistorySegmentId":"","databaseVersion":"${version}","chainId":"bench-chain-1"}`,
  );
  return `{"segments":[${list.join(',')}]}`;
}

function json(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'x-block-height': '4000' });
  response.end(text);
}

const linkedSegment = (_: unknown, index: number) => ({
  ...{ fromHeight: String(index * 1000 + 1), toHeight: String(index * 1000 + 1000), historySegmentId: `Qm${index}` },
  ...{ previousHistorySegmentId: index === 0 ? '' : `Qm${index - 1}`, databaseVersion: '93', chainId: 'bench-chain-1' },
});

const archiveOf = (query: URLSearchParams): string =>
  slices === undefined ? archive : join(archive, `${query.get('fromBlock')}-${query.get('toBlock')}.zip`);

async function sendArchive(response: ServerResponse, path: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/zip' });
  const file = createReadStream(path, { highWaterMark: 2 ** 20 });
  if (pace === 0) {
    file.pipe(response);
    return;
  }
  const startedMs = performance.now();
  let sent = 0;
  for await (const chunk of file) {
    sent += chunk.length;
    if (!response.write(chunk)) await new Promise(resolve => response.once('drain', resolve));
    const aheadMs = (sent / pace) * 1000 - (performance.now() - startedMs);
    if (aheadMs > 1) await wait(aheadMs);
  }
  response.end();
}
