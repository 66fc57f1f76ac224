import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { defineRule, type ListedFinding, listedFinding, listedUnknown } from './rule.ts';
import type { ObservedHistory } from './rule-input.ts';

const HISTORY = 'History';

export const historyGap = defineRule({
  id: 'history',
  about: 'history with a gap, broken or behind',
  subject: HISTORY,
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
const brokenLinkFindings = ({ broken }: ObservedHistory): readonly ListedFinding[] =>
  broken === null
    ? []
    : [listedFinding('critical', broken, { subject: HISTORY, fact: 'segments are not of one chain' })];

function gapFindings({ gaps: [first, ...others], segments }: ObservedHistory): readonly ListedFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more gap')}`;
  const missing = `${blockRangeText(first)} missing${more}`;
  return [
    listedFinding('warning', `history of ${countOf(segments, 'segment')}: ${missing}`, {
      subject: HISTORY,
      fact: missing,
    }),
  ];
}

function overlapFindings({ overlaps: [first, ...others], segments }: ObservedHistory): readonly ListedFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more overlap')}`;
  const inSeveral = `${blockRangeText(first)} in more than one segment${more}`;
  return [
    listedFinding('warning', `history of ${countOf(segments, 'segment')}: ${inSeveral}`, {
      subject: HISTORY,
      fact: inSeveral,
    }),
  ];
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
): readonly ListedFinding[] {
  if (newest === null)
    return listed === 0
      ? [
          listedFinding('info', 'the node lists no history segments', {
            subject: HISTORY,
            fact: 'no segments: nothing to export',
          }),
        ]
      : [];
  // The newest block of an ended chain stays in the epoch that was the newest.
  const isWithinEpoch = history.head === null && hasEnded;
  const head = isWithinEpoch ? history.epochStart : history.head;
  if (head === null)
    return [
      listedUnknown(
        HISTORY,
        'whether the history is behind is not known: the node does not give its newest block',
        'behind or not: not known',
      ),
    ];
  const behind = head - newest;
  if (behind < -MAX_BLOCKS_AHEAD && !isWithinEpoch)
    return [
      listedUnknown(
        HISTORY,
        `whether the history is behind is not known: it ends at block ${newest}, after the newest block ${head} of the node`,
        'behind or not: not known',
      ),
    ];
  if (behind <= MAX_SEGMENTS_BEHIND * longest) return [];
  const blocks = `${isWithinEpoch ? 'at least ' : ''}${groupDigits(String(behind))} blocks`;
  return [
    listedFinding('warning', `history ends at block ${newest}, ${blocks} behind the newest block of the node`, {
      subject: HISTORY,
      fact: `ends ${blocks} before the newest block`,
    }),
  ];
}
