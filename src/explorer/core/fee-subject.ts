import type { FeeQuery } from '../../explain/statement/fee-node.ts';
import { feeId } from '../../explain/statement/fee-page.ts';

/** Whose fees a statement is of. */
export type FeeSubject = Pick<FeeQuery, 'party' | 'market' | 'asset'>;

/** Of the id of a market or a party; undefined for what is no id. */
export function feeSubject(entity: 'market' | 'party', text: string): FeeSubject | undefined {
  const id = feeId('partyIds', text);
  if (id === '') return undefined;
  return entity === 'market' ? { party: '', market: id, asset: '' } : { party: id, market: '', asset: '' };
}
