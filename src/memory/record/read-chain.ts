import { isId } from '../../base/text/ids.ts';
import type { Client } from '../../chain/api/client.ts';
import { EPOCH_REQUEST, INFO_REQUEST, SEGMENTS_REQUEST, STATISTICS_REQUEST } from '../../chain/api/core-status.ts';
import {
  isBackendUnavailable,
  MissingListError,
  NetworkError,
  NodeError,
  RateLimitedError,
  shortErrorSentence,
  TimeoutError,
  UndecodableError,
} from '../../chain/api/errors.ts';
import { isJsonArray, isJsonObject, type Json, jsonText, member, printJson } from '../../chain/api/json.ts';
import type { Reply, ReplyHeaders } from '../../chain/api/reply.ts';
import { type NodeRequest, requestUrl, shownAddress } from '../../chain/api/request.ts';
import { readChainState } from '../../chain/directory/chain-state.ts';
import { mixedChainsProblem } from '../../chain/directory/chain-watch.ts';
import { readSegmentHistory, unreadableSegmentsText } from '../../chain/range/segment-history.ts';
import type { FilterValues } from '../../chain/resources/filter.ts';
import { MAX_PAGE_SIZE } from '../../chain/resources/page-request.ts';
import type { Resource, Row } from '../../chain/resources/resource.ts';
import { type WalkOptions, withRateLimitWaits } from '../../chain/resources/walk-pages.ts';
import { walkRows } from '../../chain/resources/walk-rows.ts';
import type { NewSnapshot } from '../snapshots/index.ts';
import { EPOCH_LIST, FEE_EPOCHS_RECORDED, isOpenMarket, MARKET_LISTS, WHOLE_LISTS } from './recorded-lists.ts';

/** Everything that is recorded of a chain, as a node gave it between two moments. */
export interface ChainReading extends NewSnapshot {
  readonly chainId: string;
  /** Reasons in the answers to doubt that they come from one node. */
  readonly doubts?: readonly string[];
}

/** A node that bans for longer is not waited for. */
const MAX_WAIT_MS = 60_000;

interface ReadChainOptions extends Pick<WalkOptions, 'signal'>, Partial<Pick<WalkOptions, 'onWait'>> {
  readonly nowMs: () => number;
  /** A chain id to use if the node does not report one. */
  readonly namedChain?: string | undefined;
  /** Called as soon as the chain is known, before its lists are read. An error thrown here ends the reading. */
  readonly onChain?: (chainId: string) => void;
  /** Called with the id of each list before it is read. */
  readonly onList?: (list: string) => void;
  /** Whether to read this list by market or epoch, which takes a request for each; all without it. */
  readonly isWanted?: (list: string) => boolean;
  /** Longest wait for a node that limits requests (60 s); the lists that are left are not read then. */
  readonly longestWaitMs?: number;
}

/** The answers of one reading are of two chains. */
class ChainChangedError extends UndecodableError {}

/**
 * Reads every list, one request after the other. A list that fails is marked as unread, with the reason. Throws NodeError
 * if not even the chain is known, ChainChangedError, or the reason of an aborted signal.
 */
export async function readChain(client: Client, options: ReadChainOptions): Promise<ChainReading> {
  return new ChainReader(client, options).read();
}

/** Limits on a list, so that no node can fill the disk or the memory. */
const MAX_LIST_ROWS = 100_000;
const MAX_LIST_CHARACTERS = 64 * 1024 * 1024;
const MAX_MARKETS = 500;

/** A list that changes while it is read is read again this often. */
const MAX_READ_ATTEMPTS = 3;
const PAGE_SIZE = 1000;

/** Failures in turn after which a node counts as gone. */
const MAX_FAILURES_IN_TURN = 2;
const MAX_PROBLEM_LENGTH = 300;

class ChainReader {
  readonly #client: Client;
  readonly #options: ReadChainOptions;
  readonly #lists: NewSnapshot['lists'][number][] = [];
  #facts: ReplyHeaders | undefined;
  #failures = 0;
  /** Lists that the node does not have, which are not requested for each market. */
  readonly #missing = new Map<string, string>();
  /** Why no further list is read. */
  #stop: string | undefined;

  constructor(client: Client, options: ReadChainOptions) {
    this.#client = client;
    this.#options = options;
  }

