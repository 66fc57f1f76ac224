import { countOf } from '../insight/count-of.ts';
import { duration } from '../insight/duration.ts';
import { archiveText } from '../insight/node-lag.ts';
import { minuteText } from '../insight/time.ts';
import { shortName } from '../text/short-name.ts';
import type { FeeFacts, FeeSeries } from './fees.ts';
import type { Count, NetworkFacts, NodeFacts } from './overview.ts';
import type { EpochFacts } from './seen.ts';

// What the overview says of each part. Texts may hold words of the chain: sanitise them.

/** Of a part that was not asked yet, or whose answer has not come. */
export const NOT_ANSWERED = 'not answered yet';

export const notKnown = (why: string): string => `not known: ${why}`;

/** Version, chain, newest block, and where it stands beside its core. */
export function nodeParts({
  version,
  chainId,
  blockHeight,
  blockAgeMs,
  doubts,
  ...beside
}: NodeFacts): readonly string[] {
  const age = blockAgeMs === null ? 'age not known' : blockAge(blockAgeMs);
  const block = `block ${blockHeight ?? 'not known'}`;
  const standing = beside.isArchive
    ? [block, archiveText(beside.blockTimeMs)]
    : [`${block}, ${age}`, besideCore(beside)];
  return [
    version === null ? 'version not known' : shortName(version),
    chainId === null ? 'chain not known' : shortName(chainId),
    ...standing,
    ...(doubts.some(({ severity }) => severity === 'untrusted') ? ['of two chains: do not trust it'] : []),
  ];
}

function besideCore({ behindBlocks, behindMs }: Pick<NodeFacts, 'behindBlocks' | 'behindMs'>): string {
  if (behindBlocks === null) return 'core not known';
  if (behindBlocks > 1n) return `${countOf(behindBlocks, 'block')} behind its core`;
  if (behindBlocks < -1n) return `${countOf(-behindBlocks, 'block')} ahead of its core`;
  // Equal heights with times so far apart are not the same block.
  if (behindMs !== null && Math.abs(behindMs) > MINUTE_MS) return 'not in sync with its core';
  return 'in sync with its core';
}

const MINUTE_MS = 60_000;

const blockAge = (ageMs: number): string =>
  ageMs < 0
    ? `${duration(-ageMs)} ahead of this clock`
    : `${ageMs < MINUTE_MS ? `${(ageMs / 1000).toFixed(1)} s` : duration(ageMs)} old`;

export function historyText({
  oldest,
  newest,
  segments,
  listed,
  gaps,
  breaks,
}: Extract<NodeFacts['history'], { kind: 'read' }>['value']): string {
  if (oldest === null || newest === null) return listed === 0 ? 'no segments' : 'no segment that can be read';
  const holes = gaps.length === 0 ? 'no gap' : countOf(gaps.length, 'gap');
  const broken = breaks[0] === undefined ? '' : `, not one chain at block ${breaks[0]}`;
  return `blocks ${oldest} to ${newest} in ${countOf(segments, 'segment')}, ${holes}${broken}`;
}

const DAY_MS = 24 * 60 * MINUTE_MS;

/** When the epoch ends, so long after the chain's clock was read. */
export function epochEnd({ startMs, endMs, leftMs, isLast }: EpochFacts, sinceMs = 0): string {
  if (isLast) return startMs === null ? 'the last' : `the last, begun ${minuteText(startMs)}`;
  if (leftMs === null) return 'end not known';
  const nowLeftMs = leftMs - sinceMs;
  const time = endMs === null ? '' : minuteText(endMs);
  // Within a day, the time says which day it is.
  const at = time === '' ? '' : ` (${Math.abs(nowLeftMs) < DAY_MS ? time.slice('2026-10-01 '.length) : time})`;
  if (nowLeftMs > 0) return `ends in ${duration(nowLeftMs)}${at}`;
  // Whether it did is not known before the node is asked again.
  return `${leftMs > 0 ? 'was to end' : 'should have ended'} ${duration(-nowLeftMs)} ago${at}`;
}

const COUNTS: readonly (readonly [name: keyof NetworkFacts, noun: string, active: string])[] = [
  ['markets', 'market', 'active'],
  ['validators', 'validator', 'in consensus'],
  ['assets', 'asset', 'enabled'],
  ['specs', 'oracle spec', ''],
  ['bundles', 'signer bundle', ''],
];

/** Each list in numbers. Lists that are not known for the same reason share it. */
export function networkParts(network: NetworkFacts): readonly string[] {
  const parts = COUNTS.map(([name, noun, active]) => ({ noun, active, source: network[name] }));
  const known = parts.flatMap(({ source, noun, active }) =>
    source.kind === 'read' ? [countText(source.value, source.gap, noun, active)] : [],
  );
  const unknown = parts.flatMap(({ source, noun }) =>
    source.kind === 'read' ? [] : [{ noun, why: source.kind === 'waiting' ? NOT_ANSWERED : notKnown(source.why) }],
  );
  const reasons = [...Map.groupBy(unknown, ({ why }) => why)].map(
    ([why, lists]) => `${lists.map(({ noun }) => `${noun}s`).join(', ')} ${why}`,
  );
  return [...known, ...reasons];
}

function countText({ count, active, unsaid }: Count, gap: string, noun: string, word: string): string {
  const more = gap === '' ? '' : ` or more: ${gap}`;
  const said = [
    ...(active === null ? [] : [`${active} ${word}`]),
    ...(unsaid === 0 ? [] : [active === null ? `not known how many ${word}` : `${unsaid} not known`]),
  ].join(', ');
  return `${countOf(count, noun)}${count === 0 || said === '' ? '' : ` (${said})`}${more}`;
}

const MOST_TOTALS = 3;

export const NO_FEES = 'none: this node has no record of paid fees';

export function feesText({ epoch, markets, totals }: FeeFacts): string {
  if (epoch === null) return NO_FEES;
  const more = totals.length - MOST_TOTALS;
  const said = totals
    .slice(0, MOST_TOTALS)
    .map(({ text }) => text)
    .join(', ');
  return `epoch ${epoch}: ${said}${more > 0 ? ` and ${countOf(more, 'more asset')}` : ''} on ${countOf(markets, 'market')}`;
}

/** Which epochs, asset and market the fees of the last epochs are of. */
export function seriesText(series: FeeSeries, totals: FeeFacts['totals']): string {
  const symbol = totals.find(({ assetId }) => assetId === series.assetId.toLowerCase())?.symbol ?? 'one asset';
  const where = series.marketId === null ? 'all markets' : (series.market ?? shortName(series.marketId).slice(0, 12));
  return `epochs ${series.epochs[0]?.epoch} to ${series.epochs.at(-1)?.epoch}, ${symbol} on ${where}`;
}
