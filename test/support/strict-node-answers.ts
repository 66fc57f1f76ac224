import { type ExactJson, exactJson } from './exact-json.ts';
import { bundleRows, feeRows, lastEpoch, parameterRows, provisionRows } from './strict-node-data.ts';
import { type ExportOptions, exportBody } from './strict-node-export.ts';
import { oracleRows } from './strict-node-oracles.ts';
import { pageOf, paginationNames, type Row } from './strict-node-pages.ts';
import { booleanOf, checkNames, type Query, queryOf, Refusal, textOf } from './strict-node-query.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Uint8Array[];
  /** Sent as they are made, with no length ahead. */
  readonly isStream: boolean;
}

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly accept: string | undefined;
}

const exportPath = '/api/v2/networkhistory/export';

/** What the document has the node answer; everything it does not name is refused. */
export function answerTo({ method, url, accept }: Asked, options: ExportOptions): Answer {
  const isExport = url.pathname === exportPath;
  try {
    if (method !== 'GET') throw new Refusal(`method ${method} is not allowed`, 405, 12);
    const operation = lists.get(url.pathname);
    if (!isExport && !operation) throw new Refusal(`no operation at ${url.pathname}`, 404, 5);
    if (!/application\/json|\*\/\*/.test(accept ?? '')) throw new Refusal('Accept lacks application/json');
    const query = queryOf(url.searchParams);
    return operation ? jsonAnswer(200, listAnswer(operation, query)) : exportAnswer(query, options);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = { code: error.code, message: error.message, details: [] };
    // An export streams its errors as a member of a message, a list answers with the object itself.
    return jsonAnswer(error.status, isExport ? { error: body } : body);
  }
}

interface ListOperation {
  readonly wrapper: string;
  readonly filters: readonly string[];
  readonly lists?: readonly string[];
  rows(query: Query): readonly Row[];
}

/** The names of the filters of fees and bundles are not in the document: they are those of the public node software. */
const lists: ReadonlyMap<string, ListOperation> = new Map<string, ListOperation>([
  ['/api/v2/network/parameters', { wrapper: 'networkParameters', filters: [], rows: () => parameterRows }],
  ['/api/v2/oracle/specs', { wrapper: 'oracleSpecs', filters: [], rows: () => oracleRows }],
  [
    '/api/v2/liquidity/provisions',
    {
      wrapper: 'liquidityProvisions',
      filters: ['marketId', 'partyId', 'reference', 'live'],
      rows: provisions,
    },
  ],
  [
    '/api/v2/liquidity/paidfees',
    {
      wrapper: 'paidLiquidityFees',
      filters: ['marketId', 'assetId', 'epochSeq', 'partyIds'],
      lists: ['partyIds'],
      rows: fees,
    },
  ],
  [
    '/api/v2/erc20/multisigcontrol/signer/removed/bundles',
    { wrapper: 'bundles', filters: ['nodeId', 'submitter', 'epochSeq'], rows: bundles },
  ],
]);

function listAnswer({ wrapper, filters, lists, rows }: ListOperation, query: Query): ExactJson {
  checkNames(query, [...filters, ...paginationNames], lists);
  return { [wrapper]: pageOf(wrapper, rows(query), query) };
}

/**
 * The document words `live` as "whether to include live provisions; if not set, live ones are not included", and does
 * not say which are live. Taken at its word, with live meaning STATUS_ACTIVE: live=true adds those to all the others,
 * live=false or nothing leaves them out.
 */
function provisions(query: Query): readonly Row[] {
  const includesLive = booleanOf(query, 'live') ?? false;
  return provisionRows.filter(
    ({ node }) =>
      (includesLive || node.status !== 'STATUS_ACTIVE') &&
      isAsked(query, 'marketId', node.marketId) &&
      isAsked(query, 'partyId', node.partyId) &&
      isAsked(query, 'reference', node.reference),
  );
}

/** Asked for parties, a row keeps the shares of these, and goes if none is left. */
function fees(query: Query): readonly Row[] {
  const epoch = textOf(query, 'epochSeq') ?? lastEpoch;
  const parties = query.get('partyIds');
  return feeRows
    .filter(({ node }) => node.epochSeq === epoch)
    .filter(({ node }) => isAsked(query, 'marketId', node.market) && isAsked(query, 'assetId', node.asset))
    .map(({ index, node }) => {
      const shares = node.feesPaidPerParty.filter(share => !parties || parties.includes(share.party));
      return { index, node: { ...node, feesPaidPerParty: shares } };
    })
    .filter(({ node }) => !parties || node.feesPaidPerParty.length > 0);
}

function bundles(query: Query): readonly Row[] {
  return bundleRows.filter(
    ({ node, nodeId }) =>
      isAsked(query, 'nodeId', nodeId) &&
      isAsked(query, 'submitter', node.submitter) &&
      isAsked(query, 'epochSeq', node.epochSeq),
  );
}

function isAsked(query: Query, name: string, value: string): boolean {
  const asked = textOf(query, name);
  return asked === undefined || asked === value;
}

function exportAnswer(query: Query, options: ExportOptions): Answer {
  const { contentType, chunks } = exportBody(query, options);
  return { status: 200, headers: { 'content-type': contentType }, chunks, isStream: true };
}

function jsonAnswer(status: number, body: ExactJson): Answer {
  const headers = { 'content-type': 'application/json', ...(status === 405 ? { allow: 'GET' } : {}) };
  return { status, headers, chunks: [Buffer.from(exactJson(body))], isStream: false };
}
