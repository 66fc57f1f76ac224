import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { urlOf } from './loopback.ts';

/** A row as a node sends it. */
export interface StrictFee {
  readonly market: string;
  readonly asset: string;
  readonly epochSeq: string;
  readonly totalFeesPaid: string;
  readonly feesPaidPerParty: readonly { readonly party: string; readonly amount: string }[];
}

export interface StrictFeeNode {
  readonly rows: readonly StrictFee[];
  /** What the core says of itself; without it `statistics` is refused. */
  readonly open?: number;
  readonly version?: string;
  /** Parameters that are taken for unknown, and so ignored. */
  readonly ignores?: readonly string[];
  /** Most rows of a page, whatever was asked for. */
  readonly mostRows?: number;
  readonly refusesDerived?: boolean;
}

export interface StrictAnswer {
  readonly status: number;
  readonly body: string;
}

/** The party of an AMM, made apart from the code under test. */
export const ammOf = (party: string, market: string): string =>
  createHash('sha3-256').update(['AMMv1', market, party, '0'].join('')).digest('hex');

const KNOWN = ['marketId', 'assetId', 'epochSeq', 'partyIds', 'epochFrom', 'epochTo', 'includeDerivedParties'];
const PAGING = ['pagination.first', 'pagination.newestFirst'];

/**
 * What a data node answers (node-behaviour.md section 6, protocol.md section 1.3), written apart from the
 * embedded node. A parameter that no data node has is refused, so that a slip of ours is seen.
 */
export function strictFees(node: StrictFeeNode, path: string): StrictAnswer {
  const { pathname, searchParams } = new URL(path, 'http://n');
  const { open, version = 'v0.74.10' } = node;
  if (pathname === '/api/v2/info') return ok({ version });
  if (pathname === '/statistics' && open !== undefined)
    return ok({ statistics: { epochSeq: String(open), appVersion: version, blockHeight: '1', chainId: 'strict' } });
  if (pathname !== '/api/v2/liquidity/paidfees') return refusal(404, 'Not Found');
  const odd = [...searchParams.keys()].find(name => ![...KNOWN, ...PAGING].includes(name));
  if (odd !== undefined) return refusal(400, `unknown parameter ${odd}`);
  const isNew = Number(/^v0\.(\d+)/.exec(version)?.[1]) >= 77;
  const unknown = [...(isNew ? [] : KNOWN.slice(4)), ...(node.ignores ?? [])];
  const one = (name: string): string | null => (unknown.includes(name) ? null : searchParams.get(name));
  const parties = unknown.includes('partyIds') ? [] : searchParams.getAll('partyIds');
  const isDerived = one('includeDerivedParties') === 'true';
  if (isDerived && (node.refusesDerived === true || parties.length === 0)) return refusal(400, 'missing party id');
  const found = inEpochs(node.rows, one).filter(
    row => (one('marketId') ?? row.market) === row.market && (one('assetId') ?? row.asset) === row.asset,
  );
  const isKept = (row: StrictFee, party: string): boolean =>
    parties.includes(party) || (isDerived && parties.some(owner => ammOf(owner, row.market) === party));
  const mine = found
    .map(row => ({
      ...row,
      feesPaidPerParty: row.feesPaidPerParty.filter(({ party }) => parties.length === 0 || isKept(row, party)),
    }))
    .filter(row => row.feesPaidPerParty.length > 0);
  const size = Math.min(Number(searchParams.get('pagination.first')), node.mostRows ?? 5000);
  const page = mine.slice(0, size);
  return ok({
    paidLiquidityFees: {
      edges: page.map((row, index) => ({ node: row, cursor: String(index) })),
      pageInfo: {
        hasNextPage: mine.length > page.length,
        hasPreviousPage: false,
        startCursor: page.length === 0 ? '' : '0',
        endCursor: page.length === 0 ? '' : String(page.length - 1),
      },
    },
  });
}

/** Ordered as the node orders: market, asset, then epoch. */
function inEpochs(rows: readonly StrictFee[], one: (name: string) => string | null): readonly StrictFee[] {
  const sorted = rows.toSorted(
    (left, right) =>
      left.market.localeCompare(right.market) ||
      left.asset.localeCompare(right.asset) ||
      Number(right.epochSeq) - Number(left.epochSeq),
  );
  const [from, to] = [one('epochFrom'), one('epochTo')];
  if (from !== null || to !== null) {
    const [least, most] = [Number(from ?? to), Number(to ?? from)].toSorted((left, right) => left - right);
    return sorted.filter(({ epochSeq }) => Number(epochSeq) >= (least ?? 0) && Number(epochSeq) <= (most ?? 0));
  }
  const epoch = one('epochSeq');
  if (epoch !== null) return sorted.filter(({ epochSeq }) => epochSeq === epoch);
  if (one('marketId') !== null && one('assetId') !== null) return sorted;
  const newest = Math.max(...rows.map(({ epochSeq }) => Number(epochSeq)));
  return sorted.filter(({ epochSeq }) => Number(epochSeq) === newest);
}

const ok = (value: object): StrictAnswer => ({ status: 200, body: JSON.stringify(value) });
const refusal = (status: number, message: string): StrictAnswer => ({
  status,
  body: JSON.stringify({ code: status === 404 ? 5 : 3, message, details: [] }),
});

/** Serves it until the test is finished; `instead` may answer a request in its place, by its number from 1 on. */
export async function serveFees(
  node: StrictFeeNode,
  instead: (request: number, path: string) => StrictAnswer | undefined = () => undefined,
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { status, body } = instead(asked.length, path) ?? strictFees(node, path);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: await urlOf(server), asked };
}
