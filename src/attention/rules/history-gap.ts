import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { createFinding, defineRule, type RuleFinding, unknownFinding } from './rule.ts';
import type { ObservedHistory } from './rule-input.ts';

export const historyGap = defineRule({
  id: 'history',
  about: 'history with a gap, broken or behind',
  needs: ['history'],
  outlivesChain: true,
  find: (read, { hasEnded }) => {
    const history = read('history');
    return [
      ...brokenLinkFindings(history),
      ...gapFindings(history),
      ...overlapFindings(history),
      ...lagFindings(history, hasEnded),
    ];
  },
});

/** Rows before and after such a block may be of two histories, so an export over it cannot be trusted. */
const brokenLinkFindings = ({ broken }: ObservedHistory): readonly RuleFinding[] =>
  broken === null ? [] : [createFinding('critical', broken)];

function gapFindings({ gaps: [first, ...others], segments }: ObservedHistory): readonly RuleFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more gap')}`;
  return [
    createFinding('warning', `history of ${countOf(segments, 'segment')}: ${blockRangeText(first)} missing${more}`),
  ];
}

function overlapFindings({ overlaps: [first, ...others], segments }: ObservedHistory): readonly RuleFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more overlap')}`;
  const inSeveral = `${blockRangeText(first)} in more than one segment${more}`;
  return [createFinding('warning', `history of ${countOf(segments, 'segment')}: ${inSeveral}`)];
}

const blockRangeText = ({ from, to }: ObservedHistory['gaps'][number]): string =>
  from === to ? `block ${from}` : `blocks ${from} to ${to}`;

/** A node lists a segment when it is full, so being one behind is normal. */
const MAX_SEGMENTS_BEHIND = 2n;

/** The node may store some blocks between two answers. */
const MAX_BLOCKS_AHEAD = 100n;

function lagFindings(
  { newest, longest, listed, ...history }: ObservedHistory,
  hasEnded: boolean,
): readonly RuleFinding[] {
  if (newest === null) return listed === 0 ? [createFinding('info', 'the node lists no history segments')] : [];
  // The newest block of an ended chain stays in the epoch that was the newest.
  const isWithinEpoch = history.head === null && hasEnded;
  const head = isWithinEpoch ? history.epochStart : history.head;
  if (head === null)
    return [unknownFinding('whether the history is behind is not known: the node does not give its newest block')];
  const behind = head - newest;
  if (behind < -MAX_BLOCKS_AHEAD && !isWithinEpoch)
    return [
      unknownFinding(
        `whether the history is behind is not known: it ends at block ${newest}, after the newest block ${head} of the node`,
      ),
    ];
  if (behind <= MAX_SEGMENTS_BEHIND * longest) return [];
  const blocks = `${isWithinEpoch ? 'at least ' : ''}${groupDigits(String(behind))} blocks`;
  return [createFinding('warning', `history ends at block ${newest}, ${blocks} behind the newest block of the node`)];
}
