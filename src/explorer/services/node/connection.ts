import type { ChainDoubt, Client } from '../../../chain/api/client.ts';
import { INFO_REQUEST } from '../../../chain/api/core-status.ts';
import { jsonText, member } from '../../../chain/api/json.ts';
import { shownAddress } from '../../../chain/api/request.ts';
import type { KnownNames } from '../../../chain/directory/cached-names.ts';
import { chainClock } from '../../../chain/directory/chain-clock.ts';
import type { ChainState } from '../../../chain/directory/chain-state.ts';
import { type Directory, NO_NAMES } from '../../../chain/directory/directory.ts';
import { mergeNames } from '../../../chain/directory/merge-names.ts';
import type { Mine } from '../../../chain/directory/mine.ts';
import { createAsk } from '../../../chain/explain/ask.ts';
import type { Explanation } from '../../../chain/explain/explanation.ts';
import { EXPLAINERS } from '../../../chain/explain/registry.ts';
import type { FeeQuery } from '../../../chain/explain/statement/fee-node.ts';
import type { FeeProgress, FetchedFees } from '../../../chain/explain/statement/fetch-fees.ts';
import type { LocatedBlock } from '../../../chain/range/locate-block.ts';
import type { NamedRange } from '../../../chain/range/parse-range.ts';
import type { ResolvedRange } from '../../../chain/range/resolve-range.ts';
import { type Boundaries, fetchBoundaries } from '../../../chain/range/segment-boundaries.ts';
import type { Survey } from '../../../chain/range/survey-range.ts';
import { type FetchedPage, fetchPage } from '../../../chain/resources/fetch-page.ts';
import type { GatheredList, GatherProgress } from '../../../chain/resources/gather-list.ts';
import type { PageRequest } from '../../../chain/resources/page-request.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { RecordContext, Resource, Row } from '../../../chain/resources/resource.ts';
import type { WhatAnswer } from '../../../chain/what/what.ts';
import { addNamesRemark, type ExportResult } from '../../../history/download/export-result.ts';
import { type RatedProgress, rated } from '../../../history/download/rate.ts';
import type { SliceOptions } from '../../../history/download/slice-export.ts';
import type { ExportPlan } from '../../../history/plan/export-plan.ts';

/** A chain, and reasons to doubt that all answers belong to it. */
interface WatchedChain extends ChainState {
  readonly doubts?: readonly ChainDoubt[];
}

/** The queries for one node. Another node has its own object, so that their data is not mixed. */
export interface NodeConnection {
  /** For a screen that asks what no other does. */
  readonly client: () => Client;
  /** The node's report on its chain; `isBrief` requests only its newest block and its core. */
  readonly chain: (signal: AbortSignal, isBrief?: boolean) => Promise<WatchedChain>;
  /** The data node's own version; '' if not reported. */
  readonly version: (signal: AbortSignal) => Promise<string>;
  /** Names of the chain: those cached in another run, or the node's current ones, which are cached. */
  readonly directory: (
    asked: { readonly from: 'cache' | 'node'; readonly chainId: string },
    signal: AbortSignal,
  ) => Promise<KnownNames>;
  readonly page: (resource: Resource, request: PageRequest, signal: AbortSignal) => Promise<FetchedPage>;
  /** Every row of the list that a page is of. */
  readonly whole: (
    resource: string,
    request: PageRequest,
    onProgress: (progress: GatherProgress) => void,
    signal: AbortSignal,
  ) => Promise<GatheredList>;
  /** The meaning of a record; undefined if its list has no explanation. */
  readonly explain: (
    resource: string,
    row: Row,
    around: RecordContext,
    signal: AbortSignal,
  ) => Promise<Explanation | undefined>;
  /** What a value is to the node, in a few requests. */
  readonly what: (text: string, signal: AbortSignal) => Promise<WhatAnswer>;
  /** What a statement is made of: every epoch of the markets and assets that it looks at. */
  readonly statement: (
    question: FeeQuery,
    onProgress: (progress: FeeProgress) => void,
    signal: AbortSignal,
  ) => Promise<FetchedFees>;
  readonly boundaries: (
    signal: AbortSignal,
  ) => Promise<{ readonly boundaries: Boundaries; readonly hint: string | null }>;
  /** The block that a date or an epoch stands for. */
  readonly locate: (text: string, bound: 'from' | 'to', signal: AbortSignal) => Promise<LocatedBlock>;
  /** Where a range lies whose two ends are named at once. */
  readonly range: (range: NamedRange, boundaries: Boundaries, signal: AbortSignal) => Promise<ResolvedRange>;
  /** Times and epochs of a range. */
  readonly survey: (plan: ExportPlan, signal: AbortSignal) => Promise<Survey>;
  readonly export: (
    plan: ExportPlan,
    onProgress: (progress: RatedProgress) => void,
    signal: AbortSignal,
  ) => Promise<ExportResult>;
}

/** How long an export may keep one waiting, in ms. */
export interface ExportTimeouts {
  /** For its first byte: a node sends nothing before its first MiB. */
  readonly firstByteMs: number;
  /** Between two chunks. */
  readonly idleMs: number;
}

interface NodeConnectionOptions extends ExportTimeouts {
  readonly client: Client;
  /** The user's own words, by id. */
  readonly aliases: Directory['aliases'];
  /** Where names are cached between runs; null for nowhere. */
  readonly namesFolder: string | null;
  /** The time to count ages from: of a snapshot, when it was taken. */
  readonly nowMs: () => number;
  /** Program and version, for the manifest of an export. */
  readonly program: string;
  /** The user's own records on a chain, as far as known. */
  readonly mineOn?: (chainId: string) => Mine | undefined;
}

