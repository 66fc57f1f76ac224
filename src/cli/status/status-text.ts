import { joinSafe, type SafeText, safeLine, safeText } from '../../base/text/safe-text.ts';
import { shortenName } from '../../base/text/shorten-name.ts';
import { labelledLines } from '../../base/text/text-table.ts';
import { minuteText } from '../../base/text/time.ts';
import type { CoreStatus } from '../../chain/api/core-status.ts';
import { blockAge } from '../../chain/directory/chain-state.ts';
import { blocksBehindText, countOf } from '../../chain/insight/count-of.ts';
import { archiveText } from '../../chain/insight/node-lag.ts';
import { type History, historyLag, segmentNotes } from '../../chain/range/segment-history.ts';
import { EXIT } from '../exit-code.ts';
import { type JudgedNode, type NodesJudgement, noteSentences } from './compare-nodes.ts';
import {
  isCoreUnreachable,
  reasonUnknown,
  type StatusProblem,
  twoUnitDuration,
  worstExitCode,
} from './judge-status.ts';
import type { NodeStatus } from './node-status.ts';

/** The status and problems of each node, one line per topic. */
export function statusText({ nodes, chains }: NodesJudgement, drawn: Drawn): SafeText {
  const mismatch = safeLine(
    `The nodes are on different chains and compared within each: ${chains.map(word).join(', ')}`,
  );
  const parts = nodes.map(node => nodeText(node, drawn));
  return joinSafe(chains.length > 1 ? [...parts, mismatch] : parts, safeText`\n`);
}

interface Drawn {
  readonly nowMs: number;
  /** Width of the terminal; longer lines are wrapped. */
  readonly columns?: number | undefined;
}

function nodeText(node: JudgedNode, { nowMs, columns }: Drawn): SafeText {
  const { name, address, status, findings, answers, doubts, lag } = node;
  const isArchive = lag.kind === 'archive';
  const title = name === '' ? address : `${name} (${address})`;
  const facts: readonly (readonly [label: string, text: string])[] = [
    ['version', versionText(status)],
    ['chain', word(status.chainId)],
    ['block', blockText(node)],
    [
      'core',
      coreText(status.core) ??
        (isArchive && isCoreUnreachable(answers) ? 'none' : unknownText(reasonUnknown(answers.statistics))),
    ],
    ['epoch', isArchive ? lastEpochText(status) : epochText(status, nowMs)],
    ['history', status.history === null ? unknownText(reasonUnknown(answers.segments)) : historyText(status.history)],
    ['rate limit', rateText(status)],
    ['latency', status.latencyMs === null ? NOT_KNOWN : `${Math.round(status.latencyMs)} ms`],
  ];
  const isSilent = Object.values(answers).every(answer => answer === null || answer.kind === 'failed');
  return joinSafe([
    safeLine(`${title}: ${isArchive && findings.length === 0 ? archiveText(status.block.timeMs) : verdict(findings)}`),
    ...findings.map(({ text }) => labelledLines('problem', text, { labelCells: LABEL_CELLS, columns })),
    ...noteSentences(doubts).map(text => labelledLines('note', text, { labelCells: LABEL_CELLS, columns })),
    ...(isSilent ? [] : facts.map(([label, text]) => labelledLines(label, text, { labelCells: LABEL_CELLS, columns }))),
  ]);
}

function verdict(findings: readonly StatusProblem[]): string {
  const worst = worstExitCode(findings.map(({ code }) => code));
  const deciding = findings.filter(({ code }) => code === worst);
  if (deciding.length > 0 && deciding.every(({ isBusy }) => isBusy)) return 'BUSY';
  if (deciding.some(({ isStalled }) => isStalled)) return 'STALLED';
  return VERDICTS[worst] ?? 'not healthy';
}

const VERDICTS: { readonly [code: number]: string } = {
  [EXIT.done]: 'healthy',
  [EXIT.behind]: 'BEHIND',
  [EXIT.refused]: 'REFUSED',
  [EXIT.untrusted]: 'UNTRUSTED',
  [EXIT.unreachable]: 'UNREACHABLE',
};

const NOT_KNOWN = 'unknown';

const LABEL_CELLS = 11;

const unknownText = (why: string | undefined): string => (why === undefined ? NOT_KNOWN : `${NOT_KNOWN}: ${why}`);

