import { setImmediate as pause } from 'node:timers/promises';
import { readAddress } from '../../base/text/ids.ts';
import { nanosecondsToMs } from '../../base/text/time.ts';
import type { Client } from '../../chain/api/client.ts';
import {
  EPOCH_REQUEST,
  INFO_REQUEST,
  SEGMENTS_REQUEST,
  STATISTICS_REQUEST,
  TIME_REQUEST,
} from '../../chain/api/core-status.ts';
import { isBackendUnavailable, RateLimitedError, UndecodableError } from '../../chain/api/errors.ts';
import { jsonText, member } from '../../chain/api/json.ts';
import { type Page, readPage } from '../../chain/api/page.ts';
import type { Reply, ReplyHeaders } from '../../chain/api/reply.ts';
import { type NodeRequest, requestUrl } from '../../chain/api/request.ts';
import { isArchive, isOtherBlock, readNewestBlock } from '../../chain/directory/chain-state.ts';
import type { Mine } from '../../chain/directory/mine.ts';
import { type CheckedBundle, checkBundle } from '../../chain/insight/signer-bundle/checked-bundle.ts';
import { loadRecovery } from '../../chain/insight/signer-bundle/signatures.ts';
import { type History, readSegmentHistory } from '../../chain/range/segment-history.ts';
import { BOND_ACCOUNT } from '../../chain/resources/bond-accounts.ts';
import { fetchPage } from '../../chain/resources/fetch-page.ts';
import type { FilterValues } from '../../chain/resources/filter.ts';
import { liquidityProvisions } from '../../chain/resources/liquidity-provisions.ts';
import { markets } from '../../chain/resources/markets.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import { MAX_PAGE_SIZE } from '../../chain/resources/page-request.ts';
import { paidLiquidityFees } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Resource, Row, RowPage } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { readValidator, validators } from '../../chain/resources/validators.ts';
import { bundlesToCheck, newestToCheck } from '../rules/bundle-to-submit.ts';
import {
  answeredChainState,
  EXTRA_REQUESTS_WITHOUT_CORE,
  isUnreachable,
  MAX_OVERVIEW_REQUESTS,
  MAX_OWN_PARTIES,
  NO_ANSWERS,
  type OverviewAnswers,
  type PartAnswer,
  runPartRequest,
  skippedAnswer,
} from './answers.ts';
import { answeredEpoch, answeredFees, FEE_EPOCHS, findTopMarket } from './fees.ts';
import { withRequestBudget } from './request-budget.ts';

export interface OverviewOptions {
  readonly signal: AbortSignal;
  readonly nowMs?: () => number;
  /** Called with all answers so far, each time there is one more. */
  readonly onAnswer?: (answers: OverviewAnswers) => void;
  /** The user says that the chain goes on, however old its newest block is. */
  readonly isLive?: boolean;
  /** What is the user's on a chain; nothing without it. */
  readonly mineOn?: (chainId: string) => Mine | Promise<Mine>;
  /** Said of what there is no request left for. */
  readonly whyLeftOut?: string;
  /** Of the multisig contract, if the user gave them. */
  readonly threshold?: number | undefined;
  readonly signerCount?: number | undefined;
}

/**
 * Asks for everything on the overview, in at most MOST_OVERVIEW_REQUESTS requests. The first ones are sent alone, because their
 * headers say how many the node allows. Throws only when aborted.
 */
export async function requestOverview(client: Client, options: OverviewOptions): Promise<OverviewAnswers> {
  const asking = new OverviewRequester(client, options);
  await asking.first();
  if (asking.isDead()) return asking.giveUp();
  await asking.lists();
  await asking.followUps();
  await asking.again('own');
  return asking.answers;
}

/** A part that can be asked for again. */
export type OverviewPart = Exclude<keyof OverviewAnswers, 'info' | 'checked' | 'block' | 'doubts' | 'requests'>;

