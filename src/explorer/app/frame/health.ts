import { shortDuration } from '../../../base/text/duration.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { timeOfDay } from '../../../base/text/time.ts';
import { truncateEnd, truncateMiddle } from '../../../base/text/width.ts';
import { topLayer } from '../../core/layer.ts';
import { type Line, lineWidth, nodeStyle, type Span, span } from '../../core/line.ts';
import { type RuleParts, ruleCells, titledRule } from '../../core/rule.ts';
import type { SessionState } from '../../core/state.ts';
import { coreHealth, isLagging } from '../../services/node/health.ts';
import { recentlyComparedNodes } from '../../services/node/nodes.ts';
import type { ComparedNodes } from '../../services/node/offered-node.ts';
import { shownTrust } from '../trust.ts';

/** The rule below the tabs; at its end, where there is room, how the node stands to its core, and how others stood. */
export function headRule(state: SessionState, parts: RuleParts): Line {
  const core = coreSpans(state);
  const { columns } = state.screen;
  const forms = [Number.POSITIVE_INFINITY, MAX_NAME_CELLS].map((longest): Line => {
    const others = otherSpans(state, longest);
    return others.length > 0 && core.length > 0 ? [...others, span(safeText`   `), ...core] : [...others, ...core];
  });
  const shown = forms.find(form => ruleCells(parts) + lineWidth(form) + MARGINS <= columns) ?? core;
  return titledRule(parts, columns, shown);
}

/** Cells around the text at the end of the rule. */
const MARGINS = 4;

function coreSpans(state: SessionState): Line {
  const health = coreHealth(state);
  // The header shows the time of a snapshot, and since when a node does not answer.
  if (health === undefined || state.node.moment !== null || state.node.contact.silentSinceMs !== null) return [];
  const trust = shownTrust(state);
  // Above old rows it would read as if they were of now.
  if (!health.isBad && trust.kind === 'stale') return [];
  // The header says it already.
  if (!health.isBad && health.isInSync && trust.kind === 'current' && trust.ageMs !== null) return [];
  const text = truncateEnd(sanitize(health.text), MAX_HEALTH_CELLS);
  // It was so at this time of the day, and is not asked for all the time.
  return [span(text, health.isBad ? 'bad' : 'quiet'), span(sanitize(` (${timeOfDay(health.atMs)})`), 'quiet')];
}

const MAX_HEALTH_CELLS = 60;

function otherSpans(state: SessionState, longestName: number): Line {
  const others = recentlyComparedNodes(state.node, state.knownNodes);
  // The list of nodes shows the same for each.
  if (others === undefined || topLayer(state)?.screen === 'nodes') return [];
  const told = others.nodes.flatMap(({ node, answer }): Line => {
    const name = truncateMiddle(sanitize(node.name), longestName);
    return [
      span(name, nodeStyle(node.colour ?? null)),
      span(safeText` `),
      healthSpan(state, answer),
      span(safeText`  `),
    ];
  });
  return [...told, span(sanitize(`(${timeOfDay(others.atMs)})`), 'quiet')];
}

/** Where whole names have no room. */
const MAX_NAME_CELLS = 16;

type ComparedAnswer = ComparedNodes['nodes'][number]['answer'];

function healthSpan(state: SessionState, answer: ComparedAnswer): Span {
  if (answer.kind === 'failed') return span(answer.isUnreached ? safeText`not reached` : safeText`no status`, 'bad');
  const { ageMs } = answer;
  if (ageMs === null) return span(safeText`answered`, 'quiet');
  if (answer.isArchive === true) return span(safeText`archive`, 'quiet');
  const age = shortDuration(Math.abs(ageMs));
  if (isLagging(state, ageMs)) return span(sanitize(`${ageMs < 0 ? 'ahead' : 'behind'} ${age}`), 'bad');
  return span(safeText`in sync`, 'good');
}
