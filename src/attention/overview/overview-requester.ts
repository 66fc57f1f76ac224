import type { Client } from '../../chain/api/client.ts';
import { EPOCH_REQUEST, INFO_REQUEST, STATISTICS_REQUEST } from '../../chain/api/core-status.ts';
import type { ReplyHeaders } from '../../chain/api/reply.ts';
import { isOtherBlock, readNewestBlock } from '../../chain/directory/chain-state.ts';
import type { Mine } from '../../chain/directory/mine.ts';
import { markets } from '../../chain/resources/markets.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import { MAX_PAGE_SIZE } from '../../chain/resources/page-request.ts';
import type { RowPage } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { validators } from '../../chain/resources/validators.ts';
import {
  answeredChainState,
  MAX_OVERVIEW_REQUESTS,
  MAX_OWN_PARTIES,
  NO_ANSWERS,
  type OverviewAnswers,
  type PartAnswer,
  type PartName,
  runPartRequest,
  skippedAnswer,
} from './answers.ts';
import { checkNewestBundles } from './check-newest-bundles.ts';
import { answeredEpoch, answeredFees, findTopMarket } from './fees.ts';
import { PartRequests } from './part-requests.ts';
import { withRequestBudget } from './request-budget.ts';

export interface OverviewOptions {
  readonly signal: AbortSignal;
  readonly nowMs?: () => number;
  /** Called with all answers so far, each time there is one more. */
  readonly onAnswer?: (answers: OverviewAnswers) => void;
  /** The user declares the chain live, however old its newest block is. */
  readonly isLive?: boolean;
  /** The user's own entities on a chain; none if absent. */
  readonly mineOn?: (chainId: string) => Mine | Promise<Mine>;
  /** The message for parts left out for lack of requests. */
  readonly whyLeftOut?: string;
  /** Of the multisig contract, if the user gave them. */
  readonly threshold?: number | undefined;
  readonly signerCount?: number | undefined;
}

/** A part, or the newest block if no answer has given it. */
export type RequestedPart = PartName | 'block';

/** Requests parts of the overview, and collects the answers so far. Throws only when aborted. */
export class OverviewRequester {
  answers: OverviewAnswers;
  /** The node reported its request limit. */
  knowsRate = false;
  /** The limit is so low that only the latest answer shows whether another request is allowed. */
  isTight = false;
  readonly #client: Client;
  readonly #requests: PartRequests;
  readonly #sent: () => number;
  readonly #options: OverviewOptions;
  readonly #nowMs: () => number;
  /** Sent before it. */
  readonly #before: number;
  #most = MAX_OVERVIEW_REQUESTS;
  #knowsBlock = false;

