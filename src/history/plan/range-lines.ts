import { momentText } from '../../base/text/time.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { type Boundaries, checkRange, type RangeCheck } from '../../chain/range/segment-boundaries.ts';
import { segmentNotes } from '../../chain/range/segment-history.ts';
import type { Survey } from '../../chain/range/survey-range.ts';
import { witnessLines } from '../../chain/range/witnesses.ts';
import type { ExportPlan } from './export-plan.ts';
import { cutIntoSlices, MANY_SEGMENTS, proposeSliceLength } from './slices.ts';

/** One labelled line about a range. */
export interface RangeLine {
  readonly label: string;
  readonly text: string;
}

/** The known facts about an export before it starts. */
interface RangeFacts {
  readonly plan: Pick<ExportPlan, 'fromBlock' | 'toBlock' | 'witnesses'>;
  readonly boundaries: Boundaries;
  /** How its ends were found, if they were not given as heights. */
  readonly notes: readonly string[];
  /** Null while it is being requested. */
  readonly survey: Survey | null;
  /** The estimated size; null when nothing is known. */
  readonly size: string | null;
}

/** Describes a range in blocks, times, epochs and size, for the wizard and the command. */
export function rangeLines({ plan, boundaries, notes, survey, size }: RangeFacts): readonly RangeLine[] {
  const range = checkRange(boundaries, plan.fromBlock, plan.toBlock);
  if (!range.isValid) return [{ label: 'blocks', text: range.problem }];
  return [
    { label: 'blocks', text: `${plan.fromBlock} to ${plan.toBlock}, ${rangeExtent(range)}` },
    ...notes.map(text => ({ label: 'found', text })),
    ...timeAndEpochLines(survey),
    ...historyLines(boundaries),
    ...witnessLines(plan.witnesses ?? []).map(text => ({ label: 'witness', text })),
    ...(size === null ? [] : [{ label: 'size', text: size }]),
  ];
}

/** The extent of a range: `2 000 blocks in 2 segments, one CSV`. */
export function rangeExtent({ blocks, segments, runs }: Extract<RangeCheck, { readonly isValid: true }>): string {
  const extent = `${countOf(blocks, 'block')} in ${countOf(segments, 'segment')}`;
  if (runs === undefined) return extent;
  return `${extent}, ${runs.length === 1 ? 'one CSV' : `${runs.length} CSVs (schema change)`}`;
}

/** Suggests slices for a long range, because one lost connection would lose the whole download. */
export function slicesHint(plan: ExportPlan, boundaries: Boundaries): string | undefined {
  const range = checkRange(boundaries, plan.fromBlock, plan.toBlock);
  if (plan.slices !== undefined || !range.isValid || range.segments <= MANY_SEGMENTS) return undefined;
  const size = proposeSliceLength(range.segments);
  const count = cutIntoSlices(plan, boundaries, size).length;
  return `${range.segments} segments in one request: --slice ${size} makes ${count} slices, each verified and saved separately`;
}

function timeAndEpochLines(survey: Survey | null): readonly RangeLine[] {
  if (survey === null) return [{ label: 'times', text: 'asking the node ...' }];
  if (survey.kind === 'unknown') return [{ label: 'times', text: `unknown: ${survey.reason}` }];
  const { from, to } = survey;
  const inPart = [...(from.isEdge ? [] : [from.seq]), ...(to.isEdge ? [] : [to.seq])];
  const parts = [...new Set(inPart)].join(' and ');
  const epochs = from.seq === to.seq ? `${from.seq}` : `${from.seq} to ${to.seq}`;
  return [
    { label: 'times', text: `about ${momentText(from.timeMs)} to ${momentText(to.timeMs)} (estimated)` },
    { label: 'epochs', text: `${epochs}${parts === '' ? '' : ` (${parts} partial)`}` },
  ];
}

// Unreadable segments were reported when the list arrived.
const historyLines = (boundaries: Boundaries): readonly RangeLine[] =>
  boundaries.kind === 'rule' ? [] : segmentNotes(boundaries).filter(({ label }) => label !== 'unreadable');
