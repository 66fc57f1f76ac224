import { countOf } from '../../../chain/insight/count-of.ts';
import { breaksText } from '../../../chain/range/segment-links.ts';
import type { Loading, ObservedHistory } from '../../rules/rule-input.ts';
import { answeredChainState, mapAnswer, type OverviewAnswers } from '../answers.ts';
import { createFact, type Fact, numberText, partJson } from './fact.ts';

/** The history stored by the node, and its oldest block. */
export type HistoryFacts = Loading<StoredHistory>;

type StoredHistory = ObservedHistory & { readonly oldest: bigint | null };

export function historyFacts(answers: OverviewAnswers): HistoryFacts {
  const { block, epoch } = answeredChainState(answers);
  return mapAnswer(answers.segments, history => {
    const blocks = history.segments.map(({ fromHeight, toHeight }) => toHeight - fromHeight + 1n);
    const head = history.head ?? block.height;
    const listed = history.segments.length + history.unreadable;
    const value = {
      gaps: history.gaps,
      overlaps: history.overlaps,
      breaks: history.breaks.map(({ at }) => at),
      broken: breaksText(history.breaks) ?? null,
      segments: history.segments.length,
      listed,
      oldest: history.segments[0]?.fromHeight ?? null,
      newest: history.segments.reduce<bigint | null>(
        (most, { toHeight }) => (most === null || toHeight > most ? toHeight : most),
        null,
      ),
      longest: blocks.reduce((most, length) => (length > most ? length : most), 0n),
      head,
      epochStart: epoch?.firstBlock ?? null,
    };
    const gap = history.unreadable === 0 ? '' : `${history.unreadable} of ${listed} cannot be read`;
    return { value, records: history.segments.length, gap };
  });
}

/** The tab of exports shows the segments where a range is chosen. */
export const historyFact = (history: HistoryFacts): Fact =>
  createFact(history, { id: 'history', label: 'History', lead: { kind: 'tab', tab: 'history' } }, kept => ({
    parts: [historyText(kept)],
  }));

function historyText({ oldest, newest, segments, listed, gaps, breaks }: StoredHistory): string {
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
