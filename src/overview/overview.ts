import { coreOf } from '../api/core-status.ts';
import { type Json, jsonText, member } from '../api/json.ts';
import { fromRfc3339, textOr } from '../api/node-values.ts';
import type { Page } from '../api/page.ts';
import { judgeAll } from '../attention/registry.ts';
import type { Judged } from '../attention/rule.ts';
import type { ArrivalsSeen, BundleSeen, HistorySeen, Loading, NodeSeen, Seen, Sources } from '../attention/seen.ts';
import { type Directory, NO_NAMES, nameOf, unitOfAsset } from '../directory/directory.ts';
import { namesIn } from '../directory/fetch-directory.ts';
import { mergedNames } from '../directory/merged-names.ts';
import { type Mine, NOTHING_MINE } from '../directory/mine.ts';
import { scaled } from '../insight/decimal.ts';
import { epochNumber, sumOf } from '../insight/paid-fees.ts';
import { amountText } from '../resources/amount-text.ts';
import type { Row, RowPage } from '../resources/resource.ts';
import { readValidator, scoredValidator } from '../resources/validators.ts';
import { type Answers, isUnreached, type PartAnswer } from './answers.ts';
import { FEE_EPOCHS, feesFrom, quantaIn, readFees, rowsOfEpoch, totalsOf } from './fees.ts';
import { type MineLine, mineLines } from './mine.ts';

/** What this node and its chain are, and what needs attention. Texts may hold words of the chain: sanitise them. */
export interface Overview {
  readonly node: Loading<NodeFacts>;
  readonly epoch: Loading<EpochFacts>;
  readonly network: NetworkFacts;
  readonly fees: Loading<FeeFacts>;
  readonly attention: readonly Judged[];
  /** What the lists say of what is the user's. */
  readonly mine: readonly MineLine[];
  /** Names of the chain, from the same answers. */
  readonly directory: Directory;
  readonly requests: number;
}

/** Null is what the node does not say. */
export interface NodeFacts {
  readonly version: string | null;
  readonly chainId: string | null;
  readonly blockHeight: string | null;
  readonly blockTimeMs: number | null;
  readonly blockAgeMs: number | null;
  readonly coreHeight: bigint | null;
  readonly behindBlocks: bigint | null;
  readonly behindMs: number | null;
  readonly history: Loading<HistorySeen & { readonly oldest: bigint | null }>;
}

export interface EpochFacts {
  readonly seq: string;
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** The part that has passed by the chain's clock, 0 to 1; null without all three times. */
  readonly progress: number | null;
  /** Until it is due to end, by the chain's clock; negative if it should have ended. */
  readonly leftMs: number | null;
}

export interface NetworkFacts {
  readonly markets: Loading<Count>;
  readonly validators: Loading<Count>;
  readonly assets: Loading<Count>;
  readonly specs: Loading<Count>;
  readonly bundles: Loading<Count>;
}

/** How many there are, and how many of them are active, in consensus, enabled; null if that means nothing. */
export interface Count {
  readonly count: number;
  readonly active: number | null;
}

export interface FeeFacts {
  /** The newest epoch with fees. */
  readonly epoch: string;
  readonly markets: number;
  /** By asset; the asset worth most comes first. */
  readonly totals: readonly FeeTotal[];
  /** The last epochs, oldest first; null if they could not be read. */
  readonly series: FeeSeries | null;
  /** Why there is no series; '' if there is one. */
  readonly why: string;
}

export interface FeeTotal {
  readonly assetId: string;
  readonly symbol: string | null;
  /** Smallest units. */
  readonly raw: string;
  /** In whole units; null while its decimals are unknown. */
  readonly value: string | null;
  /** For a sentence. */
  readonly text: string;
  readonly markets: number;
}

export interface FeeSeries {
  /** Null: of all markets. */
  readonly marketId: string | null;
  readonly market: string | null;
  readonly assetId: string;
  /** Smallest units; 0 where nothing was allocated. */
  readonly epochs: readonly { readonly epoch: string; readonly raw: string }[];
}

