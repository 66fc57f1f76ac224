import { coreStanding } from '../../session/model/standing.ts';
import type { SessionState } from '../../session/model/state.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateEnd } from '../../text/width.ts';
import { type Line, span, spread } from '../line.ts';

/** The line of filters, and how the node stands to its core where there is room beside it. */
export function besideStanding(state: SessionState, filters: Line): Line {
  const standing = coreStanding(state);
  if (standing === undefined) return filters;
  // It was so at this time of the day, and is not asked for all the time.
  const at = new Date(standing.atMs).toISOString().slice(11, 19);
  const text = truncateEnd(sanitize(standing.text), LONGEST);
  const line = [span(text, standing.isBad ? 'bad' : 'quiet'), span(sanitize(` at ${at} `), 'quiet')];
  return spread(filters, line, state.screen.columns);
}

const LONGEST = 60;
