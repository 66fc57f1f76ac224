import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { defineRule, finding, type RuleFinding, unknown } from './rule.ts';
import type { HistorySeen } from './seen.ts';

export const historyGap = defineRule({
  id: 'history',
  about: 'history with a gap, broken or behind',
  needs: ['history'],
  outlivesChain: true,
  find: read => {
    const history = read('history');
    return [...broken(history), ...gaps(history), ...overlaps(history), ...lag(history)];
  },
});

/** Rows before and after such a block may be of two histories, so an export over it cannot be trusted. */
const broken = ({ broken }: HistorySeen): readonly RuleFinding[] =>
  broken === null ? [] : [finding('critical', broken)];

function gaps({ gaps: [first, ...others], segments }: HistorySeen): readonly RuleFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more gap')}`;
  return [finding('warning', `history of ${countOf(segments, 'segment')}: ${blocksOf(first)} missing${more}`)];
}

function overlaps({ overlaps: [first, ...others], segments }: HistorySeen): readonly RuleFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more overlap')}`;
  const inSeveral = `${blocksOf(first)} in more than one segment${more}`;
  return [finding('warning', `history of ${countOf(segments, 'segment')}: ${inSeveral}`)];
}

const blocksOf = ({ from, to }: HistorySeen['gaps'][number]): string =>
  from === to ? `block ${from}` : `blocks ${from} to ${to}`;

/** A node lists a segment when it is full, so being one behind is normal. */
const MOST_SEGMENTS_BEHIND = 2n;

/** The node may store some blocks between two answers. */
const MOST_BLOCKS_AHEAD = 100n;

function lag({ newest, head, longest, listed }: HistorySeen): readonly RuleFinding[] {
  if (newest === null) return listed === 0 ? [finding('info', 'the node lists no history segments')] : [];
  if (head === null)
    return [unknown('whether the history is behind is not known: the node does not give its newest block')];
  const behind = head - newest;
  if (behind < -MOST_BLOCKS_AHEAD)
    return [
      unknown(
        `whether the history is behind is not known: it ends at block ${newest}, after the newest block ${head} of the node`,
      ),
    ];
  if (behind <= MOST_SEGMENTS_BEHIND * longest) return [];
  const blocks = groupDigits(String(behind));
  return [finding('warning', `history ends at block ${newest}, ${blocks} blocks behind the newest block of the node`)];
}