  constructor(client: Client, options: OverviewOptions, answers = NO_ANSWERS) {
    this.answers = answers;
    this.#before = answers.requests;
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    const { client: limited, sent } = withRequestBudget(client, {
      most: () => this.#most,
      spent: options.whyLeftOut ?? 'not requested, to limit the number of requests',
      waitsUntilMs: this.#nowMs() + MAX_WAIT_MS,
    });
    this.#client = limited;
    this.#sent = sent;
    this.#requests = new PartRequests(limited, {
      signal: options.signal,
      nowMs: this.#nowMs,
      onHeaders: (headers, atMs) => this.#noteHeaders(headers, atMs),
    });
  }

  /** Allows this number of additional requests. */
  allowMore(requests: number): void {
    this.#most += requests;
  }

  /** These are not asked for. */
  skip(parts: readonly PartName[], why: string): void {
    const missing = skippedAnswer<never>(why, this.#nowMs());
    this.#keep(Object.fromEntries(parts.map(part => [part, missing])));
  }

  /** Asks for one part in one request, whether or not it was asked for before. */
  async ask(part: RequestedPart): Promise<void> {
    switch (part) {
      case 'statistics':
        return this.#answer('statistics', () => this.#requests.reply(STATISTICS_REQUEST));
      case 'epoch':
        return this.#answer('epoch', () => this.#requests.reply(EPOCH_REQUEST));
      case 'segments':
        return this.#answer('segments', () => this.#requests.history());
      case 'markets':
        return this.#answer('markets', () => this.#requests.newestRows(markets, MAX_PAGE_SIZE));
      case 'fees':
        return this.#answer('fees', () => this.#requests.fees(this.#epoch()));
      case 'assets':
        return this.#answer('assets', () => this.#requests.assets());
      case 'validators':
        return this.#answer('validators', () => this.#requests.newestRows(validators, MAX_PAGE_SIZE));
      case 'bundles':
        return this.#answer('bundles', () => this.#requests.newestRows(signerBundles, BUNDLES_READ));
      case 'specs':
        return this.#answer('specs', () => this.#requests.newestRows(oracleSpecs, SPECS_READ));
      case 'arrivals':
        return this.#answer('arrivals', () => this.#requests.arrivals());
      case 'provisions':
      case 'marketFees':
      case 'bonds':
        return this.#ofTopMarket(part);
      case 'own':
        return this.#own();
      case 'info':
        return this.#answer('info', () => this.#requests.reply(INFO_REQUEST));
      case 'checked':
        return this.#checkBundles();
      case 'block':
        return this.#blockTime();
    }
  }

  /** One answer has all that a party provides. */
  async #own(): Promise<void> {
    const { chainId } = answeredChainState(this.answers);
    const mine = chainId === null ? undefined : await this.#options.mineOn?.(chainId);
    const parties = [...(mine?.party ?? [])].slice(0, MAX_OWN_PARTIES);
    if (parties.length === 0) return this.skip(['own'], 'no party is marked as yours');
    this.allowMore(parties.length);
    const found = new Map<string, PartAnswer<RowPage>>();
    for (const id of parties)
      found.set(id, await runPartRequest(() => this.#requests.provisionsOfParty(id), this.#while()));
    this.#keep({ own: { kind: 'answered', value: found, atMs: this.#nowMs() } });
  }

  async #ofTopMarket(part: 'provisions' | 'marketFees' | 'bonds'): Promise<void> {
    const top = findTopMarket(this.answers);
    if (top === null) return;
    const { marketId, assetId } = top;
    switch (part) {
      case 'provisions':
        return this.#answer('provisions', () => this.#requests.provisionsOfMarket(marketId));
      case 'marketFees':
        return this.#answer('marketFees', async () => ({
          marketId,
          assetId,
          newestBefore: answeredFees(this.answers).newest,
          page: await this.#requests.marketFees(marketId, assetId),
        }));
      case 'bonds':
        return this.#answer('bonds', () => this.#requests.bonds(marketId));
    }
  }

  async #checkBundles(): Promise<void> {
    const { bundles, validators: nodes } = this.answers;
    if (bundles.kind !== 'answered' || nodes.kind !== 'answered')
      return this.skip(['checked'], 'bundles or validators could not be read');
    const { signal, threshold, signerCount } = this.#options;
    const checking = { validators: nodes.value.rows, epoch: this.#epoch(), signal, threshold, signerCount };
    await this.#answer('checked', () => checkNewestBundles(bundles.value.rows, checking));
  }

  /** Other answers may have given it already. */
  async #blockTime(): Promise<void> {
    if (this.answers.block.timeMs !== null) return;
    const answer = await runPartRequest(() => this.#requests.blockTimeMs(), this.#while());
    if (answer.kind === 'answered')
      this.#keep({ block: { ...this.answers.block, timeMs: answer.value, atMs: answer.atMs } });
  }

  #epoch = (): bigint | null => answeredEpoch(this.answers);

  /** The first answer with a block counts: its age is known most precisely. */
  #noteHeaders(headers: ReplyHeaders, atMs: number): void {
    const { rate } = headers;
    const { limitPerSecond, remaining = limitPerSecond } = rate;
    if (limitPerSecond !== undefined && remaining !== undefined) {
      this.knowsRate = true;
      this.isTight ||= Math.min(limitPerSecond, remaining) < MAX_OVERVIEW_REQUESTS;
    }
    const block = readNewestBlock(headers, atMs);
    if (block === null) return;
    const { block: before } = this.answers;
    const hasMoved = before.hasMoved === true || isOtherBlock(before, block);
    const newest = this.#knowsBlock ? before : block;
    this.#knowsBlock ||= block.timeMs !== null;
    if (newest !== before || hasMoved) this.answers = { ...this.answers, block: { ...newest, hasMoved } };
  }

  async #answer<Name extends keyof OverviewAnswers>(
    name: Name,
    ask: () => Promise<ValueOf<OverviewAnswers[Name]>>,
  ): Promise<void> {
    const answer = await runPartRequest(ask, this.#while());
    this.#keep({ [name]: answer });
  }

  #keep(patch: Partial<OverviewAnswers>): void {
    const doubts = this.#client.doubts?.() ?? [];
    this.answers = { ...this.answers, ...patch, doubts, requests: this.#before + this.#sent() };
    this.#options.onAnswer?.(this.answers);
  }

  #while = () => ({ signal: this.#options.signal, nowMs: this.#nowMs });
}

type ValueOf<A> = A extends { readonly kind: 'answered'; readonly value: infer Value } ? Value : never;

/** Until when a node that answers 429 is asked again. */
const MAX_WAIT_MS = 10_000;

const SPECS_READ = 1000;

const BUNDLES_READ = 200;
