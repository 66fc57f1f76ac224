import type { CoreStatus } from '../../src/chain/api/core-status.ts';
import {
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
} from '../../src/chain/api/errors.ts';
import type { Reply, ReplyHeaders } from '../../src/chain/api/reply.ts';
import type { FetchedNames } from '../../src/chain/directory/fetch-directory.ts';
import { NOTHING_MINE } from '../../src/chain/directory/mine.ts';
import type { Explanation } from '../../src/chain/explain/explanation.ts';
import type { FeeQuery } from '../../src/chain/explain/statement/fee-node.ts';
import type { FetchedFees } from '../../src/chain/explain/statement/fetch-fees.ts';
import type { LocatedBlock } from '../../src/chain/range/locate-block.ts';
import type { NamedRange } from '../../src/chain/range/parse-range.ts';
import type { ResolvedRange } from '../../src/chain/range/resolve-range.ts';
import { type Boundaries, listedBoundaries } from '../../src/chain/range/segment-boundaries.ts';
import type { Survey } from '../../src/chain/range/survey-range.ts';
import type { GatheredList } from '../../src/chain/resources/gather-list.ts';
import type { PageRequest } from '../../src/chain/resources/page-request.ts';
import { RESOURCES, resourceById } from '../../src/chain/resources/registry.ts';
import type { Row, RowPage } from '../../src/chain/resources/resource.ts';
import { WholeRowsBuilder } from '../../src/chain/resources/whole-rows.ts';
import type { WhatAnswer } from '../../src/chain/what/what.ts';
import { type FetchEstimate, NOTHING_STORED } from '../../src/explorer/services/chain-history/chain-history.ts';
import type { FoundChanges } from '../../src/explorer/services/changes/changes.ts';
import type { NodeConnection } from '../../src/explorer/services/node/connection.ts';
import type { OfferedNode, ProbeAnswer } from '../../src/explorer/services/node/offered-node.ts';
import { arrangeInSlices } from '../../src/explorer/services/real-world.ts';
import type { TableOpener } from '../../src/explorer/services/tables.ts';
import type { World } from '../../src/explorer/services/world.ts';
import type { ExportResult } from '../../src/history/download/export-result.ts';
import type { RetryPause } from '../../src/history/download/progress.ts';
import type { RatedProgress } from '../../src/history/download/rate.ts';
import type { DestinationCheck } from '../../src/history/plan/destination.ts';
import type { ExportPlan } from '../../src/history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../src/history/plan/export-tables.ts';
import { compareSides } from '../../src/memory/diff/compare-sides.ts';
import { createDisplayContext } from '../../src/memory/diff/describe-change.ts';
import type { Side } from '../../src/memory/diff/side.ts';
import { asset, directoryWith, market, validator } from '../chain/directory/directories.ts';
import { FULL_RECORDS } from '../chain/resources/full-records.ts';
import { fakeTables } from '../explorer/support/fake-tables.ts';
import { chainSaid } from '../explorer/support/fake-world.ts';
import { requestsTold } from '../explorer/support/requests-told.ts';
import { NOT_COMPLETE, SAVED } from '../explorer/support/scenes.ts';
import { clientOf } from '../support/client.ts';
import { ratedProgress } from '../support/progress.ts';
import type { Random } from './random.ts';

interface Open {
  readonly signal: AbortSignal | undefined;
  readonly settle: () => void;
}

const URL = 'http://127.0.0.1:3008/api/v2/x';
const at = { url: URL, hint: 'try again' };

/** A world that answers when it is told to, in any order, with whatever a node could. */
export class RandomWorld implements World, NodeConnection {
  clockMs = 1_800_000_000_000;
  /** Texts that a node might send where it has a choice. */
  readonly texts: readonly string[];
  /** What was asked that no node should be. */
  readonly complaints: string[] = [];
  offerFor = async () => ({ hasEngine: true, questions: [] });
  readonly openTables: TableOpener = async () => fakeTables();
  readonly #random: Random;
  readonly #open: Open[] = [];

