import { countOf, countText } from '../../insight/count-of.ts';
import type { SessionState } from '../../session/model/state.ts';
import { type OpenTable, openTableOf, waitedSeconds } from '../../session/model/viewer.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateMiddle, widthCells } from '../../text/width.ts';

/** What is being worked out, for how long, how far it is where that is known, and what ends it; undefined while nothing is. */
export function viewerProgress({ viewer, screen }: SessionState): string | undefined {
  const open = openTableOf(viewer);
  if (open === undefined) return undefined;
  const seconds = waitedSeconds(open.view);
  const waited = seconds === 0 ? '' : `, ${countText(seconds)} s`;
  const ways = workOf(open)?.map(work => `${work}${waited} ...  Esc stops`);
  const room = screen.columns - 2;
  return ways?.find(way => widthCells(sanitize(way)) <= room) ?? ways?.at(-1);
}

/** The work in words, the most words first. */
function workOf({ view, table }: OpenTable): readonly string[] | undefined {
  const { arranging, finding, find, over } = view;
  if (finding !== null) {
    // Those that the look leaves out are passed by too.
    const percent = `${Math.floor((100 * finding.done) / Math.max(1, table.rows))} %`;
    const text = truncateMiddle(sanitize(find), LONGEST_TEXT);
    return [
      `finding "${text}": ${countText(finding.done)} of ${countOf(table.rows, 'row')}`,
      `finding "${text}": ${percent}`,
      `finding: ${percent}`,
    ];
  }
  if (arranging !== null) {
    const { sort } = arranging.look;
    return sort === null ? ['looking for the rows', 'looking'] : [`sorting by ${sort.column}`, 'sorting'];
  }
  if (over === null || !('ticket' in over.answer)) return undefined;
  return over.kind === 'counts'
    ? [`counting the values of ${over.column}`, 'counting']
    : [`working out ${over.column} over time`, 'working it out'];
}

const LONGEST_TEXT = 20;
