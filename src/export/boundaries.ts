import type { ExpectedRun } from './check/verdict.ts';
import { type History, historyOf } from './history.ts';
import type { BlockSpan, Segment } from './segment.ts';

/** Where an export may begin and end: what the node listed, or the rule of 1000 when it lists nothing. */
export type Boundaries = (History & { readonly kind: 'listed'; readonly chainId: string }) | { readonly kind: 'rule' };

export const RULE_SIZE = 1000n;

export const boundariesOf = (history: History): Boundaries => ({
  kind: 'listed',
  ...history,
  chainId: history.segments.at(-1)?.chainId ?? '',
});

export const listedBoundaries = (segments: readonly Segment[]): Boundaries => boundariesOf(historyOf(segments));

/** The boundaries next to a height; null where there is none on that side. */
export interface Nearest {
  readonly isExact: boolean;
  /** Strictly below, or the height itself is not counted. */
  readonly below: bigint | null;
  readonly above: bigint | null;
}

/** Which end of a segment a bound has to be. */
export type Bound = 'from' | 'to';

export function nearestBoundaries(boundaries: Boundaries, bound: Bound, height: bigint): Nearest {
  if (boundaries.kind === 'rule') return nearestByRule(bound, height);
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

/** A range that may be asked for, or the sentence that says why not. */
export type RangeCheck =
  | {
      readonly isValid: true;
      readonly blocks: bigint;
      readonly segments: bigint;
      readonly runs?: readonly ExpectedRun[];
    }
  | { readonly isValid: false; readonly problem: string };

/** Checks both bounds as a node would, and that `from` is not above `to`, which kills a deployed node. */
export function checkRange(boundaries: Boundaries, from: bigint, to: bigint): RangeCheck {
  const problem = boundProblem(boundaries, 'from', from) ?? boundProblem(boundaries, 'to', to);
  if (problem !== undefined) return { isValid: false, problem };
  if (from > to) return { isValid: false, problem: `the first block ${from} lies above the last block ${to}` };
  const blocks = to - from + 1n;
  if (boundaries.kind === 'rule') return { isValid: true, blocks, segments: blocks / RULE_SIZE };
  const segments = segmentsWithin(boundaries.spans, from, to);
  if (segments === undefined)
    return {
      isValid: false,
      problem: `history has a gap between ${from} and ${to}: choose a range inside one span`,
    };
  return { isValid: true, blocks, segments: BigInt(segments.length), runs: schemaRuns(segments) };
}

/** What is wrong with one bound, or undefined. */
export function boundProblem(boundaries: Boundaries, bound: Bound, height: bigint): string | undefined {
  const { isExact, below, above } = nearestBoundaries(boundaries, bound, height);
  if (isExact) return undefined;
  const which = bound === 'from' ? 'begins' : 'ends';
  const near = [below, above].filter(edge => edge !== null);
  return `no segment ${which} at ${height}${near.length === 0 ? '' : `; nearest ${near.join(' and ')}`}`;
}

function nearestByRule(bound: Bound, height: bigint): Nearest {
  const first = bound === 'from' ? 1n : RULE_SIZE;
  if (height < first) return { isExact: false, below: null, above: first };
  const rest = (height - first) % RULE_SIZE;
  const below = rest === 0n ? height - RULE_SIZE : height - rest;
  return { isExact: rest === 0n, below: below < first ? null : below, above: height - rest + RULE_SIZE };
}

function segmentsWithin(spans: readonly BlockSpan[], from: bigint, to: bigint): readonly Segment[] | undefined {
  for (const { segments } of spans) {
    const first = segments.findIndex(segment => segment.fromHeight === from);
    const last = segments.findIndex(segment => segment.toHeight === to);
    if (first >= 0 && last >= first) return segments.slice(first, last + 1);
  }
  return undefined;
}

/** One CSV per run of segments with the same schema version (export-behaviour.md section 1.4). */
function schemaRuns(segments: readonly Segment[]): readonly ExpectedRun[] {
  const runs: ExpectedRun[] = [];
  for (const segment of segments) {
    const schemaVersion = Number(segment.databaseVersion);
    const last = runs.at(-1);
    if (last?.schemaVersion === schemaVersion) runs[runs.length - 1] = { ...last, toBlock: segment.toHeight };
    else runs.push({ schemaVersion, fromBlock: segment.fromHeight, toBlock: segment.toHeight });
  }
  return runs;
}
