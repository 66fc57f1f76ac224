import { type JsonObject, jsonText } from '../api/json.ts';
import { wholeAmount } from '../insight/paid-fees.ts';

/** The type of the accounts that hold what providers committed. */
export const BOND_ACCOUNT = 'ACCOUNT_TYPE_BOND';

/**
 * The balance of a provider's bond among these accounts, in smallest units; undefined if it is missing, or listed twice
 * with different balances. A node that does not support the filters sends other accounts too.
 */
export function findBond(
  accounts: readonly JsonObject[],
  { marketId, partyId }: { readonly marketId: string; readonly partyId: string },
): string | undefined {
  const bonds = accounts.filter(
    ({ owner, marketId: market, type }) =>
      isSameId(owner, partyId) && isSameId(market, marketId) && jsonText(type) === BOND_ACCOUNT,
  );
  const [balance, ...others] = new Set(bonds.map(bond => jsonText(bond.balance)));
  return balance === undefined || others.length > 0 || wholeAmount(balance) === undefined ? undefined : balance;
}

const isSameId = (sent: JsonObject[string] | undefined, id: string): boolean =>
  id !== '' && jsonText(sent).toLowerCase() === id.toLowerCase();
