import type { CoreStatus } from '../../api/core-status.ts';
import type { ReplyFacts } from '../../api/reply.ts';
import type { KnownNames } from '../../directory/cached-names.ts';
import type { Explanation } from '../../explain/explanation.ts';
import type { FeeQuery } from '../../explain/statement/fee-node.ts';
import type { FeeProgress, FetchedFees } from '../../explain/statement/fetch-fees.ts';
import type { Progress } from '../../export/download/progress.ts';
import type { ExportResult } from '../../export/download/result.ts';
import type { DestinationCheck } from '../../export/plan/destination.ts';
import type { ExportPlan } from '../../export/plan/plan.ts';
import type { NamedPresets } from '../../export/plan/typed-export.ts';
import type { Boundaries } from '../../export/range/boundaries.ts';
import type { Located } from '../../export/range/locate.ts';
import type { NamedRange } from '../../export/range/named-range.ts';
import type { FoundRange } from '../../export/range/resolve-range.ts';
import type { Survey } from '../../export/range/survey-range.ts';
import type { FetchedPage } from '../../resources/fetch-page.ts';
import type { GatheredList, GatherProgress } from '../../resources/gather-list.ts';
import type { PageRequest } from '../../resources/page-request.ts';
import type { Around, Resource, Row } from '../../resources/resource.ts';
import type { WholeRows } from '../../resources/whole-rows.ts';
import type { Arranged, Arrangement, ArrangeProgress } from '../../session/model/arrangement.ts';
import type { NodeChoice, OfferedNode, ProbeAnswer } from '../../session/model/nodes.ts';
import type { Preferences } from '../../session/model/preferences.ts';
import type { LoadedPage } from '../../session/model/state.ts';
import type { TableOffer } from '../../session/model/table-requests.ts';
import type { Copying, Saved, Saving } from '../../session/model/taking.ts';
import type { KeptView } from '../../settings/kept-view.ts';
import type { ProfileColour } from '../../settings/settings.ts';
import type { WhatAnswer } from '../../what/what.ts';
import type { HistoryWorld } from './history/history.ts';
import type { OpenTables } from './open-tables.ts';
import type { ToldRequests } from './request-ring.ts';
import type { ViewsWorld } from './views/views.ts';

/** Everything outside that a session can touch: the node that it is connected to, the clock, the disk. */
export interface World extends NodeConnection, HistoryWorld, ViewsWorld {
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From now on its node is the one that is asked; the one before is not any more. */
  readonly connect: (
    choice: NodeChoice,
    signal: AbortSignal,
  ) => Promise<Connected & { readonly address: string; readonly hasLogin?: boolean }>;
  /** Reads the settings anew. */
  readonly profiles: () => Promise<Profiles>;
  /** One request to a node, which need not be the one that is connected to. */
  readonly probe: (choice: NodeChoice, signal: AbortSignal) => Promise<ProbeAnswer>;
  /** The places of a whole list's rows that match, in order: worked out in slices, so that no key waits for it. */
  readonly arrange: (
    question: ArrangeQuestion,
    onProgress: (progress: ArrangeProgress) => void,
    signal: AbortSignal,
  ) => Promise<Arranged['places']>;
  /** The first rows of the CSVs that were exported, as text. */
  readonly preview: (result: ExportResult) => Promise<string>;
  /** The verdict on what was exported as it lies there now, in lines. */
  readonly verify: (
    asked: { readonly path: string; readonly isFolder: boolean; readonly plan: ExportPlan },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Keeps the words of an export with a profile. Throws when they cannot be written. */
  readonly keepPreset: (profile: string, name: string, words: readonly string[]) => Promise<void>;
  /** What can be done with the export of a table. */
  readonly offerFor: (table: string) => Promise<TableOffer>;
  /** Files that are looked at. */
  readonly tables: OpenTables;
  readonly checkDestination: (plan: ExportPlan) => Promise<DestinationCheck>;
  /** The requests of this run, as soon as more was told of them than by this version. */
  readonly requests: (version: number, signal: AbortSignal) => Promise<ToldRequests>;
  /** Puts text on the person's clipboard, and says honestly what was done. */
  readonly copy: (copying: Copying, signal: AbortSignal) => Promise<Copied>;
  /** Writes a text to a file, as a whole or not at all. */
  readonly save: (saving: Saving, signal: AbortSignal) => Promise<Saved>;
}

/** What is known once the node's address is: nothing was asked of it yet. */
export interface Connected {
  /** `demo`, a profile's name, or ''. */
  readonly label: string;
  readonly colour?: ProfileColour;
  /** Of the profile; left out where there is none. */
  readonly presets?: NamedPresets;
  /** How its lists were left. */
  readonly view?: KeptView;
  /** Those that the settings have. */
  readonly profiles?: readonly OfferedNode[];
  readonly preferences: Preferences;
  /** Something to tell, such as a settings file that cannot be used. */
  readonly notice: string | null;
}

export interface Profiles {
  readonly profiles: readonly OfferedNode[];
  /** Why the settings have none to tell. */
  readonly problem: string | null;
}

export interface ChainAnswer {
  readonly chainId: string;
  readonly core: CoreStatus | null;
  readonly facts: ReplyFacts;
}

/** What one node can be asked. What was learned of it is forgotten with the object: another node has another. */
export interface NodeConnection {
  /** Name of the chain, '' when the node does not say; and its core. */
  readonly chain: (signal: AbortSignal) => Promise<ChainAnswer>;
  /** The data node's own; '' when it does not say. */
  readonly version: (signal: AbortSignal) => Promise<string>;
  /** Names of the chain: those kept from another run, or what the node says, which is kept. */
  readonly directory: (
    asked: { readonly from: 'kept' | 'node'; readonly chainId: string },
    signal: AbortSignal,
  ) => Promise<KnownNames>;
  readonly page: (resource: string, request: PageRequest, signal: AbortSignal) => Promise<FetchedPage>;
  /** Every row of the list that a page is of. */
  readonly whole: (
    resource: string,
    request: PageRequest,
    onProgress: (progress: GatherProgress) => void,
    signal: AbortSignal,
  ) => Promise<GatheredList>;
  /** What a record means; undefined when nobody explains its list. */
  readonly explain: (
    resource: string,
    row: Row,
    around: Around,
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
  readonly locate: (text: string, bound: 'from' | 'to', signal: AbortSignal) => Promise<Located>;
  /** Where a range lies whose two ends are named at once. */
  readonly range: (range: NamedRange, boundaries: Boundaries, signal: AbortSignal) => Promise<FoundRange>;
  /** Times and epochs of a range. */
  readonly survey: (plan: ExportPlan, signal: AbortSignal) => Promise<Survey>;
  readonly export: (
    plan: ExportPlan,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ) => Promise<ExportResult>;
}

/** A whole list, and how its rows are to be found and sorted. */
export interface ArrangeQuestion {
  readonly resource: Resource;
  readonly page: LoadedPage & { readonly whole: WholeRows };
  readonly wanted: Arrangement;
  /** What was done last: what it found may be looked through alone. */
  readonly before: Arranged;
}

export interface Copied {
  readonly message: string;
  readonly isDone: boolean;
}