export interface OverviewSettings {
  readonly nowMs: number;
  readonly maxLagMs: number;
  readonly threshold?: number | undefined;
  /** The user's own names, by id in lower case. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** What is the user's on a chain. */
  readonly mineOn?: (chainId: string) => Mine;
  /** Names do not say what is the user's. */
  readonly isForPrograms?: boolean;
}

/** The overview from the answers so far. */
export function overviewOf(answers: Answers, settings: OverviewSettings): Overview {
  const mine = mineIn(answers, settings);
  const seen = seenOf(answers, settings);
  const { directory, sources } = seen;
  const read = { ...sources, bundles: rowsLoaded(answers.bundles), fees: rowsLoaded(answers.fees), epoch: seen.epoch };
  return {
    node: nodeOf(answers),
    epoch: epochFacts(answers),
    network: networkOf(answers),
    fees: feesOf(answers, directory),
    attention: judgeAll(seen),
    mine: mineLines(mine, read, directory),
    directory,
    requests: answers.requests,
  };
}

/** What the rules read, from the answers so far. */
export function seenOf(answers: Answers, settings: OverviewSettings): Seen {
  const names = directoryOf(answers, settings.aliases);
  const epoch = epochFacts(answers);
  return {
    directory: settings.isForPrograms === true ? names : { ...names, mine: mineIn(answers, settings) },
    ...{ nowMs: settings.nowMs, maxLagMs: settings.maxLagMs, threshold: settings.threshold },
    blockTimeMs: blockOf(answers).blockTimeMs,
    epoch: epoch.kind === 'read' ? (epochNumber(epoch.value.seq) ?? null) : null,
    sources: sourcesOf(answers),
  };
}

/** What is the user's on the chain of the node, once that is known. */
function mineIn(answers: Answers, { mineOn }: OverviewSettings): Mine {
  const chainId = textOr(member(statisticsIn(answers), 'chainId'));
  return (chainId === null ? undefined : mineOn?.(chainId)) ?? NOTHING_MINE;
}

function directoryOf({ markets, assets, validators }: Answers, aliases = NO_NAMES.aliases): Directory {
  return {
    ...mergedNames(NO_NAMES, {
      ...(markets.kind === 'answered' && namesIn('markets', markets.value.rows)),
      ...(assets.kind === 'answered' && namesIn('assets', assets.value.records)),
      ...(validators.kind === 'answered' && namesIn('nodes', validators.value.rows)),
    }),
    aliases,
  };
}

/** A value made of an answer. */
function made<Value, Made>(
  answer: PartAnswer<Value>,
  make: (value: Value) => { readonly value: Made; readonly records?: number; readonly gap?: string },
): Loading<Made> {
  switch (answer.kind) {
    case 'waiting':
      return answer;
    case 'failed':
      return { kind: 'unread', why: answer.why };
    case 'answered':
      return { kind: 'read', records: null, gap: '', ...make(answer.value), atMs: answer.atMs };
  }
}

/** Why a page may not have all rows; '' if it has. */
const gapOf = ({ flaws: [flaw], hasNextPage }: Pick<RowPage, 'flaws' | 'hasNextPage'>): string =>
  flaw ?? (hasNextPage ? 'the node has more' : '');

/** The rows of a list, with why some may be missing. */
export const rowsLoaded = (answer: PartAnswer<RowPage>): Loading<readonly Row[]> =>
  made(answer, page => ({ value: page.rows, records: page.rows.length, gap: gapOf(page) }));

const recordsOf = (answer: PartAnswer<Page>) =>
  made(answer, page => ({ value: page.records, records: page.records.length, gap: gapOf(page) }));

