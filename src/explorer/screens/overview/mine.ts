import { isNothingMine, MINE_WORDS, NOTHING_MINE } from '../../../directory/mine.ts';
import { countOf } from '../../../insight/count-of.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { type Line, span } from '../../core/line.ts';
import type { Shared } from '../../core/screen.ts';
import type { OverviewState } from './state.ts';

/** What is the user's. */
export function drawMine(_: OverviewState, { directory }: Shared): readonly Line[] {
  const { mine = NOTHING_MINE } = directory;
  if (isNothingMine(mine)) return [[MINE, span(safeText`nothing yet: blockglass mine add ID`, 'quiet')]];
  const counts = Object.entries(MINE_WORDS).flatMap(([, word]) => [word]);
  return [[MINE, span(sanitize(countOf(counts.length, 'id')), 'quiet')]];
}

const MINE = span(safeText` Mine     `, 'strong');
