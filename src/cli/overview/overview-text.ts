import type { Judged, RuleFinding } from '../../attention/rule.ts';
import type { Loading } from '../../attention/seen.ts';
import { sparkline } from '../../insight/bar.ts';
import { countOf } from '../../insight/count-of.ts';
import { duration } from '../../insight/duration.ts';
import type { Count, EpochFacts, FeeFacts, NetworkFacts, NodeFacts } from '../../overview/overview.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize } from '../../text/safe-text.ts';
import { shortName } from '../../text/short-name.ts';
import { fitCells, wrapWords } from '../../text/width.ts';
import type { NamedOverview } from './overview-json.ts';
import { bySeverity } from './severity.ts';

interface Drawn {
  readonly nowMs: number;
  /** Of a terminal: longer lines are broken between words. */
  readonly columns?: number | undefined;
}

/** A line for each part, with why it is not there and how old it is, and a line for each finding. */
export function overviewText({ label, address, overview }: NamedOverview, drawn: Drawn): SafeText {
  const { node, epoch, network, fees, attention, requests } = overview;
  const history = node.kind === 'read' ? node.value.history : node;
  const lines: readonly (readonly [label: string, text: string])[] = [
    ['node', told(node, nodeText, drawn)],
    ['history', told(history, historyText, drawn)],
    ['epoch', told(epoch, epochText, drawn)],
    ['network', networkText(network)],
    ['fees', told(fees, feesText, drawn)],
    ...seriesLines(fees),
    ...attentionLines(attention),
    ['mine', 'nothing is set yet'],
  ];
  const title = label === '' ? address : `${label} (${address})`;
  return joinSafe([
    safeLine(title),
    ...lines.map(([head, text]) => line(head, text, drawn.columns)),
    line('', `${countOf(requests, 'request')} sent`, drawn.columns),
  ]);
}

const LABEL_CELLS = 9;

function line(label: string, text: string, columns = Number.POSITIVE_INFINITY): SafeText {
  const room = Math.max(20, columns - LABEL_CELLS - 4);
  const [first = EMPTY, ...rest] =
    columns === Number.POSITIVE_INFINITY ? [sanitize(text)] : wrapWords(sanitize(text), room);
  const lines = [[label, first] as const, ...rest.map(more => ['', more] as const)];
  return joinSafe(lines.map(([head, part]) => safeText`  ${fitCells(sanitize(head), LABEL_CELLS)} ${part}\n`));
}

/** What is known of a part, what may be missing of it, and its age where that can be noticed. */
function told<Value>(source: Loading<Value>, say: (value: Value) => string, { nowMs }: Drawn): string {
  switch (source.kind) {
    case 'waiting':
      return WAITING;
    case 'unread':
      return `not known: ${source.why}`;
    case 'read': {
      const ageMs = nowMs - source.atMs;
      const age = ageMs < NOTICED_MS ? '' : ` (asked ${duration(ageMs)} ago)`;
      return `${say(source.value)}${source.gap === '' ? '' : `; in part: ${source.gap}`}${age}`;
    }
  }
}

const NOTICED_MS = 5000;

const WAITING = 'not answered yet';

const NOT_KNOWN = 'not known';

function nodeText({ version, chainId, blockHeight, blockAgeMs, behindBlocks }: NodeFacts): string {
  const age = blockAgeMs === null ? 'age not known' : ageText(blockAgeMs);
  const core =
    behindBlocks === null
      ? 'core not known'
      : behindBlocks <= 1n
        ? 'in sync with its core'
        : `${countOf(behindBlocks, 'block')} behind its core`;
  return [
    version === null ? 'version not known' : shortName(version),
    chainId === null ? 'chain not known' : shortName(chainId),
    `block ${blockHeight ?? NOT_KNOWN}, ${age}`,
    core,
  ].join(' | ');
}

const ageText = (ageMs: number): string =>
  ageMs < 0
    ? `${duration(-ageMs)} ahead of this clock`
    : `${ageMs < 60_000 ? `${(ageMs / 1000).toFixed(1)} s` : duration(ageMs)} old`;

function historyText({
  oldest,
  newest,
  segments,
  gaps,
}: Extract<NodeFacts['history'], { kind: 'read' }>['value']): string {
  if (oldest === null || newest === null) return 'no segments';
  const holes = gaps.length === 0 ? 'no gap' : countOf(gaps.length, 'gap');
  return `blocks ${oldest} to ${newest} in ${countOf(segments, 'segment')}, ${holes}`;
}