  constructor(random: Random, texts: readonly string[]) {
    this.#random = random;
    this.texts = texts;
  }

  #changes(): FoundChanges {
    if (this.#random.chance(0.2)) return { kind: 'none', why: this.#text() };
    const moment = (snapshot: number | null) => ({
      ...{ snapshot, node: this.#text(), takenMs: this.clockMs, blockHeight: this.#text() },
      ...{ blockTimeNs: null, genesisTime: null },
    });
    const side = (): Side => ({
      chainId: '',
      lists: ['parameters', 'markets', 'validators'].map(list => ({
        ...{ list, scope: '', kind: 'read' },
        records: Array.from({ length: this.#random.below(9) }, () =>
          JSON.stringify({ key: this.#text(), id: this.#text(), value: this.#text() }),
        ),
      })),
    });
    const [a, b] = [side(), side()];
    const known = { before: moment(1), after: moment(null), isLater: this.#random.chance(0.5) };
    return { kind: 'found', ...known, found: compareSides(a, b), shown: createDisplayContext(a, b) };
  }

  get waiting(): number {
    return this.#open.length;
  }

  #gathered(id: string, request: PageRequest): GatheredList {
    const resource = resourceById(id);
    if (resource === undefined) throw new Error(`no list ${id}`);
    const maker = new WholeRowsBuilder(resource, {});
    for (let page = this.#random.below(5); page >= 0; page--)
      for (const _ of maker.add(this.#page(id, request).rows)) if (maker.length > 8000) break;
    return { rows: maker.made(), problem: this.#random.chance(0.3) ? this.#text() : null };
  }

  /** Answers something that was asked. */
  answerOne(): void {
    if (this.#open.length === 0) return;
    this.#open.splice(this.#random.below(this.#open.length), 1)[0]?.settle();
  }

  readonly nowMs = () => this.clockMs;
  readonly node = () => this;
  readonly wait = (_ms: number, signal: AbortSignal) => this.#ask<void>(() => undefined, signal);
  readonly connect = (_choice: unknown, signal: AbortSignal) =>
    this.#ask(
      () => ({
        label: this.#random.pick(['demo', '', this.#text()]),
        address: 'http://127.0.0.1:3008',
        preferences: this.#random.chance(0.3) ? { pageSize: 1 + this.#random.below(5000) } : {},
        notice: this.#random.chance(0.1) ? this.#text() : null,
      }),
      signal,
      0.1,
    );
  readonly profiles: World['profiles'] = () =>
    this.#ask(
      () => ({ profiles: this.#profiles(), problem: this.#random.chance(0.1) ? this.#text() : null }),
      undefined,
      0.1,
    );
  readonly readMine: World['readMine'] = () =>
    this.#ask(() => ({ mine: NOTHING_MINE, problem: this.#random.chance(0.1) ? this.#text() : null }), undefined, 0.1);
  readonly saveMine: World['saveMine'] = (_, { entity, id, isMine }) =>
    this.#ask(() => ({ ...NOTHING_MINE, [entity]: new Set(isMine ? [id] : []) }), undefined, 0.2);
  readonly saveView: World['saveView'] = () => this.#ask(() => undefined, undefined, 0.2);
  readonly changes: World['changes'] = (_query, onList, signal) => {
    onList(this.#text());
    return this.#ask(() => this.#changes(), signal, 0.2);
  };
  readonly versions: World['versions'] = () => this.#ask(() => ({ kind: 'none', why: this.#text() }), undefined, 0.2);
  readonly recentChanges: World['recentChanges'] = () =>
    this.#ask(
      () => {
        const since = { takenMs: this.clockMs - 1e8, compared: 6, counts: [[this.#text(), 2] as const] };
        return { sinceYesterday: since, sinceLooked: since, untilMs: this.clockMs };
      },
      undefined,
      0.2,
    );
  readonly probe: World['probe'] = (_choice, signal) => this.#ask(() => this.#answer(), signal, 0.2);
  readonly chain = (signal: AbortSignal) =>
    this.#ask(() => chainSaid({ chainId: this.#text(), core: this.#core(), facts: { rate: {} } }), signal, 0.2);
  readonly client: NodeConnection['client'] = () =>
    clientOf(({ path }, signal) => this.#ask(() => this.#reply(path), signal, 0.15));
  readonly version = (signal: AbortSignal) => this.#ask(() => this.#text(), signal, 0.2);
  readonly directory = (_asked: unknown, signal: AbortSignal) =>
    this.#ask(() => ({ names: this.#names(), isOld: this.#random.chance(0.7) }), signal, 0.2);
  readonly page: NodeConnection['page'] = ({ id }, request, signal) => {
    if (request.size < 1 || request.size > 5000) this.complaints.push(`a page of ${request.size} rows was asked for`);
    return this.#ask(() => ({ page: this.#page(id, request), facts: this.#facts(), size: request.size }), signal, 0.15);
  };
  readonly whole: NodeConnection['whole'] = async (id, request, onProgress, signal) => {
    const waitMs = this.#random.pick([0, 0, 3000]);
    onProgress(await this.#ask(() => ({ rows: 1000, pages: 1, waitMs }), signal, 0.1));
    // Whatever page it is asked for from, it begins at the first.
    return this.#ask(() => this.#gathered(id, { ...request, position: { kind: 'first' } }), signal, 0.1);
  };
  readonly arrange: World['arrange'] = async (question, onProgress, signal) => {
    onProgress(await this.#ask(() => ({ step: 'find', done: 0.5 }) as const, signal));
    return arrangeInSlices(question, onProgress, signal);
  };
  readonly explain: NodeConnection['explain'] = (_resource, _row, _around, signal) =>
    this.#ask(() => (this.#random.chance(0.2) ? undefined : this.#explanation()), signal, 0.2);
  readonly requests: World['requests'] = (version, signal) =>
    this.#ask(() => ({ version: version + 1, requests: requestsTold(this.#random.below(60), this.#text()) }), signal);
  readonly statement: NodeConnection['statement'] = async (question, onProgress, signal) => {
    const progress = await this.#ask(() => ({ request: 1, of: this.#random.pick([null, 3]) }), signal, 0.1);
    onProgress(progress);
    return this.#ask(() => this.#fees(question), signal, 0.2);
  };
  readonly boundaries = (signal: AbortSignal) =>
    this.#ask(
      () => ({ boundaries: this.#boundaries(), hint: this.#random.chance(0.2) ? this.#text() : null }),
      signal,
      0.2,
    );
  readonly what = (text: string, signal: AbortSignal) =>
    this.#ask<WhatAnswer>(
      () => ({
        value: text,
        formNotes: [this.#text()],
        roles: [
          { role: this.#text(), text: this.#text(), where: this.#text() },
          {
            role: 'market',
            text: this.#text(),
            where: 'markets',
            lead: { entity: 'market', id: this.#text() } as const,
          },
        ],
        notFound: [this.#text()],
        unchecked: [this.#text()],
        notServed: [],
        requests: 8,
      }),
      signal,
      0.2,
    );
  readonly locate = (_text: string, _bound: 'from' | 'to', signal: AbortSignal) =>
    this.#ask<LocatedBlock>(
      () => ({ height: BigInt(this.#random.below(9000)), note: this.#text(), asked: null }),
      signal,
      0.3,
    );
  readonly range = (_range: NamedRange, _boundaries: Boundaries, signal: AbortSignal) => {
    const bound = () => ({
      height: BigInt(this.#random.below(9000)),
      note: this.#random.chance(0.5) ? this.#text() : null,
      asked: null,
    });
    return this.#ask<ResolvedRange>(() => ({ from: bound(), to: bound() }), signal, 0.3);
  };
  readonly witnesses: World['witnesses'] = (_asked, signal) =>
    this.#ask(() => [{ node: this.#text(), same: 1, of: 2, differs: null, problem: this.#text() }], signal, 0.3);
  readonly survey = (_plan: ExportPlan, signal: AbortSignal) => {
    const place = () => ({
      seq: this.#random.below(99),
      isEdge: this.#random.chance(0.5),
      timeMs: this.#random.below(1e12),
    });
    return this.#ask<Survey>(() => ({ kind: 'known', from: place(), to: place(), newest: 9 }), signal, 0.3);
  };
  readonly keepPreset = () => this.#ask<void>(() => undefined, undefined, 0.3);
  readonly verify = (_asked: unknown, signal: AbortSignal) => this.#ask(() => this.#text(), signal, 0.3);
  readonly audit = this.verify;
  readonly report = this.verify;
  readonly earned: World['earned'] = async () => ({ sections: [], covered: [], warnings: [] });
  readonly storedHistory: World['storedHistory'] = async () => NOTHING_STORED;
  readonly estimateFetch: World['estimateFetch'] = (_, signal) =>
    this.#ask<FetchEstimate>(
      () => ({
        tables: EXPORT_TABLES.map(({ id }) => ({
          ...{ table: id, missingSegments: this.#random.below(4) },
          bytes: this.#random.pick([null, this.#random.below(1e12)]),
        })),
        ...{ naming: [], bytesPerS: this.#random.pick([null, 0, 4096]), notes: [this.#text()] },
        problem: this.#random.chance(0.1) ? this.#text() : null,
      }),
      signal,
      0.1,
    );
  readonly forgetHistory: World['forgetHistory'] = async () => 0;
  /** Of several slices; it ends by itself, or when it is cancelled. */
  readonly fetchHistory: World['fetchHistory'] = async ({ tables }, onProgress, signal) => {
    const of = 1 + this.#random.below(8);
    try {
      for (let done = 0; done < of; done++) {
        const table = this.#random.pick(tables);
        const progress = await this.#ask(() => this.#fetchProgress(table, { done, of }), signal, 0.02);
        onProgress(progress);
      }
      return { kind: this.#random.pick(['fetched', 'stopped']), lines: [this.#text()] };
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled', lines: [this.#text()] };
      throw error;
    }
  };
  readonly preview = () => this.#ask(() => `height,note\n1,${this.#text()}\n`, undefined, 0.1);
  readonly checkDestination = (plan: ExportPlan) =>
    this.#ask<DestinationCheck>(
      () => ({
        path: `${plan.destination}/x.zip`,
        exists: this.#random.chance(0.3),
        problem: this.#random.chance(0.2) ? this.#text() : null,
        freeBytes: this.#random.chance(0.2) ? null : this.#random.below(1e12),
      }),
      undefined,
      0.1,
    );
  readonly export = (plan: ExportPlan, onProgress: (progress: RatedProgress) => void, signal: AbortSignal) => {
    if (plan.fromBlock > plan.toBlock) this.complaints.push(`${plan.fromBlock} to ${plan.toBlock} was to be exported`);
    const { promise, resolve } = Promise.withResolvers<ExportResult>();
    const cancelled = {
      kind: 'cancelled',
      partPath: this.#random.pick([null, '/tmp/x.zip.part']),
      elapsedMs: 5,
    } as const;
    const end = (result: ExportResult): void => {
      this.#drop(open);
      resolve(result);
    };
    const open: Open = {
      signal,
      settle: () => {
        if (this.#random.chance(0.3)) return end(this.#result());
        onProgress(this.#progress());
        this.#open.push(open);
      },
    };
    signal.addEventListener('abort', () => end(cancelled), { once: true });
    this.#open.push(open);
    return promise;
  };
  readonly history = (): Promise<readonly string[]> => this.#ask(() => [this.#text(), this.#text()], undefined, 0.2);
  readonly saveCommand = (): Promise<void> => this.#ask<void>(() => undefined, undefined, 0.2);
  readonly copy: World['copy'] = ({ what }) =>
    this.#ask(() => ({ message: `${what} sent`, isDone: this.#random.chance(0.8) }), undefined, 0.1);
  readonly save: World['save'] = (_saving, signal) =>
    this.#ask(() => ({ kind: this.#random.pick(['saved', 'exists']), path: this.#text() }), signal, 0.2);

  #fees(question: FeeQuery): FetchedFees {
    const count = (most: number) => Array.from({ length: this.#random.below(most) }, (_, index) => index);
    const amount = () => this.#random.pick([String(this.#random.below(1e9)), this.#text()]);
    const most = BigInt(this.#random.below(100));
    return {
      query: question,
      head: { open: this.#random.pick([undefined, 7n, 99n]), newest: this.#random.pick([undefined, 98n]), version: '' },
      rows: count(200).map(() => ({
        market: this.#random.pick(['00', '01', '02']),
        asset: this.#random.pick(['0a', '0b']),
        epochSeq: this.#random.pick([String(this.#random.below(100)), amount()]),
        totalFeesPaid: amount(),
        feesPaidPerParty: count(3).map(() => ({
          party: this.#random.pick([question.party, this.#text()]),
          amount: amount(),
        })),
      })),
      spans: [
        { kind: 'not-known', from: 0n, to: most },
        { kind: 'known', from: most + 1n, to: 120n },
      ],
      ammIncome: this.#random.pick(['all', 'included', 'not-offered', 'refused', 'unknown']),
      requests: this.#random.below(9),
      problems: count(4).map(() => this.#text()),
    };
  }

  /** Something asked that is open until it is answered, fails or is aborted. */
  #ask<Answer>(answer: () => Answer, signal: AbortSignal | undefined, failing = 0): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const open: Open = {
      signal,
      settle: () => (this.#random.chance(failing) ? reject(this.#error()) : resolve(answer())),
    };
    signal?.addEventListener('abort', () => {
      this.#drop(open);
      reject(signal.reason);
    });
    this.#open.push(open);
    return promise;
  }

  #fetchProgress(table: string, { done, of }: { readonly done: number; readonly of: number }): RatedProgress {
    const blocks = { from: BigInt(done * 1000 + 1), to: BigInt((done + 1) * 1000) };
    return ratedProgress({
      ...{ table, phase: this.#random.pick(['waiting', 'receiving', 'checking', 'verifying']) },
      ...{ blocks: this.#random.pick([null, blocks]), leftMs: this.#random.pick([null, 0, 90_000]) },
      ...{ bytes: this.#random.below(1e9), elapsedMs: done * 1000 },
      parts: { unit: 'segment', done, failed: 0, underWay: 1, of },
      ...(done > 0 && { last: { ...blocks, table, rows: this.#random.below(1e6), bytes: this.#random.below(1e9) } }),
      ...(this.#random.chance(0.2) && {
        pause: { reason: this.#random.pick(['rate-limit', 'broken-line', 'other-fetch']), leftMs: null },
      }),
    });
  }

  #drop(open: Open): void {
    const index = this.#open.indexOf(open);
    if (index >= 0) this.#open.splice(index, 1);
  }

  #page(resource: string, request: PageRequest): RowPage {
    const records = FULL_RECORDS.filter(([id]) => id === resource).map(([, record]) => record);
    const count = this.#random.chance(0.1) ? 0 : Math.min(request.size, 1 + this.#random.below(80));
    return {
      rows: Array.from({ length: count }, (_, index) => this.#row(this.#random.pick(records), request, index)),
      cursors: [],
      flaws: this.#random.chance(0.1) ? ['3 of the 40 edges on this page cannot be read'] : [],
      startCursor: `start ${this.#random.below(1e6)}`,
      endCursor: `end ${this.#random.below(1e6)}`,
      hasNextPage: this.#random.chance(0.7),
      hasPreviousPage: this.#random.chance(0.5),
    };
  }

  #reply(path: string): Reply {
    const resource = RESOURCES.find(candidate => path.startsWith(candidate.path));
    const text = () => this.#random.pick([this.#text(), String(this.#random.below(1e6)), '2026-11-23T12:00:00Z']);
    const names = ['chainId', 'appVersion', 'blockHeight', 'status', 'vegaTime'];
    const times = ['epochSeq', 'epochStartTime', 'epochExpiryTime'];
    const statistics = Object.fromEntries([...names, ...times].map(name => [name, text()]));
    const request = { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } } as const;
    const rows = resource === undefined ? [] : this.#page(resource.id, request).rows;
    const lists = resource && {
      [resource.wrapperKey]: { edges: rows.map(node => ({ node, cursor: '' })), pageInfo: {} },
    };
    return { json: { statistics, ...lists }, facts: this.#facts(), bytes: 100, elapsedMs: 1 };
  }

  // Each row says what it was asked for by; now and then one member holds a text that a node made up.
  #row(record: Row, request: PageRequest, index: number): Row {
    const names = Object.keys(record);
    const changed = this.#random.chance(0.3) ? { [this.#random.pick(names)]: this.#text() } : {};
    const id = this.#random.chance(0.5) ? { id: `${index}`.padStart(64, '0') } : {};
    return { ...record, ...id, ...changed, askedFor: tagOf(request) };
  }

  #profiles(): readonly OfferedNode[] {
    return Array.from({ length: this.#random.below(30) }, (_, index) => {
      const name = this.#random.pick(['demo', this.#text(), `node ${index}`]);
      const address = this.#random.pick(['', URL, this.#text()]);
      return { choice: { kind: 'profile', name }, name, address, ...(index % 2 === 0 && { colour: 'red' as const }) };
    });
  }

  #core(): CoreStatus | null {
    const height = BigInt(this.#random.below(1e15));
    const behindBlocks = this.#random.pick([null, 0n, height, -height]);
    const behindMs = this.#random.pick([null, 0, this.#random.below(1e15), -this.#random.below(1e15)]);
    const state = this.#random.pick([null, 'connected', 'replaying', this.#text()]);
    return this.#random.pick([null, { version: this.#text(), state, height, timeMs: null, behindBlocks, behindMs }]);
  }

  #answer(): ProbeAnswer {
    const block = this.#random.pick([null, '0', String(this.#random.below(1e9)), '9'.repeat(20)]);
    return this.#random.pick<ProbeAnswer>([
      { kind: 'not-started' },
      { kind: 'failed', problem: this.#text() },
      {
        ...{ kind: 'answered', version: this.#text(), latencyMs: this.#random.below(1e6), block },
        ageMs: this.#random.pick([null, 0, this.#random.below(1e15), -this.#random.below(1e15)]),
        chainId: this.#random.pick(['', 'demo-chain-1', this.#text()]),
      },
    ]);
  }

  #explanation(): Explanation {
    const line = () => ({ label: this.#random.pick(['', this.#text()]), text: this.#text() });
    const lines = () => Array.from({ length: this.#random.below(4) }, line);
    return {
      parts: [
        { title: '', lines: lines() },
        { title: this.#text(), lines: lines(), ...(this.#random.chance(0.5) && { isFolded: true }) },
      ],
      json: {},
      copies: this.#random.chance(0.5) ? [] : [{ what: 'calldata', text: this.#text() }],
    };
  }

  // Of the ids that the records have, and others; sometimes all of them have one name.
  #names(): FetchedNames {
    const word = this.#text();
    const name = (): string => (this.#random.chance(0.5) ? word : this.#text());
    const decimals = this.#random.pick([null, 0, 6, 18, 77]);
    const found = directoryWith({
      markets: ['02', '05'].map(id => [id, market({ code: name(), asset: '04', decimalPlaces: decimals })] as const),
      assets: ['04', '06'].map(id => [id, asset({ symbol: name(), decimals })] as const),
      validators: ['03', '06'].map(id => [id, validator({ name: name(), publicKey: id, ethereumAddress: `0x${id}` })]),
    });
    return this.#random.pick<FetchedNames>([{}, { assets: found.assets }, found, found]);
  }

  #facts(): ReplyHeaders {
    return {
      ...(this.#random.chance(0.8) && { blockHeight: String(this.#random.below(1e9)) }),
      ...(this.#random.chance(0.6) && {
        blockTimeNs: String(1_799_999_000_000_000_000n + BigInt(this.#random.below(1e12))),
      }),
      rate: this.#random.chance(0.5) ? { limitPerSecond: 20 } : {},
    };
  }

  #boundaries(): Boundaries {
    if (this.#random.chance(0.2)) return { kind: 'rule' };
    let from = 1 + this.#random.below(3) * 1000;
    const segments = Array.from({ length: this.#random.below(60) }, () => {
      if (this.#random.chance(0.1)) from += 500;
      const to = from + (this.#random.chance(0.2) ? 299 : 999);
      const segment = {
        fromHeight: BigInt(from),
        toHeight: BigInt(to),
        historySegmentId: this.#text(),
        previousHistorySegmentId: '',
        databaseVersion: String(90 + Math.floor(from / 20_000)),
        chainId: this.#random.chance(0.1) ? this.#text() : 'fake-chain-1',
      };
      from = to + 1;
      return segment;
    });
    return listedBoundaries(segments);
  }

  #progress(): RatedProgress {
    return ratedProgress({
      phase: this.#random.pick(['waiting', 'receiving', 'checking'] as const),
      parts: { unit: 'segment', done: this.#random.below(9), failed: this.#random.below(9), underWay: 1, of: 20 },
      bytes: this.#random.below(1e12),
      elapsedMs: this.#random.below(1e8),
      entries: this.#random.below(30),
      rows: this.#random.below(1e9),
      entryName: this.#text(),
      csvs: Array.from({ length: this.#random.below(30) }, () => ({
        name: this.#text(),
        rows: this.#random.below(1e9),
        isGood: this.#random.chance(0.8),
      })),
      ...(this.#random.chance(0.3) && { slices: { done: this.#random.below(70), total: 70 } }),
      ...(this.#random.chance(0.1) && {
        pause: {
          reason: this.#random.pick<RetryPause['reason']>(['rate-limit', 'broken-line']),
          leftMs: this.#random.below(20_000),
        },
      }),
    });
  }

  #result(): ExportResult {
    const elapsedMs = this.#random.below(1e8);
    const partPath = this.#random.chance(0.5) ? `/tmp/${this.#text()}.zip.part` : null;
    const failed: ExportResult = { kind: 'failed', error: this.#error(), partPath, elapsedMs };
    return this.#random.pick<ExportResult>([
      SAVED,
      NOT_COMPLETE,
      failed,
      {
        kind: 'stopped-slices',
        folder: '/tmp/slices',
        done: 3,
        total: 70,
        isCounted: this.#random.chance(0.8),
        cause: this.#random.chance(0.5) ? failed : { kind: 'cancelled', partPath: null, elapsedMs },
        notes: this.#random.chance(0.5) ? [] : [this.#text()],
        elapsedMs,
      },
    ]);
  }

  #error(): unknown {
    const text = this.#text();
    const detail = { type: 'vega.ErrorDetail', code: '280001', message: text, inner: text, rest: {} };
    const demand = { ...detail, inner: 'market or party filters are required' };
    return this.#random.pick<() => unknown>([
      () => new NetworkError(text, at),
      () => new TimeoutError(text, at),
      () => new UndecodableError(text, at),
      () => new RateLimitedError(text, { url: URL, retryAtMs: this.clockMs + this.#random.below(20_000) }),
      () => new RefusedError(400, { code: 3, message: text, details: [detail] }, at),
      () => new RefusedError(500, { code: 13, message: 'Internal error', details: [demand] }, at),
      () => new Error(text),
    ])();
  }

  #text(): string {
    return this.#random.pick(this.texts);
  }
}

/** What a page was asked for by, as every row of its answer says. */
export const tagOf = ({ filters, size, newestFirst, position }: PageRequest): string =>
  JSON.stringify([Object.entries(filters).toSorted(), size, newestFirst, position]);
