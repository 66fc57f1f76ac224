import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a request meets on its way to the store. */
export type Fate =
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** The line breaks when so many bytes of the answer are through; 0: before the store hears of it. */
  | { readonly kind: 'cut'; readonly answerBytes: number }
  /** The store does it, and its answer is lost. */
  | { readonly kind: 'lose-answer' }
  | { readonly kind: 'never-answer' }
  /** The answer has another first byte. */
  | { readonly kind: 'spoil' };

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** A store of objects behind a line on which things happen. */
export interface ObjectServer {
  readonly url: string;
  readonly env: { readonly [name: string]: string };
  readonly heard: readonly Heard[];
  /** What the next requests meet; undefined: nothing. */
  meet(fate: (heard: Heard, index: number) => Fate | undefined): void;
  /** Asks the store itself, past the line and as it is. */
  readonly get: (path: string) => Promise<Buffer | undefined>;
  /** Keys in the bucket. */
  readonly keys: () => Promise<readonly string[]>;
  close(): Promise<void>;
}

/** s3rver 3.7.1 has a type for nothing, and takes every signature of version 4 for a good one. */
const S3rver = createRequire(import.meta.url)('s3rver');

export const BUCKET = 'history';

export async function startObjectServer(): Promise<ObjectServer> {
  const directory = await mkdtemp(join(tmpdir(), 'blockglass-s3-'));
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await store.run();
  let fate: (heard: Heard, index: number) => Fate | undefined = () => undefined;
  const heard: Heard[] = [];
  const line = createServer((asked, answer) => {
    const one = { method: asked.method ?? '', path: asked.url ?? '', headers: asked.headers };
    heard.push(one);
    pass(asked, answer, { port, fate: fate(one, heard.length - 1) });
  });
  await new Promise<void>(resolve => line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const get = async (path: string): Promise<Buffer | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/${BUCKET}${path}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.ok ? bytes : undefined;
  };
  return {
    url,
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER-not-to-be-shown', AWS_ENDPOINT_URL: url },
    heard,
    meet: next => {
      fate = next;
      heard.length = 0;
    },
    get,
    keys: async () => {
      const listed = (await get('?list-type=2'))?.toString() ?? '';
      return [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key).toSorted();
    },
    close: async () => {
      line.closeAllConnections();
      line.close();
      store.httpServer.closeAllConnections();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  { port, fate }: { readonly port: number; readonly fate: Fate | undefined },
): void {
  if (fate?.kind === 'never-answer') return void asked.resume();
  if (fate?.kind === 'cut' && fate.answerBytes === 0) return void asked.socket.destroy();
  if (fate?.kind === 'refuse') {
    asked.resume();
    asked.on('end', () => answer.writeHead(fate.status, fate.headers).end(fate.body));
    return;
  }
  const onward = request({ host: '127.0.0.1', port, method: asked.method, path: asked.url, headers: asked.headers });
  onward.on('error', () => asked.socket.destroy());
  onward.on('response', told => {
    if (fate?.kind === 'lose-answer') {
      told.resume();
      told.on('end', () => asked.socket.destroy());
      return;
    }
    answer.writeHead(told.statusCode ?? 500, told.headers);
    if (fate?.kind === 'cut') {
      told.once('data', (chunk: Buffer) =>
        answer.write(chunk.subarray(0, fate.answerBytes), () => asked.socket.destroy()),
      );
    } else if (fate?.kind === 'spoil') {
      let isFirst = true;
      told.on('data', (chunk: Buffer) => {
        if (isFirst) chunk[0] = (chunk[0] ?? 0) ^ 1;
        isFirst = false;
        answer.write(chunk);
      });
      told.on('end', () => answer.end());
    } else told.pipe(answer);
  });
  asked.pipe(onward);
}

export const refusal = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