/** The answers with one part asked for again, in one request. Throws only when aborted. */
export async function requestOverviewPart(
  client: Client,
  part: OverviewPart,
  options: PartRequestOptions,
): Promise<OverviewAnswers> {
  const asking = new OverviewRequester(client, options, options.answers);
  await asking.again(part);
  return asking.answers;
}

interface PartRequestOptions extends OverviewOptions {
  readonly answers: OverviewAnswers;
}

class OverviewRequester {
  answers: OverviewAnswers;
  readonly #client: Client;
  readonly #sent: () => number;
  readonly #options: OverviewOptions;
  readonly #nowMs: () => number;
  /** Sent before it. */
  readonly #before: number;
  #isEpochAsked = false;
  #knowsRate = false;
  #isTight = false;
  #knowsBlock = false;
  #ownParties = 0;

  constructor(client: Client, options: OverviewOptions, answers = NO_ANSWERS) {
    this.answers = answers;
    this.#before = answers.requests;
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    const { client: limited, sent } = withRequestBudget(client, {
      most: this.#most,
      spent: options.whyLeftOut ?? 'not asked for, to send no more requests at once',
      waitsUntilMs: this.#nowMs() + MAX_WAIT_MS,
    });
    this.#client = limited;
    this.#sent = sent;
  }

