import { safeText } from '../../../base/text/safe-text.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { groupDigits } from '../../../chain/insight/decimal.ts';
import type { History, Segment } from '../../../chain/range/segment-history.ts';
import { breaksText } from '../../../chain/range/segment-links.ts';
import { selectedLine } from '../../core/appearance.ts';
import { type Line, span, textLine } from '../../core/line.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { wrapLine } from '../../core/wrapped-lines.ts';
import { drawHistoryStrip } from './history-strip.ts';
import { parseHeight, type Wizard } from './state.ts';

/** The segments around the focused bound: those inside the range, gaps, and schema changes. */
export function drawSegments(wizard: Wizard, { area, shared }: ScreenContext, rows: number): readonly Line[] {
  const { columns } = area;
  const { boundaries, boundariesHint } = wizard;
  const hint = boundariesHint === null ? [] : wrapLine(textLine(`  ${boundariesHint}`, 'pending'), columns);
  if (boundaries?.kind !== 'listed') return hint;
  const { segments, gaps, breaks } = boundaries;
  const summary = `${countOf(segments.length, 'segment')}, ${gaps.length === 0 ? 'without a gap' : `with ${countOf(gaps.length, 'gap')}`}`;
  const broken = breaksText(breaks);
  const heading = [
    ...(broken === undefined ? [] : wrapLine(textLine(`  ${broken}`, 'pending'), columns)),
    ...wrapLine(textLine(`  ${summary}. Type e41, a date, last 3 or last-month`, 'quiet'), columns),
  ];
  const strip = drawHistoryStrip(wizard, columns);
  const left = rows - hint.length - heading.length - strip.length;
  const atBound = (line: Line): Line => selectedLine(line, columns, shared);
  return [...hint, ...strip, ...heading, ...(left > 0 ? segmentLines(wizard, boundaries, left, atBound) : [])];
}

// Newest on top, as up leads to higher blocks. An archive of a main network has tens of thousands of segments, so
// only those around the bound in focus are looked at.
function segmentLines(
  wizard: Wizard,
  { segments, breaks }: Pick<History, 'segments' | 'breaks'>,
  height: number,
  atBound: (line: Line) => Line,
): readonly Line[] {
  const isBroken = (block: bigint): boolean => breaks.some(({ at }) => at === block);
  const edgeOf = (segment: Segment) => (wizard.field === 'from' ? segment.fromHeight : segment.toHeight);
  const target = parseHeight(wizard[wizard.field]);
  const found = target === undefined ? -1 : segments.findLastIndex(segment => edgeOf(segment) <= target);
  const at = found < 0 ? (target === undefined ? segments.length - 1 : 0) : found;
  const newest = Math.min(segments.length - 1, at + height);
  const lines: Line[] = [];
  let focusedLine = 0;
  for (let index = newest; index >= Math.max(0, at - height); index--) {
    const segment = segments[index];
    if (segment === undefined) continue;
    lines.push(...seamLines(segment, index === newest ? undefined : segments[index + 1], isBroken));
    if (index === at) focusedLine = lines.length;
    const isAtBound = edgeOf(segment) === target;
    const drawn = segmentLine(wizard, segment, isAtBound);
    lines.push(isAtBound ? atBound(drawn) : drawn);
  }
  const top = Math.max(0, Math.min(focusedLine - Math.floor(height / 2), lines.length - height));
  return lines.slice(top, top + height);
}

/** What lies between a segment and the next newer one: a gap, a broken link, a change of the schema, or nothing. */
function seamLines(
  segment: Segment,
  newer: Segment | undefined,
  isBroken: (block: bigint) => boolean,
): readonly Line[] {
  if (newer === undefined) return [];
  const [from, to] = [segment.toHeight + 1n, newer.fromHeight - 1n];
  const gap = [
    ...(from > to ? [] : [textLine(`     ~ gap: ${from} - ${to} is missing ~`, 'pending')]),
    ...(isBroken(newer.fromHeight) ? [textLine('     ~ not one chain here ~', 'pending')] : []),
  ];
  if (newer.databaseVersion === segment.databaseVersion) return gap;
  const change = `schema ${newer.databaseVersion} from ${newer.fromHeight} on, ${segment.databaseVersion} before`;
  return [textLine(`     - ${change} -`, 'accent'), ...gap];
}

function segmentLine(wizard: Wizard, segment: Segment, isAtBound: boolean): Line {
  const [from, to] = [parseHeight(wizard.from), parseHeight(wizard.to)];
  const isInside = from !== undefined && to !== undefined && segment.fromHeight >= from && segment.toHeight <= to;
  const heights = `${String(segment.fromHeight).padStart(12)} - ${String(segment.toHeight).padEnd(12)}`;
  const blocks = groupDigits(String(segment.toHeight - segment.fromHeight + 1n));
  return [
    span(isInside ? safeText`   \u2502` : safeText`    `, 'accent'),
    ...textLine(heights, isAtBound ? 'selected' : 'plain'),
    ...textLine(` ${blocks} blocks, schema ${segment.databaseVersion}`, 'quiet'),
  ];
}
