import { duration } from '../../insight/time.ts';
import { versionOf } from '../../session/model/standing.ts';
import type { NodeState, SessionState } from '../../session/model/state.ts';
import { type Trust, trustOf } from '../../session/model/trust.ts';
import { EMPTY, safeText, sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import { type Line, lineWidth, type Span, span, spread, textLine } from '../line.ts';
import { nodeStyle } from './node-style.ts';

/** A cell before the left part, one behind the right one, one between them. */
const MARGINS = 3;

/** Program, node, chain, and whether to believe the screen: that stays at any width. */
export function drawHeader(state: SessionState): Line {
  const { node, screen } = state;
  const trust = trustOf(state);
  const parts = { ...leftParts(state), ...rightParts(trust, node), rate: rateOf(node) };
  const room = screen.columns - MARGINS;
  const kept = { ...parts };
  const cells = () => Object.values(kept).reduce((sum, spans) => sum + lineWidth(spans), 0);
  for (const part of FIRST_TO_GO) if (cells() > room) kept[part] = [];
  const rest = cells() - lineWidth(kept.name);
  const name = kept.name.map(part => ({ ...part, text: truncateMiddle(part.text, Math.max(0, room - rest)) }));
  return spread(
    [span(safeText` `), ...kept.program, ...name, ...kept.chain, ...kept.version],
    [...kept.trust, ...kept.zone, ...kept.block, ...kept.rate, span(safeText` `)],
    screen.columns,
  );
}

/** What gives way when there is no room, in turn; then the name is cut, and the trust never is. */
const FIRST_TO_GO = ['rate', 'zone', 'program', 'version', 'chain', 'block'] as const;

function leftParts(state: SessionState) {
  const { node } = state;
  const version = truncateMiddle(sanitize(versionOf(state)), LONGEST_VERSION);
  const name = node.label === '' ? node.address.replace(/^https?:\/\//, '') : node.label;
  return {
    program: textLine('blockglass  ', 'strong'),
    name: textLine(name, node.status === 'failed' ? 'bad' : nodeStyle(node.colour)),
    chain: textLine(node.chainId ? `  ${node.chainId}` : ''),
    version: version === EMPTY ? [] : [span(safeText`  ${version}`)],
  };
}

const LONGEST_VERSION = 20;

function rightParts(trust: Trust, { height }: NodeState) {
  const block = textLine(height === null ? '' : `  block ${height.block}`);
  if (trust.kind === 'unknown') return { trust: [], zone: [], block };
  const { atMs } = trust;
  // An age was true at this time of the day and does not go on counting: the two stand together.
  const time = atMs === null ? [] : [span(sanitize(` at ${new Date(atMs).toISOString().slice(11, 19)}`), 'quiet')];
  return { trust: [wordOf(trust), ...time], zone: textLine(atMs === null ? '' : ' UTC', 'quiet'), block };
}

function wordOf(trust: Exclude<Trust, { readonly kind: 'unknown' }>): Span {
  switch (trust.kind) {
    case 'offline':
      return span(safeText`OFFLINE`, 'bad');
    case 'old':
      return span(sanitize(`OLD answer ${duration(trust.ageMs)}`), 'pending');
    case 'behind':
      return span(
        sanitize(`${(trust.ageMs ?? 0) < 0 ? 'AHEAD' : 'BEHIND'} ${duration(Math.abs(trust.ageMs ?? 0))}`),
        'bad',
      );
    case 'current':
      // Without a block's time nothing says that it is current.
      return trust.ageMs === null
        ? span(safeText`answered`, 'quiet')
        : span(sanitize(`OK ${ageText(trust.ageMs)}`), 'good');
  }
}

// A block from after now: the two clocks disagree, by little.
const ageText = (ageMs: number): string => (ageMs < 0 ? `${duration(-ageMs)} ahead` : duration(ageMs));

const rateOf = ({ ratePerSecond }: NodeState): Line =>
  textLine(ratePerSecond === null ? '' : `   ${ratePerSecond} req/s allowed`, 'quiet');
