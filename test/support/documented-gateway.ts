import { createServer, request } from 'node:http';
import { type Listening, listening } from './loopback.ts';

/** The six operations of the published interface. */
const OPERATIONS = [
  ...['network/parameters', 'oracle/specs', 'liquidity/provisions', 'liquidity/paidfees', 'networkhistory/export'],
  'erc20/multisigcontrol/signer/removed/bundles',
].map(path => `/api/v2/${path}`);

/** Headers that the published interface does not name. */
const UNDOCUMENTED = /^(?:x-block-|ratelimit-|content-disposition$)/;

interface GatewayOptions {
  /** What it exports; everything by default. */
  readonly tables?: readonly string[];
  /** The newest block in a header of each list, which deployed gateways send; left out by default. */
  readonly newestBlock?: number;
}

export interface DocumentedGateway extends Listening {
  /** What was asked, in its order. */
  readonly asked: readonly string[];
}

/**
 * A gateway before a node that passes on the operations of the published interface, and nothing else of the node: no segments,
 * no statistics, no epochs, no names, and no header that is not in the document.
 */
export async function documentedGateway(
  node: string,
  { tables, newestBlock }: GatewayOptions = {},
): Promise<DocumentedGateway> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', node);
    asked.push(`${url.pathname}${url.search}`);
    const table = url.searchParams.get('table')?.replace('TABLE_', '').toLowerCase();
    const isServed = table === undefined || (tables?.includes(table) ?? true);
    if (!OPERATIONS.includes(url.pathname) || !isServed) {
      outgoing.writeHead(isServed ? 404 : 400, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ code: isServed ? 5 : 3, message: 'Not Found', details: [] }));
      return;
    }
    const passed = request(url, { method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: url.host } });
    passed.on('response', answer => {
      const headers = Object.entries(answer.headers).filter(([name]) => !UNDOCUMENTED.test(name));
      if (newestBlock !== undefined) headers.push(['x-block-height', String(newestBlock)]);
      outgoing.writeHead(answer.statusCode ?? 500, Object.fromEntries(headers));
      answer.pipe(outgoing);
    });
    passed.on('error', error => outgoing.destroy(error));
    outgoing.on('close', () => passed.destroy());
    passed.end();
  });
  return { ...(await listening(server)), asked };
}
