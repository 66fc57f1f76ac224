import type { PartyAnswers } from '../../answers/report/index.ts';
import type { Range } from '../../chain/insight/range.ts';
import type { Boundaries } from '../../chain/range/segment-boundaries.ts';
import type { Witness } from '../../chain/range/witnesses.ts';
import type { ArrangedRows, ArrangeProgress, ArrangeRequest } from '../../chain/resources/arrangement.ts';
import type { ExportResult } from '../../history/download/export-result.ts';
import type { DestinationCheck } from '../../history/plan/destination.ts';
import type { ExportPlan } from '../../history/plan/export-plan.ts';
import type { ChainHistoryWorld } from './chain-history/chain-history.ts';
import type { ChangesWorld } from './changes/changes.ts';
import type { CopyWorld } from './copying/copying.ts';
import type { HistoryWorld } from './history/history.ts';
import type { MineWorld } from './mine/mine.ts';
import type { NodeConnection } from './node/connection.ts';
import type { NodeWorld } from './node/node.ts';
import type { NodeChoice, OfferedNode, ProbeAnswer } from './node/offered-node.ts';
import type { LoggedRequests } from './request-ring.ts';
import type { TableOffer, TableOpener } from './tables.ts';
import type { ViewsWorld } from './views/views.ts';

/** Everything outside that a session can touch: the node that it is connected to, the clock, the disk. */
export interface World
  extends NodeWorld,
    CopyWorld,
    HistoryWorld,
    ViewsWorld,
    MineWorld,
    ChangesWorld,
    ChainHistoryWorld {
  /** The node that is connected to. Throws while there is none. */
  readonly node: () => NodeConnection;
  /** Reads the settings again. */
  readonly profiles: () => Promise<Profiles>;
  /** What the other profiles name as the segments of a range. */
  readonly witnesses: (
    exported: { readonly boundaries: Boundaries; readonly range: Range },
    signal: AbortSignal,
  ) => Promise<readonly Witness[]>;
  /** One request to a node, which need not be the one that is connected to. */
  readonly probe: (choice: NodeChoice, signal: AbortSignal) => Promise<ProbeAnswer>;
  /** The places of a whole list's rows that match, in order: worked out in slices, so that no key waits for it. */
  readonly arrange: (
    question: ArrangeRequest,
    onProgress: (progress: ArrangeProgress) => void,
    signal: AbortSignal,
  ) => Promise<ArrangedRows['places']>;
  /** The first rows of the CSVs that were exported, as text. */
  readonly preview: (result: ExportResult) => Promise<string>;
  /** The verdict on the exported files in their current state, in lines. */
  readonly verify: (
    asked: { readonly path: string; readonly isFolder: boolean; readonly plan: ExportPlan },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Whether the exports in a folder agree with each other, in lines; with the node to fetch missing tables from. */
  readonly audit: (
    asked: { readonly folder: string; readonly nodeFlags: readonly string[] },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Writes a page about a party from the exports in a folder. Resolves with its path and a summary, in lines. */
  readonly report: (asked: ReportedParty, signal: AbortSignal) => Promise<string>;
  /** What a party earned, from the exports in a folder. */
  readonly earned: (
    asked: Omit<ReportedParty, 'to'>,
    onProgress: (step: string) => void,
    signal: AbortSignal,
  ) => Promise<PartyAnswers>;
  /** Keeps the words of an export with a profile. Throws when they cannot be written. */
  readonly keepPreset: (profile: string, name: string, words: readonly string[]) => Promise<void>;
  /** The possible uses of an export of the table. */
  readonly offerFor: (table: string) => Promise<TableOffer>;
  readonly openTables: TableOpener;
  readonly checkDestination: (plan: ExportPlan) => Promise<DestinationCheck>;
  /** The requests of this run, as soon as there is more than in this version. */
  readonly requests: (version: number, signal: AbortSignal) => Promise<LoggedRequests>;
}

export interface ReportedParty {
  readonly folder: string;
  readonly party: string;
  /** As typed: `all`, `2026`, `last-month`, `e20..e25`. */
  readonly range: string;
  /** The folder that the page is written to; that of the exports if it is left out. */
  readonly to?: string;
}

interface Profiles {
  readonly profiles: readonly OfferedNode[];
  /** Why the settings have none to tell. */
  readonly problem: string | null;
}