export function openNodeConnection({
  client,
  aliases,
  namesFolder,
  program,
  mineOn,
  nowMs,
  ...waits
}: NodeConnectionOptions): NodeConnection {
  let boundaries: Boundaries | undefined;
  let asking: ReturnType<typeof createAsk> | undefined;
  let named: Directory = { ...NO_NAMES, aliases };
  let namedChain = '';
  // On a chain that has ended, everything counts from its newest block.
  const clock = chainClock(client, nowMs);
  // The names, with the user's own records.
  const marked = (): Directory => {
    const mine = mineOn?.(namedChain);
    return mine === undefined ? named : { ...named, mine };
  };
  return {
    client: () => client,
    chain: async (signal, isBrief = false) => {
      const { askChain } = await import('../../../chain/directory/ask-chain.ts');
      const state = await askChain(client, isBrief ? ['block'] : ['name', 'block'], signal);
      return { ...state, doubts: client.doubts?.() ?? [] };
    },
    version: async signal => jsonText(member((await client.get(INFO_REQUEST, signal)).json, 'version')),
    directory: async ({ from, chainId }, signal) => {
      const { fetchNames, cachedNames } = await import('../../../chain/directory/cached-names.ts');
      const folder = chainId === '' ? null : namesFolder;
      const place = { folder, chainId, node: shownAddress(client.base) };
      if (chainId !== namedChain) named = { ...NO_NAMES, aliases };
      namedChain = chainId;
      const cachedMs = Date.now();
      const asked =
        from === 'cache' ? cachedNames(place, cachedMs) : fetchNames(client, place, { nowMs: cachedMs, signal });
      const known = await asked;
      named = mergeNames(named, known.names);
      return known;
    },
    page: fetchPage.bind(undefined, client),
    whole: async (id, { filters, newestFirst }, onProgress, signal) => {
      const { gatherList } = await import('../../../chain/resources/gather-list.ts');
      return gatherList({ client, resource: requireResource(id), signal }, { filters, newestFirst }, onProgress);
    },
    explain: async (id, row, around, signal) => {
      const load = Object.hasOwn(EXPLAINERS, id) ? EXPLAINERS[id] : undefined;
      if (load === undefined) return undefined;
      asking ??= createAsk(client, Date.now);
      const explainer = await load();
      return explainer(row, {
        directory: marked(),
        ...{ nowMs: clock.nowMs(), hasEnded: clock.hasEnded() },
        around,
        ask: asking(signal),
      });
    },
    what: async (text, signal) =>
      (await import('../../../chain/what/what.ts')).whatIs(text, { client, directory: marked(), signal }),
    statement: async (question, onProgress, signal) => {
      const { fetchFees } = await import('../../../chain/explain/statement/fetch-fees.ts');
      const { feeNode } = await import('../../../chain/explain/statement/fee-node.ts');
      let requests = 0;
      let last: FeeProgress = { request: 0, of: null };
      const counting: Client = {
        ...client,
        get: (request, given) => client.get(request, given, { onSend: () => requests++ }),
      };
      const asked = feeNode({
        client: counting,
        signal,
        onWait: (ms, why) => onProgress({ ...last, waits: `${why}: waiting ${Math.max(1, Math.ceil(ms / 1000))} s` }),
        onSmaller: () => {},
        onNote: () => {},
      });
      const report = (progress: FeeProgress): void => {
        last = progress;
        onProgress(progress);
      };
      const fetched = await fetchFees(question, asked, { directory: named, onProgress: report });
      // A request that was sent again is one more.
      return { ...fetched, requests };
    },
    boundaries: async signal => {
      const found = await fetchBoundaries(client, signal);
      boundaries = found.boundaries;
      return found;
    },
    locate: async (text, bound, signal) =>
      (await import('../../../chain/range/locate-block.ts')).locateBlock(client, text, bound, signal),
    range: async (range, listed, signal) => {
      const { resolveRange } = await import('../../../chain/range/resolve-range.ts');
      return resolveRange(range, { asker: client, boundaries: listed, nowMs: clock.nowMs(), signal });
    },
    survey: async (plan, signal) =>
      (await import('../../../chain/range/survey-range.ts')).surveyRange(client, plan, signal),
    export: async (plan, onProgress, signal) => {
      const { fetchEpochsOfRange } = await import('../../../chain/range/epochs-of-range.ts');
      const timesOfEpochs = fetchEpochsOfRange(client, plan, signal).catch(() => ({ epochs: [] }));
      const result = await runExport({
        ...{ client, plan, boundaries, program, signal, ...waits },
        onProgress: rated(onProgress),
      });
      const { saveExportNames } = await import('../../../chain/directory/save-export-names.ts');
      const { createRangeRecord } = await import('../../../chain/range/requested-range.ts');
      const { ranges, epochs } = createRangeRecord(plan, boundaries);
      const asked = {
        ...{ table: plan.table.id, chainId: plan.chainId, ranges },
        epochs: [...epochs, ...(await timesOfEpochs).epochs],
        known: named,
        signal,
      };
      return addNamesRemark(result, await saveExportNames(client, result, asked));
    },
  };
}

type ExportOptions = Omit<SliceOptions, 'slices' | 'boundaries'> & { readonly boundaries: Boundaries | undefined };

async function runExport({ boundaries, ...options }: ExportOptions): Promise<ExportResult> {
  const { slices } = options.plan;
  if (slices === undefined || boundaries === undefined)
    return (await import('../../../history/download/download.ts')).download(options);
  return (await import('../../../history/download/slice-export.ts')).exportSlices({ ...options, slices, boundaries });
}

function requireResource(id: string): Resource {
  const resource = resourceById(id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  return resource;
}
