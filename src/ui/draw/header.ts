import { duration } from '../../insight/time.ts';
import type { NodeHeight, NodeState, SessionState } from '../../session/model/state.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import { type Line, lineWidth, type Span, span, spread, textLine } from '../line.ts';

/** A cell before the left part, one behind the right one, one between them. */
const MARGINS = 3;

/** Program, node, chain, and how fresh the node was when it was last read. The age stays at any width. */
export function drawHeader({ node, screen }: SessionState): Line {
  const parts = { ...leftParts(node), ...freshness(node.height), rate: rateOf(node) };
  const room = screen.columns - MARGINS;
  const kept = { ...parts };
  const cells = () => Object.values(kept).reduce((sum, spans) => sum + lineWidth(spans), 0);
  for (const part of FIRST_TO_GO) if (cells() > room) kept[part] = [];
  const rest = cells() - lineWidth(kept.name);
  const name = kept.name.map(part => ({ ...part, text: truncateMiddle(part.text, Math.max(0, room - rest)) }));
  return spread(
    [span(safeText` `), ...kept.program, ...name, ...kept.chain, ...kept.offline],
    [...kept.block, ...kept.age, ...kept.zone, ...kept.rate, span(safeText` `)],
    screen.columns,
  );
}

/** What gives way when there is no room, in turn; then the name is cut, and the age never is. */
const FIRST_TO_GO = ['rate', 'zone', 'program', 'chain', 'block', 'offline'] as const;

// Older than this the node lags, or the chain stands still.
const STALE_MS = 60_000;

function leftParts(node: NodeState) {
  const isOffline = node.status === 'failed';
  const name = node.label === '' ? node.address.replace(/^https?:\/\//, '') : node.label;
  return {
    program: textLine('blockglass  ', 'strong'),
    name: textLine(name, isOffline ? 'bad' : 'accent'),
    chain: textLine(node.chainId ? `  ${node.chainId}` : ''),
    offline: textLine(isOffline ? '  offline' : '', 'bad'),
  };
}

function freshness(height: NodeHeight | null) {
  if (height === null) return { block: [], age: [], zone: [] };
  const { ageMs, block, readAtMs } = height;
  const time = span(sanitize(`at ${new Date(readAtMs).toISOString().slice(11, 19)}`), 'quiet');
  return {
    block: textLine(`block ${block}  `),
    // The age was true at this time of the day and does not go on counting: the two stand together.
    age: ageMs === null ? [time] : [ageOf(ageMs), time],
    zone: textLine(' UTC', 'quiet'),
  };
}

function ageOf(ageMs: number): Span {
  // A block from after now: the two clocks disagree.
  if (ageMs < 0) return span(sanitize(`${duration(-ageMs)} ahead `), -ageMs > STALE_MS ? 'bad' : 'quiet');
  return span(sanitize(`${duration(ageMs)} old `), ageMs > STALE_MS ? 'bad' : 'quiet');
}

const rateOf = ({ ratePerSecond }: NodeState): Line =>
  textLine(ratePerSecond === null ? '' : `   ${ratePerSecond} req/s allowed`, 'quiet');