function epochText({ seq, endMs, leftMs, progress }: EpochFacts): string {
  const at = endMs === null ? '' : ` (${new Date(endMs).toISOString().slice(11, 16)} UTC)`;
  const end =
    leftMs === null
      ? 'end not known'
      : leftMs > 0
        ? `ends in ${duration(leftMs)}${at}`
        : `should have ended ${duration(-leftMs)} ago${at}`;
  return `${seq}, ${end}${progress === null ? '' : `, ${Math.floor(progress * 100)} % over`}`;
}

const COUNTS: readonly (readonly [name: keyof NetworkFacts, noun: string, active: string])[] = [
  ['markets', 'market', 'active'],
  ['validators', 'validator', 'in consensus'],
  ['assets', 'asset', 'enabled'],
  ['specs', 'oracle spec', ''],
  ['bundles', 'signer bundle', ''],
];

/** Lists that are not known for the same reason share it. */
function networkText(network: NetworkFacts): string {
  const parts = COUNTS.map(([name, noun, active]) => ({ noun, active, source: network[name] }));
  const known = parts.flatMap(({ source, noun, active }) =>
    source.kind === 'read' ? [countText(source.value, source.gap, noun, active)] : [],
  );
  const unknown = parts.flatMap(({ source, noun }) =>
    source.kind === 'read' ? [] : [{ noun, why: source.kind === 'waiting' ? WAITING : `not known: ${source.why}` }],
  );
  const reasons = [...Map.groupBy(unknown, ({ why }) => why)].map(
    ([why, lists]) => `${lists.map(({ noun }) => `${noun}s`).join(', ')} ${why}`,
  );
  return [...known, ...reasons].join(' | ');
}

function countText({ count, active }: Count, gap: string, noun: string, word: string): string {
  const more = gap === '' ? '' : ` or more: ${gap}`;
  return `${countOf(count, noun)}${active === null ? '' : ` (${active} ${word})`}${more}`;
}

const MOST_TOTALS = 3;

function feesText({ epoch, markets, totals }: FeeFacts): string {
  const more = totals.length - MOST_TOTALS;
  const said = totals
    .slice(0, MOST_TOTALS)
    .map(({ text }) => text)
    .join(', ');
  return `epoch ${epoch}: ${said}${more > 0 ? ` and ${countOf(more, 'more asset')}` : ''} on ${countOf(markets, 'market')}`;
}

function seriesLines(fees: Loading<FeeFacts>): readonly (readonly [string, string])[] {
  if (fees.kind !== 'read') return [];
  const { series, why, totals } = fees.value;
  if (series === null) return [['', `last epochs not known: ${why}`]];
  const symbol = totals.find(({ assetId }) => assetId === series.assetId.toLowerCase())?.symbol ?? 'one asset';
  const where = series.marketId === null ? 'all markets' : (series.market ?? shortName(series.marketId).slice(0, 12));
  const [first, last] = [series.epochs[0]?.epoch, series.epochs.at(-1)?.epoch];
  const drawn = sparkline(series.epochs.map(({ raw }) => BigInt(raw)));
  return [['', `epochs ${first} to ${last}, ${symbol} on ${where}: ${drawn}`]];
}

function attentionLines(attention: readonly Judged[]): readonly (readonly [string, string])[] {
  const findings = bySeverity(attention);
  const known = findings.filter(one => !isUnknown(one));
  const settled = attention.filter(({ isWaiting, findings }) => !isWaiting && !findings.some(isUnknown)).length;
  const nothing = settled === 0 ? 'not known' : `nothing found by ${settled} of ${countOf(attention.length, 'rule')}`;
  const head =
    known.length === 0 ? nothing : `${countOf(known.length, 'finding')} of ${countOf(attention.length, 'rule')}`;
  const hidden = findings.length - known.length;
  const lines = findings.map(({ severity, sentence, resource, key }) => {
    const where = resource === null || key === null ? '' : ` (${resource} ${key.slice(0, SHORT_KEY)})`;
    return [severity, `${sentence}${where}`] as const;
  });
  return [['attention', `${head}${hidden === 0 || head === 'not known' ? '' : `, ${hidden} not known`}`], ...lines];
}

const isUnknown = ({ severity }: RuleFinding): boolean => severity === 'unknown';

const SHORT_KEY = 12;
