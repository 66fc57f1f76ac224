import type { Client } from '../api/client.ts';
import { SEGMENTS_REQUEST } from '../api/core-status.ts';
import { isNotServed, UndecodableError } from '../api/errors.ts';
import type { Bound } from '../insight/chain-point.ts';
import {
  type BlockSpan,
  createHistory,
  type History,
  readSegmentHistory,
  type Segment,
  unreadableSegmentsText,
} from './segment-history.ts';
import { breaksInRange, breaksText } from './segment-links.ts';

/** Where an export may begin and end: at listed segments or, when a node lists none, every 1000 blocks. */
export type Boundaries = (History & { readonly kind: 'listed'; readonly chainId: string }) | { readonly kind: 'rule' };

/** Blocks of a segment, assumed when a node lists none (export-behaviour.md section 2.3). */
export const ASSUMED_SEGMENT_BLOCKS = 1000n;

/** The boundaries of a listed history. The chain id is that of the newest segment. */
const toBoundaries = (history: History): Boundaries => ({
  kind: 'listed',
  ...history,
  chainId: history.segments.at(-1)?.chainId ?? '',
});

/** The boundaries of these segments, given oldest first. */
export const listedBoundaries = (segments: readonly Segment[]): Boundaries => toBoundaries(createHistory(segments));

/** The boundaries next to a height; null when there is none on that side. */
interface NearestBoundaries {
  readonly isExact: boolean;
  /** Strictly below the height. */
  readonly below: bigint | null;
  readonly above: bigint | null;
}

/** Finds the boundaries next to a height: `from` must be the start of a segment, `to` the end of one. */
export function nearestBoundaries(boundaries: Boundaries, bound: Bound, height: bigint): NearestBoundaries {
  if (boundaries.kind === 'rule') return nearestAssumedBoundaries(bound, height);
  let below: bigint | null = null;
  let above: bigint | null = null;
  let isExact = false;
  for (const segment of boundaries.segments) {
    const edge = bound === 'from' ? segment.fromHeight : segment.toHeight;
    if (edge === height) isExact = true;
    else if (edge < height) below = below === null || edge > below ? edge : below;
    else above = above === null || edge < above ? edge : above;
  }
  return { isExact, below, above };
}

/** Blocks of one database schema, so of one CSV for each table. */
interface SchemaRun {
  readonly schemaVersion: number;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** A range that may be exported, or the reason why not. */
export type RangeCheck =
  | {
      readonly isValid: true;
      readonly blocks: bigint;
      readonly segments: bigint;
      readonly runs?: readonly SchemaRun[];
      /** Where its segments do not form one chain, and why. */
      readonly broken?: string;
    }
  | { readonly isValid: false; readonly problem: string };

/** Checks a range as a node would. Also refuses `from` above `to`, which crashes deployed nodes (export-behaviour.md section 1.8). */
export function checkRange(boundaries: Boundaries, from: bigint, to: bigint): RangeCheck {
  const problem = boundProblem(boundaries, 'from', from) ?? boundProblem(boundaries, 'to', to);
  if (problem !== undefined) return { isValid: false, problem };
  if (from > to) return { isValid: false, problem: `the first block ${from} is above the last block ${to}` };
  const blocks = to - from + 1n;
  if (boundaries.kind === 'rule') return { isValid: true, blocks, segments: blocks / ASSUMED_SEGMENT_BLOCKS };
  const segments = segmentsOfRange(boundaries.spans, from, to);
  if (segments === undefined)
    return {
      isValid: false,
      problem: `history has a gap between ${from} and ${to}: choose a range without a gap`,
    };
  const broken = breaksText(breaksInRange(boundaries.breaks, { from, to }));
  return {
    ...{ isValid: true, blocks, segments: BigInt(segments.length), runs: schemaRuns(segments) },
    ...(broken !== undefined && { broken }),
  };
}

/** The problem with one end of a range, or undefined. */
export function boundProblem(boundaries: Boundaries, bound: Bound, height: bigint): string | undefined {
  const { isExact, below, above } = nearestBoundaries(boundaries, bound, height);
  if (isExact) return undefined;
  const near = [below, above].filter(edge => edge !== null);
  const [begins, begin] = bound === 'from' ? ['begins', 'begin'] : ['ends', 'end'];
  if (near.length === 0) return `no segment ${begins} at block ${height}`;
  // The boundaries come first: a field of 80 columns cuts the end off.
  const nearest = near.length === 1 ? `the nearest segment ${begins}` : `segments ${begin}`;
  return `${nearest} at ${near.join(' and ')}, not at ${height}`;
}

function nearestAssumedBoundaries(bound: Bound, height: bigint): NearestBoundaries {
  const first = bound === 'from' ? 1n : ASSUMED_SEGMENT_BLOCKS;
  if (height < first) return { isExact: false, below: null, above: first };
  const rest = (height - first) % ASSUMED_SEGMENT_BLOCKS;
  const below = rest === 0n ? height - ASSUMED_SEGMENT_BLOCKS : height - rest;
  return { isExact: rest === 0n, below: below < first ? null : below, above: height - rest + ASSUMED_SEGMENT_BLOCKS };
}

function segmentsOfRange(spans: readonly BlockSpan[], from: bigint, to: bigint): readonly Segment[] | undefined {
  for (const { segments } of spans) {
    const first = segments.findIndex(segment => segment.fromHeight === from);
    const last = segments.findIndex(segment => segment.toHeight === to);
    if (first >= 0 && last >= first) return segments.slice(first, last + 1);
  }
  return undefined;
}

/** One CSV per run of segments with the same schema version (export-behaviour.md section 1.4). */
function schemaRuns(segments: readonly Segment[]): readonly SchemaRun[] {
  const runs: SchemaRun[] = [];
  for (const segment of segments) {
    const schemaVersion = Number(segment.databaseVersion);
    const last = runs.at(-1);
    if (last?.schemaVersion === schemaVersion) runs[runs.length - 1] = { ...last, toBlock: segment.toHeight };
    else runs.push({ schemaVersion, fromBlock: segment.fromHeight, toBlock: segment.toHeight });
  }
  return runs;
}

/** Asks the node for its segments. Falls back to RULE_SIZE when it does not list them. Throws NodeError. */
export async function fetchBoundaries(
  client: Pick<Client, 'get'>,
  signal?: AbortSignal,
): Promise<{ readonly boundaries: Boundaries; readonly hint: string | null }> {
  try {
    const reply = await client.get(SEGMENTS_REQUEST, signal);
    const history = readSegmentHistory(reply);
    const flaw = unreadableSegmentsText(reply.json);
    if (flaw !== undefined && history?.segments.length === 0)
      throw new UndecodableError(flaw, {
        url: SEGMENTS_REQUEST.path,
        hint: 'this node may run another version',
      });
    if (history !== undefined)
      return {
        boundaries: toBoundaries(history),
        hint: flaw ?? (history.segments.length === 0 ? 'this node keeps no history' : null),
      };
    return {
      boundaries: { kind: 'rule' },
      hint: 'the answer has no list of segments: assuming 1000 blocks each',
    };
  } catch (error) {
    if (isNotServed(error)) {
      return {
        boundaries: { kind: 'rule' },
        hint: 'this node does not list its segments: assuming 1000 blocks each',
      };
    }
    throw error;
  }
}
