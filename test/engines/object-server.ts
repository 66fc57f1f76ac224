import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listening } from '../support/loopback.ts';

export const BUCKET = 'history';

/** Folders as the prefixes of a bucket that can be read and listed; no request is signed. */
export interface ObjectServer extends AsyncDisposable {
  readonly url: string;
  readonly env: { readonly [name: string]: string };
  /** Paths of the requests, in their order. */
  readonly heard: string[];
}

export async function startObjectServer(folders: ReadonlyMap<string, string>): Promise<ObjectServer> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    answer(folders, request, response).catch(() => response.destroy());
  });
  const { url, [Symbol.asyncDispose]: close } = await listening(server);
  const keys = { AWS_ACCESS_KEY_ID: 'reader', AWS_SECRET_ACCESS_KEY: 'not-checked' };
  return { url, heard, env: { ...keys, AWS_ENDPOINT_URL: url }, [Symbol.asyncDispose]: close };
}

async function answer(folders: ReadonlyMap<string, string>, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store');
  const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
  const key = rest.join('/');
  if (bucket !== BUCKET) return refuse(response, 'NoSuchBucket');
  if (key === '') return list(folders, searchParams, response);
  const [name = '', ...below] = rest;
  const folder = folders.get(name);
  const path = folder === undefined ? undefined : join(folder, ...below);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !found?.isFile()) return refuse(response, 'NoSuchKey');
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const start = from === '' ? Math.max(0, found.size - Number(to || found.size)) : Number(from);
  const end = from === '' || to === '' ? found.size - 1 : Math.min(Number(to), found.size - 1);
  const isPart = request.headers.range !== undefined;
  response.writeHead(isPart ? 206 : 200, {
    'Content-Length': end - start + 1,
    'Content-Type': 'application/octet-stream',
    'Last-Modified': found.mtime.toUTCString(),
    'Accept-Ranges': 'bytes',
    ETag: `"${found.size}-${found.mtimeMs}"`,
    ...(isPart && { 'Content-Range': `bytes ${start}-${end}/${found.size}` }),
  });
  if (request.method === 'HEAD' || end < start) return void response.end();
  createReadStream(path, { start, end }).pipe(response);
}

/** ListObjectsV2, on one page. */
async function list(folders: ReadonlyMap<string, string>, query: URLSearchParams, response: ServerResponse) {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('start-after') ?? '';
  const objects = new Map<string, string>();
  const prefixes = new Set<string>();
  for (const [name, folder] of folders)
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const key = `${name}${path.slice(folder.length)}`;
      if (!key.startsWith(prefix) || key <= after) continue;
      const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      if (cut >= 0) prefixes.add(key.slice(0, cut + delimiter.length));
      else objects.set(key, path);
    }
  const contents = [];
  for (const key of [...objects.keys()].toSorted()) {
    const { size, mtime, mtimeMs } = await stat(objects.get(key) ?? '');
    contents.push(
      `<Contents><Key>${key}</Key><LastModified>${mtime.toISOString()}</LastModified><ETag>"${size}-${mtimeMs}"</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
  }
  const common = [...prefixes].toSorted().map(text => `<CommonPrefixes><Prefix>${text}</Prefix></CommonPrefixes>`);
  response.writeHead(200, { 'Content-Type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><KeyCount>${contents.length + common.length}</KeyCount><MaxKeys>1000000</MaxKeys><IsTruncated>false</IsTruncated>${contents.join('')}${common.join('')}</ListBucketResult>`,
  );
}

function refuse(response: ServerResponse, code: string): void {
  response.writeHead(404, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