function sourcesOf(answers: Answers): Sources {
  return {
    node: nodeSeen(answers),
    history: historyOf(answers),
    markets: rowsLoaded(answers.markets),
    validators: rowsLoaded(answers.validators),
    bundles: bundlesOf(answers),
    specs: rowsLoaded(answers.specs),
    // Older data than was read only makes lateness a lower bound, which the rule says.
    arrivals: made(answers.arrivals, ({ records, hasNextPage, flaws }): Read<ArrivalsSeen> => {
      const value = { rows: records, hasMore: hasNextPage, blockTimeMs: blockTimeAt(answers.arrivals, answers.block) };
      return { value, records: records.length, gap: flaws[0] ?? '' };
    }),
    provisions: made(answers.provisions, ({ marketId, page }) => {
      const value = { marketId, rows: page.rows, isOfPastEpoch: isOfPastEpoch(answers) };
      return { value, records: page.rows.length, gap: gapOf(page) };
    }),
    bonds: recordsOf(answers.bonds),
  };
}

/** The newest block when an answer came, by the one that was heard of last. */
function blockTimeAt(answer: PartAnswer<unknown>, { timeMs, atMs }: Answers['block']): number | null {
  if (timeMs === null || atMs === null || answer.kind !== 'answered') return timeMs;
  return timeMs - Math.max(0, atMs - answer.atMs);
}

/** Whether the core says that an epoch has begun since the provisions were read. */
function isOfPastEpoch(answers: Answers): boolean {
  const { provisions, statistics } = answers;
  const epoch = epochFacts(answers);
  if (provisions.kind !== 'answered' || statistics.kind !== 'answered' || epoch.kind !== 'read') return false;
  const { startMs } = epoch.value;
  return startMs !== null && provisions.atMs < startMs && startMs <= statistics.atMs;
}

interface Read<Value> {
  readonly value: Value;
  readonly records: number;
  readonly gap: string;
}

/** They are waited for until their signatures are checked, unless that cannot be done. */
function bundlesOf({ bundles, checked }: Answers): Loading<readonly BundleSeen[]> {
  if (bundles.kind === 'answered' && checked.kind === 'waiting') return checked;
  const known = checked.kind === 'answered' ? checked.value : new Map<never, never>();
  return made(bundles, page => ({
    value: page.rows.map(row => ({ row, checked: known.get(row) ?? null })),
    records: page.rows.length,
    gap: gapOf(page),
  }));
}

function nodeSeen(answers: Answers): Loading<NodeSeen> {
  const { statistics, segments, markets, validators, specs, fees } = answers;
  const all = [statistics, segments, markets, validators, specs, fees];
  const [first] = all.filter(({ kind }) => kind === 'answered');
  if (first?.kind !== 'answered') {
    if (all.some(({ kind }) => kind === 'waiting')) return { kind: 'waiting' };
    const why = statistics.kind === 'failed' ? statistics.why : 'no request was answered';
    return {
      kind: 'read',
      records: null,
      gap: '',
      atMs: statistics.kind === 'failed' ? statistics.atMs : 0,
      value: { kind: 'silent', why, isUnreached: all.some(isUnreached) },
    };
  }
  // The core comes first, so without it nothing more will be known.
  if (statistics.kind === 'waiting') return { kind: 'waiting' };
  const { blockAgeMs } = blockOf(answers);
  const core = statistics.kind === 'answered' ? coreOf(statistics.value) : null;
  const coreAgeMs = core?.timeMs == null || statistics.kind !== 'answered' ? null : statistics.atMs - core.timeMs;
  return {
    ...{ kind: 'read', records: null, gap: '', atMs: first.atMs },
    value: {
      kind: 'answers',
      blockAgeMs,
      core: core && {
        ...{ state: core.state, blockAgeMs: coreAgeMs },
        ...{ behindMs: core.behindMs, behindBlocks: core.behindBlocks },
      },
    },
  };
}

function blockOf({ block: { timeMs, atMs } }: Answers) {
  return { blockTimeMs: timeMs, blockAgeMs: timeMs === null || atMs === null ? null : atMs - timeMs };
}

