import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answerTo } from './strict-node-answers.ts';
import * as data from './strict-node-data.ts';
import { chainId, type ExportOptions } from './strict-node-export.ts';
import { type RawAnswer, StrictNodeFaults } from './strict-node-faults.ts';
import { oracleRows } from './strict-node-oracles.ts';
import { type RecordedRequest, type RequestWait, StrictNodeRequests } from './strict-node-requests.ts';

/**
 * A second data node, written from the published interface alone and sharing no code with the project: it serves what
 * the document shows and refuses the rest. Close it, or use `await using`.
 */
export async function startStrictNode(options: Partial<ExportOptions> = {}): Promise<StrictNode> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new StrictNode(server, { framing: 'zip', sizesAfterData: false, ...options });
}

export class StrictNode extends StrictNodeFaults {
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** How many rows there are, before any filter but the ones named. */
  readonly rows = {
    parameters: data.parameterRows.length,
    provisions: data.provisionRows.length,
    /** What a request without `live` gets. */
    provisionsNotLive: data.provisionRows.filter(({ node }) => node.status !== 'STATUS_ACTIVE').length,
    fees: data.feeRows.length,
    /** What a request without `epochSeq` gets. */
    feesOfLastEpoch: data.feeRows.filter(({ node }) => node.epochSeq === data.lastEpoch).length,
    bundles: data.bundleRows.length,
    oracles: oracleRows.length,
  } as const;
  readonly ids = {
    market: data.at(data.marketIds, 0),
    party: data.at(data.partyIds, 0),
    asset: data.at(data.assetIds, 0),
    node: data.at(data.nodeIds, 0),
    submitter: data.at(data.bundleRows, 0).node.submitter,
    /** A reference many provisions share. */
    reference: 'reference-7',
    /** The reference of the second newest provision. */
    hostileReference: data.hostileReference,
    /** The newest provision, with the numbers a double cannot hold. */
    exactProvision: data.at(data.provisionRows, data.provisionRows.length - 1).node.id,
    lastEpoch: data.lastEpoch,
    chain: chainId,
  } as const;
  readonly #server: Server;
  readonly #requests = new StrictNodeRequests();
  readonly #options: ExportOptions;
  readonly #closing = new AbortController();

  constructor(server: Server, options: ExportOptions) {
    super();
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The node listens on no port');
    this.url = `http://127.0.0.1:${address.port}`;
    this.#server = server;
    this.#options = options;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch(error => response.destroy(error));
    });
  }

  /** Every request that arrived, oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests.list;
  }

  /** The first request that meets the condition, one already here or one to come. */
  waitForRequest(condition: (request: RecordedRequest) => boolean, wait?: RequestWait): Promise<RecordedRequest> {
    return this.#requests.waitFor(condition, wait);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#closing.abort();
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(`${this.url}${request.url}`);
    const fault = this.take(url.pathname);
    const setOutcome = this.#requests.add(request, url);
    response.on('close', () => {
      if (fault?.kind === 'drop' || fault?.kind === 'truncate') setOutcome('cut');
      else setOutcome(response.writableFinished ? 'answered' : 'abandoned');
    });
    await this.released();
    await delay(this.delayMs, undefined, { signal: this.#closing.signal });
    if (fault?.kind === 'drop') {
      request.socket.resetAndDestroy();
      return;
    }
    const asked = { method: request.method ?? '', url, accept: request.headers.accept };
    const answer = fault?.kind === 'fail' ? fromRaw(fault.answer) : answerTo(asked, this.#options);
    const chunks = answer.isStream && answer.status === 200 ? [...answer.chunks, this.exportTail] : answer.chunks;
    await send(response, { ...answer, chunks }, fault?.kind === 'truncate' ? fault.bytes : undefined);
  }
}

function fromRaw({ status, body = '', headers = {} }: RawAnswer): Answer {
  return { status, headers, chunks: [Buffer.from(body)], isStream: false };
}

/** Sends an answer whole, or only the first bytes of it before the connection ends. */
async function send(response: ServerResponse, answer: Answer, cutAfter?: number): Promise<void> {
  const length = answer.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const given = Object.keys(answer.headers).map(name => name.toLowerCase());
  const hasFraming = answer.isStream || given.includes('content-length') || given.includes('transfer-encoding');
  response.writeHead(answer.status, hasFraming ? answer.headers : { ...answer.headers, 'content-length': length });
  if (cutAfter === undefined) return pipeline(Readable.from(answer.chunks), response);
  response.flushHeaders();
  const start = Buffer.concat(answer.chunks).subarray(0, cutAfter);
  await new Promise<void>(resolve => {
    response.write(start, () => resolve());
  });
  // HTTP clients drop what they had not read when the connection ends early: the bytes get time to be read.
  await delay(50);
  response.socket?.destroySoon();
}
