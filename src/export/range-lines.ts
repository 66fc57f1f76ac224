import { countOf } from '../insight/count-of.ts';
import { type Boundaries, checkRange, type RangeCheck } from './boundaries.ts';
import { segmentNotes } from './history.ts';
import { momentText } from './place-name.ts';
import type { ExportPlan } from './plan.ts';
import { cutIntoSlices, MANY_SEGMENTS, proposedSlice } from './slices.ts';
import type { Survey } from './survey-range.ts';

/** One thing that is known of a range, for people. */
export interface RangeLine {
  readonly label: string;
  readonly text: string;
}

/** All that is known of an export before it is asked for. */
export interface RangeFacts {
  readonly plan: Pick<ExportPlan, 'fromBlock' | 'toBlock'>;
  readonly boundaries: Boundaries;
  /** How its ends were found, where they were not given as heights. */
  readonly notes: readonly string[];
  /** Null while it is being asked for. */
  readonly survey: Survey | null;
  /** How large it will be, as far as anything says so. */
  readonly size: string | null;
}

/** The range in blocks and segments, times and epochs, what is missing of it, and its size: for wizard and command. */
export function rangeLines({ plan, boundaries, notes, survey, size }: RangeFacts): readonly RangeLine[] {
  const range = checkRange(boundaries, plan.fromBlock, plan.toBlock);
  if (!range.isValid) return [{ label: 'blocks', text: range.problem }];
  return [
    { label: 'blocks', text: `${plan.fromBlock} to ${plan.toBlock}, ${extentOf(range)}` },
    ...notes.map(text => ({ label: 'found', text })),
    ...placeLines(survey),
    ...historyLines(boundaries),
    ...(size === null ? [] : [{ label: 'size', text: size }]),
  ];
}

/** How much a range holds: `2 000 blocks in 2 segments, one CSV`. */
export function extentOf({ blocks, segments, runs }: Extract<RangeCheck, { readonly isValid: true }>): string {
  const extent = `${countOf(blocks, 'block')} in ${countOf(segments, 'segment')}`;
  if (runs === undefined) return extent;
  return `${extent}, ${runs.length === 1 ? 'one CSV' : `${runs.length} CSVs: the schema changes inside`}`;
}

/** A long range in one request is lost whole with one broken line: what to do about it, or nothing. */
export function slicesHint(plan: ExportPlan, boundaries: Boundaries): string | undefined {
  const range = checkRange(boundaries, plan.fromBlock, plan.toBlock);
  if (plan.slices !== undefined || !range.isValid || range.segments <= MANY_SEGMENTS) return undefined;
  const size = proposedSlice(range.segments);
  const count = cutIntoSlices(plan, boundaries, size).length;
  return `${range.segments} segments in one request: --slice ${size} makes ${count} slices, each verified and kept by itself`;
}

function placeLines(survey: Survey | null): readonly RangeLine[] {
  if (survey === null) return [{ label: 'times', text: 'asking the node ...' }];
  if (survey.kind === 'unknown') return [{ label: 'times', text: `not known: ${survey.reason}` }];
  const { from, to } = survey;
  const inPart = [...(from.isEdge ? [] : [from.seq]), ...(to.isEdge ? [] : [to.seq])];
  const parts = [...new Set(inPart)].join(' and ');
  const epochs = from.seq === to.seq ? `${from.seq}` : `${from.seq} to ${to.seq}`;
  return [
    { label: 'times', text: `about ${momentText(from.timeMs)} to ${momentText(to.timeMs)}, reckoned within epochs` },
    { label: 'epochs', text: `${epochs}${parts === '' ? '' : `, of ${parts} only a part`}` },
  ];
}

// What cannot be read of the list was said when it came.
const historyLines = (boundaries: Boundaries): readonly RangeLine[] =>
  boundaries.kind === 'rule' ? [] : segmentNotes(boundaries).filter(({ label }) => label !== 'unreadable');
