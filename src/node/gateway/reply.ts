import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { corsHeaders } from './cors.ts';

/** A body sent at once, or produced while the client reads; the signal fires when the client disconnects. */
export type ReplyBody = string | ((signal: AbortSignal) => AsyncIterable<Uint8Array>);

export interface NodeReply {
  readonly status: number;
  /** In order; a name may occur twice, like Content-Type on errors. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ReplyBody;
}

/** Both ends of an HTTP exchange. The web's Request and Response cannot hold a header twice. */
export interface HttpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export async function sendReply(reply: NodeReply, { incoming, outgoing }: HttpExchange): Promise<void> {
  outgoing.statusCode = reply.status;
  for (const [name, value] of [...reply.headers, ...corsHeaders(incoming)]) outgoing.appendHeader(name, value);
  // Nodes look for the substring only: "gzip;q=0" is compressed too (node-behaviour.md section 2).
  const isAccepted = incoming.headers['accept-encoding']?.toString().includes('gzip') ?? false;
  const isGzipped = isAccepted && reply.status !== 204;
  if (isGzipped) outgoing.setHeader('Content-Encoding', 'gzip');
  if (typeof reply.body === 'string' && !isGzipped) {
    outgoing.end(reply.body);
    return;
  }
  await stream(reply.body, outgoing, isGzipped);
}

async function stream(body: ReplyBody, outgoing: ServerResponse, isGzipped: boolean): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const source = Readable.from(typeof body === 'string' ? [Buffer.from(body)] : body(gone.signal));
  try {
    if (isGzipped) await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), outgoing);
    else await pipeline(source, outgoing);
  } catch (error) {
    // A client that disconnects is not an error; anything else is our bug and must be seen.
    if (!gone.signal.aborted) throw error;
  }
}
