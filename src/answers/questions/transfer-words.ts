import { columnSchema } from '../tables/tables.ts';

/**
 * Types of moves between accounts of the same party, including its own AMM (account-ids.md section 3), or between accounts
 * of the network.
 */
export const WITHIN_A_PARTY: readonly string[] = [
  ...['MARGIN_LOW', 'MARGIN_HIGH', 'ORDER_MARGIN_LOW', 'ORDER_MARGIN_HIGH', 'ISOLATED_MARGIN_LOW'],
  ...['ISOLATED_MARGIN_HIGH', 'BOND_LOW', 'BOND_HIGH', 'HOLDING_LOCK', 'HOLDING_RELEASE', 'REWARDS_VESTED'],
  ...['CLEAR_ACCOUNT', 'AMM_LOW', 'AMM_HIGH', 'AMM_RELEASE'],
].map(type => `TRANSFER_TYPE_${type}`);

/** Why money moved, in words; the type itself if it is unknown. */
export const reasonWords = (type: string | null): string => wordsOf('ledger', 'type', type);

/** The meaning of a value; the value itself if it is unknown. */
export function wordsOf(table: string, column: string, value: string | null): string {
  if (value === null) return 'not said';
  const words = columnSchema(table, column)?.values;
  return (words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
}
