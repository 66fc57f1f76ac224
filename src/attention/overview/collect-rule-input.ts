import type { Page } from '../../chain/api/page.ts';
import { blockAge, isArchive } from '../../chain/directory/chain-state.ts';
import { type Directory, NO_NAMES } from '../../chain/directory/directory.ts';
import { readNames } from '../../chain/directory/fetch-directory.ts';
import { mergeNames } from '../../chain/directory/merge-names.ts';
import { type Mine, NOTHING_MINE } from '../../chain/directory/mine.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';
import type {
  Loading,
  ObservedArrivals,
  ObservedBundle,
  ObservedNode,
  RuleInput,
  Sources,
} from '../rules/rule-input.ts';
import {
  answeredChainState,
  answeredRows,
  isUnreachable,
  mapAnswer,
  type OverviewAnswers,
  type PartAnswer,
  pageGap,
} from './answers.ts';
import { epochSinceProvisions } from './epoch-since-provisions.ts';
import { historyFacts } from './facts/history.ts';

export interface OverviewSettings {
  readonly nowMs: number;
  readonly limit: LagLimit;
  readonly threshold?: number | undefined;
  /** The user's own names, by id in lower case. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** The chain that the node has named before, for when it names none. */
  readonly chainId?: string | null;
  /** The user's own entities on a chain. */
  readonly mineOn?: (chainId: string) => Mine;
  /** Names do not mark the user's own entities. */
  readonly isForPrograms?: boolean;
}

/** What the rules read, from the answers so far. */
export function collectRuleInput(answers: OverviewAnswers, settings: OverviewSettings): RuleInput {
  const names = answeredDirectory(answers, settings.aliases);
  return {
    directory: settings.isForPrograms === true ? names : { ...names, mine: mineOnChain(answers, settings) },
    ...{ nowMs: settings.nowMs, limit: settings.limit, threshold: settings.threshold },
    hasEnded: hasChainEnded(answers, settings),
    blockTimeMs: answers.block.timeMs,
    epoch: answeredChainState(answers).epoch?.seq ?? null,
    sources: collectSources(answers),
  };
}

/** The user's own entities on the node's chain, once the chain is known. */
export function mineOnChain(answers: OverviewAnswers, { chainId: before, mineOn }: OverviewSettings): Mine {
  const chainId = answeredChainState(answers).chainId ?? before;
  return (chainId ? mineOn?.(chainId) : undefined) ?? NOTHING_MINE;
}

function answeredDirectory({ markets, assets, validators }: OverviewAnswers, aliases = NO_NAMES.aliases): Directory {
  return {
    ...mergeNames(NO_NAMES, {
      ...(markets.kind === 'answered' && readNames('markets', markets.value.rows)),
      ...(assets.kind === 'answered' && readNames('assets', assets.value.records)),
      ...(validators.kind === 'answered' && readNames('nodes', validators.value.rows)),
    }),
    aliases,
  };
}

const answeredRecords = (answer: PartAnswer<Page>) =>
  mapAnswer(answer, page => ({ value: page.records, records: page.records.length, gap: pageGap(page) }));

function collectSources(answers: OverviewAnswers): Sources {
  return {
    node: observeNode(answers),
    history: historyFacts(answers),
    markets: answeredRows(answers.markets),
    validators: answeredRows(answers.validators),
    bundles: collectBundles(answers),
    specs: answeredRows(answers.specs),
    // If older data was not read, the lateness is only a lower bound; the rule reports that.
    arrivals: mapAnswer(answers.arrivals, ({ records, hasNextPage, flaws }): Read<ObservedArrivals> => {
      const value = {
        rows: records,
        hasMore: hasNextPage,
        blockTimeMs: blockTimeOfAnswer(answers.arrivals, answers.block),
      };
      return { value, records: records.length, gap: flaws[0] ?? '' };
    }),
    provisions: mapAnswer(answers.provisions, ({ marketId, page }) => {
      const value = { marketId, rows: page.rows, epochBegun: epochSinceProvisions(answers) };
      return { value, records: page.rows.length, gap: pageGap(page) };
    }),
    bonds: answeredRecords(answers.bonds),
  };
}

/** The newest block when an answer came, by the one that was heard of last. */
function blockTimeOfAnswer(answer: PartAnswer<unknown>, { timeMs, atMs }: OverviewAnswers['block']): number | null {
  if (timeMs === null || atMs === null || answer.kind !== 'answered') return timeMs;
  return timeMs - Math.max(0, atMs - answer.atMs);
}

interface Read<Value> {
  readonly value: Value;
  readonly records: number;
  readonly gap: string;
}

/** They are waited for until their signatures are checked, unless that cannot be done. */
function collectBundles({ bundles, checked }: OverviewAnswers): Loading<readonly ObservedBundle[]> {
  if (bundles.kind === 'answered' && checked.kind === 'waiting') return checked;
  const known = checked.kind === 'answered' ? checked.value : new Map<never, never>();
  return mapAnswer(bundles, page => ({
    value: page.rows.map(row => ({ row, checked: known.get(row) ?? null })),
    records: page.rows.length,
    gap: pageGap(page),
  }));
}

export function observeNode(answers: OverviewAnswers): Loading<ObservedNode> {
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
      value: { kind: 'silent', why, isUnreached: all.some(isUnreachable) },
    };
  }
  // The core comes first, so without it nothing more will be known.
  if (statistics.kind === 'waiting') return { kind: 'waiting' };
  const { block, core } = answeredChainState(answers);
  const coreAgeMs = core?.timeMs == null || statistics.kind !== 'answered' ? null : statistics.atMs - core.timeMs;
  return {
    ...{ kind: 'read', records: null, gap: '', atMs: first.atMs },
    value: {
      kind: 'answers',
      gone: lostContactReason(answers),
      blockAgeMs: blockAge(block),
      doubts: answers.doubts,
      core: core && {
        ...{ state: core.state, blockAgeMs: coreAgeMs },
        ...{ behindMs: core.behindMs, behindBlocks: core.behindBlocks },
      },
    },
  };
}

/** Why a node that has answered before cannot be reached now. */
function lostContactReason({ statistics, ...others }: OverviewAnswers): string | null {
  if (statistics.kind !== 'failed' || !isUnreachable(statistics)) return null;
  const isHeardSince = Object.values(others).some(
    part => typeof part === 'object' && 'kind' in part && part.kind === 'answered' && part.atMs > statistics.atMs,
  );
  return isHeardSince ? null : statistics.why;
}

/** The newest block is the last one, unless the user declares the chain live. */
export const hasChainEnded = (answers: OverviewAnswers, { limit }: Pick<OverviewSettings, 'limit'>): boolean =>
  !limit.isLive && isArchive(answeredChainState(answers));