  /** The core, and a second request if its answer does not say how many the node allows. */
  async first(): Promise<void> {
    await this.again('statistics');
    const { statistics } = this.answers;
    const notNeeded = skippedAnswer<never>('not needed', this.#nowMs());
    if (isBusy(statistics)) return this.#put({ epoch: notNeeded });
    const isSilent = statistics.kind === 'failed' && !isUnreachable(statistics);
    if (!this.#knowsRate || isSilent) await this.again('segments');
    // Without both it is a node that serves lists alone.
    this.#isEpochAsked =
      isSilent && (isBackendUnavailable(statistics.error) || this.answers.segments.kind === 'answered');
    if (this.#isEpochAsked) await this.again('epoch');
    else this.#put({ epoch: notNeeded });
  }

  #most = (): number =>
    MAX_OVERVIEW_REQUESTS + this.#ownParties + (this.#isEpochAsked ? EXTRA_REQUESTS_WITHOUT_CORE : 0);

  isDead(): boolean {
    const { statistics, segments } = this.answers;
    return isUnreachable(statistics) && isUnreachable(segments);
  }

  /** Nothing else is sent to a node that cannot be reached. */
  giveUp(): OverviewAnswers {
    const { statistics } = this.answers;
    const why = statistics.kind === 'failed' ? statistics.why : 'the node does not answer';
    const missing = skippedAnswer<never>(why, this.#nowMs());
    this.answers = {
      ...this.answers,
      ...{
        epoch: missing,
        info: missing,
        markets: missing,
        validators: missing,
        bundles: missing,
        checked: missing,
        specs: missing,
      },
      ...{
        arrivals: missing,
        assets: missing,
        fees: missing,
        marketFees: missing,
        provisions: missing,
        bonds: missing,
        own: missing,
      },
    };
    this.#options.onAnswer?.(this.answers);
    return this.answers;
  }

  async lists(): Promise<void> {
    const { statistics, segments } = this.answers;
    await this.#all([
      async () => (segments.kind === 'waiting' ? this.again('segments') : undefined),
      () => this.again('markets'),
      () => this.again('fees'),
      () => this.again('assets'),
      () => this.#bundles(),
      () => this.again('specs'),
      () => this.#ofLiveChain('arrivals'),
    ]);
    // Without its core the node itself says at least which build it is.
    if (statistics.kind === 'answered') this.#put({ info: skippedAnswer('not needed', this.#nowMs()) });
    else await this.#ask('info', () => this.#get(INFO_REQUEST));
    if (this.answers.block.timeMs === null) await this.#blockTime();
  }

  /** What depends on the market with the most fees. */
  async followUps(): Promise<void> {
    const top = findTopMarket(this.answers);
    const nowMs = this.#nowMs();
    if (top === null) {
      const missing = skippedAnswer<never>('no market is known to ask about', nowMs);
      this.#put({ provisions: missing, bonds: missing, marketFees: missing });
      return;
    }
    await this.again('provisions');
    if (answeredFees(this.answers).isRange || top.assetId === '')
      this.#put({ marketFees: skippedAnswer('not needed', nowMs) });
    else await this.again('marketFees');
    await this.#ofLiveChain('bonds');
  }

  /** What only rules read that have nothing to judge on a chain that has ended. */
  async #ofLiveChain(part: 'arrivals' | 'bonds'): Promise<void> {
    const isEnded = this.#options.isLive !== true && isArchive(answeredChainState(this.answers));
    if (isEnded) this.#put({ [part]: skippedAnswer(CHAIN_ENDED, this.#nowMs()) });
    else await this.again(part);
  }

  /** Asks for one part, whether or not it was asked for before. */
  async again(part: OverviewPart): Promise<void> {
    switch (part) {
      case 'statistics':
        return this.#ask('statistics', () => this.#get(STATISTICS_REQUEST));
      case 'epoch':
        return this.#ask('epoch', () => this.#get(EPOCH_REQUEST));
      case 'segments':
        return this.#ask('segments', () => this.#history());
      case 'markets':
        return this.#ask('markets', () => this.#page(markets, {}, MAX_PAGE_SIZE));
      case 'fees':
        return this.#ask('fees', () => this.#fees());
      case 'assets':
        return this.#ask('assets', () => this.#records({ path: 'api/v2/assets', query: ALL_RECORDS_QUERY }, 'assets'));
      case 'validators':
        return this.#ask('validators', () => this.#page(validators, {}, MAX_PAGE_SIZE));
      case 'bundles':
        await this.#ask('bundles', () => this.#page(signerBundles, {}, BUNDLES_READ));
        return this.#check();
      case 'specs':
        return this.#ask('specs', () => this.#page(oracleSpecs, {}, SPECS_READ));
      case 'arrivals':
        return this.#ask('arrivals', () => this.#records(ARRIVALS_REQUEST, 'oracleData'));
      case 'provisions':
      case 'marketFees':
      case 'bonds':
        return this.#ofTopMarket(part);
      case 'own':
        return this.#own();
    }
  }

  /** One answer has all that a party provides. */
  async #own(): Promise<void> {
    const { chainId } = answeredChainState(this.answers);
    const mine = chainId === null ? undefined : await this.#options.mineOn?.(chainId);
    const parties = [...(mine?.party ?? [])].slice(0, MAX_OWN_PARTIES);
    if (parties.length === 0) return this.#put({ own: skippedAnswer('no party is marked as yours', this.#nowMs()) });
    this.#ownParties = parties.length;
    const found = new Map<string, PartAnswer<RowPage>>();
    for (const id of parties) {
      const filters = { partyId: [id], live: ['true'] };
      found.set(id, await runPartRequest(() => this.#page(liquidityProvisions, filters, MAX_PAGE_SIZE), this.#while()));
    }
    this.#put({ own: { kind: 'answered', value: found, atMs: this.#nowMs() } });
  }

  async #ofTopMarket(part: 'provisions' | 'marketFees' | 'bonds'): Promise<void> {
    const top = findTopMarket(this.answers);
    if (top === null) return;
    const { marketId, assetId } = top;
    switch (part) {
      case 'provisions': {
        const filters = { marketId: [marketId], live: ['true'] };
        return this.#ask('provisions', async () => {
          const { page, facts } = await this.#pageAndFacts(liquidityProvisions, filters, MAX_PAGE_SIZE);
          return { marketId, page, blockTimeMs: parseBlockTime(facts) };
        });
      }
      case 'marketFees':
        return this.#ask('marketFees', async () => ({
          marketId,
          assetId,
          newestBefore: answeredFees(this.answers).newest,
          page: await this.#marketFees(marketId, assetId),
        }));
      case 'bonds':
        return this.#ask('bonds', () => this.#records(bondsRequest(marketId), 'accounts'));
    }
  }

  /** At once, unless the node allows so few that only its last answer says whether there is room for another. */
  async #all(asks: readonly (() => Promise<void>)[]): Promise<void> {
    if (!this.#isTight) return void (await Promise.all(asks.map(ask => ask())));
    for (const ask of asks) await ask();
  }

  async #history(): Promise<History> {
    const reply = await this.#get(SEGMENTS_REQUEST);
    const history = readSegmentHistory(reply);
    if (history === undefined) throw this.#undecodable(SEGMENTS_REQUEST, 'segments');
    return history;
  }

  async #bundles(): Promise<void> {
    await this.#all([
      () => this.again('validators'),
      () => this.#ask('bundles', () => this.#page(signerBundles, {}, BUNDLES_READ)),
    ]);
    await this.#check();
  }

  async #check(): Promise<void> {
    const { bundles, validators: nodes } = this.answers;
    if (bundles.kind !== 'answered' || nodes.kind !== 'answered')
      return this.#put({ checked: skippedAnswer('bundles or validators could not be read', this.#nowMs()) });
    await this.#ask('checked', () => this.#checked(bundles.value.rows, nodes.value.rows));
  }

  async #checked(bundles: readonly Row[], nodes: readonly Row[]): Promise<ReadonlyMap<Row, CheckedBundle>> {
    const rows = newestToCheck(bundlesToCheck(bundles, nodes, this.#epoch()));
    const checked = new Map<Row, CheckedBundle>();
    if (rows.length === 0) return checked;
    const { threshold, signerCount } = this.#options;
    const addresses = nodes.flatMap(row => readAddress(readValidator(row).ethereumAddress) ?? []);
    const recovery = await loadRecovery();
    for (const row of rows) {
      this.#options.signal.throwIfAborted();
      const chainId = jsonText(row.chainId);
      const text = {
        oldSigner: jsonText(row.oldSigner),
        submitter: jsonText(row.submitter),
        nonce: jsonText(row.nonce),
        signatures: jsonText(row.signatures),
      };
      const known = { known: new Set(addresses), chainIds: /^\d+$/.test(chainId) ? [chainId] : [], recovery, pause };
      checked.set(row, await checkBundle(text, { ...known, threshold, signerCount, isQuick: true }));
    }
    return checked;
  }

  /** Nodes from v0.77 on give a range of epochs at once; older ones give the newest epoch instead (protocol.md section 1.2). */
  async #fees(): Promise<RowPage> {
    const epoch = this.#epoch();
    const range =
      epoch === null || epoch < 1n
        ? []
        : ([
            ['epochFrom', String(epoch > BigInt(FEE_EPOCHS) ? epoch - BigInt(FEE_EPOCHS) : 1n)],
            ['epochTo', String(epoch)],
          ] as const);
    return this.#rows(paidLiquidityFees, { path: paidLiquidityFees.path, query: [...range, ...ALL_RECORDS_QUERY] });
  }

  #marketFees = (marketId: string, assetId: string): Promise<RowPage> =>
    this.#rows(paidLiquidityFees, {
      path: paidLiquidityFees.path,
      query: [
        ['marketId', marketId],
        ['assetId', assetId],
        ['pagination.first', String(FEE_EPOCHS)],
        ['pagination.newestFirst', 'false'],
      ],
    });

  async #blockTime(): Promise<void> {
    const answer = await runPartRequest(() => this.#get(TIME_REQUEST), this.#while());
    if (answer.kind !== 'answered') return;
    const timeMs = nanosecondsToMs(jsonText(member(answer.value.json, 'timestamp'))) ?? null;
    this.#put({ block: { ...this.answers.block, timeMs, atMs: answer.atMs } });
  }

  #epoch = (): bigint | null => answeredEpoch(this.answers);

  async #get(request: NodeRequest): Promise<Reply> {
    const reply = await this.#client.get(request, this.#options.signal);
    this.#noteFacts(reply.facts, reply.headerAtMs ?? this.#nowMs());
    return reply;
  }

  async #page(resource: Resource, filters: FilterValues, size: number): Promise<RowPage> {
    return (await this.#pageAndFacts(resource, filters, size)).page;
  }

  async #pageAndFacts(resource: Resource, filters: FilterValues, size: number) {
    const request = { filters, size, newestFirst: true, position: { kind: 'first' } } as const;
    const { page, facts } = await fetchPage(this.#client, resource, request, this.#options.signal);
    this.#noteFacts(facts, this.#nowMs());
    return { page, facts };
  }

  async #rows(resource: Resource, request: NodeRequest): Promise<RowPage> {
    const page = resource.page((await this.#get(request)).json);
    if (page === undefined) throw this.#undecodable(request, resource.wrapperKey);
    return page;
  }

  async #records(request: NodeRequest, wrapperKey: string): Promise<Page> {
    const page = readPage((await this.#get(request)).json, wrapperKey);
    if (page === undefined) throw this.#undecodable(request, wrapperKey);
    return page;
  }

  #undecodable = (request: NodeRequest, name: string): UndecodableError =>
    new UndecodableError(`the answer has no "${name}" with a list`, {
      url: requestUrl(this.#client.base, request),
      hint: 'is this the REST address of a v2 data node?',
    });

  /** The first answer that names a block counts: its age is known best. */
  #noteFacts(facts: ReplyHeaders, atMs: number): void {
    const { rate } = facts;
    const { limitPerSecond, remaining = limitPerSecond } = rate;
    if (limitPerSecond !== undefined && remaining !== undefined) {
      this.#knowsRate = true;
      this.#isTight ||= Math.min(limitPerSecond, remaining) < MAX_OVERVIEW_REQUESTS;
    }
    const block = readNewestBlock(facts, atMs);
    if (block === null) return;
    const { block: before } = this.answers;
    const hasMoved = before.hasMoved === true || isOtherBlock(before, block);
    const newest = this.#knowsBlock ? before : block;
    this.#knowsBlock ||= block.timeMs !== null;
    if (newest !== before || hasMoved) this.answers = { ...this.answers, block: { ...newest, hasMoved } };
  }

  async #ask<Name extends keyof OverviewAnswers>(
    name: Name,
    ask: () => Promise<ValueOf<OverviewAnswers[Name]>>,
  ): Promise<void> {
    const answer = await runPartRequest(ask, this.#while());
    this.#put({ [name]: answer });
  }

  #put(patch: Partial<OverviewAnswers>): void {
    const doubts = this.#client.doubts?.() ?? [];
    this.answers = { ...this.answers, ...patch, doubts, requests: this.#before + this.#sent() };
    this.#options.onAnswer?.(this.answers);
  }

  #while = () => ({ signal: this.#options.signal, nowMs: this.#nowMs });
}

const parseBlockTime = ({ blockTimeNs = '' }: { readonly blockTimeNs?: string | undefined }): number | null =>
  nanosecondsToMs(blockTimeNs) ?? null;

type ValueOf<A> = A extends { readonly kind: 'answered'; readonly value: infer Value } ? Value : never;

const isBusy = (answer: PartAnswer<unknown>): boolean =>
  answer.kind === 'failed' && answer.error instanceof RateLimitedError;

/** Until when a node that answers 429 is asked again. */
const MAX_WAIT_MS = 10_000;

const ALL_RECORDS_QUERY = [['pagination.first', String(MAX_PAGE_SIZE)]] as const;

const CHAIN_ENDED = 'not needed: the chain has ended';

const SPECS_READ = 1000;

const BUNDLES_READ = 200;

/** Without a spec, a node lists the newest data of all of them. */
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