function historyOf({ segments, block }: Answers): NodeFacts['history'] {
  return made(segments, history => {
    const blocks = history.segments.map(({ fromHeight, toHeight }) => toHeight - fromHeight + 1n);
    const head = history.head ?? (block.height === null ? null : BigInt(block.height));
    const listed = history.segments.length + history.unreadable;
    const value = {
      gaps: history.gaps,
      segments: history.segments.length,
      listed,
      oldest: history.segments[0]?.fromHeight ?? null,
      newest: history.segments.reduce<bigint | null>(
        (most, { toHeight }) => (most === null || toHeight > most ? toHeight : most),
        null,
      ),
      longest: blocks.reduce((most, length) => (length > most ? length : most), 0n),
      head,
    };
    const gap = history.unreadable === 0 ? '' : `${history.unreadable} of ${listed} cannot be read`;
    return { value, records: history.segments.length, gap };
  });
}

/** What the node says of itself. */
export function nodeOf(answers: Answers): Loading<NodeFacts> {
  const { statistics, info, block } = answers;
  const seen = nodeSeen(answers);
  if (seen.kind !== 'read') return seen;
  if (seen.value.kind === 'silent') return { kind: 'unread', why: seen.value.why };
  const said = statisticsIn(answers);
  const core = statistics.kind === 'answered' ? coreOf(statistics.value) : null;
  const { blockTimeMs, blockAgeMs } = blockOf(answers);
  return {
    ...{ kind: 'read', records: null, gap: '', atMs: seen.atMs },
    value: {
      version:
        textOr(member(said, 'appVersion')) ??
        (info.kind === 'answered' ? textOr(member(info.value.json, 'version')) : null),
      chainId: textOr(member(said, 'chainId')),
      blockHeight: block.height,
      ...{ blockTimeMs, blockAgeMs },
      coreHeight: core?.height ?? null,
      behindBlocks: core?.behindBlocks ?? null,
      behindMs: core?.behindMs ?? null,
      history: historyOf(answers),
    },
  };
}

const statisticsIn = ({ statistics }: Answers): Json | undefined =>
  statistics.kind === 'answered' ? member(statistics.value.json, 'statistics') : undefined;

/** How far a clock of a chain may be ahead of this one. */
const MOST_AHEAD_MS = 3_600_000;

export function epochFacts(answers: Answers): Loading<EpochFacts> {
  const source = made(answers.statistics, () => ({ value: statisticsIn(answers) }));
  if (source.kind !== 'read') return source;
  const text = (name: string): string => jsonText(member(source.value, name));
  const seq = epochNumber(text('epochSeq'));
  if (seq === undefined) return { kind: 'unread', why: 'the node does not say which epoch it is' };
  const [startMs, endMs, coreMs] = ['epochStartTime', 'epochExpiryTime', 'vegaTime'].map(name =>
    fromRfc3339(text(name)),
  );
  // Times that contradict each other or this clock say nothing.
  const isOrdered = startMs == null || endMs == null || endMs > startMs;
  const nowMs = isOrdered && coreMs != null && coreMs < source.atMs + MOST_AHEAD_MS ? coreMs : null;
  const isWhole = startMs != null && endMs != null && nowMs != null && startMs <= nowMs;
  return {
    ...source,
    value: {
      seq: String(seq),
      startMs: startMs ?? null,
      endMs: endMs ?? null,
      progress: isWhole ? Math.min(1, Math.max(0, (nowMs - startMs) / (endMs - startMs))) : null,
      leftMs: endMs == null || nowMs === null ? null : endMs - nowMs,
    },
  };
}

function networkOf({ markets, validators, assets, specs, bundles }: Answers): NetworkFacts {
  const inRows = (
    answer: PartAnswer<RowPage>,
    isActive: ((row: RowPage['rows'][number]) => boolean) | null,
  ): Loading<Count> =>
    made(answer, page => {
      const rows = eachOnce(page.rows);
      const active = isActive === null ? null : rows.filter(isActive).length;
      return { value: { count: rows.length, active }, records: page.rows.length, gap: gapOf(page) };
    });
  return {
    markets: inRows(markets, row => row.state === 'STATE_ACTIVE'),
    validators: inRows(validators, row => scoredValidator(readValidator(row)).isConsensus),
    assets: made(assets, page => ({
      value: {
        count: page.records.length,
        active: page.records.filter(({ status }) => status === 'STATUS_ENABLED').length,
      },
      records: page.records.length,
      gap: gapOf(page),
    })),
    specs: inRows(specs, null),
    bundles: inRows(bundles, null),
  };
}

