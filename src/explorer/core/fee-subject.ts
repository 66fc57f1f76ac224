import { readTypedId } from '../../base/text/ids.ts';
import type { FeeQuery } from '../../chain/explain/statement/fee-node.ts';
import { feeId } from '../../chain/explain/statement/fee-page.ts';
import type { Message, SharedState } from './screen.ts';

/** Whose fees a statement is of. */
export type FeeSubject = Pick<FeeQuery, 'party' | 'market' | 'asset'>;

/** The subject for the id of a market or a party; undefined if the text is not an id. */
export function feeSubject(entity: 'market' | 'party', text: string): FeeSubject | undefined {
  const id = feeId('partyIds', text);
  if (id === '') return undefined;
  return entity === 'market' ? { party: '', market: id, asset: '' } : { party: id, market: '', asset: '' };
}

/** Whose statement an id that was pasted or typed calls for: of a market if it is known as one, else of a party. */
export function parseFeeSubject(
  { seen, directory }: Pick<SharedState, 'seen' | 'directory'>,
  text: string,
): FeeSubject | undefined {
  const id = readTypedId(text) ?? text.trim();
  const isSeen = (seen.market ?? []).some(market => market.toLowerCase() === id.toLowerCase());
  return feeSubject(isSeen || directory.markets.has(id.toLowerCase()) ? 'market' : 'party', id);
}

/** The notice for an id that has no statement. */
export const NO_SUBJECT_NOTICE = {
  type: 'noticed',
  text: 'a statement needs the id of a party or market, in hex digits',
  tone: 'bad',
} as const satisfies Message;
