import { nanosecondsToMs } from '../../base/text/time.ts';
import type { Client } from '../../chain/api/client.ts';
import { SEGMENTS_REQUEST, TIME_REQUEST } from '../../chain/api/core-status.ts';
import { UndecodableError } from '../../chain/api/errors.ts';
import { jsonText, member } from '../../chain/api/json.ts';

import { type Page, readPage } from '../../chain/api/page.ts';
import type { Reply, ReplyHeaders } from '../../chain/api/reply.ts';
import { type NodeRequest, requestUrl } from '../../chain/api/request.ts';
import { type History, readSegmentHistory } from '../../chain/range/segment-history.ts';
import { BOND_ACCOUNT } from '../../chain/resources/bond-accounts.ts';
import { fetchPage } from '../../chain/resources/fetch-page.ts';
import type { FilterValues } from '../../chain/resources/filter.ts';
import { liquidityProvisions } from '../../chain/resources/liquidity-provisions.ts';
import { MAX_PAGE_SIZE } from '../../chain/resources/page-request.ts';
import { paidLiquidityFees } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Resource, RowPage } from '../../chain/resources/resource.ts';
import type { MarketProvisions } from './answers.ts';
import { FEE_EPOCHS } from './fees.ts';

interface PartRequestsOptions {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Called with the headers of each answer, and when they came. */
  readonly onHeaders: (headers: ReplyHeaders, atMs: number) => void;
}

/** The request for each part of the overview, and the data read from its answer. Throws NodeError. */
export class PartRequests {
  readonly #client: Client;
  readonly #options: PartRequestsOptions;

  constructor(client: Client, options: PartRequestsOptions) {
    this.#client = client;
    this.#options = options;
  }

  async reply(request: NodeRequest): Promise<Reply> {
    const { signal, nowMs, onHeaders } = this.#options;
    const reply = await this.#client.get(request, signal);
    onHeaders(reply.facts, reply.headerAtMs ?? nowMs());
    return reply;
  }

  async history(): Promise<History> {
    const history = readSegmentHistory(await this.reply(SEGMENTS_REQUEST));
    if (history === undefined) throw this.#undecodable(SEGMENTS_REQUEST, 'segments');
    return history;
  }

  /** Null if the node does not report it. */
  async blockTimeMs(): Promise<number | null> {
    const { json } = await this.reply(TIME_REQUEST);
    return nanosecondsToMs(jsonText(member(json, 'timestamp'))) ?? null;
  }

  /** The newest rows of a list. */
  async newestRows(resource: Resource, size: number, filters: FilterValues = {}): Promise<RowPage> {
    return (await this.#page(resource, size, filters)).page;
  }

  assets = (): Promise<Page> => this.#records({ path: 'api/v2/assets', query: ALL_RECORDS_QUERY }, 'assets');

  arrivals = (): Promise<Page> => this.#records(ARRIVALS_REQUEST, 'oracleData');

  bonds = (marketId: string): Promise<Page> => this.#records(bondsRequest(marketId), 'accounts');

  async provisionsOfMarket(marketId: string): Promise<MarketProvisions> {
    const filters = { marketId: [marketId], live: ['true'] };
    const { page, facts } = await this.#page(liquidityProvisions, MAX_PAGE_SIZE, filters);
    return { marketId, page, blockTimeMs: nanosecondsToMs(facts.blockTimeNs ?? '') ?? null };
  }

  provisionsOfParty = (partyId: string): Promise<RowPage> =>
    this.newestRows(liquidityProvisions, MAX_PAGE_SIZE, { partyId: [partyId], live: ['true'] });

  /** Nodes from v0.77 on give a range of epochs at once; older ones give the newest epoch instead (protocol.md section 1.2). */
  fees(epoch: bigint | null): Promise<RowPage> {
    const range =
      epoch === null || epoch < 1n
        ? []
        : ([
            ['epochFrom', String(epoch > BigInt(FEE_EPOCHS) ? epoch - BigInt(FEE_EPOCHS) : 1n)],
            ['epochTo', String(epoch)],
          ] as const);
    return this.#rows(paidLiquidityFees, { path: paidLiquidityFees.path, query: [...range, ...ALL_RECORDS_QUERY] });
  }

  marketFees = (marketId: string, assetId: string): Promise<RowPage> =>
    this.#rows(paidLiquidityFees, {
      path: paidLiquidityFees.path,
      query: [
        ['marketId', marketId],
        ['assetId', assetId],
        ['pagination.first', String(FEE_EPOCHS)],
        ['pagination.newestFirst', 'false'],
      ],
    });

  async #page(resource: Resource, size: number, filters: FilterValues) {
    const { signal, nowMs, onHeaders } = this.#options;
    const request = { filters, size, newestFirst: true, position: { kind: 'first' } } as const;
    const { page, facts } = await fetchPage(this.#client, resource, request, signal);
    onHeaders(facts, nowMs());
    return { page, facts };
  }

  async #rows(resource: Resource, request: NodeRequest): Promise<RowPage> {
    const page = resource.page((await this.reply(request)).json);
    if (page === undefined) throw this.#undecodable(request, resource.wrapperKey);
    return page;
  }

  async #records(request: NodeRequest, wrapperKey: string): Promise<Page> {
    const page = readPage((await this.reply(request)).json, wrapperKey);
    if (page === undefined) throw this.#undecodable(request, wrapperKey);
    return page;
  }

  #undecodable = (request: NodeRequest, name: string): UndecodableError =>
    new UndecodableError(`the answer has no "${name}" with a list`, {
      url: requestUrl(this.#client.base, request),
      hint: 'is this the REST address of a v2 data node?',
    });
}

const ALL_RECORDS_QUERY = [['pagination.first', String(MAX_PAGE_SIZE)]] as const;

/** Without a spec, a node lists the newest data of all specs. */
const ARRIVALS_REQUEST: NodeRequest = {
  path: 'api/v2/oracle/data',
  query: [
    ['pagination.first', '1000'],
    ['pagination.newestFirst', 'true'],
  ],
};

const bondsRequest = (marketId: string): NodeRequest => ({
  path: 'api/v2/accounts',
  query: [['filter.marketIds', marketId], ['filter.accountTypes', BOND_ACCOUNT], ...ALL_RECORDS_QUERY],
});
