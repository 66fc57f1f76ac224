import type { ChainState } from '../../../chain/directory/chain-state.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import type { History } from '../../../chain/range/segment-history.ts';
import { breaksText } from '../../../chain/range/segment-links.ts';
import type { Loading, ObservedHistory } from '../../rules/rule-input.ts';
import { answeredChainState, mapAnswer, type OverviewAnswers } from '../answers.ts';
import { createFact, type Fact, numberText, partJson } from './fact.ts';

/** The history stored by the node, and its oldest block. */
export type HistoryFacts = Loading<StoredHistory>;

type StoredHistory = ObservedHistory & { readonly oldest: bigint | null };

export function historyFacts(answers: OverviewAnswers): HistoryFacts {
  const chain = answeredChainState(answers);
  return mapAnswer(answers.segments, history => {
    const value = describeStoredHistory(history, chain);
    const gap = history.unreadable === 0 ? '' : `${history.unreadable} of ${value.listed} cannot be read`;
    return { value, records: history.segments.length, gap };
  });
}

/** The history that a node lists, on a chain in this state. */
export function describeStoredHistory(
  history: History,
  { block, epoch }: Pick<ChainState, 'block' | 'epoch'>,
): StoredHistory {
  const { segments, gaps, overlaps, breaks, unreadable, head } = history;
  const blocks = segments.map(({ fromHeight, toHeight }) => toHeight - fromHeight + 1n);
  return {
    ...{ gaps, overlaps, breaks: breaks.map(({ at }) => at), broken: breaksText(breaks) ?? null },
    segments: segments.length,
    listed: segments.length + unreadable,
    oldest: segments[0]?.fromHeight ?? null,
    newest: segments.reduce<bigint | null>(
      (most, { toHeight }) => (most === null || toHeight > most ? toHeight : most),
      null,
    ),
    longest: blocks.reduce((most, length) => (length > most ? length : most), 0n),
    head: head ?? block.height,
    epochStart: epoch?.firstBlock ?? null,
  };
}

/** The tab of exports shows the segments where a range is chosen. */
export const historyFact = (history: HistoryFacts): Fact =>
  createFact(history, { id: 'history', label: 'History', lead: { kind: 'tab', tab: 'history' } }, kept => ({
    parts: [historyText(kept)],
  }));

export function historyText({ oldest, newest, segments, listed, gaps, breaks }: StoredHistory): string {
  if (oldest === null || newest === null) return listed === 0 ? 'no segments' : 'no segment that can be read';
  const holes = gaps.length === 0 ? 'no gap' : countOf(gaps.length, 'gap');
  const broken = breaks[0] === undefined ? '' : `, not one chain at block ${breaks[0]}`;
  return `blocks ${oldest} to ${newest} in ${countOf(segments, 'segment')}, ${holes}${broken}`;
}

/** A member of the node. */
export const historyJson = (history: HistoryFacts) =>
  partJson(history, ({ oldest, newest, segments, gaps }) => ({
    fromBlock: numberText(oldest),
    toBlock: numberText(newest),
    segments,
    gaps: gaps.map(({ from, to }) => ({ fromBlock: String(from), toBlock: String(to) })),
  }));
