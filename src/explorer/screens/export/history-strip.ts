import { repeatSafe, sanitize } from '../../../base/text/safe-text.ts';
import { HISTORY_MARKS, type HistoryCell, historyLine } from '../../../chain/range/history-line.ts';
import { isHeight } from '../../../chain/range/parse-range.ts';
import { type Line, type Span, type Style, span } from '../../core/line.ts';
import type { Wizard } from './state.ts';

const STYLES: { readonly [cell in HistoryCell]: Style } = { available: 'quiet', missing: 'pending', chosen: 'accent' };

/** Fewer cells than that show nothing. */
const MIN_STRIP_CELLS = 10;

/** The chosen range against the history of the node, as wide as the screen; nothing where no history is known. */
export function drawHistoryStrip(
  { boundaries, from, to }: Pick<Wizard, 'boundaries' | 'from' | 'to'>,
  columns: number,
): readonly Line[] {
  if (boundaries === null) return [];
  const marked = isHeight(from) && isHeight(to) ? { from: BigInt(from), to: BigInt(to) } : null;
  const ends = historyLine(boundaries, null, 1);
  if (ends === null) return [];
  const [first, last] = [`  ${ends.first} `, ` ${ends.last}`];
  const cells = columns - first.length - last.length - 1;
  const history = cells < MIN_STRIP_CELLS ? null : historyLine(boundaries, marked, cells);
  if (history === null) return [];
  return [[span(sanitize(first), 'quiet'), ...groupCells(history.cells), span(sanitize(last), 'quiet')]];
}

function groupCells(cells: readonly HistoryCell[]): readonly Span[] {
  const runs: { readonly cell: HistoryCell; count: number }[] = [];
  for (const cell of cells) {
    const run = runs.at(-1);
    if (run?.cell === cell) run.count++;
    else runs.push({ cell, count: 1 });
  }
  return runs.map(({ cell, count }) => span(repeatSafe(sanitize(HISTORY_MARKS['utf-8'][cell]), count), STYLES[cell]));
}