  async read(): Promise<ChainReading> {
    const { nowMs, onChain, namedChain = '' } = this.#options;
    const [takenMs, startedMs] = [nowMs(), Date.now()];
    const statistics = await this.#document('status', STATISTICS_REQUEST, 'statistics');
    const segments = await this.#segments();
    const core = jsonText(member(statistics, 'chainId'));
    const chainId = core || segmentChainIds(segments).at(-1) || namedChain;
    if (chainId === '') throw this.#nameless();
    this.#refuseMixed(mixedChainsProblem(core === '' ? [] : [core], segmentChainIds(segments)));
    onChain?.(chainId);
    await this.#document('info', INFO_REQUEST);
    const markets = await this.#wholeLists();
    await this.#epochs(await this.#newestEpoch(statistics));
    await this.#marketLists(markets);
    await this.#checkChain(chainId, statistics === undefined);
    const doubts = this.#client.doubts?.(startedMs) ?? [];
    this.#refuseMixed(doubts.find(({ severity }) => severity === 'untrusted')?.sentence);
    const { blockHeight = null, blockTimeNs = null } = this.#facts ?? {};
    const genesisTime = jsonText(member(statistics, 'genesisTime')).slice(0, MAX_PROBLEM_LENGTH).toWellFormed();
    return {
      chainId,
      takenMs,
      endedMs: nowMs(),
      node: shownAddress(this.#client.base),
      ...{ blockHeight, blockTimeNs, genesisTime: genesisTime === '' ? null : genesisTime },
      doubts: doubts.map(({ sentence }) => sentence),
      lists: this.#lists,
    };
  }

  /** A snapshot of two chains would be stored as one chain. */
  #refuseMixed(sentence: string | undefined): void {
    if (sentence === undefined) return;
    throw new ChainChangedError(`the answers are of two chains, so no snapshot was stored: ${sentence}`, {
      url: shownAddress(this.#client.base),
      hint: 'this address may lead to nodes of several chains: use the address of one node',
    });
  }

  /** An answer that is one record; undefined if it could not be read. Of the first one, an error is thrown. */
  async #document(list: string, request: NodeRequest, name?: string): Promise<Json | undefined> {
    let found: Json | undefined;
    await this.#put({ list, scope: '' }, async () => {
      const { json } = await this.#get(request);
      found = name === undefined ? json : member(json, name);
      if (!isJsonObject(found)) throw this.#undecodable(request, `the answer has no ${name ?? 'members'}`);
      return [printJson(found)];
    });
    return found;
  }

  async #segments(): Promise<Json | undefined> {
    let found: Json | undefined;
    await this.#put({ list: 'segments', scope: '' }, async () => {
      const reply = await this.#get(SEGMENTS_REQUEST);
      const flaw = unreadableSegmentsText(reply.json);
      const items = member(reply.json, 'segments');
      if (readSegmentHistory(reply) === undefined || flaw !== undefined || !isJsonArray(items))
        throw this.#undecodable(SEGMENTS_REQUEST, flaw ?? 'the answer has no "segments"');
      found = items;
      return items.toReversed().map(item => printJson(item));
    });
    return found;
  }

  /** From the core; without the core, the node itself reports its newest epoch. */
  async #newestEpoch(statistics: Json | undefined): Promise<bigint | undefined> {
    const facts = { rate: {} };
    const heard = (json: Json) => ({ reply: { json, facts }, atMs: 0 });
    if (statistics !== undefined) return readChainState({ statistics: heard({ statistics }) }).epoch?.seq;
    if (this.#stop !== undefined || !this.#isWanted(EPOCH_LIST.id)) return undefined;
    try {
      return readChainState({ epoch: heard((await this.#get(EPOCH_REQUEST)).json) }).epoch?.seq;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof NodeError) return undefined;
      throw error;
    }
  }

  /** The markets, as others are read by them. */
  async #wholeLists(): Promise<readonly Row[]> {
    let markets: readonly Row[] = [];
    for (const resource of WHOLE_LISTS) {
      const rows = await this.#rows(resource, {}, '');
      if (resource.id === 'markets') markets = rows;
    }
    return markets;
  }

  #isWanted = (list: string): boolean => this.#options.isWanted?.(list) ?? true;

  async #epochs(current: bigint | undefined): Promise<void> {
    if (!this.#isWanted(EPOCH_LIST.id)) return;
    if (current === undefined || current > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.#skip({ list: EPOCH_LIST.id, scope: '' }, 'the node does not report the current epoch');
      return;
    }
    const newest = Number(current);
    for (let epoch = newest; epoch > Math.max(0, newest - FEE_EPOCHS_RECORDED); epoch--)
      await this.#rows(EPOCH_LIST, { epochSeq: [String(epoch)] }, String(epoch));
  }

  async #marketLists(markets: readonly Row[]): Promise<void> {
    const listed = this.#lists.find(({ list }) => list === 'markets');
    const named =
      listed?.kind === 'read' ? markets.filter(isOpenMarket).map(({ id }) => id) : await this.#marketsWithFees();
    const ids = [...new Set(named.map(id => jsonText(id).toLowerCase()))];
    for (const { resource, filters } of MARKET_LISTS.filter(list => this.#isWanted(list.resource.id))) {
      if (listed?.kind !== 'read') this.#skip({ list: resource.id, scope: '' }, 'the markets could not be read');
      const odd = ids.filter(id => !isId(id));
      if (odd.length > 0)
        this.#skip({ list: resource.id, scope: 'other' }, 'a market has an id that is not 64 hex digits');
      for (const [index, id] of ids.filter(isId).entries()) {
        if (index < MAX_MARKETS) await this.#rows(resource, filters(id), id);
        else this.#skip({ list: resource.id, scope: id }, `not read: there are more than ${MAX_MARKETS} markets`);
      }
    }
  }

  /** Of a node that does not list markets, those of the newest epoch with fees. */
  async #marketsWithFees(): Promise<readonly (Json | undefined)[]> {
    if (this.#stop !== undefined || MARKET_LISTS.every(({ resource }) => !this.#isWanted(resource.id))) return [];
    try {
      return (await this.#walk(EPOCH_LIST, {})).map(({ market }) => market);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof NodeError) return [];
      throw error;
    }
  }

  /** Rows that were read, newest first; none if they could not be. */
  async #rows(resource: Resource, filters: FilterValues, scope: string): Promise<readonly Row[]> {
    let rows: readonly Row[] = [];
    await this.#put({ list: resource.id, scope }, async () => {
      rows = await this.#stableRows(resource, filters);
      // Oldest first: later rows are appended, so that a snapshot preserves the order of the node.
      return rows.toReversed().map(row => printJson(row));
    });
    return rows;
  }

  async #stableRows(resource: Resource, filters: FilterValues): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#walk(resource, filters);
      } catch (error) {
        // Rows that moved between two pages are usually at rest the next time.
        if (!(error instanceof UndecodableError) || attempt === MAX_READ_ATTEMPTS || error instanceof TooLargeError)
          throw error;
      }
    }
  }

  #walkOptions(resource: Resource): WalkOptions {
    const { signal, onWait, longestWaitMs = MAX_WAIT_MS, nowMs } = this.#options;
    const client = this.#client;
    return {
      client,
      resource,
      signal,
      onWait: (ms, why) => {
        // Thrown where the walk would wait.
        if (ms > longestWaitMs)
          throw new RateLimitedError(why, { url: shownAddress(client.base), retryAtMs: nowMs() + ms });
        onWait?.(ms, why);
      },
      onSmaller: () => {},
      onNote: () => {},
    };
  }

  async #walk(resource: Resource, filters: FilterValues): Promise<readonly Row[]> {
    const options = this.#walkOptions(resource);
    const isMoving = resource.paging.rowsMove?.(filters) === true;
    const size = resource.paging.pageSize ?? (isMoving ? MAX_PAGE_SIZE : PAGE_SIZE);
    const rows: Row[] = [];
    let characters = 0;
    for await (const page of walkRows(options, { filters, size, newestFirst: true, position: { kind: 'first' } })) {
      for (const row of page.rows) rows.push(row);
      characters += page.rows.reduce((sum, row) => sum + printJson(row).length, 0);
      if (rows.length > MAX_LIST_ROWS || characters > MAX_LIST_CHARACTERS)
        throw new TooLargeError('the list is too long to record', {
          url: shownAddress(this.#client.base),
          hint: `at most ${MAX_LIST_ROWS} rows and ${MAX_LIST_CHARACTERS / 1024 / 1024} MiB are recorded`,
        });
    }
    return rows;
  }

  async #get(request: NodeRequest): Promise<Reply> {
    const patient = withRateLimitWaits(this.#walkOptions(EPOCH_LIST));
    const reply = await patient(() => this.#client.get(request, this.#options.signal));
    if (this.#facts?.blockHeight === undefined) this.#facts = reply.facts;
    return reply;
  }

  /**
   * Adds a list once it is read, or the reason why it is not. Throws if nothing was read yet and the node cannot be
   * reached.
   */
  async #put(name: { readonly list: string; readonly scope: string }, read: () => Promise<readonly string[]>) {
    const problem = this.#stop ?? this.#missing.get(name.list);
    if (problem !== undefined) return this.#skip(name, problem);
    this.#options.onList?.(name.list);
    try {
      const records = await read();
      this.#failures = 0;
      this.#lists.push({
        ...name,
        kind: 'read',
        records,
        ...(MOMENTARY_LISTS.has(name.list) && { isOfTheMoment: true }),
      });
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof NodeError)) throw error;
      this.#noteFailure(name.list, error);
      this.#skip(name, name.list === 'status' && isBackendUnavailable(error) ? CORE_OUT : failureSentence(error));
    }
  }

  /** Decides whether to continue. Throws if nothing was read and the node cannot be reached. */
  #noteFailure(list: string, error: NodeError): void {
    const isLimited = error instanceof RateLimitedError;
    const isGone = error instanceof NetworkError || error instanceof TimeoutError;
    if ((isGone || isLimited) && this.#lists.every(({ kind }) => kind === 'unread')) throw error;
    this.#failures = isGone ? this.#failures + 1 : 0;
    if (isLimited) this.#stop = 'not read: the rate limit of the node was reached';
    else if (this.#failures === MAX_FAILURES_IN_TURN) this.#stop = 'not read: the node stopped answering';
    if (error instanceof MissingListError) this.#missing.set(list, failureSentence(error));
  }

  #skip(name: { readonly list: string; readonly scope: string }, problem: string): void {
    this.#lists.push({ ...name, kind: 'unread', problem: problem.slice(0, MAX_PROBLEM_LENGTH).toWellFormed() });
  }

  /** Throws if the answers may be of two chains. */
  async #checkChain(chainId: string, isBySegments: boolean): Promise<void> {
    if (this.#stop !== undefined) return;
    try {
      const { json } = await this.#get(isBySegments ? SEGMENTS_REQUEST : STATISTICS_REQUEST);
      const now = isBySegments
        ? (segmentChainIds(member(json, 'segments')).at(-1) ?? '')
        : jsonText(member(member(json, 'statistics'), 'chainId'));
      if (now === chainId || now === '') return;
      throw new ChainChangedError('the node changed its chain while it was read, so this snapshot was dropped', {
        url: shownAddress(this.#client.base),
        hint: 'try again; behind this address there may be nodes of several chains',
      });
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof NodeError) || error instanceof ChainChangedError) throw error;
    }
  }

  #nameless(): NodeError {
    const { list, scope } = { list: 'status', scope: '' };
    const failed = this.#lists.find(reading => reading.list === list && reading.scope === scope);
    const why = failed?.kind === 'unread' ? ` (${failed.problem})` : '';
    return new UndecodableError(`the node does not report a chain id${why}`, {
      url: requestUrl(this.#client.base, STATISTICS_REQUEST),
      hint: 'is this the REST address of a v2 data node? If it is, set the chain with blockglass record --chain ID',
    });
  }

  #undecodable = (request: NodeRequest, message: string): UndecodableError =>
    new UndecodableError(message, {
      url: requestUrl(this.#client.base, request),
      hint: 'is this the REST address of a v2 data node?',
    });
}

const failureSentence = (error: NodeError): string =>
  error instanceof MissingListError ? error.message : shortErrorSentence(error);

const CORE_OUT = 'the core of the node cannot be reached';

const MOMENTARY_LISTS: ReadonlySet<string> = new Set(['status', 'segments']);

class TooLargeError extends UndecodableError {}

/** The chains that segments name, that of the newest one last. */
function segmentChainIds(segments: Json | undefined): readonly string[] {
  const chains = isJsonArray(segments) ? segments.map(segment => jsonText(member(segment, 'chainId'))) : [];
  return [...new Set(chains.filter(chain => chain !== ''))].toReversed();
}
