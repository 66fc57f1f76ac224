import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../support/loopback.ts';

/** A proxy before a node that can stop an export in the middle, while everything else passes. */
export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Lets the rest of the export through. */
  open(): void;
}

export interface GateOptions {
  /** Bytes of an export that pass before it stands still; all of them when absent. */
  readonly holdAfter?: number;
  /** Sent behind the last byte of an export. */
  readonly tail?: string;
}

export async function startGate(node: string, options: GateOptions): Promise<Gate> {
  const opened = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const upstream = get(`${node}${request.url}`, { headers: { accept: request.headers.accept ?? '*/*' } }, answer => {
      const pass = request.url?.includes('/networkhistory/export') ? passExport : passWhole;
      pass(answer, response).catch(error => response.destroy(error));
    });
    upstream.on('error', error => response.destroy(error));
    response.on('close', () => upstream.destroy());
  });
  async function passExport(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    response.writeHead(answer.statusCode ?? 500, headersOf(answer));
    let left = options.holdAfter ?? Number.POSITIVE_INFINITY;
    for await (const chunk of answer) {
      if (chunk.length >= left) {
        response.write(chunk.subarray(0, left));
        await opened.promise;
        response.write(chunk.subarray(left));
        left = Number.POSITIVE_INFINITY;
      } else {
        left -= chunk.length;
        response.write(chunk);
      }
    }
    response.end(options.tail ?? '');
  }
  const { url, [Symbol.asyncDispose]: close } = await listening(server);
  return {
    url,
    open: () => opened.resolve(),
    [Symbol.asyncDispose]: async () => {
      opened.resolve();
      await close();
    },
  };
}

async function passWhole(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 500, headersOf(answer));
  for await (const chunk of answer) response.write(chunk);
  response.end();
}

/** All but the framing, which is this proxy's own. */
function headersOf(answer: IncomingMessage) {
  const {
    'content-length': _length,
    'transfer-encoding': _encoding,
    connection: _connection,
    ...headers
  } = answer.headers;
  return headers;
}
