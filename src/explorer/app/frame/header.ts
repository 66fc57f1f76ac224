import { shortDuration } from '../../../base/text/duration.ts';
import { EMPTY, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { minuteText, timeOfDay } from '../../../base/text/time.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { TWO_CHAINS } from '../../../chain/directory/chain-watch.ts';
import { archiveText } from '../../../chain/insight/node-lag.ts';
import { barLine, justifyLine, type Line, lineWidth, nodeStyle, type Style, span, textLine } from '../../core/line.ts';
import type { SessionState } from '../../core/state.ts';
import { shownVersion } from '../../services/node/health.ts';
import type { NodeState } from '../../services/node/node.ts';
import { knownAlarms } from '../open-screens.ts';
import { shownTrust, type Trust } from '../trust.ts';

/** A cell before the left part, one behind the right one, one between them. */
const MARGINS = 3;

/** Program, node, chain, and whether to believe the screen: that stays at any width. */
export function drawHeader(state: SessionState): Line {
  const { node, screen } = state;
  const trust = shownTrust(state);
  const parts = {
    ...leftParts(state),
    ...rightParts(trust, state),
    ...alarmParts(trust, state),
    rate: rateLimitLine(node),
  };
  const room = screen.columns - MARGINS;
  const fitting = { ...parts };
  const cells = () => Object.values(fitting).reduce((sum, spans) => sum + lineWidth(spans), 0);
  // Reserves room for the age: its neighbours must not appear and disappear with it.
  const spare = trust.kind === 'current' ? Math.max(0, MAX_SYNC_TEXT_CELLS - lineWidth(parts.trust)) : 0;
  for (const part of trust.kind === 'archive' ? FIRST_TO_GO_OF_ARCHIVE : FIRST_TO_GO)
    if (cells() + spare > room) fitting[part] = [];
  const rest = cells() - lineWidth(fitting.name);
  const name = fitting.name.map(part => ({ ...part, text: truncateMiddle(part.text, Math.max(0, room - rest)) }));
  const header = justifyLine(
    [span(safeText` `), ...fitting.program, ...name, ...fitting.chain, ...fitting.version],
    [
      ...fitting.trust,
      ...fitting.zone,
      ...fitting.critical,
      ...fitting.warnings,
      ...fitting.block,
      ...fitting.rate,
      span(safeText` `),
    ],
    screen.columns,
  );
  return barLine(header, screen.columns, 'title');
}

/** Below it the time of the last block has only its date. */
const NARROW = 60;

const MAX_SYNC_TEXT_CELLS = 'in sync 30 s ago'.length;

/** The parts left out when room is short, first to last. Then the name is cut, but never the trust. */
const FIRST_TO_GO = ['rate', 'warnings', 'zone', 'program', 'version', 'chain', 'critical', 'block'] as const;

/** For an archive, the time identifies the newest block, which does not change. */
const FIRST_TO_GO_OF_ARCHIVE = [
  'rate',
  'warnings',
  'zone',
  'program',
  'version',
  'critical',
  'block',
  'chain',
] as const;

function leftParts(state: SessionState) {
  const { node } = state;
  const version = truncateMiddle(sanitize(shownVersion(state)), MAX_VERSION_CELLS);
  return {
    program: textLine('blockglass  ', 'strong'),
    name: textLine(shownName(node), node.status === 'failed' ? 'bad' : nodeStyle(node.colour)),
    chain: textLine(node.chainId ? `  ${node.chainId}` : ''),
    version: version === EMPTY ? [] : [span(safeText`  ${version}`)],
  };
}

/** Nobody should take the sample data for a real chain. */
function shownName({ label, address }: NodeState): string {
  if (label === 'demo') return 'DEMO DATA';
  return label === '' ? address.replace(/^https?:\/\//, '') : label;
}

const MAX_VERSION_CELLS = 20;

function rightParts(trust: Trust, { node: { height }, screen, times }: SessionState) {
  const isOfClock = times === 'clock';
  const isNarrow = screen.columns < NARROW;
  const block = textLine(height === null ? '' : `  block ${height.block}`);
  if (trust.kind === 'unknown') return { trust: [], zone: [], block };
  const [word, style] = trustLabel(trust, isNarrow);
  const { text, isTime } = trustTimeText(trust, isOfClock);
  const when = text === '' ? [] : [span(sanitize(` ${text}`), trust.kind === 'offline' ? 'bad' : 'quiet')];
  return { trust: [span(sanitize(word), style), ...when], zone: textLine(isTime ? ' UTC' : '', 'quiet'), block };
}

/** What Home counts as critical or a warning, on the other tabs: a node in sync may serve a chain that is in trouble. */
function alarmParts(trust: Trust, state: SessionState) {
  // That the node is gone says enough.
  const isSaidElsewhere = trust.kind === 'offline' || state.tab === 'overview';
  const [first, ...rest] = isSaidElsewhere ? [] : knownAlarms(state);
  const [critical, warning] = first?.severity === 'critical' ? [first, rest[0]] : [undefined, first];
  return {
    critical: textLine(critical === undefined ? '' : `  ${critical.text}`, 'bad'),
    warnings: textLine(
      warning === undefined ? '' : `${critical === undefined ? '  ' : ' \u00b7 '}${warning.text}`,
      'pending',
    ),
  };
}

type KnownTrust = Exclude<Trust, { readonly kind: 'unknown' }>;

function trustLabel(trust: KnownTrust, isNarrow: boolean): readonly [string, Style] {
  switch (trust.kind) {
    case 'moment':
      return [minuteText(trust.takenMs), 'strong'];
    case 'offline':
      return ['offline', 'bad'];
    case 'stale':
      return ['stale', trust.isDue ? 'bad' : 'pending'];
    case 'doubtful':
      return trust.isMixed ? [TWO_CHAINS, 'bad'] : ['blocks jump', 'pending'];
    case 'behind':
      return [`${(trust.ageMs ?? 0) < 0 ? 'ahead' : 'behind'} ${shortDuration(Math.abs(trust.ageMs ?? 0))}`, 'bad'];
    case 'stalled':
      return [`stalled ${shortDuration(trust.ageMs ?? 0)}`, 'bad'];
    case 'archive':
      return [
        isNarrow ? `archive ${minuteText(trust.blockMs).slice(0, '2026-10-01'.length)}` : archiveText(trust.blockMs),
        'quiet',
      ];
    case 'current':
      // Without a block's time nothing proves that it is current.
      return trust.ageMs === null ? ['answered', 'quiet'] : ['in sync', 'good'];
  }
}

/** Since when, or for how long; a time of the clock where the person wants those. */
function trustTimeText(trust: KnownTrust, isOfClock: boolean): { readonly text: string; readonly isTime: boolean } {
  switch (trust.kind) {
    case 'moment':
      return { text: 'offline', isTime: false };
    case 'doubtful':
      return { text: '', isTime: false };
    case 'offline':
      return trust.sinceMs === null
        ? { text: '', isTime: false }
        : { text: `since ${timeOfDay(trust.sinceMs)}`, isTime: true };
    case 'stale':
      return isOfClock
        ? { text: `since ${timeOfDay(trust.atMs)}`, isTime: true }
        : { text: shortDuration(trust.ageMs), isTime: false };
    case 'archive':
    case 'behind':
    case 'stalled':
    case 'current':
      if (trust.agoMs === 0) return { text: '', isTime: false };
      return isOfClock
        ? { text: `at ${timeOfDay(trust.atMs)}`, isTime: true }
        : { text: `${shortDuration(trust.agoMs)} ago`, isTime: false };
  }
}

const rateLimitLine = ({ ratePerSecond }: NodeState): Line =>
  textLine(ratePerSecond === null ? '' : `   ${ratePerSecond} req/s allowed`, 'quiet');
