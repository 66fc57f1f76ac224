import { columnSchema } from '../tables/tables.ts';

/**
 * Kinds of moves whose two accounts are always one party's, its own AMM's among them (account-ids.md section 3); between the
 * network's they concern nobody here.
 */
export const WITHIN_A_PARTY: readonly string[] = [
  ...['MARGIN_LOW', 'MARGIN_HIGH', 'ORDER_MARGIN_LOW', 'ORDER_MARGIN_HIGH', 'ISOLATED_MARGIN_LOW'],
  ...['ISOLATED_MARGIN_HIGH', 'BOND_LOW', 'BOND_HIGH', 'HOLDING_LOCK', 'HOLDING_RELEASE', 'REWARDS_VESTED'],
  ...['CLEAR_ACCOUNT', 'AMM_LOW', 'AMM_HIGH', 'AMM_RELEASE'],
].map(type => `TRANSFER_TYPE_${type}`);

/** Why money moved, in words; of what is not known, its name. */
export const reasonWords = (type: string | null): string => wordsOf('ledger', 'type', type);

/** What a value of a column stands for; itself where that is not known. */
export function wordsOf(table: string, column: string, value: string | null): string {
  if (value === null) return 'not said';
  const words = columnSchema(table, column)?.values;
  return (words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
}