/** Rows without an id are counted as they are. */
function eachOnce(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(row => {
    const id = jsonText(row.id);
    const isFirst = id === '' || !seen.has(id);
    seen.add(id);
    return isFirst;
  });
}

function feesOf(answers: Answers, directory: Directory): Loading<FeeFacts> {
  const { fees } = answers;
  const read = feesFrom(answers);
  const source = made(fees, page => {
    const gap = read.flaw === '' ? gapOf(page) : read.flaw;
    return { value: read, records: page.rows.length, gap };
  });
  if (source.kind !== 'read') return source;
  const { newest, rows } = read;
  if (newest === null) return { kind: 'unread', why: source.gap === '' ? 'the node lists no fees' : source.gap };
  const last = rowsOfEpoch(rows, newest);
  const totals = totalsOf(last, quantaIn(answers));
  const series = seriesOf(answers, { newest, assetId: totals[0]?.assetId ?? '', gap: source.gap, directory });
  return {
    ...source,
    value: {
      epoch: String(newest),
      markets: new Set(last.map(({ market }) => market.toLowerCase())).size,
      totals: totals.map(({ assetId, total, markets }) => {
        const unit = unitOfAsset(directory, assetId);
        const value = unit === undefined ? null : (scaled(total, unit.decimals) ?? null);
        return { assetId, symbol: unit?.symbol ?? null, raw: total, value, text: amountText(total, unit), markets };
      }),
      ...series,
    },
  };
}

interface SeriesOf {
  readonly newest: bigint;
  readonly assetId: string;
  /** Why rows may be missing. */
  readonly gap: string;
  readonly directory: Directory;
}

/** Of all markets if the node gives ranges, else of the market with the most fees. */
function seriesOf(answers: Answers, { newest, assetId, gap, directory }: SeriesOf): Pick<FeeFacts, 'series' | 'why'> {
  const { rows, isRange } = feesFrom(answers);
  const { marketFees } = answers;
  if (isRange && gap !== '') return { series: null, why: gap };
  if (isRange) {
    const own = rows.filter(({ asset }) => asset.toLowerCase() === assetId);
    return { series: { marketId: null, market: null, assetId, epochs: lastEpochs(own, newest) }, why: '' };
  }
  if (marketFees.kind === 'waiting') return { series: null, why: 'waiting' };
  if (marketFees.kind === 'failed') return { series: null, why: marketFees.why };
  const { marketId, assetId: asset, page } = marketFees.value;
  const own = readFees(page.rows, null);
  const isOther = own.rows.some(
    row => row.market.toLowerCase() !== marketId.toLowerCase() || row.asset.toLowerCase() !== asset.toLowerCase(),
  );
  // The newest epoch has to be there: some nodes begin with the oldest.
  if (isOther || own.flaw !== '' || own.newest !== newest)
    return { series: null, why: 'the node did not list the last epochs of one market' };
  const market = nameOf(directory, 'market', marketId) ?? null;
  return { series: { marketId, market, assetId: asset, epochs: lastEpochs(own.rows, newest) }, why: '' };
}

/** An epoch without a row had no fees: nodes list only those with some. */
function lastEpochs(
  rows: readonly { readonly epochSeq: string; readonly totalFeesPaid: string }[],
  newest: bigint,
): FeeSeries['epochs'] {
  const oldest = newest >= BigInt(FEE_EPOCHS) ? newest - BigInt(FEE_EPOCHS) + 1n : 1n;
  return Array.from({ length: Number(newest - oldest + 1n) }, (_, index) => {
    const epoch = oldest + BigInt(index);
    const own = rows.filter(({ epochSeq }) => epochNumber(epochSeq) === epoch);
    return { epoch: String(epoch), raw: sumOf(own.map(({ totalFeesPaid }) => totalFeesPaid)) ?? '0' };
  });
}
