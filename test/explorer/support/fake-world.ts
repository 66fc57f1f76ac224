import type { ViewerTables } from '../../../src/answers/index.ts';
import type { PartyAnswers } from '../../../src/answers/report/index.ts';
import type { ViewToSave } from '../../../src/base/settings/saved-view.ts';
import type { CoreStatus } from '../../../src/chain/api/core-status.ts';
import type { Reply, ReplyHeaders } from '../../../src/chain/api/reply.ts';
import type { NodeRequest } from '../../../src/chain/api/request.ts';
import { type ChainState, readNewestBlock } from '../../../src/chain/directory/chain-state.ts';
import { type Mine, NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import type { FeeQuery } from '../../../src/chain/explain/statement/fee-node.ts';
import type { FeeProgress, FetchedFees } from '../../../src/chain/explain/statement/fetch-fees.ts';
import type { LocatedBlock } from '../../../src/chain/range/locate-block.ts';
import { resolveRange } from '../../../src/chain/range/resolve-range.ts';
import type { Boundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { FetchedPage } from '../../../src/chain/resources/fetch-page.ts';
import type { GatheredList, GatherProgress } from '../../../src/chain/resources/gather-list.ts';
import type { PageRequest } from '../../../src/chain/resources/page-request.ts';
import type { RowPage } from '../../../src/chain/resources/resource.ts';
import type { WhatAnswer } from '../../../src/chain/what/what.ts';
import { createSession, type Session } from '../../../src/explorer/app/session.ts';
import type { DisplaySupport } from '../../../src/explorer/core/appearance.ts';
import {
  type FetchEstimate,
  type FetchOutcome,
  type FetchRequest,
  NOTHING_STORED,
  type StoredHistory,
} from '../../../src/explorer/services/chain-history/chain-history.ts';
import type {
  ChangesQuery,
  FoundChanges,
  FoundVersions,
  VersionsQuery,
} from '../../../src/explorer/services/changes/changes.ts';
import type { Saved, Saving } from '../../../src/explorer/services/copying/content.ts';
import { contentText } from '../../../src/explorer/services/copying/content-text.ts';
import type { NodeConnection } from '../../../src/explorer/services/node/connection.ts';
import type { NodeChoice, OfferedNode, ProbeAnswer } from '../../../src/explorer/services/node/offered-node.ts';
import type { Preferences } from '../../../src/explorer/services/preferences.ts';
import { arrangeInSlices } from '../../../src/explorer/services/real-world.ts';
import type { LoggedRequests } from '../../../src/explorer/services/request-ring.ts';
import type { TableOpener } from '../../../src/explorer/services/tables.ts';
import type { World } from '../../../src/explorer/services/world.ts';
import type { ExportResult } from '../../../src/history/download/export-result.ts';
import type { RatedProgress } from '../../../src/history/download/rate.ts';
import type { DestinationCheck } from '../../../src/history/plan/destination.ts';
import type { ExportPlan } from '../../../src/history/plan/export-plan.ts';
import type { RecentChanges } from '../../../src/memory/diff/recent-changes.ts';
import { clientOf } from '../../support/client.ts';
import { fakeTables } from './fake-tables.ts';
import { listOf } from './layers.ts';

/** One thing the session asked of the world; the test decides when and how it ends. */
export interface Call<Asked, Answer> {
  readonly asked: Asked;
  readonly signal: AbortSignal;
  readonly answer: (value: Answer) => void;
  readonly fail: (error: unknown) => void;
}

type WholeCall = Call<
  {
    readonly resource: string;
    readonly request: PageRequest;
    readonly onProgress: (progress: GatherProgress) => void;
  },
  GatheredList
>;
type PageCall = Call<{ readonly resource: string; readonly request: PageRequest }, FetchedPage>;
type StatementCall = Call<
  { readonly question: FeeQuery; readonly onProgress: (progress: FeeProgress) => void },
  FetchedFees
>;
type FetchCall = Call<
  { readonly request: FetchRequest; readonly onProgress: (progress: RatedProgress) => void },
  FetchOutcome
>;
type ExportCall = Call<
  { readonly plan: ExportPlan; readonly onProgress: (progress: RatedProgress) => void },
  ExportResult
>;

/** What a node says of its chain in one answer, which came at this time. */
export const chainSaid = (
  {
    chainId,
    core,
    facts,
  }: { readonly chainId: string; readonly core: CoreStatus | null; readonly facts: ReplyHeaders },
  atMs = 0,
): ChainState => ({
  ...{ chainId: chainId === '' ? null : chainId, core, historyChains: [] },
  ...{ epoch: null, genesisTime: null, version: null },
  block: readNewestBlock(facts, atMs) ?? { height: null, timeMs: null, atMs: null },
});

/** A world in memory. Nothing in it ends by itself, but for the first connection, the settings and the name of the chain. */
export class FakeWorld implements World, NodeConnection {
  clockMs = 1_800_000_000_000;
  readonly pages: PageCall[] = [];
  readonly waits: Call<{ readonly ms: number }, void>[] = [];
  readonly segments: Call<null, { readonly boundaries: Boundaries; readonly hint: string | null }>[] = [];
  readonly places: Call<{ readonly text: string; readonly bound: 'from' | 'to' }, LocatedBlock>[] = [];
  readonly statements: StatementCall[] = [];
  readonly checks: Call<ExportPlan, DestinationCheck>[] = [];
  readonly exports: ExportCall[] = [];
  readonly copies: { readonly text: string; readonly what: string }[] = [];
  connected: ReturnType<World['connect']> = Promise.resolve({
    label: 'demo',
    address: 'http://127.0.0.1:3008',
    // A wide frame of a list shows what its test is about: the table. Tests of the preview turn it on.
    preferences: { preview: 'off' },
    presets: { daily: ['--table', 'blocks', '--last', '2', '--slice', '1', '--parallel', '2'] },
    notice: null,
  });

  readonly nowMs = () => this.clockMs;
  readonly node = () => this;
  readonly connections: Call<NodeChoice, Awaited<ReturnType<World['connect']>>>[] = [];
  readonly connect: World['connect'] = (choice, signal) => {
    if (choice.kind === 'start') return this.connected;
    return record(this.connections, choice, signal);
  };
  /** The nodes that the settings have. */
  offered: readonly OfferedNode[] = [];
  profiles: World['profiles'] = async () => ({ profiles: this.offered, problem: null });
  readonly kept: ViewToSave[] = [];
  saveView: World['saveView'] = async ({ name, view, before = {} }) => {
    this.kept.push({ name, view, before });
  };
  /** What is the user's, and what is wrong with its file. */
  mine: Mine = NOTHING_MINE;
  mineProblem: string | null = null;
  readMine: World['readMine'] = async () => ({ mine: this.mine, problem: this.mineProblem });
  saveMine: World['saveMine'] = async (_, { entity, id, isMine }) => {
    const { [entity]: before } = this.mine;
    const ids = isMine ? [...before, id] : [...before].filter(other => other !== id);
    this.mine = { ...this.mine, [entity]: new Set(ids) };
    return this.mine;
  };
  readonly comparisons: Call<ChangesQuery & { readonly onList: (list: string) => void }, FoundChanges>[] = [];
  readonly changes: World['changes'] = (query, onList, signal) =>
    record(this.comparisons, { ...query, onList }, signal);
  /** What the stored snapshots have of a record. */
  readonly histories: Call<VersionsQuery, FoundVersions>[] = [];
  readonly versions: World['versions'] = (_, name) => record(this.histories, name, new AbortController().signal);
  /** What the stored snapshots say. */
  recent: RecentChanges | null = null;
  readonly recentChanges: World['recentChanges'] = async () => this.recent;
  readonly probes: Call<NodeChoice, ProbeAnswer>[] = [];
  readonly probe: World['probe'] = (choice, signal) => record(this.probes, choice, signal);
  chainId: () => Promise<string> = async () => 'fake-chain-1';
  core: CoreStatus | null = null;
  readonly chain: NodeConnection['chain'] = async () =>
    chainSaid({ chainId: await this.chainId(), core: this.core, facts: { rate: {} } });
  /** Requests of screens that ask the node themselves. */
  readonly gets: Call<NodeRequest, Reply>[] = [];
  client: NodeConnection['client'] = () =>
    clientOf((request, signal = new AbortController().signal) => record(this.gets, request, signal));
  version: NodeConnection['version'] = async () => '';
  directory: NodeConnection['directory'] = async () => ({ names: {}, isOld: false });
  readonly wait = (ms: number, signal: AbortSignal) => record(this.waits, { ms }, signal);
  readonly page: NodeConnection['page'] = (resource, request, signal) =>
    record(this.pages, { resource: resource.id, request }, signal);
  readonly wholes: WholeCall[] = [];
  readonly whole: NodeConnection['whole'] = (resource, request, onProgress, signal) =>
    record(this.wholes, { resource, request, onProgress }, signal);
  arrange: World['arrange'] = arrangeInSlices;
  /** What explains the rows that are inspected; nobody does unless a test says who. */
  explains: NodeConnection['explain'] = async () => undefined;
  readonly explain: NodeConnection['explain'] = (...asked) => this.explains(...asked);
  readonly values: Call<string, WhatAnswer>[] = [];
  readonly what = (text: string, signal: AbortSignal) => record(this.values, text, signal);
  readonly statement: NodeConnection['statement'] = (question, onProgress, signal) =>
    record(this.statements, { question, onProgress }, signal);
  readonly boundaries = (signal: AbortSignal) => record(this.segments, null, signal);
  readonly locate = (text: string, bound: 'from' | 'to', signal: AbortSignal) =>
    record(this.places, { text, bound }, signal);
  /** Where ranges lie that are named as a whole; heights stand for themselves. */
  range: NodeConnection['range'] = (range, boundaries, signal) => {
    const asker = { get: () => Promise.reject(new Error('nothing is asked here')) };
    return resolveRange(range, { asker, boundaries, nowMs: this.nowMs(), signal });
  };
  surveys: NodeConnection['survey'] = async () => ({ kind: 'unknown', reason: 'this node does not serve epochs' });
  readonly survey: NodeConnection['survey'] = (...asked) => this.surveys(...asked);
  readonly witnesses: World['witnesses'] = async (...asked) => this.testify(...asked);
  testify: World['witnesses'] = async () => [];
  readonly keptPresets: { profile: string; name: string; words: readonly string[] }[] = [];
  keepPreset: World['keepPreset'] = async (profile, name, words) => {
    this.keptPresets.push({ profile, name, words });
  };
  verify: World['verify'] = async ({ path }) => `complete: ${path}`;
  audit: World['audit'] = async ({ folder }) => `adds-up: ${folder}`;
  report: World['report'] = async ({ folder, party, range }) => `${folder}/report.html\nabout ${party}, ${range}`;
  readonly earnings: Call<{ readonly folder: string; readonly party: string; readonly range: string }, PartyAnswers>[] =
    [];
  readonly earned: World['earned'] = (asked, _, signal) => record(this.earnings, asked, signal);
  /** What is on disk of the history. */
  stored: StoredHistory = NOTHING_STORED;
  storedHistory: World['storedHistory'] = async () => this.stored;
  readonly estimates: Call<string, FetchEstimate>[] = [];
  readonly estimateFetch: World['estimateFetch'] = (range, signal) => record(this.estimates, range, signal);
  readonly forgotten: (readonly string[] | undefined)[] = [];
  readonly forgetHistory: World['forgetHistory'] = async (_, tables) => {
    this.forgotten.push(tables);
    return 20_000;
  };
  readonly fetches: FetchCall[] = [];
  readonly fetchHistory: World['fetchHistory'] = (request, onProgress, signal) =>
    record(this.fetches, { request, onProgress }, signal, () => ({
      kind: 'cancelled' as const,
      lines: ['cancelled: 2 segments were fetched'],
    }));
  preview: World['preview'] = async () => 'height\n1\n';
  offerFor: World['offerFor'] = async () => ({
    hasEngine: true,
    questions: [
      { name: 'received', title: 'what a party received and sent', needsParty: true },
      { name: 'trades', title: 'trades by market and day', needsParty: false },
    ],
  });
  /** What is in the files that are looked at. */
  source: ViewerTables = fakeTables();
  opens: TableOpener = async () => this.source;
  readonly openTables: TableOpener = (...asked) => this.opens(...asked);
  readonly checkDestination = (plan: ExportPlan) => record(this.checks, plan, new AbortController().signal);
  readonly export = (plan: ExportPlan, onProgress: (progress: RatedProgress) => void, signal: AbortSignal) =>
    record(this.exports, { plan, onProgress }, signal, () => ({
      kind: 'cancelled' as const,
      partPath: '/tmp/x.zip.part',
      elapsedMs: 5,
    }));
  readonly tells: Call<number, LoggedRequests>[] = [];
  readonly requests = (version: number, signal: AbortSignal) => record(this.tells, version, signal);
  /** Commands of other runs, and those of this one behind them. */
  readonly lines: string[] = [];
  history: World['history'] = async () => [...this.lines];
  saveCommand: World['saveCommand'] = async line => {
    this.lines.push(line);
  };
  copy: World['copy'] = async ({ content, what }, signal) => {
    const text = await textOf(contentText(content, { explain: this.explain, screen: () => 'the screen', signal }));
    this.copies.push({ text, what });
    return { message: `${what} sent`, isDone: true };
  };
  readonly saves: Call<Saving, Saved>[] = [];
  save: World['save'] = (saving, signal) => record(this.saves, saving, signal);
}

/** All pieces of a text. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Ends like the real world when the signal aborts: with its reason, or with what an export has to tell. */
function record<Asked, Answer>(
  calls: Call<Asked, Answer>[],
  asked: Asked,
  signal: AbortSignal,
  whenAborted?: () => Answer,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  signal.addEventListener('abort', () => (whenAborted === undefined ? reject(signal.reason) : resolve(whenAborted())));
  calls.push({ asked, signal, answer: resolve, fail: reject });
  return promise;
}

export interface StartOptions {
  readonly tab?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly world?: FakeWorld;
  readonly terminal?: DisplaySupport;
  readonly preferences?: Preferences;
}

/** A session on a fake world, connected. */
export async function startSession(options: StartOptions = {}) {
  const world = options.world ?? new FakeWorld();
  const session = createSession(
    {
      screen: { columns: options.columns ?? 80, rows: options.rows ?? 24 },
      tab: options.tab ?? 'provisions',
      label: 'demo',
      nowMs: world.clockMs,
      ...(options.terminal !== undefined && { terminal: options.terminal }),
      ...(options.preferences !== undefined && { preferences: options.preferences }),
    },
    world,
  );
  await told();
  return { world, session };
}

/** Resolves when everything that was answered has been told to the session. */
export const told = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

export function press(session: Session, ...keys: readonly string[]): void {
  for (const key of keys) session.press(key);
}

/** Answers the newest page that was asked for. */
export async function answerPage(world: FakeWorld, page: RowPage, facts: Partial<ReplyHeaders> = {}): Promise<void> {
  const { answer, asked } = last(world.pages);
  answer({ page, facts: { rate: {}, ...facts }, size: asked.request.size });
  await told();
}

/** The last element; a test without it is wrong. */
export function last<Item>(items: readonly Item[]): Item {
  const item = items.at(-1);
  if (item === undefined) throw new Error('the list is empty');
  return item;
}

export function browserOf(session: Session, resource = session.state().tab) {
  const browser = listOf(session.state(), resource);
  if (browser === undefined) throw new Error(`no browser ${resource}`);
  return browser;
}

export const keysShown = (session: Session): readonly string[] =>
  (browserOf(session).page?.rows ?? []).map(row => String(row.reference));

/** Ends a session, and says whether it has ended before anything else happens. */
export async function ending(session: Session) {
  const closed = session.close();
  const isEarly = await Promise.race([closed.then(() => true), told().then(() => false)]);
  return { isEarly, closed };
}
