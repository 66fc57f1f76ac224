import { isRangeEndText, parseTypedRange } from '../../../chain/range/parse-range.ts';
import type { FetchRange } from '../../../history/store/find-range.ts';
import { yearRange } from '../tables.ts';

/** All that the node has. */
export const WHOLE_HISTORY = 'all';

/** The range of a fetch, as typed; undefined if the text is no range. The node has the end that is left out. */
export function parseFetchRange(text: string): FetchRange | undefined {
  const words = text.trim().toLowerCase();
  const year = yearRange(words);
  if (year !== undefined) return { kind: 'between', ...year };
  const { from = '', to = '' } = /^(?<from>.*?)\s*\.\.\s*(?<to>.*)$/.exec(words)?.groups ?? {};
  if (from !== '' && to === '' && isRangeEndText(from)) return { kind: 'open', from };
  if (from === '' && to !== '' && isRangeEndText(to)) return { kind: 'open', to };
  return parseTypedRange(words === '' ? WHOLE_HISTORY : words);
}
