import { type Extent, type Judged, SOURCE_TITLES } from '../../attention/rule.ts';
import type { Loading } from '../../attention/seen.ts';
import { bySeverity } from '../../attention/severity.ts';
import type { ChangedSince } from '../../diff/recent-changes.ts';
import { MINE_WORDS } from '../../directory/mine.ts';
import type { FeeFacts } from '../../overview/fees.ts';
import type { Count, NodeFacts, Overview } from '../../overview/overview.ts';
import type { StoredChanges } from './stored-changes.ts';

export interface NamedOverview {
  /** `demo`, the name of a profile, or ''. */
  readonly label: string;
  /** Without a login. */
  readonly address: string;
  readonly overview: Overview;
  readonly changed: StoredChanges;
}

/** The members that docs/overview.md names: they stay as they are. 64-bit numbers are text, times RFC 3339. */
export function overviewJson({ label, address, overview, changed }: NamedOverview) {
  const { node, epoch, network, fees, attention, mine, requests } = overview;
  return {
    node: { name: label === '' ? null : label, address, ...part(node, nodeJson) },
    epoch: part(epoch, ({ seq, startMs, endMs, progress }) => ({
      seq,
      startTime: timeText(startMs),
      endTime: timeText(endMs),
      progress: progress === null ? null : Math.round(progress * 1000) / 1000,
    })),
    network: Object.fromEntries(Object.entries(network).map(([name, count]) => [name, part(count, countJson)])),
    fees: part(fees, feesJson),
    attention: findingsJson(attention),
    checked: attention.map(({ rule, looked }) => ({ rule, looked: looked.map(lookedJson) })),
    mine: mine.map(({ entity, id, name, facts, unread }) => ({ kind: MINE_WORDS[entity], id, name, facts, unread })),
    changed: changedJson(changed),
    requests,
  };
}

const changedJson = (changed: StoredChanges) => {
  const {
    sinceYesterday = null,
    sinceLooked = null,
    untilMs = null,
  } = typeof changed === 'string' ? {} : (changed ?? {});
  return {
    sinceYesterday: sinceJson(sinceYesterday),
    sinceLooked: sinceJson(sinceLooked),
    until: timeText(untilMs),
    error: typeof changed === 'string' ? changed : null,
  };
};

const sinceJson = (since: ChangedSince | null) =>
  since && { takenAt: timeText(since.takenMs), lists: since.compared, changes: Object.fromEntries(since.counts) };

/** A part with when it was answered, what may be missing of it, and why it is not there. */
function part<Value, Made extends object>(source: Loading<Value>, make: (value: Value) => Made) {
  switch (source.kind) {
    case 'waiting':
      return { at: null, partial: null, error: 'not answered yet' };
    case 'unread':
      return { at: null, partial: null, error: source.why };
    case 'read':
      return {
        ...make(source.value),
        at: timeText(source.atMs),
        partial: source.gap === '' ? null : source.gap,
        error: null,
      };
  }
}

const nodeJson = ({ version, chainId, isArchive, blockHeight, behindBlocks, history, ...block }: NodeFacts) => ({
  ...{ version, chainId, isArchive },
  blockHeight: numberText(blockHeight),
  blockTime: timeText(block.blockTimeMs),
  lagSeconds: block.blockAgeMs === null ? null : block.blockAgeMs / 1000,
  behindBlocks: numberText(behindBlocks),
  history: part(history, ({ oldest, newest, segments, gaps }) => ({
    fromBlock: numberText(oldest),
    toBlock: numberText(newest),
    segments,
    gaps: gaps.map(({ from, to }) => ({ fromBlock: String(from), toBlock: String(to) })),
  })),
});

const countJson = ({ count, active }: Count) => ({ count, active });

const feesJson = ({ epoch, markets, totals, series, why }: FeeFacts) => ({
  epoch,
  markets,
  totals: totals.map(({ assetId, symbol, raw, value, markets }) => ({ asset: assetId, symbol, raw, value, markets })),
  lastEpochs: series && {
    market: series.marketId,
    asset: series.assetId,
    epochs: series.epochs.map(({ epoch, raw }) => ({ epoch, raw })),
  },
  lastEpochsError: series === null ? why : null,
});

const findingsJson = (attention: readonly Judged[]) =>
  bySeverity(attention).map(({ rule, severity, sentence, resource, key, looked }) => ({
    ...{ rule, severity, sentence, resource, key },
    looked: looked.map(lookedJson),
  }));

const lookedJson = ({ source, records, gap, atMs }: Extent) => ({
  list: SOURCE_TITLES[source],
  records,
  isWhole: gap === '',
  at: timeText(atMs),
});

const timeText = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString());

const numberText = (number: bigint | null): string | null => (number === null ? null : String(number));