const versionText = ({ version, core }: NodeStatus): string =>
  [`data node ${word(version)}`, ...(core === null ? [] : [`core ${word(core.version)}`])].join(', ');

const word = (text: string | null): string => (text === null ? NOT_KNOWN : shortenName(text));

function blockText({ status: { block, core }, behindBest, lag }: JudgedNode): string {
  const ageMs = blockAge(block);
  const age = ageMs === null ? 'time unknown' : lag.kind === 'archive' ? minuteText(block.timeMs ?? 0) : ageText(ageMs);
  const behind = [
    ...(core?.behindBlocks == null ? [] : [blocksBehindText(core.behindBlocks, 'its core')]),
    ...(behindBest === null
      ? []
      : [behindBest === 0n ? 'none of these nodes is ahead' : blocksBehindText(behindBest, 'the best of these nodes')]),
  ];
  return [`${block.height ?? 'height unknown'}, ${age}`, ...behind].join('; ');
}

function ageText(ageMs: number): string {
  const length =
    Math.abs(ageMs) < 60_000 ? `${(Math.abs(ageMs) / 1000).toFixed(1)} s` : twoUnitDuration(Math.abs(ageMs));
  return ageMs < 0 ? `${length} ahead of this clock` : `${length} old`;
}

function coreText(core: CoreStatus | null): string | undefined {
  if (core === null) return undefined;
  const { height, state } = core;
  const block = height === null ? 'block unknown' : `block ${height}`;
  return state === null || state === 'connected' ? block : `${block}; WARNING: it reports "${state}", not "connected"`;
}

function epochText({ epoch }: NodeStatus, nowMs: number): string {
  if (epoch === null) return NOT_KNOWN;
  if (epoch.endsMs === null) return `${epoch.seq}; its end is unknown`;
  const left = epoch.endsMs - nowMs;
  const when = left >= 0 ? `ends in ${twoUnitDuration(left)}` : `should have ended ${twoUnitDuration(-left)} ago`;
  return `${epoch.seq}, ${when} (${clockTime(epoch.endsMs, nowMs)})`;
}

/** The epoch in which the chain ended, or stopped for good. */
function lastEpochText({ epoch }: NodeStatus): string {
  if (epoch === null) return NOT_KNOWN;
  return epoch.startMs === null
    ? `${epoch.seq}, the last`
    : `${epoch.seq}, the last; it began ${minuteText(epoch.startMs)}`;
}

/** With the day where it is not today's. */
function clockTime(timeMs: number, nowMs: number): string {
  const [time, now] = [new Date(timeMs).toISOString(), new Date(nowMs).toISOString()];
  const day = time.slice(0, 10) === now.slice(0, 10) ? '' : `${time.slice(0, 10)} `;
  return `${day}${time.slice(11, 16)} UTC`;
}

function historyText(history: History): string {
  const { spans, segments, unreadable } = history;
  // Lag has its own words below, and broken links are among the problems.
  const notes = segmentNotes(history).flatMap(({ label, text }) =>
    label === 'history' || label === 'links' ? [] : `${label}: ${text}`,
  );
  const lag = historyLag(history);
  if (segments.length === 0) return unreadable === 0 ? 'no segments' : notes.join('; ');
  const spanTexts = spans.map(
    ({ from, to, segments: inside }) => `${from} to ${to} (${countOf(inside.length, 'segment')})`,
  );
  const isWhole = history.gaps.length === 0 && unreadable === 0;
  return [`${listFewSpans(spanTexts)}${isWhole ? ' without a gap' : ''}`, ...(lag === '' ? [] : [lag]), ...notes].join(
    '; ',
  );
}

const listFewSpans = (parts: readonly string[]): string =>
  parts.length <= MAX_LISTED_SPANS
    ? parts.join(', ')
    : `${parts.slice(0, MAX_LISTED_SPANS).join(', ')} and ${parts.length - MAX_LISTED_SPANS} more (blockglass segments)`;

const MAX_LISTED_SPANS = 4;

function rateText({ rate: { limitPerSecond, remaining } }: NodeStatus): string {
  if (limitPerSecond === undefined && remaining === undefined) return NOT_KNOWN;
  const limit = limitPerSecond === undefined ? '' : `${limitPerSecond} requests/s`;
  const left = remaining === undefined ? '' : `${remaining} left, shared by all its users`;
  return [limit, left].filter(part => part !== '').join(', ');
}
