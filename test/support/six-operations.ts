import { createServer, type Server, type ServerResponse } from 'node:http';

/** A refusal of an operation that a node does not have: what, status, content type, body. */
export type Refusal = readonly [what: string, status: number, type: string, body: string];

const HTML = '<!DOCTYPE html><html><head><title>Not here</title></head><body>nginx</body></html>';

/** A gateway's error with a detail of this type. */
const withDetail = (code: number, message: string, type: string, rest: object): string =>
  JSON.stringify({ code, message, details: [{ '@type': `type.googleapis.com/${type}`, ...rest }] });

const NO_ROUTE = { code: 10_000, message: 'no such operation', inner: 'no resource corresponding to this id' };

/** How nodes, gateways and proxies refuse an operation that they do not have. */
export const REFUSALS: readonly Refusal[] = [
  ['404 of the node', 404, 'application/json', '{"code":5,"message":"Not Found","details":[]}'],
  [
    '404 with a detail of the node',
    404,
    'application/json',
    withDetail(5, 'NotFound error', 'vega.ErrorDetail', NO_ROUTE),
  ],
  [
    '404 of another gRPC gateway',
    404,
    'application/json',
    withDetail(5, 'no route', 'google.rpc.ErrorInfo', { reason: 'NO_ROUTE' }),
  ],
  ['404 of another gateway', 404, 'application/json', '{"error":"not_found","path":"/x"}'],
  ['404 with a page', 404, 'text/html', HTML],
  ['404 without a body', 404, 'text/plain', ''],
  ['404 with a list for a body', 404, 'application/json', '[]'],
  ['403 of a proxy', 403, 'text/html', HTML],
  ['405', 405, 'text/plain', 'Method Not Allowed'],
  ['400 for an unknown method', 400, 'application/json', '{"code":3,"message":"unknown method","details":[]}'],
  ['410', 410, 'text/html', HTML],
  [
    '500 for an unknown method',
    500,
    'application/json',
    '{"code":12,"message":"unknown method ListAllLiquidityProvisions","details":[]}',
  ],
  ['501 of the node', 501, 'application/json', '{"code":12,"message":"Method Not Allowed","details":[]}'],
  [
    '501 with a detail of the node',
    501,
    'application/json',
    withDetail(12, 'Unimplemented error', 'vega.ErrorDetail', NO_ROUTE),
  ],
  ['501 with a page', 501, 'text/html', HTML],
  ['200 with a page', 200, 'text/html', HTML],
  ['200 with JSON of a gateway', 200, 'application/json', '{"error":"no such route"}'],
];

const SIX: ReadonlySet<string> = new Set([
  '/api/v2/networkhistory/export',
  '/api/v2/oracle/specs',
  '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
  '/api/v2/liquidity/paidfees',
  '/api/v2/liquidity/provisions',
  '/api/v2/network/parameters',
]);

/** In front of a node: the six operations of the interface, and refusals of all else. */
export class SixOperations {
  readonly server: Server;
  /** Paths with their queries, as they came. */
  readonly asked: string[] = [];
  refusal: Refusal = REFUSALS[0] ?? ['404', 404, 'text/plain', ''];
  /** Served beside the six. */
  also: (path: string) => boolean = () => false;

  constructor(upstream: string) {
    this.server = createServer(async (request, response) => {
      const url = request.url ?? '';
      const [path = ''] = url.split('?');
      this.asked.push(url);
      if (SIX.has(path) || this.also(path)) await forward(`${upstream}${url}`, response);
      else refuse(this.refusal, response);
    });
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function refuse([, status, type, body]: Refusal, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

async function forward(url: string, response: ServerResponse): Promise<void> {
  const answered = await fetch(url);
  const headers = [...answered.headers].filter(([name]) => /^(?:x-block-|content-type)/.test(name));
  response.writeHead(answered.status, Object.fromEntries(headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}
